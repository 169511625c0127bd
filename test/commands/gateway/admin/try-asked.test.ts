import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../../src/errors.ts';
import type { Send } from '../../../../src/wire/http.ts';
import { motif, type MotifSetup, type Run } from '../../../support/motif.ts';

const file = `tenant: acme
groups: { team: [bo] }
providers: { real: { kind: openai, key: "\${NO_SUCH_KEY}" } }
policies:
  asks: { kind: webhook, url: "https://check.example/", key: "\${CHECK_KEY}", on: prompt }
  no-word: { kind: words, words: [kettle] }
knowledge: { handbook: { files: docs/*.md } }
motifs:
  bot: { provider: real, model: m, policies: [asks, no-word], users: [ana], groups: [team], system: About kettles }
  quiet: { provider: real, model: m, policies: [no-word] }
  reads: { provider: real, model: m, policies: [no-word], knowledge: [handbook] }
`;
const timings = { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 1, sentBytes: 1, receivedBytes: 1 };

function answering(status: number, body: string): Send {
  return async () => ({ status, headers: {}, body: new TextEncoder().encode(body), timings });
}

function attempt(words: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  const env = { CHECK_KEY: 'k' };
  return motif(['admin', 'try', '--motif', 'bot', ...words], { env, files: { 'gateway.yaml': file }, ...setup });
}

describe('--live', () => {
  test('asks the policies that ask outside, with their key', async () => {
    const asked: unknown[] = [];
    const finding = { rule: 'topic', message: 1, start: 2, length: 3 };
    const run = await attempt(['--live', 'no secret'], {
      async send(request, limits) {
        asked.push(request.url, JSON.parse(String(request.body)), typeof request.headers.authorization);
        return await answering(200, JSON.stringify({ findings: [finding] }))(request, limits);
      },
    });
    expect(asked).toEqual([
      'https://check.example/',
      { on: 'prompt', texts: ['About kettles', 'no secret'] },
      'object',
    ]);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^block {2}asks \/ topic {2}message 1, characters 3-5\n/);
  });

  test.each([
    { expect: 'blocked', exitCode: 11 },
    { expect: 'answered', exitCode: 11 },
    { expect: 'any', exitCode: 0 },
  ])('--expect $expect ends with $exitCode where a policy could not judge', async ({ expect: outcome, exitCode }) => {
    const send = answering(500, '');
    const run = await attempt(['--live', '--expect', outcome, 'hello'], { send });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr.includes('the policy asks could not judge')).toBe(exitCode === 11);
    const { stdout } = await attempt(['--live', '--json', '--expect', outcome, 'hello'], { send });
    expect(JSON.parse(stdout)).toMatchObject({ ok: exitCode === 0, decision: 'block' });
  });

  test.each<{ name: string; send: Send; says: string }>([
    { name: 'fails', send: answering(500, ''), says: 'the webhook answered 500' },
    { name: 'says nothing that is known', send: answering(200, 'oops'), says: 'its answer is no JSON of the form' },
    {
      name: 'is not there',
      send: () =>
        Promise.reject(new TransportError('network', 'connection refused', { layer: 'connect', sent: false })),
      says: 'connection refused',
    },
  ])('one that $name blocks, as it does at the gateway, and is told why', async ({ send, says }) => {
    const run = await attempt(['--live', 'hello'], { send });
    expect(run.stdout).toContain(`block  asks / policy_failed  the prompt: ${says}`);
    const { stdout } = await attempt(['--live', '--json', 'hello'], { send });
    expect(JSON.parse(stdout)).toMatchObject({
      hits: [{ rule: 'policy_failed', reason: expect.stringContaining(says) as string }],
    });
  });

  test.each([
    { words: ['--live', '--motif', 'quiet', 'hi'], says: /no policy of quiet asks outside about a prompt/ },
    { words: ['--live', '--answer', 'hi'], says: /no policy of bot asks outside about an answer/ },
  ])('where nothing can be live it is a mistake: $words', async ({ words, says }) => {
    const run = await attempt(words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
  });

  test('the demo has nothing to ask', async () => {
    const run = await motif(['admin', 'try', '--demo', '--live', 'hi'], { env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--live has nothing to ask');
  });

  test('needs the keys of those that it asks, and of nobody else', async () => {
    const run = await attempt(['--live', 'hi'], { env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/gateway.yaml:5:\d+: .*CHECK_KEY/);
    expect(run.stderr).not.toContain('NO_SUCH_KEY');
    expect(await attempt(['hi'], { env: {} })).toMatchObject({ exitCode: 0 });
  });
});

describe('--as', () => {
  test.each([
    { as: 'ana', says: /^access +ana +is let in without a tenant ID, by users$/m, by: 'users', needs: false },
    { as: 'bo', says: /^access +bo +is let in without a tenant ID, by the group team$/m, by: 'team', needs: false },
    { as: 'eve', says: /^access +eve +is refused with 403 unless the tenant ID is sent$/m, by: null, needs: true },
  ])('$as', async ({ as, says, by, needs }) => {
    expect(await attempt(['--as', as, 'hi'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(says) as string,
    });
    const { stdout } = await attempt(['--as', as, '--json', 'hi']);
    expect(JSON.parse(stdout)).toMatchObject({ access: { user: as, by, needs_tenant: needs } });
  });

  test('a file without a tenant lets everybody in', async () => {
    const run = await attempt(['--as', 'eve', 'hi'], { files: { 'gateway.yaml': file.replace('tenant: acme\n', '') } });
    expect(run.stdout).toMatch(/^access +eve +is let in: the file sets no tenant$/m);
  });
});

describe('what the gateway puts before a prompt', () => {
  const docs = '# Tea\nIt wants hot water.\n# Water\nA kettle boils it.\n';
  const reading = (words: readonly string[], text: string | Uint8Array = docs) =>
    attempt(['--motif', 'reads', ...words], { files: { 'gateway.yaml': file, 'docs/brew.md': text } });

  test("is judged with it: the Motif's own message", async () => {
    const run = await attempt(['hello'], { files: { 'gateway.yaml': file.replace('kettles', 'a kettle') } });
    expect(run.stdout).toMatch(/^block {2}no-word \/ word {2}the Motif's system message, characters 9-14\n/);
  });

  test('is judged with it: passages, each by its file and its number there', async () => {
    const run = await reading(['who boils?']);
    expect(run.stdout).toMatch(
      /^block {2}no-word \/ word {2}passage 2 of handbook \(docs\/brew\.md\), characters 3-8\n/,
    );
    expect((await reading(['wants'])).stdout).toMatch(/^pass/);
    expect((await reading(['--answer', 'boils'])).stdout).toMatch(/^pass/);
  });

  test('a document that cannot be read is named', async () => {
    const run = await reading(['hello'], Uint8Array.of(0x61, 0xff));
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/docs\/brew\.md: is not UTF-8/);
  });
});
