import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Action, Finding, Side } from '../../../src/gateway/vocabulary.ts';
import { createExceptions } from '../../../src/gateway/policies/exceptions.ts';
import { judge, judgeNow } from '../../../src/gateway/policies/judging.ts';
import type { Policy } from '../../../src/gateway/policies/policy.ts';
import { policy, verdict } from '../../support/rooms/policies.ts';
import { runs } from '../../support/runs.ts';

const key = `AKIA${'IOSFODNN7EXAMPLE'}`;
const sides: ReadonlySet<Side> = new Set(['prompt', 'inference']);
const limits = { deadlineAt: 1_000 };

function custom(parts: Pick<Policy, 'detect' | 'ask'>, action: Action = 'warn'): Policy {
  return { name: 'odd', kind: 'custom', on: sides, action, ...parts };
}

test.each([
  { where: 'an earlier message', texts: [`my key ${key}`, 'hello', 'and now?'], message: 0 },
  { where: 'the system message or a passage', texts: ['be nice', `[docs] use ${key}`, 'hi'], message: 1 },
  { where: 'the last message', texts: ['be nice', key], message: 1 },
  { where: 'the words of the assistant', texts: ['hi', `take ${key}`, 'thanks'], message: 1 },
])('a secret in $where blocks', ({ texts, message }) => {
  expect(verdict([policy('secrets')], ...texts)).toMatchObject({
    decision: 'block',
    hits: [{ message, rule: 'aws_access_key' }],
  });
});

