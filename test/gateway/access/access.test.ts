import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, createAccess } from '../../../src/gateway/access/access.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import { newToken } from '../../../src/gateway/access/token.ts';
import { anyText } from '../../fixtures/any-text.ts';
import { parsed } from '../file/config-file.ts';

const now = Date.UTC(2026, 10, 21, 12);
const tokens = { nobody: newToken(), ana: newToken(), eve: newToken(), old: newToken(), other: newToken() };
const tokenLine = (name: keyof typeof tokens, rest = '') =>
  `      - { id: ${name}, sha256: ${tokens[name].sha256}${rest} }\n`;

const file = `tenant: acme
groups: { support: [bo] }
providers: { mock: { kind: mock } }
motifs:
  bot:
    provider: mock
    users: [ana]
    groups: [support]
    limits: { rpm: 3 }
    tokens:
${tokenLine('nobody')}${tokenLine('ana', ', user: ana')}${tokenLine('eve', ', user: eve')}${tokenLine('old', ', expires: 2026-11-21T12:00Z')}
  grouped:
    provider: mock
    groups: [support]
    tokens:
${tokenLine('other', ', user: bo')}
`;

async function access(text = file, parts: { at?: number; before?: Access } = {}): Promise<Access> {
  return createAccess(await parsed(text), { now: () => parts.at ?? now, before: parts.before });
}

function ask(from: Access, token: string, tenant?: string, motifId = 'bot') {
  const text = Object.hasOwn(tokens, token) ? tokens[token as keyof typeof tokens].text : token;
  const answer = from.admit({ motifId, authorization: `Bearer ${text}`, tenant });
  return answer instanceof Refusal ? answer.status : answer.tokenId;
}

describe('401: who is asking', () => {
  test.each([
    ['bot', 'nobody', 'nobody'],
    ['grouped', 'other', 'other'],
    ['bot', 'other', 401],
    ['grouped', 'nobody', 401],
    ['gone', 'nobody', 401],
    ['__proto__', 'nobody', 401],
    ['', 'nobody', 401],
    ['bot', '', 401],
    ['bot', tokens.nobody.sha256, 401],
    ['bot', tokens.nobody.text.slice(0, -1), 401],
    ['bot', tokens.nobody.text.toLowerCase(), 401],
    ['bot', `${tokens.nobody.text} `, 401],
    ['bot', `${tokens.nobody.text}, Bearer ${tokens.ana.text}`, 401],
    ['bot', ` ${tokens.nobody.text}`, 401],
    ['bot', 'x'.repeat(100_000), 401],
  ])('Motif %j with %j: %s', async (motifId, token, outcome) => {
    expect(ask(await access(), token, 'acme', motifId)).toBe(outcome);
  });

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', tokens.nobody.text, `bearer\t${tokens.nobody.text}`])(
    'fault 147: Authorization %j is none',
    async (authorization) => {
      expect((await access()).admit({ motifId: 'bot', authorization, tenant: 'acme' })).toMatchObject({
        code: 'unauthorized',
      });
    },
  );

  test('the scheme is a word in any case', async () => {
    const authorization = `bEARER ${tokens.nobody.text}`;
    expect((await access()).admit({ motifId: 'bot', authorization, tenant: 'acme' })).toMatchObject({
      tokenId: 'nobody',
    });
  });

  test('fault 147: whatever the header holds, it is a refusal', async () => {
    const from = await access();
    fc.assert(
      fc.property(anyText(60), anyText(20), (authorization, motifId) => {
        expect(from.admit({ motifId, authorization, tenant: undefined })).toMatchObject({ code: 'unauthorized' });
      }),
    );
  });

  test('fault 148: an unknown Motif, an unknown token and one that has expired get one and the same answer', async () => {
    const from = await access();
    const answers = [
      ['gone', tokens.nobody],
      ['bot', tokens.other],
      ['bot', tokens.old],
    ] as const;
    const said = answers.map(([motifId, { text }]) =>
      from.admit({ motifId, authorization: `Bearer ${text}`, tenant: undefined }),
    );
    expect(
      new Set(said.map((refusal) => (refusal instanceof Refusal ? `${refusal.code} ${refusal.message}` : ''))).size,
    ).toBe(1);
  });

  test('fault 150: guessing locks out nobody, uses up nobody’s limit and leaves nothing behind', async () => {
    const from = await access();
    const known = [...from.quotas.keys()];
    for (let guess = 0; guess < 20_000; guess++) {
      expect(ask(from, `guess-${guess}`, 'acme', guess % 2 === 0 ? 'bot' : `bot-${guess}`)).toBe(401);
    }
    expect([...from.quotas.keys()]).toEqual(known);
    // The Motif takes three prompts a minute, and has them all left.
    expect(['nobody', 'ana', 'eve'].map((token) => ask(from, token, 'acme'))).toEqual(['nobody', 'ana', 'eve']);
    expect(ask(from, 'ana', 'acme')).toBe(429);
  });

  test('fault 151: a token ends at its moment, without a reload', async () => {
    expect(ask(await access(file, { at: now - 1 }), 'old', 'acme')).toBe('old');
    expect(ask(await access(file, { at: now }), 'old', 'acme')).toBe(401);
  });
});

