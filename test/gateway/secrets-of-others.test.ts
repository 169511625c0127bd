import { describe, expect, test } from 'vitest';
import { assembleMotifs } from '../../src/gateway/assembly.ts';
import { createLog } from '../../src/gateway/records/log.ts';
import { type Exchange, ProviderFailure } from '../../src/gateway/vocabulary.ts';
import { bytesHeld } from '../support/garbage.ts';
import { toReply } from '../support/service.ts';
import { parsed } from './file/config-file.ts';
import { FileSecrets } from '../../src/gateway/providers/file-secrets.ts';
import { Secret } from '../../src/text/secret.ts';
import { providerConfig, smallRequest } from './providers/provider-config.ts';
import { atOnce } from '../../src/text/turns.ts';

const env = {
  KEY: 'sk-proj-aB1cD2eF3gH4-iJ5kL6',
  NO_DIGITS: 'correct-horse-battery',
  SHORT: 'unused-key',
  HEADER: 'q8w7e6r5t4y3u2i1o0p9',
  NAME: 'acme-assistant-2025-v2',
  PROXY: 'http://squid:z9y8x7w6v5u4t3@proxy.example:3128',
  HOOK: 'whsec_a1b2c3d4e5f6g7h8',
};

const file = `providers:
  asked: { kind: openai, key: "own-key-1234567890" }
  scripted: { kind: mock, mode: script, script: ["It is ${env.KEY}"] }
  other: { kind: anthropic, key: "\${KEY}", headers: { x-auth: "Token \${HEADER}", x-title: "\${NAME}" }, proxy: "\${PROXY}" }
  local: { kind: openai, key: "\${SHORT}" }
  plain: { kind: openai, key: "\${NO_DIGITS}" }
policies:
  hook: { kind: webhook, url: https://checks.example, key: "\${HOOK}" }
motifs:
  bot: { provider: asked, model: m, policies: [hook], tokens: [] }
  mocked: { provider: scripted, tokens: [] }
`;

/** The Motifs of the file, for whom every service replies so. */
async function motifs(reply: Parameters<typeof toReply>[0]) {
  return atOnce(
    assembleMotifs(await parsed(file, { env }), {
      send: () => Promise.resolve(toReply(reply)),
      now: () => 0,
      monotonic: () => 0,
      sleep: async () => undefined,
      random: () => 0,
      knowledge: new Map(),
      log: createLog({ level: 'error', write: () => undefined, now: () => 0 }),
    }),
  );
}

const saying = (content: string) => ({ choices: [{ message: { content }, finish_reason: 'stop' }] });

async function answered(said: string): Promise<string | undefined> {
  const motif = (await motifs({ body: saying(said) })).get('bot');
  return (await motif?.provider.ask(smallRequest, { deadlineAt: 1000 }))?.text;
}

const secrets = [
  { whose: 'the key of another provider', secret: env.KEY },
  { whose: 'one without a digit', secret: env.NO_DIGITS },
  { whose: 'a secret in a header of another provider', secret: env.HEADER },
  { whose: 'the password of its proxy', secret: 'z9y8x7w6v5u4t3' },
  { whose: 'what its proxy is told', secret: 'squid:z9y8x7w6v5u4t3' },
  { whose: 'the key of a webhook', secret: env.HOOK },
];

describe.each(secrets)('$whose', ({ secret }) => {
  test('stands in no answer', async () => {
    expect(await answered(`It is ${secret}!`)).toBe('It is ••••!');
    expect(await answered(`It is ${Buffer.from(`x:${secret}`).toString('base64')}`)).toContain('••••');
  });

  test('stands in no words about a failure', async () => {
    const motif = (await motifs({ status: 401, body: { error: { message: `Not ${secret}, please` } } })).get('bot');
    const failure: unknown = await motif?.provider.ask(smallRequest, { deadlineAt: 1000 }).catch((error) => error);
    expect(failure).toBeInstanceOf(ProviderFailure);
    expect((failure as ProviderFailure).detail).toBe('status 401: Not ••••, please');
  });

  test('names neither a model nor a request', async () => {
    const exchange: Exchange = { provider: 'asked', model: 'm' };
    const reply = { body: { ...saying('Yes.'), model: secret }, headers: { 'x-request-id': `x-${secret}` } };
    await (await motifs(reply)).get('bot')?.provider.ask(smallRequest, { deadlineAt: 1000, exchange });
    expect([exchange.modelAnswered, exchange.requestId]).toEqual([undefined, undefined]);
  });
});

test.each([
  { name: 'spelled in other ways', said: `${env.KEY.toUpperCase().split('').join(' ')}`, told: '••••' },
  { name: 'in hex', said: Buffer.from(env.HOOK).toString('hex'), told: '••••' },
  { name: 'by 16 of its characters', said: `${env.KEY.slice(0, 16)}...`, told: '••••...' },
  { name: 'beside another one', said: `${env.KEY} and ${env.HOOK}`, told: '•••• and ••••' },
])('a secret of others stands in no answer $name', async ({ said, told }) => {
  expect(await answered(said)).toBe(told);
});

test.each([
  { name: 'a key of others that words may hold by chance', said: 'an unused-key' },
  { name: 'a name in a header of others', said: 'acme-assistant-2025-v2' },
])('$name is left in answers', async ({ said }) => {
  expect(await answered(said)).toBe(said);
});

test('a mock hides secrets, too', async () => {
  const motif = (await motifs({})).get('mocked');
  expect((await motif?.provider.ask(smallRequest, { deadlineAt: 1000 }))?.text).toBe('It is ••••');
});

test.each([
  { rule: 'mood', decision: 'block', found: 'mood' },
  { rule: env.HOOK, decision: 'block', found: 'policy_failed' },
])('a webhook whose rule is $rule leads to $found in the audit', async ({ rule, decision, found }) => {
  const motif = (await motifs({ body: { findings: [{ rule, message: 0 }] } })).get('bot');
  const verdict = await motif?.judge('prompt', ['hi'], { holder: 't', signal: new AbortController().signal });
  expect(verdict).toMatchObject({ decision, hits: [{ rule: found }] });
});

test('400 providers have one list of their secrets: one for each took 67 MB, and three seconds of each reload', () => {
  const names = Array.from({ length: 400 }, (_, at) => `p${at}`);
  const providers = new Map(
    names.map((name) => [name, providerConfig({ name, key: new Secret(`sk-proj-a1b2c3d4e5f6g7h8i9j0-${name}`) })]),
  );
  const before = bytesHeld();
  const secrets = new FileSecrets({ providers, policies: new Map() });
  const all = [...providers.values()].map((config) => secrets.of(config));
  expect(bytesHeld() - before).toBeLessThan(35e6);
  expect(all.at(-1)?.inAnswer('It is sk-proj-a1b2c3d4e5f6g7h8i9j0-p7!')).toBe('It is ••••!');
});
