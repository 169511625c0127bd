import { describe, expect, test } from 'vitest';
import { faultLine } from '../../../src/documents/fault.ts';
import { fileOf, parse } from './config-file.ts';

describe('warnings', () => {
  test.each([
    [fileOf(), /motifs.bot has no policies/],
    [
      fileOf('', 'policies: { a: { kind: pii, except: [{ text: x, until: 2026-11-20 }] } }\n'),
      /:1:56: policies.a.except\[0\].until is over, so this exception no longer holds/,
    ],
    [
      fileOf('', 'policies: { a: { kind: pii, except: [{ text: x, until: 2026-12-01 }] } }\n'),
      /:1:56: policies.a.except\[0\].until ends on 2026-12-01, in \d+ days: from then on this counts again/,
    ],
    [
      'providers: { a: { kind: openai } }\nmotifs: { m: { provider: a, model: gpt-5-mini, params: { temperature: 0 } } }\n',
      /motifs.m.params.temperature is refused by models like gpt-5-mini/,
    ],
    [
      'providers: { a: { kind: openai } }\nmotifs: { m: { provider: a } }\n',
      /motifs.m names no model, and most providers of kind openai need one: model: NAME/,
    ],
    ['providers: { a: { kind: openai, key: plain-text } }\nmotifs: {}\n', /providers.a.key stands in the file itself/],
    [
      'providers: { a: { kind: openai, base_url: "http://vllm:8000/v1", key: "${K}" } }\nmotifs: {}\n',
      /base_url sends the key of this provider unencrypted/,
    ],
  ])('%#', async (text, words) => {
    const { config, warnings } = await parse(text, { env: { K: 'k' } });
    expect(config?.providers.size).toBe(1);
    expect(warnings.map(faultLine).join('\n')).toMatch(words);
  });
});
