import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, type MotifSetup, type Run, testEnv } from '../../support/motif.ts';
import { saying } from '../../support/rooms/prompt.ts';

const gateway = `tenant: acme
providers:
  openai: { kind: openai, base_url: https://api.openai.com/v1, key: "\${OPENAI_API_KEY}" }
policies:
  house: { kind: words, words: [project-x] }
motifs:
  first: { provider: openai, model: m, policies: [house], users: [ana], groups: [team] }
  second: { provider: openai, model: m, policies: [house] }
groups: { team: [bo] }
`;

/** Nothing is sent: a request would fail the test. */
function demo(argv: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  return motif(['prompt', '--demo', ...argv], { env: {}, ...setup });
}

function local(argv: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  return motif(['prompt', '--local', 'gateway.yaml', ...argv], {
    env: {},
    files: { 'gateway.yaml': gateway },
    ...setup,
  });
}

describe('--demo', () => {
  test('quotes the handbook, and counts tokens', async () => {
    const run = await demo(['--json', 'How long can I return a kettle?']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const document = JSON.parse(run.stdout) as Record<string, unknown>;
    expect(document).toMatchObject({ ok: true, blocked: false, profile: null, motif_id: 'support-bot', status: 200 });
    expect(document.response).toBe('Kettles can be returned within 30 days with the receipt. [handbook: Returns]');
    const usage = document.usage as { prompt_tokens: number; completion_tokens: number; total_tokens: number };
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    expect(document.prompt_id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('blocks a card before the provider is asked, and says neither where nor what', async () => {
    const run = await demo(['-u', 'Refund my card 4111 1111 1111 1111']);
    expect(run).toMatchObject({ exitCode: 10, stdout: '' });
    expect(run.stderr).toEqual(
      saying('blocked by policy (motif support-bot, finish_reason blocked', 'tokens 0 + 0 = 0'),
    );
    expect(run.stderr).not.toContain('4111');
  });

  test('redacts a key on its way to the provider', async () => {
    const run = await demo(['Is AKIAIOSFODNN7EXAMPLE a valid key?']);
    expect(run.stdout).toContain('Is [AWS_ACCESS_KEY] a valid key?');
    expect(run.stdout).not.toContain('AKIA');
  });

  test('needs and uses no profile, no address and no token', async () => {
    expect(await demo(['hi'], { home: null })).toMatchObject({ exitCode: 0 });
    expect(await demo(['hi'], { env: testEnv })).toMatchObject({ exitCode: 0 });
  });

  test('shows the request, but has no curl command', async () => {
    expect((await demo(['--dry-run', 'hi'])).stdout).toContain('/api/v1/apps/support-bot/prompts');
    expect(await demo(['--curl', 'hi'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test.each([
    { argv: ['--as', 'eve', 'hi'], exitCode: 8 },
    { argv: ['--as', 'eve', '--tenant', 'demo', 'hi'], exitCode: 0 },
    { argv: ['--as', 'eve', '--tenant', 'other', 'hi'], exitCode: 8 },
    { argv: ['--tenant', 'other', 'hi'], exitCode: 8 },
  ])('plays the tenant rule: $argv', async ({ argv, exitCode }) => {
    expect(await demo(argv)).toMatchObject({ exitCode });
  });
});

describe('--local FILE', () => {
  test('asks a mock for every provider, whose key is not needed', async () => {
    expect(await local(['-q', '--motif', 'first', 'hi'])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('says back what it was asked where the Motif has no knowledge, and tells people and logs that a mock answers', async () => {
    const piped = await local(['--motif', 'first', 'hi']);
    const told = 'motif: a mock answers in place of openai; --live asks it';
    expect(piped).toMatchObject({ exitCode: 0, stdout: 'You said: hi\n', stderr: `${told}\n` });
    const shown = await local(['--motif', 'first', 'hi'], { stderr: { columns: 80 } });
    expect(shown.stderr.split('\n').filter((line) => line.includes('mock'))).toEqual([told]);
    for (const stderr of [{ columns: 80 }, undefined]) {
      const quiet = await local(['-q', '--motif', 'first', 'hi'], stderr && { stderr });
      expect(quiet.stderr).not.toContain('mock');
    }
  });

  test('quotes the knowledge where there is some, and leaves a mock of the file as it is', async () => {
    const files = {
      'gateway.yaml': `providers: { real: { kind: openai, key: "\${K}" }, own: { kind: mock } }
knowledge: { book: { files: book.md } }
motifs: { asks: { provider: real, model: m, knowledge: [book] }, echoes: { provider: own } }
`,
      'book.md': '# Tea\n\nTea needs four minutes.\n',
    };
    const quoted = await local(['--motif', 'asks', 'How many minutes for tea?'], { files });
    expect(quoted.stdout).toBe('Tea needs four minutes. [book: Tea]\n');
    const echoed = await local(['--motif', 'echoes', 'hi'], { files, stderr: { columns: 80 } });
    expect(echoed).toMatchObject({ stdout: 'hi\n', stderr: expect.not.stringContaining('mock') as string });
  });

  test('makes no document of a secret or certificate, though a mock needs none of them', async () => {
    const named = '{ kind: openai, key: "${file:kb/key}", headers: { x-a: "b ${file:kb/header}" }, ca: kb/ca.pem }';
    const run = await motif(['prompt', '--local', 'gateway.yaml', 'What is the word?'], {
      env: {},
      files: {
        'gateway.yaml': `
providers: { quoting: { kind: mock, mode: quote }, openai: ${named} }
policies: { asked: { kind: webhook, url: "http://127.0.0.1:1", key: "\${file:kb/hook}" } }
knowledge: { kb: { files: 'kb/*' } }
motifs: { first: { provider: quoting, fallback: openai, model: m, knowledge: [kb], policies: [asked] } }
`,
        'kb/a.md': 'The word is blue.',
        ...Object.fromEntries(['key', 'header', 'ca.pem', 'hook'].map((name) => [`kb/${name}`, 'What is the word?'])),
      },
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'The word is blue. [a]\n' });
  });

  test('writes no answer into a key that a mock does not need', async () => {
    const files = {
      'gateway.yaml': gateway.replace('${OPENAI_API_KEY}', '${file:key}'),
      key: 'k1',
    };
    const run = await local(['--motif', 'first', 'hi', '-o', 'key'], { files });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('-o: key is also an input of this command');
    expect(readFileSync(join(run.world.folder, 'key'), 'utf8')).toBe('k1');
  });

  test('applies the policies of the file', async () => {
    expect(await local(['--motif', 'second', 'about Project-X'])).toMatchObject({ exitCode: 10, stdout: '' });
  });

  test('with --live its providers are asked, so that a missing key is an error', async () => {
    const run = await local(['--live', '--motif', 'first', 'hi']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toEqual(saying('gateway.yaml:3', 'OPENAI_API_KEY'));
  });

  test('with --live the provider gets its key and its model', async () => {
    const seen: unknown[] = [];
    const reply = { choices: [{ message: { content: 'from the model' }, finish_reason: 'stop' }] };
    const run = await local(['--live', '--motif', 'first', 'hi'], {
      env: { OPENAI_API_KEY: 'sk-test' },
      async send({ url, headers, body }) {
        seen.push(url, typeof headers.authorization, (JSON.parse(String(body)) as { model: unknown }).model);
        const timings = {
          dnsMs: 1,
          connectMs: 1,
          tlsMs: 1,
          firstByteMs: 1,
          totalMs: 1,
          sentBytes: 1,
          receivedBytes: 1,
        };
        return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(reply)), timings };
      },
    });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'from the model\n' });
    expect(seen).toEqual(['https://api.openai.com/v1/chat/completions', 'object', 'm']);
  });

  test.each([
    { as: 'ana', exitCode: 0 },
    { as: 'bo', exitCode: 0 },
    { as: 'eve', exitCode: 8 },
  ])('$as is let in or not as the file says: $exitCode', async ({ as, exitCode }) => {
    expect(await local(['--motif', 'first', '--as', as, 'hi'])).toMatchObject({ exitCode });
  });

  test.each([
    { name: 'none is sent', argv: ['--as', 'eve'], says: '  send the tenant of gateway.yaml: --tenant acme\n' },
    {
      name: 'a wrong one is sent',
      argv: ['--tenant', 'b'],
      says: '  send the tenant of gateway.yaml: --tenant acme\n',
    },
    {
      name: 'the variable for a service has one',
      argv: ['--as', 'eve'],
      env: { MOTIF_TENANT_ID: 'acme' },
      says: '  send the tenant of gateway.yaml: --tenant acme (MOTIF_TENANT_ID does not count beside --local)\n',
    },
    {
      name: 'one is sent and none is known',
      argv: ['--tenant', 'b'],
      files: { 'gateway.yaml': gateway.replace('tenant: acme\n', '') },
      says: '  leave --tenant out: gateway.yaml has no tenant\n',
    },
  ])(
    'where $name: the hint names what works here alone',
    async ({ argv, says, env = {}, files = { 'gateway.yaml': gateway } }) => {
      const setup = { env, files };
      const run = await local(['--motif', 'first', ...argv, 'hi'], setup);
      expect(run).toMatchObject({ exitCode: 8, stdout: '' });
      expect(run.stderr.endsWith(`on the gateway in this process\n${says}`), run.stderr).toBe(true);
      const doctor = await motif(['doctor', '--local', 'gateway.yaml', '--motif', 'first', ...argv], setup);
      expect(doctor.stdout + doctor.stderr).toContain(says.trim());
      expect(doctor.stdout + doctor.stderr).not.toMatch(/console|profile set|a mock answers/);
    },
  );

  test('what a provider failed of is said once, beside the failure', async () => {
    const failing = 'providers: { p: { kind: mock, fail_rate: 1 } }\nmotifs: { m: { provider: p } }\n';
    const run = await local(['hi'], { files: { 'gateway.yaml': failing } });
    expect(run).toMatchObject({ exitCode: 5, stdout: '' });
    expect(run.stderr).toContain('a provider failed: the provider failed (detail fail_rate of the mock)');
    expect(run.stderr).toContain('the service failed (502)');
    expect(run.stderr).toContain('Motif m of gateway.yaml, on the gateway in this process');
    expect(run.stderr).not.toContain('address');
    expect(run.stderr.match(/prompt_id/g)).toHaveLength(1);
  });

  test('a provider that failed is named, and the one that is asked in its place', async () => {
    const failing =
      'providers: { p: { kind: mock, fail_rate: 1 }, q: { kind: mock } }\nmotifs: { m: { provider: p, fallback: { provider: q, on: [failed] } } }\n';
    const run = await local(['hi'], { files: { 'gateway.yaml': failing } });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(
      /a provider failed, its fallback is asked: the provider failed \(provider p, fallback q, .*detail fail_rate/,
    );
  });

  test('several Motifs need a name, and a wrong one is told which there are', async () => {
    for (const argv of [['hi'], ['--motif', 'third', 'hi']]) {
      const run = await local(argv);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toEqual(saying('first, second'));
    }
  });

  test('what may not be meant is said of the Motif that is used alone', async () => {
    const open = gateway.replaceAll(', policies: [house]', '').replace('second:', 'first.b:');
    const told = await local(['--motif', 'first', 'hi'], { files: { 'gateway.yaml': open } });
    expect(told.stderr).toMatch(/^motif: warning: gateway\.yaml:\d+:\d+: motifs\.first has no policies/m);
    expect(told.stderr).not.toContain('first.b');
    const kept = gateway.replace('{ provider: openai, model: m, policies: [house] }', '{ provider: openai, model: m }');
    expect(kept).not.toBe(gateway);
    const quiet = await local(['--motif', 'first', 'hi'], { files: { 'gateway.yaml': kept } });
    expect(quiet).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('warning') as string });
  });

  test('knowledge without a document is said of the Motif that is used alone', async () => {
    const text = `knowledge: { a: { files: docs } }\n${gateway.replace('policies: [house] }', 'policies: [house], knowledge: [a] }')}`;
    const files = { 'gateway.yaml': text, 'docs/a.md': 'Kettles' };
    const said =
      /^motif: warning: gateway\.yaml:1:\d+: knowledge\.a\.files names docs: no such file; the files of a folder: docs\/\*\*\/\*\.md$/m;
    const [first, second] = await Promise.all(['first', 'second'].map((id) => local(['--motif', id, 'hi'], { files })));
    expect([first, second].map((run) => said.test(run!.stderr))).toEqual([false, true]);
  });

  test('a missing or broken file is named with all that is wrong', async () => {
    expect(await local(['hi'], { files: {} })).toMatchObject({ exitCode: 2, stdout: '' });
    const run = await local(['hi'], { files: { 'gateway.yaml': 'motifs: { a: { provder: x } }\n' } });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toEqual(saying('gateway.yaml:1', 'did you mean provider?', 'needs providers'));
  });
});

test.each([
  ['--demo', '--local', 'gateway.yaml', 'hi'],
  ['--demo', '--url', 'https://gw.example/api/v1/apps/a', 'hi'],
  ['--demo', '-p', 'prod', 'hi'],
  ['--live', 'hi'],
  ['--as', 'ana', 'hi'],
])('%s %s: a mix that means nothing is a mistake', async (...argv) => {
  expect(await motif(['prompt', ...argv], { env: testEnv })).toMatchObject({ exitCode: 2, stdout: '' });
});

test('doctor looks at an embedded gateway as at any other', async () => {
  const run = await motif(['doctor', '--demo'], { env: {} });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch(/^ok +http/m);
  const refused = await motif(['doctor', '--demo', '--as', 'eve'], { env: {} });
  expect(refused.exitCode).toBe(8);
  expect(refused.stdout).toMatch(/^failed +tenant/m);
});
