import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCounters } from '../../src/gateway/access/counters.ts';
import { createAccess } from '../../src/gateway/access/access.ts';
import { Refusal } from '../../src/gateway/refusal.ts';
import { newToken } from '../../src/gateway/access/token.ts';
import { parsed } from '../gateway/file/config-file.ts';
import { atOnce } from '../../src/text/turns.ts';

const now = Date.UTC(2026, 10, 21, 12);
const expired = newToken();
const elsewhere = newToken();
const file = `tenant: acme
providers: { mock: { kind: mock } }
motifs:
  bot:
    provider: mock
    tokens: [{ id: t1, sha256: ${expired.sha256}, expires: 2026-11-20 }]
  other: { provider: mock, tokens: [{ id: t2, sha256: ${elsewhere.sha256} }] }
`;

const guesses = Array.from({ length: 500 }, () => newToken().text);
/** Requests that get the same refusal; their times must not tell an attacker which of them it was. */
const ways: readonly { readonly name: string; readonly motifId: string; readonly tokens: readonly string[] }[] = [
  { name: 'a Motif and a token that nobody has', motifId: 'gone', tokens: guesses },
  { name: 'a token that nobody has', motifId: 'bot', tokens: guesses },
  { name: 'the token of another Motif', motifId: 'bot', tokens: [elsewhere.text] },
  { name: 'a Motif that nobody has, a token of another', motifId: 'gone', tokens: [elsewhere.text] },
  { name: 'a token that has expired', motifId: 'bot', tokens: [expired.text] },
];

const samples = 20_000;
/** Share of the median time by which ways may differ. Measured was 0.02; without the hash it would be half. */
const shareMax = 0.1;
/** Tries, because the machine may be busy with something else during one. */
const tries = 3;

/** The median time of each way, in nanoseconds; the ways take turns in an order that is drawn anew each time. */
async function medians(): Promise<number[]> {
  const access = atOnce(
    createAccess(await parsed(file), {
      now: () => now,
      counters: createCounters({ now: () => now, monotonic: () => now }),
    }),
  );
  const times = ways.map(() => new Float64Array(samples));
  for (let sample = -2_000; sample < samples; sample++) {
    const first = randomInt(ways.length);
    for (let turn = 0; turn < ways.length; turn++) {
      const way = (first + turn) % ways.length;
      const { motifId, tokens } = ways[way]!;
      const authorization = `Bearer ${tokens[Math.abs(sample) % tokens.length]}`;
      const startedAt = process.hrtime.bigint();
      const answer = access.admit({ motifId, authorization, tenant: 'acme' });
      const took = Number(process.hrtime.bigint() - startedAt);
      if (!(answer instanceof Refusal) || answer.status !== 401) throw new Error('this was to be refused');
      if (sample >= 0) times[way]![sample] = took;
    }
  }
  return times.map((each) => each.sort()[samples / 2]!);
}

test('what is wrong with a token cannot be told from the time that its refusal takes', async () => {
  let worst = Infinity;
  for (let attempt = 0; attempt < tries && worst > shareMax; attempt++) {
    const [nobody = 0, ...others] = await medians();
    worst = Math.max(...others.map((other) => Math.abs(other - nobody) / nobody));
  }
  expect(worst).toBeLessThan(shareMax);
});
