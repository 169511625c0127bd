import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, type Caller, createAccess } from '../../../src/gateway/access/access.ts';
import { type Counters, createCounters } from '../../../src/gateway/access/counters.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import { hashToken, LastToken, newToken } from '../../../src/gateway/access/token.ts';
import { tokenCharactersMax } from '../../../src/text/limits.ts';
import { anyText } from '../../fixtures/any-text.ts';
import { parsed } from '../file/config-file.ts';
import { atOnce } from '../../../src/text/turns.ts';

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

const newCounters = () => createCounters({ now: () => now, monotonic: () => 1000, sinceBoot: () => 1000 });

async function access(text = file, parts: { at?: number; counters?: Counters } = {}): Promise<Access> {
  return atOnce(
    createAccess(await parsed(text), { now: () => parts.at ?? now, counters: parts.counters ?? newCounters() }),
  );
}

/** The ID of the token that got a prompt, or the status that refused it. */
async function ask(from: Access, token: string, tenant?: string, motifId = 'bot') {
  const text = Object.hasOwn(tokens, token) ? tokens[token as keyof typeof tokens].text : token;
  const admitted = from.admit({ motifId, authorization: `Bearer ${text}`, tenant });
  if (admitted instanceof Refusal) return admitted.status;
  const { caller, refusal } = admitted;
  if (refusal !== undefined) return refusal.status;
  return (await from.takePrompt(caller))?.status ?? caller.tokenId;
}

function callerOf(from: Access, token: keyof typeof tokens): Caller {
  const admitted = from.admit({ motifId: 'bot', authorization: `Bearer ${tokens[token].text}`, tenant: 'acme' });
  if (admitted instanceof Refusal) throw admitted;
  return admitted.caller;
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
    expect(await ask(await access(), token, 'acme', motifId)).toBe(outcome);
  });

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', tokens.nobody.text, `bearer\t${tokens.nobody.text}`])(
    'Authorization %j names no token',
    async (authorization) => {
      expect((await access()).admit({ motifId: 'bot', authorization, tenant: 'acme' })).toMatchObject({
        code: 'unauthorized',
      });
    },
  );

  test('the scheme is a word in any case', async () => {
    const authorization = `bEARER ${tokens.nobody.text}`;
    expect((await access()).admit({ motifId: 'bot', authorization, tenant: 'acme' })).toMatchObject({
      caller: { tokenId: 'nobody' },
    });
  });

  test('a token made elsewhere may be as long as the client sends one', async () => {
    const token = 'x'.repeat(tokenCharactersMax);
    const from = await access(file.replace(tokens.nobody.sha256, hashToken(token)));
    expect(await ask(from, token, 'acme')).toBe('nobody');
    expect(await ask(from, `${token}x`, 'acme')).toBe(401);
  });

  test('on one connection each header is judged by itself, however much the one before was worth', async () => {
    const lastToken = new LastToken();
    const bearing = (token: keyof typeof tokens) => `Bearer ${tokens[token].text}`;
    const from = await access();
    const without = await access(file.replace(tokens.nobody.sha256, hashToken('another')));
    const steps = [
      [from, 'bot', bearing('nobody'), 'nobody'],
      [from, 'bot', bearing('nobody'), 'nobody'],
      [from, 'grouped', bearing('nobody'), 401],
      [from, 'bot', tokens.nobody.text, 401],
      [from, 'bot', undefined, 401],
      [from, 'bot', undefined, 401],
      [from, 'bot', bearing('ana'), 'ana'],
      [from, 'bot', bearing('nobody'), 'nobody'],
      [without, 'bot', bearing('nobody'), 401],
      [from, 'bot', bearing('nobody'), 'nobody'],
    ] as const;
    const outcomes = steps.map(([asked, motifId, authorization]) => {
      const admitted = asked.admit({ motifId, authorization, tenant: 'acme', lastToken });
      return admitted instanceof Refusal ? admitted.status : admitted.caller.tokenId;
    });
    expect(outcomes).toEqual(steps.map(([, , , outcome]) => outcome));
  });

  test('whatever the header holds, it is a refusal', async () => {
    const from = await access();
    fc.assert(
      fc.property(anyText(60), anyText(20), (authorization, motifId) => {
        expect(from.admit({ motifId, authorization, tenant: undefined })).toMatchObject({ code: 'unauthorized' });
      }),
    );
  });

  test('an unknown Motif, an unknown token and one that has expired get one and the same answer', async () => {
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

  test('guessing locks out nobody, and uses up nobody’s limit', async () => {
    const from = await access();
    for (let guess = 0; guess < 20_000; guess++) {
      expect(await ask(from, `guess-${guess}`, 'acme', guess % 2 === 0 ? 'bot' : `bot-${guess}`)).toBe(401);
    }
    // The Motif takes three prompts a minute, and has them all left.
    for (const token of ['nobody', 'ana', 'eve']) expect(await ask(from, token, 'acme')).toBe(token);
    expect(await ask(from, 'ana', 'acme')).toBe(429);
  });

  test('a token ends at its moment, without a reload', async () => {
    expect(await ask(await access(file, { at: now - 1 }), 'old', 'acme')).toBe('old');
    expect(await ask(await access(file, { at: now }), 'old', 'acme')).toBe(401);
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
  ])('token of %s with tenant %j: %s', async (token, tenant, outcome) => {
    expect(await ask(await access(), token, tenant)).toBe(outcome);
  });

  test('a user of a group that is added needs none', async () => {
    expect(await ask(await access(), 'other', undefined, 'grouped')).toBe('other');
  });

  test('a gateway without a tenant needs none, and none that is sent is right', async () => {
    const from = await access(file.replace('tenant: acme\n', ''));
    expect(await ask(from, 'nobody')).toBe('nobody');
    expect(await ask(from, 'nobody', 'acme')).toBe(403);
  });
});

