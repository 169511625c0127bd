import { describe, expect, test } from 'vitest';
import { changeWords, versionChanges } from '../../../src/gateway/records/config-changes.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { parsed } from '../file/config-file.ts';

const sha = (digit: string): string => digit.repeat(64);
const file = `tenant: acme
limits: { body: 1MiB }
groups: { desk: [ana] }
providers: { mock: { kind: mock }, real: { kind: openai, base_url: "https://a.example/v1" } }
policies:
  no-pii: { kind: pii, except: [{ pattern: "hot.*", why: ours }] }
  house: { kind: words, words: [heron] }
  rx: { kind: regex, pattern: "a+b", ignore_case: true }
  shape: { kind: schema, on: inference, schema: { type: object } }
  keys: { kind: secrets, action: redact }
motifs:
  bot: { provider: mock, policies: [no-pii, house, rx, shape, keys], tokens: [{ id: t1, sha256: "${sha('a')}" }] }
  old: { provider: mock, users: [ana], groups: [desk] }
`;
const motif = /^ {2}old: .*\n/m;
const tokenLine = `{ id: t1, sha256: "${sha('a')}" }`;
const manyTokens = Array.from({ length: 11 }, (_, at) => `{ id: n${at}, sha256: "${sha('0123456789bcdef'[at]!)}" }`);

type Versions = Parameters<typeof versionChanges>;
const changesOf = (...versions: Versions) => atOnce(versionChanges(...versions));
const wordsOf = (...versions: Versions) => changeWords(changesOf(...versions), ...versions);

/** A version with these documents in its handbook, each with a digest. */
async function version(text: string, documents: Readonly<Record<string, string>> = {}, env = {}) {
  const knowledge = new Map([['handbook', { documents: new Map(Object.entries(documents)) }]]);
  return { config: await parsed(text, { env }), knowledge };
}

describe('what has changed in a gateway file', () => {
  test.each([
    { name: 'nothing', to: file, says: 'nothing has changed' },
    { name: 'a remark', to: `${file}# Ask ana.\n`, says: 'nothing in it has changed that counts' },
    {
      name: 'a token more',
      to: file.replace(tokenLine, `${tokenLine}, { id: t2, sha256: "${sha('b')}" }`),
      says: 'new: token t2 of bot',
    },
    {
      name: 'a token that ends',
      to: file.replace(tokenLine, `${tokenLine.slice(0, -2)}, expires: 2030-01-01 }`),
      says: 'changed: token t1 of bot',
    },
    { name: 'a token that is revoked', to: file.replace(tokenLine, ''), says: 'gone: token t1 of bot' },
    {
      name: 'another word, a policy less for a Motif',
      to: file.replace('[heron]', '[stork]').replace(', house, rx', ', rx'),
      says: 'changed: Motif bot, policy house',
    },
    {
      name: 'a Motif, a provider and limits',
      to: file
        .replace(motif, '  fresh: { provider: mock }\n')
        .replace('a.example', 'b.example')
        .replace('1MiB', '2MiB')
        .replace('[ana]', '[bo]'),
      says: 'new: Motif fresh; changed: provider real, group desk, limits; gone: Motif old',
    },
    {
      name: 'more than anybody reads',
      to: file.replace(tokenLine, `${tokenLine}, ${manyTokens.join(', ')}`),
      says: 'new: token n0 of bot, token n1 of bot, token n2 of bot, token n3 of bot, token n4 of bot, token n5 of bot, token n6 of bot, token n7 of bot and 3 more',
    },
  ])('$name', async ({ to, says }) => {
    expect(wordsOf(await version(file), await version(to))).toBe(says);
  });

  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.md`, 'x']));

  test.each([
    { name: 'none', to: { 'a.md': '1', 'b.md': '1' }, says: 'nothing has changed' },
    {
      name: 'one of each',
      to: { 'a.md': '2', 'c.md': '1' },
      says: 'new: document c.md of handbook; changed: document a.md of handbook; gone: document b.md of handbook',
    },
    { name: 'many', to: { 'a.md': '1', 'b.md': '1', ...nine }, says: 'new: 9 documents of handbook' },
  ])('documents: $name', async ({ to, says }) => {
    expect(wordsOf(await version(file, { 'a.md': '1', 'b.md': '1' }), await version(file, to))).toBe(says);
  });

  test('three lists of all names for a line of the log', async () => {
    const to = file.replace(tokenLine, manyTokens.join(', ')).replace('[heron]', '[stork]');
    expect(changesOf(await version(file), await version(to))).toEqual({
      new: Array.from({ length: 11 }, (_, at) => `token n${at} of bot`),
      changed: ['policy house'],
      gone: ['token t1 of bot'],
    });
  });

  const secrets = `providers:
  real: { kind: openai, base_url: "https://a.example/v1", key: "\${KEY}" }
  other: { kind: openai, base_url: "https://a.example/v1", headers: { x-key: "\${HEADER}" } }
  far: { kind: openai, base_url: "https://a.example/v1", proxy: "http://me:\${PASSWORD}@proxy.example" }
policies: { outside: { kind: webhook, url: "https://b.example", key: "\${HOOK}" } }
motifs: { bot: { provider: real } }
`;
  const env = {
    KEY: 'key-one-0123456789',
    HEADER: 'header-one-0123456789',
    PASSWORD: 'one',
    HOOK: 'hook-one-0123456789',
  };

  test.each([
    { variable: 'KEY', says: 'changed: provider real' },
    { variable: 'HEADER', says: 'changed: provider other' },
    { variable: 'PASSWORD', says: 'changed: provider far' },
    { variable: 'HOOK', says: 'changed: policy outside' },
    { variable: 'NONE', says: 'nothing has changed' },
  ])('another value of the secret $variable', async ({ variable, says }) => {
    const after = await version(secrets, {}, { ...env, [variable]: 'another-0123456789' });
    expect(wordsOf(await version(secrets, {}, env), after)).toBe(says);
  });
});
