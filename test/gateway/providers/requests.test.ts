import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderConfig } from '../../../src/gateway/config.ts';
import type { ProviderRequest } from '../../../src/gateway/vocabulary.ts';
import { formats } from '../../../src/gateway/providers/index.ts';
import { Secret } from '../../../src/text/secret.ts';
import { keyText, providerConfig } from './provider-config.ts';

const asked: ProviderRequest = {
  model: 'a-model',
  params: { max_tokens: 100, temperature: 0, top_p: 0.9, stop: 'END' },
  messages: [
    { role: 'system', content: 'You are terse.' },
    { role: 'system', content: 'Knowledge.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'Bye' },
  ],
};

const chatMessages = [
  { role: 'system', content: 'You are terse.\n\nKnowledge.' },
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
  { role: 'user', content: 'Bye' },
];

type Kind = keyof typeof formats;

function sent(kind: Kind, request: Partial<ProviderRequest> = {}, config: Partial<ProviderConfig> = {}) {
  const post = formats[kind].toRequest({ ...asked, ...request }, providerConfig({ kind, ...config }));
  // A text would be held beside its bytes until the provider has answered, hundreds of MB of prompts in all.
  expect(post.body).toBeInstanceOf(Buffer);
  return { ...post, body: JSON.parse(String(post.body)) as Record<string, unknown> };
}

describe('what each kind of service is sent', () => {
  test('openai: chat completions with a bearer key and the name for the limit that its models take', () => {
    const { url, headers, body } = sent('openai');
    expect(url).toBe('https://api.openai.com/v1/chat/completions');
    expect(headers.authorization).toMatchObject({ scheme: 'Bearer' });
    expect(body).toEqual({
      model: 'a-model',
      messages: chatMessages,
      max_completion_tokens: 100,
      temperature: 0,
      top_p: 0.9,
      stop: 'END',
    });
  });

  test('openai at another address: parameters as they are, no key where none is set', () => {
    const { url, headers, body } = sent(
      'openai',
      { params: { max_tokens: 5, min_p: 0.1, chat_template_kwargs: { enable_thinking: false } } },
      { baseUrl: 'http://127.0.0.1:11434/v1/', key: undefined },
    );
    expect(url).toBe('http://127.0.0.1:11434/v1/chat/completions');
    expect(headers).not.toHaveProperty('authorization');
    expect(body).toEqual({
      model: 'a-model',
      messages: chatMessages,
      max_tokens: 5,
      min_p: 0.1,
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  test.each([
    { apiVersion: '2025-04-01', limit: 'max_completion_tokens' },
    { apiVersion: '2024-06-01', limit: 'max_tokens' },
  ])(
    'azure, api-version $apiVersion: the deployment in the path, the key in its header, $limit',
    ({ apiVersion, limit }) => {
      const azure = { deployment: 'chat one', apiVersion };
      const { url, headers, body } = sent('azure', {}, { baseUrl: 'https://acme.openai.azure.com', azure });
      expect(url).toBe(
        `https://acme.openai.azure.com/openai/deployments/chat%20one/chat/completions?api-version=${apiVersion}`,
      );
      expect(headers['api-key']).toBeInstanceOf(Secret);
      expect(headers).not.toHaveProperty('authorization');
      expect(body).toEqual({ messages: chatMessages, [limit]: 100, temperature: 0, top_p: 0.9, stop: 'END' });
    },
  );

  test('anthropic: the system text apart, a list of stops, a limit always', () => {
    const { url, headers, body } = sent('anthropic');
    expect(url).toBe('https://api.anthropic.com/v1/messages');
    expect(headers).toMatchObject({ 'anthropic-version': '2023-06-01' });
    expect(headers['x-api-key']).toBeInstanceOf(Secret);
    expect(body).toEqual({
      model: 'a-model',
      max_tokens: 100,
      temperature: 0,
      top_p: 0.9,
      stop_sequences: ['END'],
      system: 'You are terse.\n\nKnowledge.',
      messages: chatMessages.slice(1),
    });
    expect(sent('anthropic', { params: {} }).body).toMatchObject({ max_tokens: 4096 });
  });

  test('gemini: the model in the path, parts, roles and names of its own', () => {
    const { url, headers, body } = sent('gemini', { model: 'models/gemini-2.5-flash' });
    expect(url).toBe('https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent');
    expect(headers['x-goog-api-key']).toBeInstanceOf(Secret);
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'You are terse.\n\nKnowledge.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello' }] },
        { role: 'user', parts: [{ text: 'Bye' }] },
      ],
      generationConfig: { maxOutputTokens: 100, temperature: 0, topP: 0.9, stopSequences: ['END'] },
    });
  });
});

describe.each(Object.keys(formats) as Kind[])('%s', (kind) => {
  test('a message is its role and its content, and no parameter replaces what the gateway sets', () => {
    const messages = [{ role: 'user', content: 'Hi', tools: 'x' } as { role: string; content: string }];
    const { body } = sent(kind, { messages, params: { messages: 'mine', contents: 'mine', system: 'mine' } });
    expect(JSON.stringify(body.messages ?? body.contents)).not.toMatch(/tools|mine/);
  });

  test('headers of the gateway file are sent, and replace none that the format needs', () => {
    const extra = new Secret('canary-of-a-header');
    const { headers } = sent(kind, {}, { headers: { 'X-Team': 'a', 'X-Extra': extra, 'Content-Type': 'text/plain' } });
    expect(headers).toMatchObject({ 'x-team': 'a', 'x-extra': extra, 'content-type': 'application/json' });
    expect(headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity' });
  });

  test('nothing of a key is in what can be printed of a request', () => {
    const post = formats[kind].toRequest(asked, providerConfig({ kind }));
    expect(JSON.stringify(post)).not.toContain('canary');
    expect(keyText).toContain('canary');
  });

  test('no text of a message reaches the address', () => {
    const messages = fc.array(
      fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.string() }),
    );
    const { url } = sent(kind);
    fc.assert(
      fc.property(messages, (said) => {
        expect(sent(kind, { messages: said }).url).toBe(url);
      }),
    );
  });

  test('a model or deployment cannot leave its place in the path', () => {
    const odd = '../../v2/x?key=1#y';
    const azure = { deployment: odd, apiVersion: '2025-04-01&x=1' };
    const { url } = sent(kind, { model: odd }, { baseUrl: 'https://service.test/base', azure });
    const { origin, pathname, searchParams, hash } = new URL(url);
    expect({ origin, hash }).toEqual({ origin: 'https://service.test', hash: '' });
    expect(pathname.startsWith('/base/')).toBe(true);
    expect(searchParams.has('key') || searchParams.has('x')).toBe(false);
  });
});