describe('403: the tenant rule', () => {
  test.each([
    ['nobody', undefined, 403],
    ['nobody', 'acme', 'nobody'],
    ['nobody', 'Acme', 403],
    ['nobody', ' acme', 403],
    ['nobody', 'acme, acme', 403],
    ['nobody', '', 403],
    ['ana', undefined, 'ana'],
    ['ana', 'acme', 'ana'],
    ['ana', 'other', 403],
    ['eve', undefined, 403],
    ['eve', 'acme', 'eve'],
  ])('fault 152: token of %s with tenant %j: %s', async (token, tenant, outcome) => {
    expect(ask(await access(), token, tenant)).toBe(outcome);
  });

  test('a user of a group that is added needs none', async () => {
    expect(ask(await access(), 'other', undefined, 'grouped')).toBe('other');
  });

  test('a gateway without a tenant needs none, and none that is sent is right', async () => {
    const from = await access(file.replace('tenant: acme\n', ''));
    expect(ask(from, 'nobody')).toBe('nobody');
    expect(ask(from, 'nobody', 'acme')).toBe(403);
  });
});

describe('429: the limits of a Motif', () => {
  test('come last, and count only who was let in', async () => {
    const from = await access();
    for (let at = 0; at < 9; at++) ask(from, 'eve');
    for (let at = 0; at < 9; at++) ask(from, 'old');
    expect([1, 2, 3].map(() => ask(from, 'ana'))).toEqual(['ana', 'ana', 'ana']);
    expect(ask(from, 'ana')).toBe(429);
    expect(ask(from, 'eve')).toBe(403);
    expect(ask(from, 'old', 'acme')).toBe(401);
  });

  test('say when to come again', async () => {
    const from = await access();
    for (let at = 0; at < 3; at++) ask(from, 'ana');
    const refusal = from.admit({ motifId: 'bot', authorization: `Bearer ${tokens.ana.text}`, tenant: undefined });
    expect(refusal).toMatchObject({ code: 'limited', retryAfterMs: expect.any(Number) as number });
  });

  test('the tokens of prompts that are done count for the day', async () => {
    const from = await access(file.replace('rpm: 3', 'tokens_per_day: 100'));
    const caller = from.admit({ motifId: 'bot', authorization: `Bearer ${tokens.ana.text}`, tenant: undefined });
    if (caller instanceof Refusal) throw caller;
    from.settle(caller, 100);
    expect(ask(from, 'ana')).toBe(429);
    expect(ask(from, 'other', undefined, 'grouped')).toBe('other');
  });
});

describe('fault 172: a reload', () => {
  test('takes a revoked token away and keeps what was counted', async () => {
    const before = await access();
    for (let at = 0; at < 3; at++) ask(before, 'ana');
    const after = await access(file.replace(tokenLine('nobody'), ''), { before });
    expect(ask(before, 'nobody', 'acme')).toBe(429);
    expect(ask(after, 'nobody', 'acme')).toBe(401);
    expect(ask(after, 'ana')).toBe(429);
  });

  test('what a request of the earlier version came to counts in the new one', async () => {
    const limited = file.replace('rpm: 3', 'tokens_per_day: 100');
    const before = await access(limited);
    const after = await access(limited, { before });
    before.settle({ motifId: 'bot', tokenId: 'ana', user: 'ana', tenant: undefined, team: undefined }, 100);
    expect(ask(after, 'ana')).toBe(429);
  });

  test('forgets Motifs that are gone', async () => {
    const before = await access();
    const after = await access(file.replace('  grouped:', '  renamed:'), { before });
    expect([...after.quotas.keys()]).toEqual(['bot', 'renamed']);
  });
});
