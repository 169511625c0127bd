import { expect, test } from 'vitest';
import { type Access, type Caller, createAccess } from '../../../src/gateway/access/access.ts';
import { createCounters } from '../../../src/gateway/access/counters.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import { newToken } from '../../../src/gateway/access/token.ts';
import { parsed } from '../file/config-file.ts';
import { atOnce } from '../../../src/text/turns.ts';

const tokens = { ana: newToken(), bo: newToken(), cy: newToken() };
const tokenOf = (name: keyof typeof tokens, more = ''): string =>
  `{ id: ${name}, sha256: ${tokens[name].sha256}${more} }`;
const fileOf = (held: string, limits = '', other = ''): string => `limits: { in_flight: 64 }
providers: { mock: { kind: mock } }
motifs: { bot: { provider: mock${limits}, tokens: [${held}] }${other && `, other: ${other}`} }
`;
const both = `${tokenOf('ana')}, ${tokenOf('bo')}`;

async function accessOf(text: string): Promise<Access> {
  const counters = createCounters({ now: () => 0, monotonic: () => 1000, sinceBoot: () => 1000 });
  return atOnce(createAccess(await parsed(text), { now: () => 0, counters }));
}

function callerOf(access: Access, token: keyof typeof tokens): Caller {
  const credentials = {
    motifId: token === 'cy' ? 'other' : 'bot',
    authorization: `Bearer ${tokens[token].text}`,
    tenant: undefined,
  };
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
  { name: 'holds as many as it leaves free', text: fileOf(both), ana: '32, then limited', bo: '16, then limited' },
  {
    name: 'that the file gives a limit of its own may take so many',
    text: fileOf(`${tokenOf('ana', ', limits: { in_flight: 100 }')}, ${tokenOf('bo')}`),
    ana: '64, then overloaded',
    bo: '0, then overloaded',
  },
  {
    name: 'of a Motif with a limit of its own may take so many',
    text: fileOf(both, ', limits: { in_flight: 60 }'),
    ana: '60, then limited',
    bo: '0, then limited',
  },
  {
    name: 'of a gateway with few places may take all',
    text: fileOf(both).replace('64', '63'),
    ana: '63, then overloaded',
    bo: '0, then overloaded',
  },
])('a token $name', async ({ text, ana, bo }) => {
  const access = await accessOf(text);
  expect(await takeAll(access, 'ana')).toBe(ana);
  expect(await takeAll(access, 'bo')).toBe(bo);
});

const tokenOfOther = (more = ''): string => `{ provider: mock, tokens: [${tokenOf('cy', more)}] }`;

test.each([
  {
    name: 'holds twice as many as it leaves free, however many tokens it has',
    text: fileOf(both, '', tokenOfOther()),
    all: ['32, then limited', '11, then limited', '11, then limited'],
  },
  {
    name: 'holds 342 of 512, as the manual says',
    text: fileOf(both, '', tokenOfOther()).replace('in_flight: 64', 'in_flight: 512'),
    all: ['256, then limited', '86, then limited', '85, then limited'],
  },
  {
    name: 'with a limit of its own may take so many',
    text: fileOf(both, ', limits: { in_flight: 60 }', tokenOfOther()),
    all: ['60, then limited', '0, then limited', '2, then limited'],
  },
  {
    name: 'does not bound a token with a limit of its own',
    text: fileOf(`${tokenOf('ana', ', limits: { in_flight: 60 }')}, ${tokenOf('bo')}`, '', tokenOfOther()),
    all: ['60, then limited', '2, then limited', '1, then limited'],
  },
  {
    name: 'leaves none free for one whose tokens have expired',
    text: fileOf(both, '', tokenOfOther(', expires: 1970-01-01T00:00:00Z')),
    all: ['32, then limited', '16, then limited'],
  },
])('a Motif $name', async ({ text, all }) => {
  const access = await accessOf(text);
  for (const [at, taken] of all.entries()) {
    expect(await takeAll(access, (['ana', 'bo', 'cy'] as const)[at]!)).toBe(taken);
  }
});

test.each([
  { name: 'the only one of the file', held: tokenOf('ana') },
  {
    name: 'the only one that is accepted',
    held: `${tokenOf('ana')}, ${tokenOf('bo', ', expires: 1970-01-01T00:00:00Z')}`,
  },
  {
    name: 'one that replaces the other',
    held: `${tokenOf('ana')}, ${tokenOf('bo', ', expires: 1970-01-02T00:00:00Z, replaced_by: ana')}`,
  },
])('a token may take all that is $name', async ({ held }) => {
  expect(await takeAll(await accessOf(fileOf(held)), 'ana')).toBe('64, then overloaded');
});

test('of a Motif that holds its share the refusal says so', async () => {
  const access = await accessOf(fileOf(both, '', tokenOfOther()));
  for (const token of ['ana', 'bo'] as const) await takeAll(access, token);
  expect(await access.takePlace(callerOf(access, 'bo'))).toMatchObject({
    message:
      'the limit of this Motif is reached (in_flight, the last places of the gateway are kept for other callers)',
    status: 429,
  });
});

test('the refusal says which limit it is, and a place that is given back can be taken', async () => {
  const access = await accessOf(fileOf(both));
  await takeAll(access, 'ana');
  const ana = callerOf(access, 'ana');
  expect(await access.takePlace(ana)).toMatchObject({
    message:
      'the limit of this token is reached (in_flight, the last places of the gateway are kept for other callers)',
    limit: 'in_flight',
    status: 429,
  });
  await access.givePlace(ana);
  expect(await access.takePlace(ana)).toBeUndefined();
});
