import { expect, test } from 'vitest';
import { type Access, type Caller, createAccess } from '../../../src/gateway/access/access.ts';
import { createCounters } from '../../../src/gateway/access/counters.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import { newToken } from '../../../src/gateway/access/token.ts';
import { parsed } from '../file/config-file.ts';

const tokens = { ana: newToken(), bo: newToken() };
const tokenOf = (name: keyof typeof tokens, more = ''): string =>
  `{ id: ${name}, sha256: ${tokens[name].sha256}${more} }`;
const fileOf = (held: string, limits = ''): string => `limits: { in_flight: 8 }
providers: { mock: { kind: mock } }
motifs: { bot: { provider: mock${limits}, tokens: [${held}] } }
`;
const both = `${tokenOf('ana')}, ${tokenOf('bo')}`;

async function accessOf(text: string): Promise<Access> {
  const counters = createCounters({ now: () => 0, monotonic: () => 1000, sinceBoot: () => 1000 });
  return createAccess(await parsed(text), { now: () => 0, counters });
}

function callerOf(access: Access, token: keyof typeof tokens): Caller {
  const credentials = { motifId: 'bot', authorization: `Bearer ${tokens[token].text}`, tenant: undefined };
  const admitted = access.admit(credentials);
  if (admitted instanceof Refusal) throw admitted;
  return admitted.caller;
}

/** Takes places until there is none. */
async function takeAll(access: Access, token: keyof typeof tokens): Promise<string> {
  for (let taken = 0; ; taken++) {
    const refusal = await access.takePlace(callerOf(access, token));
    if (refusal !== undefined) return `${taken}, then ${refusal.code}`;
  }
}

test.each([
  { name: 'holds as many as it leaves free', text: fileOf(both), ana: '4, then limited', bo: '2, then limited' },
  {
    name: 'that the file gives a limit of its own may take so many',
    text: fileOf(`${tokenOf('ana', ', limits: { in_flight: 100 }')}, ${tokenOf('bo')}`),
    ana: '8, then overloaded',
    bo: '0, then overloaded',
  },
  {
    name: 'of a Motif with a limit of its own may take so many',
    text: fileOf(both, ', limits: { in_flight: 6 }'),
    ana: '6, then limited',
    bo: '0, then limited',
  },
])('a token $name', async ({ text, ana, bo }) => {
  const access = await accessOf(text);
  expect(await takeAll(access, 'ana')).toBe(ana);
  expect(await takeAll(access, 'bo')).toBe(bo);
});

test('the only token of a file may take all', async () => {
  expect(await takeAll(await accessOf(fileOf(tokenOf('ana'))), 'ana')).toBe('8, then overloaded');
});

test('the refusal says which limit it is, and a place that is given back can be taken', async () => {
  const access = await accessOf(fileOf(both));
  await takeAll(access, 'ana');
  const ana = callerOf(access, 'ana');
  expect(await access.takePlace(ana)).toMatchObject({
    message: 'the limit of this token is reached (in_flight, no more prompts at once than places are left for others)',
    limit: 'in_flight',
    status: 429,
  });
  access.givePlace(ana);
  expect(await access.takePlace(ana)).toBeUndefined();
});
