import { expect, test } from 'vitest';
import type { ProviderKind } from '../../../src/gateway/config.ts';
import { checkBaseUrl, checkParams, formats, modelNeed } from '../../../src/gateway/providers/index.ts';

const all = [...Object.keys(formats), 'mock'] as readonly ProviderKind[];

test.each(all)('%s takes the parameters of the example', (kind) => {
  expect(checkParams(kind, { max_tokens: 1024, temperature: 0 })).toEqual([]);
});

test.each([
  { params: { max_tokens: 0 }, expected: 'must be a whole number from 1; found 0' },
  { params: { max_tokens: '1024' }, expected: 'must be a whole number from 1; found "1024"' },
  { params: { temperature: 3 }, expected: 'must be a number from 0 to 2; found 3' },
  { params: { temperature: Number.NaN }, expected: 'must be a number from 0 to 2' },
  { params: { top_p: -1 }, expected: 'must be a number from 0 to 1; found -1' },
  { params: { stop: [] }, expected: 'must be a text or a list of texts; found a list' },
  { params: { stop: ['a', 1] }, expected: 'must be a text or a list of texts; found a list' },
  { params: { stream: true }, expected: 'is set by the gateway itself' },
  { params: { messages: [] }, expected: 'is set by the gateway itself' },
  { params: { model: 'x' }, expected: 'is set by the gateway itself' },
  { params: { n: 2 }, expected: 'is set by the gateway itself' },
])('$params: $expected, whatever the kind', ({ params, expected }) => {
  for (const kind of all) expect(checkParams(kind, params)).toEqual([{ name: Object.keys(params)[0], expected }]);
});

test('what one format fills in is no parameter of the others either', () => {
  const names = Object.values(formats).flatMap(({ reserved }) => reserved);
  expect(names).toEqual(expect.arrayContaining(['messages', 'system', 'contents']));
  for (const kind of all) {
    for (const name of names) {
      expect(checkParams(kind, { [name]: 'x' })).toEqual([{ name, expected: 'is set by the gateway itself' }]);
    }
  }
});

test('a seed is a whole number for all who know it', () => {
  const known = all.filter((kind) => checkParams(kind, { seed: 7 }).length === 0);
  expect(known).toEqual(['openai', 'azure', 'gemini', 'mock']);
  for (const kind of known) {
    expect(checkParams(kind, { seed: 1.5 })).toEqual([{ name: 'seed', expected: 'must be a whole number; found 1.5' }]);
  }
});

test.each([
  { kind: 'anthropic', name: 'seed', value: 7 },
  { kind: 'anthropic', name: 'frequency_penalty', value: 1 },
  { kind: 'anthropic', name: 'constructor', value: 1 },
  { kind: 'gemini', name: 'min_p', value: 0.1 },
] as const)('$kind does not know $name, and says what it knows', ({ kind, name, value }) => {
  const [fault, ...others] = checkParams(kind, { [name]: value });
  expect(others).toEqual([]);
  expect(fault?.name).toBe(name);
  expect(fault?.expected).toContain('which knows max_tokens, temperature, top_p, top_k, stop');
});

test('what speaks as OpenAI does takes every other parameter', () => {
  const takers = all.filter((kind) => checkParams(kind, { min_p: 0.1, logit_bias: {} }).length === 0);
  expect(takers).toEqual(['openai', 'azure', 'mock']);
});

test('who needs a model, and who needs an address', () => {
  expect(all.filter((kind) => modelNeed(kind) === 'always')).toEqual(['anthropic', 'gemini']);
  expect(all.filter((kind) => modelNeed(kind) === 'mostly')).toEqual(['openai']);
  expect(all.filter((kind) => checkBaseUrl(kind, undefined) !== undefined)).toEqual(['azure']);
});