describe('429: the limits', () => {
  test('come last, and count only who was let in', async () => {
    const from = await access();
    for (let at = 0; at < 9; at++) await ask(from, 'eve');
    for (let at = 0; at < 9; at++) await ask(from, 'old');
    for (let at = 0; at < 3; at++) expect(await ask(from, 'ana')).toBe('ana');
    expect(await ask(from, 'ana')).toBe(429);
    expect(await ask(from, 'eve')).toBe(403);
    expect(await ask(from, 'old', 'acme')).toBe(401);
  });

  const ofToken = (limits: string) => file.replace(', user: ana }', `, user: ana, limits: { ${limits} } }`);

  test.each([
    { of: 'Motif', limit: 'rpm, 3 prompts a minute', text: file },
    { of: 'token', limit: 'rpm, 2 prompts a minute', text: ofToken('rpm: 2') },
    { of: 'token', limit: 'rpm, 1 prompt a minute', text: ofToken('rpm: 1') },
    { of: 'token', limit: 'tokens_per_day, 9 tokens', text: ofToken('tokens_per_day: 9') },
  ])('of a $of say which it is ($limit), and when to come again', async ({ of, limit, text }) => {
    const from = await access(text);
    const caller = callerOf(from, 'ana');
    for (let at = 0; at < 2; at++) await from.takePrompt(caller);
    void from.settle(caller, 9);
    if (text === file) await from.takePrompt(caller);
    const refusal = await from.takePrompt(caller);
    expect(refusal).toMatchObject({ code: 'limited', message: `the limit of this ${of} is reached (${limit})` });
    expect(refusal?.retryAfterMs).toBeGreaterThan(0);
  });

  test('of one token starve only itself', async () => {
    const from = await access(ofToken('rpm: 1'));
    expect([await ask(from, 'ana'), await ask(from, 'ana'), await ask(from, 'nobody', 'acme')]).toEqual([
      'ana',
      429,
      'nobody',
    ]);
  });

  test('a prompt that one limit refuses counts against no other', async () => {
    const from = await access(ofToken('rpm: 1'));
    for (let at = 0; at < 9; at++) await ask(from, 'ana');
    expect(await ask(from, 'nobody', 'acme')).toBe('nobody');
    expect(await ask(from, 'nobody', 'acme')).toBe('nobody');
    expect(await ask(from, 'nobody', 'acme')).toBe(429);
  });

  test('the tokens of prompts that are done count for the day', async () => {
    const from = await access(file.replace('rpm: 3', 'tokens_per_day: 100'));
    void from.settle(callerOf(from, 'ana'), 100);
    expect(await ask(from, 'ana')).toBe(429);
    expect(await ask(from, 'other', undefined, 'grouped')).toBe('other');
  });

  test.each([
    { of: 'gateway', text: `limits: { in_flight: 1 }\n${file}`, code: 'overloaded', other: 'overloaded' },
    { of: 'Motif', text: file.replace('rpm: 3', 'in_flight: 1'), code: 'limited', other: 'limited' },
    { of: 'token', text: ofToken('in_flight: 1'), code: 'limited', other: undefined },
  ])('prompts at once of a $of: $code, until one is done', async ({ text, code, other }) => {
    const from = await access(text);
    const [ana, nobody] = [callerOf(from, 'ana'), callerOf(from, 'nobody')];
    expect(await from.takePlace(ana)).toBeUndefined();
    expect(await from.takePlace(ana)).toMatchObject({ code, retryAfterMs: 1000 });
    expect((await from.takePlace(nobody))?.code).toBe(other);
    await from.givePlace(ana);
    expect(await from.takePlace(ana)).toBeUndefined();
  });
});

describe('a reload', () => {
  test('takes a revoked token away and keeps what was counted', async () => {
    const counters = newCounters();
    const before = await access(file, { counters });
    for (let at = 0; at < 3; at++) await ask(before, 'ana');
    const after = await access(file.replace(tokenLine('nobody'), ''), { counters });
    expect(await ask(before, 'nobody', 'acme')).toBe(429);
    expect(await ask(after, 'nobody', 'acme')).toBe(401);
    expect(await ask(after, 'ana')).toBe(429);
  });

  test('counts what a request of the earlier version came to', async () => {
    const counters = newCounters();
    const limited = file.replace('rpm: 3', 'tokens_per_day: 100');
    const before = await access(limited, { counters });
    const after = await access(limited, { counters });
    void before.settle(callerOf(before, 'ana'), 100);
    expect(await ask(after, 'ana')).toBe(429);
  });
});

test('a Motif may have more tokens than one call takes arguments', async () => {
  const config = await parsed(file);
  const bot = config.motifs.get('bot')!;
  const many = Array.from({ length: 200_000 }, (_, at) => ({
    ...bot.tokens[0]!,
    id: `t${at}`,
    sha256: at.toString(16).padStart(64, '0'),
  }));
  const motifs = new Map(config.motifs).set('bot', { ...bot, tokens: [...bot.tokens, ...many] });
  const from = atOnce(createAccess({ ...config, motifs }, { now: () => now, counters: newCounters() }));
  expect(callerOf(from, 'ana').tokenId).toBe('ana');
});
