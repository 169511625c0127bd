import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { runs } from '../../../../support/runs.ts';

const gateway = `audit: { file: audit.jsonl }
providers: { mock: { kind: mock } }
policies: { no-pii: { kind: pii } }
motifs: { bot: { provider: mock, policies: [no-pii] } }
`;

const id = '01JD8Y3QZ7M5K2W9T4V6X8B0CN';
const finding = { policy: 'no-pii', rule: 'card', on: 'prompt', action: 'warn', message: 0, start: 1, length: 3 };
const lines: readonly object[] = [
  {
    time: '2026-11-21T12:00:00.000Z',
    prompt_id: id,
    motif: 'bot',
    token_id: 't1',
    user: 'ana',
    decision: 'warn',
    rules: [finding],
    excepted: [{ ...finding, why: 'ours', until: null }],
    provider: 'mock',
    model: 'm',
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    ms: { policy: 1, provider: 2, total: 3 },
    refused: 2,
    reason: null,
    config: 'hash',
    writer: 'w',
    line: 2,
  },
  {
    event: 'config',
    time: '2026-11-21T12:00:00.000Z',
    hash: 'hash',
    motifs: { bot: { policies: ['no-pii'] } },
    policies: { 'no-pii': { kind: 'pii', action: 'warn', on: ['prompt', 'inference'] } },
    writer: 'w',
    line: 1,
  },
  {
    event: 'seal',
    form: 2,
    time: '2026-11-21T12:00:01.000Z',
    writer: 'w',
    first: 1,
    last: 2,
    before: null,
    sha256: '',
  },
];

/** Values as they may be written in JSON, whoever wrote them. */
const oddities = [
  'null',
  '-1',
  '1.5',
  '1e999',
  '1e308',
  '""',
  '{}',
  '[]',
  '[null]',
  '"constructor"',
  '"2026-99-99T00:00:00.000Z"',
  String.raw`"\u0000\u001b[31m"`,
  String.raw`"\ud800"`,
  '{"__proto__":{"on":1}}',
  '['.repeat(20_000) + ']'.repeat(20_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
];

const mark = '"oddity"';

/** One of the lines with a value of it, wherever that stands, replaced. */
const hostileLine = fc
  .tuple(fc.constantFrom(...lines), fc.nat(), fc.constantFrom(...oddities))
  .map(([line, nth, oddity]) => {
    const places: string[] = [];
    const text = (wanted: number): string => {
      places.length = 0;
      return JSON.stringify(line, (key, value: unknown) => (places.push(key) === wanted + 1 ? 'oddity' : value));
    };
    text(-1);
    // The first place is the line itself.
    const wanted = 1 + (nth % (places.length - 1));
    return text(wanted).replace(mark, () => oddity);
  });

const verbs = [
  ['list'],
  ['list', '--jsonl'],
  ['stats'],
  ['stats', '--by', 'day,rule,user'],
  ['verify'],
  [id],
  ['stats', '--policy', 'no-pii'],
];
const run = auditCommand(async () => ({ 'gateway.yaml': gateway }));

test('whatever a line holds, the others are shown, and all sums are numbers', async () => {
  const usual = lines.map((line) => JSON.stringify(line));
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostileLine, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...verbs),
      fc.boolean(),
      async (hostile, verb, isJson) => {
        const words = isJson && !verb.includes('--jsonl') ? [...verb, '--json'] : verb;
        const { exitCode, stdout, stderr } = await run(words, {
          'audit.jsonl': `${[...usual, ...hostile].join('\n')}\n`,
        });
        expect(exitCode, stderr).toBeLessThan(3);
        expect(stdout).not.toMatch(verb[0] === 'stats' ? /NaN|Infinity/ : /NaN|native code/);
        if (words.includes('--json')) expect(JSON.parse(stdout)).toHaveProperty('ok');
      },
    ),
    { ...runs(2000) },
  );
});
