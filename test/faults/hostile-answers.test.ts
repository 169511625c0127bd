import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/documents/json-schema.ts';
import { FileSecrets, type Hide } from '../../src/gateway/providers/file-secrets.ts';
import { parseSoundJson } from '../../src/text/json/sound.ts';
import { Secret } from '../../src/text/secret.ts';
import { bestCpuMs, timesTheCpuOf } from '../support/best-cpu-ms.ts';
import { providerConfig } from '../gateway/providers/provider-config.ts';

/** The goal for any answer of a megabyte of somebody who knows no key, in milliseconds of the processor. */
const msMax = 50;
const characters = 1024 * 1024;

/** Signs that a seed decides, without an order that could be of use to anybody. */
function drawn(seed: string, count: number, alphabet: string): string {
  let text = '';
  for (let part = 0; text.length < count; part++)
    for (const byte of createHash('sha512').update(`${seed} ${part}`).digest())
      text += alphabet[byte % alphabet.length];
  return text.slice(0, count);
}

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
const hexSigns = '0123456789abcdef';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Twenty keys as services make them, with the names that each of them begins with. */
const keys = [
  ...Array.from({ length: 6 }, (_, at) => `sk-proj-${drawn(`a${at}`, 156, `${letters}-_`)}`),
  ...Array.from({ length: 4 }, (_, at) => `sk-ant-api03-${drawn(`b${at}`, 95, `${letters}-_`)}`),
  ...Array.from({ length: 4 }, (_, at) => `AIzaSy${drawn(`c${at}`, 33, `${letters}-_`)}`),
  ...Array.from({ length: 4 }, (_, at) => drawn(`d${at}`, 32, hexSigns)),
  `github_pat_11${drawn('e', 80, letters)}`,
  `gsk_${drawn('f', 52, letters)}`,
];

function hider(): Hide {
  const configs = keys.map((key, at) => providerConfig({ name: `p${at}`, key: new Secret(key) }));
  const providers = new Map(configs.map((config) => [config.name, config]));
  return new FileSecrets({ providers, policies: new Map() }).of(configs.at(-1)!).inAnswer;
}

const hide = hider();

const bestMs = (text: string): number => bestCpuMs(() => hide(text), msMax);

const filled = (part: string): string => part.repeat(Math.ceil(characters / part.length)).slice(0, characters);

test.each([
  { name: 'hashes', text: filled(`${drawn('g', 64 * 500, hexSigns)}\n`) },
  { name: 'bytes in hex', text: filled((drawn('h', 60_000, hexSigns).match(/../g) ?? []).join(', 0x')) },
  { name: 'base64', text: drawn('i', characters, `${letters}+/`) },
  { name: 'all signs of ASCII', text: drawn('j', characters, printable) },
  { name: 'how keys begin', text: filled('sk-proj-sk-ant-api03-AIzaSygithub_pat_11') },
  { name: 'no letters', text: filled('-- ') },
])('an answer of $name is looked through in time', ({ text }) => {
  expect(bestMs(text)).toBeLessThan(msMax);
});

const bait = fc.constantFrom(
  'a',
  '0',
  'x',
  '0x',
  's',
  ' ',
  '-',
  '\n',
  '%',
  '%4',
  '%73',
  '%2D',
  '\\',
  '\\n',
  '\\u',
  '\\u00',
  '\\u0073',
  '\\"',
  '&',
  '&#',
  '&#1',
  '&#115;',
  '&#x73;',
  '\u017f',
  '\u212a',
  '\uff53',
  '\u{1d4fc}',
  '\u6f22',
  '\u00e4',
  '\ud83d',
  'sk-',
  'sk-proj-',
  'sk-ant-api03-',
  'AIzaSy',
  'github_pat_11',
  'c2stcHJvai',
  '736b2d',
  'ONVS2',
  '=',
  '+',
  '/',
);
const part = fc.tuple(bait, fc.constantFrom(1, 2, 16, 1000)).map(([piece, times]) => piece.repeat(times));

test('any answer that is put together of what keys are looked for by is looked through in time', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      expect(bestMs(filled(parts.join('')))).toBeLessThan(msMax);
    }),
    { numRuns: 40 },
  );
});

test('an answer of a webhook with a key twice behind ninety thousand others costs no more than one without', () => {
  const members = Array.from({ length: 90_000 }, (_, at) => `"${at.toString(36)}":1`).join(',');
  const [sound, faulty] = [`{${members}}`, `{${members},"1":2}`];
  const refused = (): void => expect(() => parseSoundJson(faulty)).toThrow('twice');
  expect(timesTheCpuOf(() => parseSoundJson(sound), refused)).toBeLessThan(1.5);
});

/** The keys of an answer that a webhook takes. */
const keysMax = 30_000;

const honest = `{${Array.from({ length: 20_000 }, (_, at) => `"${at.toString(36)}k":1`).join(',')}}`;

/** Times the CPU of a webhook's answer with as many keys as one may have, until this one is read or refused. */
const timesHonest = (text: string): number => {
  const reading = (answer: string) => () => {
    try {
      parseSoundJson(answer, keysMax);
    } catch {
      // Most of them are no JSON.
    }
  };
  return timesTheCpuOf(reading(honest), reading(text));
};

const check = compileJsonSchema({ type: 'array' });

const sign = fc.constantFrom(
  '[',
  ']',
  '{',
  '}',
  '"a":',
  '{"a":',
  '[{"a":',
  '"',
  '"",',
  ',',
  ':',
  '0,',
  '[],',
  ' ',
  '\\',
);
const signs = fc.array(sign, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));

test.each([
  { name: 'lists in lists', text: '['.repeat(characters / 2) + ']'.repeat(characters / 2) },
  { name: 'many deep lists', text: `[${filled(`${'['.repeat(100)}${']'.repeat(100)},`)}` },
  { name: 'objects in objects', text: filled('{"a":') },
])(
  'an answer of $name, of a webhook or held against a schema, is read or refused in the time of others',
  ({ text }) => {
    expect(timesHonest(text)).toBeLessThan(4);
    const isArray = (answer: string) => () => void check(answer);
    expect(timesTheCpuOf(isArray(`["${'a'.repeat(characters)}"]`), isArray(text))).toBeLessThan(10);
  },
);

test('any answer of a webhook that is put together of signs of JSON is read or refused in the time of others', () => {
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 3 }), (parts) => {
      const share = Math.floor(characters / parts.length);
      const text = parts.map((each) => each.repeat(Math.ceil(share / each.length))).join('');
      expect(timesHonest(text), JSON.stringify(parts)).toBeLessThan(4);
    }),
    { numRuns: 60 },
  );
});
