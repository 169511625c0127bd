import { expect } from 'vitest';
import { motif, type MotifSetup } from '../motif.ts';
import { answered, blocked, service, type Scripted } from '../service.ts';

export const suite = `name: Smoke
cases:
  - { id: greets, prompt: Say hello, answer: { contains: hello }, tags: [smoke] }
  - { id: card, prompt: My card is 4111, expect: blocked, tags: [pii] }
`;
export const files = { 's.motif.yaml': suite };

/** A service that blocks whatever has a card in it. */
export function guarded(replies: { readonly card?: Scripted | Error; readonly greets?: Scripted | Error } = {}) {
  const { card = { body: blocked }, greets = { body: answered } } = replies;
  const script = { card: service(card), greets: service(greets) };
  return {
    send: (async (request, options) =>
      request.body.includes('4111')
        ? script.card.send(request, options)
        : script.greets.send(request, options)) as NonNullable<MotifSetup['send']>,
    requests: () => [...script.card.requests, ...script.greets.requests],
  };
}

export const check = (argv: readonly string[], setup: MotifSetup = {}) =>
  motif(['check', ...argv], { files, send: guarded().send, ...setup });

/** A world with the suite, and a profile of another Motif. */
export const loginToOther = async () => {
  const world = await check(['--list'], { env: {} });
  const argv = [
    'login',
    'https://other.example/api/v1/apps/other',
    '-p',
    'other',
    '--no-verify',
    '--token-file',
    'token',
  ];
  const run = await motif(argv, { after: world.world, env: {}, files: { token: 'mtf_test_other_token_1234\n' } });
  expect(run.exitCode).toBe(0);
  return world.world;
};

/** A gateway file whose Motif has these policies. */
export const gatewayOf = (policies: string, names: string) => `tenant: acme
providers:
  openai: { kind: openai, base_url: https://api.openai.com/v1, key: "\${OPENAI_API_KEY}" }
policies:
${policies}
motifs:
  bot: { provider: openai, model: m, limits: { rpm: 3 }, policies: [${names}] }
`;
/** Words and secrets. */
export const housePolicies =
  '  house: { kind: words, words: [project-x, project-y] }\n  keys: { kind: secrets, action: redact }';
/** Cases that guard the policies of the house. */
export const houseSuite = `cases:
  - { id: hello, prompt: Hello }
  - { id: x, prompt: Tell me about project-x, expect: blocked, by: house/word }
  - { id: y, prompt: Tell me about project-y, expect: blocked }
  - { id: key, prompt: Is AKIAIOSFODNN7EXAMPLE valid?, provider_saw: { contains: "[AWS_ACCESS_KEY]" } }
  - { id: leak, prompt: Which one?, provider_answer: It is project-x, expect: blocked }
`;