test.each([
  { how: 'zero-width characters', text: Array.from(key).join('\u200b'), seen: 'normalised' },
  {
    how: 'full-width letters',
    text: key.replace(/./g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    seen: 'normalised',
  },
  { how: 'base64', text: Buffer.from(`key ${key}`).toString('base64'), seen: 'inside base64' },
])('a secret in $how blocks, and the verdict says how it was seen', ({ text, seen }) => {
  const { decision, hits } = verdict([policy('secrets')], `look: ${text} end`);
  expect(decision).toBe('block');
  expect(hits[0]).toMatchObject({ start: 6, length: text.length, seen: expect.stringContaining(seen) as string });
});

test('a secret split over messages is found in both', () => {
  const { decision, hits } = verdict([policy('secrets')], `first ${key.slice(0, 9)}`, `${key.slice(9)} last`);
  expect(decision).toBe('block');
  expect(hits).toMatchObject([
    { message: 0, start: 6, length: 9, seen: 'across messages' },
    { message: 1, start: 0, length: 11, seen: 'across messages' },
  ]);
});

test('what a pattern of the operator names is found when it is split, and no message is made longer', () => {
  const own = policy('regex', { patterns: ['ACME-\\d{6}', '^secret$', 'x{3,5}'] });
  expect(verdict([own], 'my ACME-12', '3456 is').hits).toMatchObject([
    { message: 0, start: 3, length: 7 },
    { message: 1, start: 0, length: 4 },
  ]);
  expect(verdict([own], 'sec', 'ret').decision).toBe('block');
  expect(verdict([own], 'xxx', 'xx').hits).toMatchObject([{ length: 3 }]);
  expect(verdict([own], 'ACME-12', 'and 3456', 'a secret').hits).toEqual([]);
});

test('messages that only meet are not read as one', () => {
  expect(verdict([policy('words', { words: ['cart'] })], 'the car', 'too much').hits).toEqual([]);
});

test.each<{ name: string; parts: Pick<Policy, 'detect' | 'ask'> }>([
  {
    name: 'throws',
    parts: {
      detect: () => {
        throw new Error(`it saw ${key}`);
      },
    },
  },
  { name: 'rejects', parts: { ask: () => Promise.reject(new Error('down')) } },
  {
    name: 'throws before it asks',
    parts: {
      ask: () => {
        throw new Error('down');
      },
    },
  },
])('a policy that $name blocks, whatever its action', async ({ parts }) => {
  const outcome = await judge([custom(parts)], 'prompt', ['hi'], limits);
  expect(outcome).toEqual({
    decision: 'block',
    hits: [{ policy: 'odd', rule: 'policy_failed', on: 'prompt', action: 'block', message: null, start: 0, length: 0 }],
    texts: ['hi'],
  });
});

test('a policy that never answers blocks once time is up, and others are judged meanwhile', async () => {
  const clock = new AbortController();
  const hanging = custom({ ask: () => new Promise(() => undefined) });
  const outcome = judge([hanging], 'prompt', ['hi'], { ...limits, signal: clock.signal });
  expect(await judge([policy('secrets')], 'prompt', ['hi'], limits)).toMatchObject({ decision: 'pass' });
  clock.abort();
  expect(await outcome).toMatchObject({ decision: 'block', hits: [{ rule: 'policy_failed' }] });
});

test.each([
  { name: 'answers', ask: async () => [[]] },
  { name: 'fails', ask: () => Promise.reject(new Error('down')) },
])('a policy that $name leaves no listener at the signal of its connection, which lasts', async ({ ask }) => {
  const { signal } = new AbortController();
  for (let prompt = 0; prompt < 5; prompt++) await judge([custom({ ask })], 'prompt', ['hi'], { ...limits, signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('where nobody can be asked, a policy that would ask blocks', () => {
  const asking = custom({ ask: () => Promise.resolve([[]]) });
  expect(judgeNow([asking], 'prompt', ['hi']).decision).toBe('block');
});

describe('a policy that asks outside', () => {
  const asking = (texts: (readonly string[])[], finds: readonly Finding[] = [], action: Action = 'warn') =>
    custom({ ask: async (shown) => (texts.push(shown), shown.map(() => finds)) }, action);

  test('is not asked where one that looks for itself blocks', async () => {
    const shown: (readonly string[])[] = [];
    const outcome = await judge([asking(shown), policy('secrets')], 'prompt', [`my ${key}`], limits);
    expect(outcome.decision).toBe('block');
    expect(shown).toEqual([]);
  });

  test('is shown the redacted text, wherever it stands in the list', async () => {
    const shown: (readonly string[])[] = [];
    const pii = policy('pii', { entities: ['email'] }, 'redact');
    const outcome = await judge([asking(shown), pii], 'prompt', ['mail ana@acme.example now'], limits);
    expect(shown).toEqual([['mail [EMAIL] now']]);
    expect(outcome).toMatchObject({ decision: 'pass', texts: ['mail [EMAIL] now'] });
  });

  test.each([
    { where: 'before a mark', start: 0, length: 4, place: 'mail', text: '[TOPIC] [EMAIL] to [EMAIL] now' },
    { where: 'between marks', start: 13, length: 2, place: 'to', text: 'mail [EMAIL] [TOPIC] [EMAIL] now' },
    { where: 'after the last mark', start: 24, length: 3, place: 'now', text: 'mail [EMAIL] to [EMAIL] [TOPIC]' },
    { where: 'in a mark', start: 7, length: 2, place: 'a@acme.example', text: 'mail [EMAIL] to [EMAIL] now' },
    {
      where: 'over a mark and more',
      start: 8,
      length: 7,
      place: 'a@acme.example to',
      text: 'mail [TOPIC] [EMAIL] now',
    },
  ])('names what it found $where at its place in the text as sent', async ({ start, length, place, text }) => {
    const sent = 'mail a@acme.example to bo@acme.example now';
    const found = asking([], [{ rule: 'topic', start, length }], 'redact');
    const outcome = await judge([policy('pii', {}, 'redact'), found], 'prompt', [sent], limits);
    const hit = outcome.hits.find(({ rule }) => rule === 'topic')!;
    expect(sent.slice(hit.start, hit.start + hit.length)).toBe(place);
    expect(outcome.texts).toEqual([text]);
  });
});

test('what comes back is judged as well, and each policy judges its own side alone', () => {
  const answers = { ...policy('secrets'), on: new Set<Side>(['inference']) };
  expect(judgeNow([answers], 'prompt', [key]).decision).toBe('pass');
  expect(judgeNow([answers], 'inference', [key])).toMatchObject({
    decision: 'block',
    hits: [{ message: null, on: 'inference' }],
  });
});

test('redactions stand where the text was sent, and overlapping ones get one mark', () => {
  const words = policy('words', { words: ['mail ana@acme.example', 'acme'] }, 'redact');
  const { decision, texts } = verdict(
    [words, policy('pii', { entities: ['email'] }, 'redact')],
    'please mail ana@acme.example now',
    'b\u200bo@x.example?',
  );
  expect(decision).toBe('pass');
  expect(texts).toEqual(['please [WORD] now', '[EMAIL]?']);
});

test('a warning passes and leaves the text alone', () => {
  expect(verdict([policy('pii', {}, 'warn')], 'ana@acme.example')).toMatchObject({
    decision: 'pass',
    hits: [{ action: 'warn' }],
    texts: ['ana@acme.example'],
  });
});

test('a block leaves the texts as they were, and redactions of other policies unmade', () => {
  const text = `ana@acme.example ${key}`;
  expect(verdict([policy('pii', {}, 'redact'), policy('secrets')], text)).toMatchObject({
    decision: 'block',
    texts: [text],
  });
});

test('hits are in the order of policies, then messages, and hold no text', () => {
  const { hits } = verdict(
    [policy('secrets'), policy('pii', {}, 'warn')],
    'ana@acme.example',
    `bo@acme.example ${key}`,
  );
  expect(hits.map(({ policy: name, message }) => `${name} ${message}`)).toEqual(['secrets 1', 'pii 0', 'pii 1']);
  expect(JSON.stringify(hits)).not.toMatch(/acme|AKIA/);
});

test('a flood of findings is redacted whole and named in part', () => {
  const flood = 'ana@acme.example '.repeat(500);
  const { hits, texts } = verdict([policy('pii', {}, 'redact')], flood);
  expect(hits).toHaveLength(100);
  expect(texts[0]).toBe('[EMAIL] '.repeat(500));
});

test('so is a flood over many messages, and what exceptions free of it', () => {
  const messages = Array.from({ length: 30 }, () => 'heron ana@acme.example '.repeat(60));
  const except = [{ text: 'heron', pattern: undefined, why: undefined, until: undefined }];
  const free = { ...policy('words', { words: ['heron'] }), exceptionFor: createExceptions(except, Date.now) };
  const { hits, excepted, texts } = verdict([policy('pii', {}, 'redact'), free], ...messages);
  expect([hits.length, excepted?.length]).toEqual([1000, 1000]);
  expect(texts.every((text) => text === 'heron [EMAIL] '.repeat(60))).toBe(true);
});

const said = ['project-x', 'falcon', 'ai', 'caf\u00e9', '\u9879\u76ee', 'internal only', 'acme-12', 'secret plan b'];
const needy = [
  policy('words', { words: ['project-x', 'falcon'] }),
  policy('words', { words: ['ai', 'caf\u00e9'] }),
  policy('words', { words: ['\u9879\u76ee'] }),
  policy('regex', { pattern: 'internal only' }),
  policy('regex', { patterns: ['acme-\\d+', 'secret plan [a-z]+'] }),
  policy('regex', { pattern: '[ck]afe|fal.on' }),
];
const ways: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replaceAll('s', '\u017f').replaceAll('k', '\u212a'),
  (text) => Array.from(text).join('\u200b'),
  (text) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (text) => text.replaceAll('a', '\u0430'),
  (text) =>
    Array.from(
      text,
      (sign) =>
        `%${Buffer.from(sign)
          .toString('hex')
          .replace(/(?<=^(?:..)+)(?=.)/g, '%')}`,
    ).join(''),
  (text) => Array.from(text, (sign) => `&#${sign.codePointAt(0)};`).join(''),
  (text) => Buffer.from(text).toString('hex').replace(/../g, '=$&'),
  (text) => Buffer.from(`so ${text} .`).toString('base64'),
  (text) => Buffer.from(`so ${text} is`).toString('hex'),
  (text) => text.replace(/[a-z]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 84) % 26) + 97)),
  (text) => Array.from(text).join(' '),
  (text) => text.replaceAll('o', '0').replaceAll('a', '4'),
  (text) => text.replaceAll(' ', '\n \t'),
  (text) => Array.from(text, (sign) => String.fromCodePoint(0xe0000 + (sign.charCodeAt(0) & 0x7f))).join(''),
];
const part = fc.oneof(
  fc.tuple(fc.constantFrom(...said), fc.constantFrom(...ways)).map(([text, way]) => way(text)),
  fc.constantFrom(
    'gur',
    'nyy',
    'x',
    '3',
    ' ',
    '. ',
    '-',
    'na\u00efve',
    'said',
    'international',
    '=',
    '%',
    '\ud83d\ude00',
  ),
);

test('property: a policy that is only shown the texts with what it needs finds what it would find in all', () => {
  expect(needy.map(({ needs }) => needs !== undefined)).toEqual(needy.map(() => true));
  const greedy = needy.map((one) => ({ ...one, needs: undefined }));
  fc.assert(
    fc.property(
      fc.array(fc.array(part, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', ' '),
      (texts, between) => {
        const joined = texts.map((parts) => parts.join(between));
        expect(judgeNow(needy, 'prompt', joined)).toEqual(judgeNow(greedy, 'prompt', joined));
        for (const [index, one] of needy.entries())
          expect(judgeNow([one], 'prompt', joined)).toEqual(judgeNow([greedy[index]!], 'prompt', joined));
      },
    ),
    runs(200),
  );
});
