import { expect, test } from 'vitest';
import { assembleMotifs } from '../../src/gateway/assembly.ts';
import type { Inspection, JudgingPool } from '../../src/gateway/contract.ts';
import { createLog } from '../../src/gateway/records/log.ts';
import { parsed } from './file/config-file.ts';
import { atOnce } from '../../src/text/turns.ts';

const names = Array.from({ length: 90 }, (_, index) => `p${index}`);
const text = 'some ordinary words of a text that holds nothing; '.repeat(300).slice(0, 15 * 1024);

test.each([
  { name: 'a smaller budget of the file', limits: 'limits: { policy_work: 1000000 }', isHandedOn: true },
  { name: 'the budget of a file that names none', limits: '', isHandedOn: false },
])('a text that is judged at once is given no more than $name', async ({ limits, isHandedOn }) => {
  const config = await parsed(`${limits}
providers: { mock: { kind: mock } }
policies: { ${names.map((name) => `${name}: { kind: regex, patterns: ['[a-z][0-9]{3}'] }`).join(', ')} }
motifs: { bot: { provider: mock, policies: [${names.join(', ')}], tokens: [] } }
`);
  const handedOn: Inspection[] = [];
  const motif = atOnce(
    assembleMotifs(config, {
      pool: noting(handedOn),
      send: () => Promise.reject(new Error('nothing is sent')),
      now: () => 0,
      monotonic: () => 0,
      sleep: async () => undefined,
      random: () => 0.5,
      knowledge: new Map(),
      log: createLog({ level: 'error', write: () => undefined, now: () => 0 }),
    }),
  ).get('bot');
  await motif?.judge('prompt', [text], { holder: 't1', signal: new AbortController().signal });
  expect(handedOn.map(({ policyWork }) => policyWork)).toEqual(isHandedOn ? [1_000_000] : []);
});

/** A pool that is never late and lets everything pass. */
function noting(handedOn: Inspection[]): JudgingPool {
  return {
    inspect: async (inspection) => {
      handedOn.push(inspection);
      return { verdict: { decision: 'pass', hits: [], texts: inspection.texts } };
    },
    inTurn: (_, work) => work(),
    noteWork: () => undefined,
    lateness: () => () => false,
    noteCostly: () => undefined,
    isCostly: () => false,
  };
}
