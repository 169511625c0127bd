import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/documents/yaml.ts';
import { gatewaySchema } from '../../../src/gateway/file/shape.ts';
import { fileOf, parse } from './config-file.ts';

const accepts = new Ajv2020({ strict: false }).compile(gatewaySchema);
const sha256 = 'ab'.repeat(32);

const policies: readonly (readonly [string, boolean])[] = [
  ['kind: words, words: [x], on: prompt, action: warn', true],
  ['kind: words, words: []', false],
  ['kind: regex, patterns: [a, b], ignore_case: false', true],
  ['kind: regex, pattern: 5', false],
  ['kind: pii, entities: all', true],
  ['kind: pii, entities: [card, iban]', true],
  ['kind: pii, entities: [crad]', false],
  ['kind: pii, entites: [card]', false],
  ['kind: pii, except: [{ text: hotline@acme.dev, why: our own, until: 2027-03-01 }], without: [phone]', true],
  ['kind: words, words: [x], except: [{ pattern: "x+" }]', true],
  ['kind: words, words: [x], without: [word]', false],
  ['kind: pii, without: [phon]', false],
  ['kind: pii, except: [{ text: x, unti: 2027-03-01 }]', false],
  ['kind: pii, except: [{ text: x, until: soon }]', false],
  ['kind: secrets, on: inference', true],
  ['kind: secrets, strict: true', false],
  ['kind: injection, on: nobody', false],
  ['kind: invisible, action: stop', false],
  ['kind: length, max_chars: 5', true],
  ['kind: length', false],
  ['kind: urls, allow: ["*.example.com"]', true],
  ['kind: urls, allow: ["https://example.com"]', false],
  ['kind: schema, schema: { type: object }, on: inference', true],
  ['kind: schema, schema: true, on: prompt', false],
  ['kind: webhook, url: "https://checks.example", timeout: 1m', true],
  ['kind: webhook, url: "https://checks.example", timeout: 2', true],
  ['kind: webhook, url: "https://checks.example", timeout: 2 weeks', false],
  ['kind: webhook', false],
];

describe('the JSON Schema of the gateway file', () => {
  // Made anew by: motif admin schema > src/gateway/file/gateway.schema.json
  test('in the repository is what the parser is made of', () => {
    const kept = JSON.parse(readFileSync('src/gateway/file/gateway.schema.json', 'utf8')) as unknown;
    expect(kept).toEqual(JSON.parse(JSON.stringify(gatewaySchema)));
  });

  test.each([
    ['the smallest file', fileOf(), true],
    [
      'all sections',
      fileOf(
        '',
        'tenant: a\nlisten: { port: 0, workers: auto }\nlimits: { body: 2MiB }\naudit: { file: a }\nadmin: {}\n',
      ),
      true,
    ],
    [
      'all of a Motif',
      fileOf(
        `model: m\nparams: { seed: 1 }\nlimits: { rpm: 1 }\ntokens: [{ id: t1, sha256: ${sha256}, expires: 2027-01-01 }]`,
      ),
      true,
    ],
    [
      'a provider of each kind',
      'providers: { a: { kind: mock }, b: { kind: azure, base_url: "https://x", deployment: d, api_version: v }, c: { kind: gemini } }\nmotifs: {}\n',
      true,
    ],
    ['knowledge in both forms', fileOf('', 'knowledge: { a: { files: x }, b: { files: [x, y], top: 2 } }\n'), true],
    ['no motifs', 'providers: {}\n', false],
    ['an unknown section', fileOf('', 'polices: {}\n'), false],
    ['an unknown key', fileOf('modle: m'), false],
    ['a wrong type', fileOf('model: 5'), false],
    ['a number out of range', fileOf('', 'listen: { port: 65536 }\n'), false],
    ['a word that is none', fileOf('', 'audit: { file: a, when_full: x }\n'), false],
    ['a digest that is none', fileOf('tokens: [{ id: t1, sha256: AB }]'), false],
    ['a kind that is none', 'providers: { a: { kind: x } }\nmotifs: {}\n', false],
    ['an option of another kind', 'providers: { a: { kind: mock, key: k } }\nmotifs: {}\n', false],
    ['a Motif ID that is none', 'providers: { a: { kind: mock } }\nmotifs: { "a/b": { provider: a } }\n', false],
    ['a policy without a kind', fileOf('', 'policies: { a: {} }\n'), false],
  ])('and the parser agree on %s', async (_name, text, isRight) => {
    expect(accepts(parseYaml(text, 'gateway.yaml').value)).toBe(isRight);
    expect((await parse(text)).config !== undefined).toBe(isRight);
  });

  test.each(policies)('and the parser agree on a policy { %s }: %s', async (options, isRight) => {
    const text = fileOf('', `policies: { a: { ${options} } }\n`);
    expect(accepts(parseYaml(text, 'gateway.yaml').value)).toBe(isRight);
    expect((await parse(text)).config !== undefined).toBe(isRight);
  });
});
