import { describe, expect, test } from 'vitest';
import { faultLine } from '../../../src/documents/fault.ts';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { Secret } from '../../../src/text/secret.ts';
import { fileOf, parse, parsed } from './config-file.ts';

describe('secrets', () => {
  const file = (key: string) => `providers: { a: { kind: openai, key: "${key}" } }\nmotifs: {}\n`;

  test.each([
    ['${KEY}', /providers.a.key needs the variable KEY, which is not set: export it$/m],
    ['${file:gone}', /providers.a.key needs a secret from gone: does not exist/],
  ])('%s that is not there leaves the file right and the gateway unable to serve', async (key, words) => {
    const { config, missingSecrets } = await parse(file(key), { files: {} });
    expect(config?.providers.has('a')).toBe(true);
    expect(missingSecrets.map(faultLine).join()).toMatch(words);
  });

  test.each([
    { holds: 'nothing', content: '\n', words: /providers.a.key needs a secret from it, which is empty/ },
    { holds: 'two lines', content: 'a\nb', words: /providers.a.key must be printable ASCII/ },
    { holds: 'other letters', content: 'schlüssel', words: /providers.a.key must be printable ASCII/ },
  ])('one in a file that holds $holds is a fault of that file', async ({ content, words }) => {
    const { faults, namedFaults, missingSecrets } = await parse(file('${file:it}'), { files: { it: content } });
    expect([...faults, ...missingSecrets]).toEqual([]);
    expect(namedFaults.map(faultLine).join()).toMatch(words);
  });

  test('they are not looked for where a mock stands in for the provider', async () => {
    const { config, missingSecrets } = await parse(file('${KEY}'), { areProvidersReplaced: true });
    expect(missingSecrets).toEqual([]);
    expect(config?.providers.get('a')?.key).toBeUndefined();
  });

  test('what comes out of a variable is not looked into again', async () => {
    const config = await parsed(file('${KEY}'), { env: { KEY: '${OTHER}', OTHER: 'x' } });
    expect(config.providers.get('a')?.key?.reveal()).toBe('${OTHER}');
  });

  test('a header may hold one, and says so by ${...}', async () => {
    const text = 'providers: { a: { kind: openai, headers: { X-Team: blue, X-Key: "k ${KEY}" } } }\nmotifs: {}\n';
    const headers = (await parsed(text, { env: { KEY: 'canary' } })).providers.get('a')?.headers;
    expect(headers).toMatchObject({ 'x-team': 'blue', 'x-key': expect.any(Secret) as Secret });
    expect(JSON.stringify(headers)).not.toContain('canary');
  });

  test('nothing but secrets is replaced', async () => {
    const config = await parsed(fileOf('system: "say ${HOME}"'), { env: { HOME: '/root' } });
    expect(config.motifs.get('bot')?.system).toBe('say ${HOME}');
  });

  test('the file of a policy is read for its kind', async () => {
    const text = fileOf('', 'policies: { a: { kind: words, file: words.txt } }\n');
    expect((await parsed(text, { files: { 'words.txt': 'x' } })).policies.get('a')?.options).toEqual({ words: ['x'] });
  });

  test.each(['words: [x]', 'file: words.txt', 'words: [x], file: words.txt'])(
    'the table of a list of words is made once, however many policies are made of it: %s',
    async (list) => {
      const text = fileOf('', `policies: { a: { kind: words, ${list} } }\n`);
      const config = (await parsed(text, { files: { 'words.txt': 'y' } })).policies.get('a')!;
      expect(createPolicy(config).needs).toBe(createPolicy(config).needs);
    },
  );
});

describe('a file that is named and cannot be used is no fault of the file itself', () => {
  test.each([
    ['policies: { a: { kind: words, file: gone.txt } }', /:1:37: policies.a.file names gone.txt: does not exist/],
    ['policies: { a: { kind: words, file: long.txt } }', /:1:37: policies.a.file has a word, number 1, of more than/],
    ['policies: { a: { kind: schema, file: long.txt } }', /:1:38: policies.a.file must name a file of JSON/],
  ])('%s', async (policies, words) => {
    const files = { 'long.txt': 'x'.repeat(300) };
    const { config, faults, namedFaults } = await parse(fileOf('', `${policies}\n`), { files });
    expect(faults).toEqual([]);
    expect(namedFaults.map(faultLine).join('\n')).toMatch(words);
    expect(config?.policies.has('a')).toBe(false);
  });

  test('a provider whose certificate cannot be parsed is left out', async () => {
    const text = 'providers: { a: { kind: openai, ca: gone.pem } }\nmotifs: {}\n';
    const { config, namedFaults } = await parse(text);
    expect(namedFaults.map(faultLine)).toEqual(['gateway.yaml:1:37: providers.a.ca names gone.pem: does not exist']);
    expect(config?.providers.has('a')).toBe(false);
  });
});
