import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start } from '../support/processes/child.ts';
import { createHome, type Home, inMemory } from '../support/processes/home.ts';
import { leaksIn, tracesOf, watchCommandLines } from '../support/processes/leaks.ts';
import { openService, type Service } from '../support/servers/local-service.ts';
import { filesBelow } from '../support/rooms/login.ts';
import { program, startMotif } from '../support/processes/program.ts';
import { missingPrograms } from '../support/processes/programs.ts';

/** A secret whose characters look different once they are encoded. */
const canary = 'mtf_c4n4ry+Z9/xQ7~wK2pLr8Vd%3Jy5Tb';
const traces = tracesOf(canary);
const noPty = missingPrograms('script');

let service: Service;
let address: string;

beforeAll(async () => {
  service = await openService({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${service.port}/api/v1/apps/support-bot`;
});
afterAll(() => service.close());

interface Scene extends Home {
  readonly spied: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A home with an editor and a credential helper that write down all that they are given. */
function scene(): Scene {
  const home = createHome();
  const spied = join(home.root, 'spied');
  writeFileSync(spied, '');
  const dump = `{ env; printf '%s\\n' "$0" "$@"; cat /proc/$$/cmdline /proc/$PPID/cmdline; } >> ${spied}`;
  writeFileSync(join(home.root, 'editor'), `#!/bin/sh\n${dump}\necho edited > "$1"\n`);
  writeFileSync(join(home.root, 'helper'), `#!/bin/sh\n${dump}\ncat "$(dirname "$0")/secret"\n`);
  writeFileSync(join(home.root, 'secret'), `${canary}\n`, { mode: 0o600 });
  for (const name of ['editor', 'helper']) chmodSync(join(home.root, name), 0o755);
  return { ...home, spied, env: { ...home.env, EDITOR: join(home.root, 'editor') } };
}

/** Runs motif and looks for the canary in all that it showed, wrote, and gave to others. */
async function leaksOf(
  home: Scene,
  args: readonly string[],
  setup: { env?: Readonly<Record<string, string>>; input?: string; isProcess?: boolean } = {},
): Promise<{ readonly code: number | null; readonly leaks: readonly string[] }> {
  const { isProcess = true, input = '' } = setup;
  const env = { ...home.env, ...setup.env };
  const running = isProcess ? startMotif(args, { env, input }) : undefined;
  const watched = watchCommandLines(running?.process.pid ?? process.pid);
  const { code, stdout, stderr } = await (running?.ended ?? inMemory(home).motif(args, { env, input }));
  const { root, config } = home;
  const stores = [join(config, 'tokens'), join(root, 'secret')];
  const files = filesBelow(root).filter(({ path }) => !stores.some((store) => path.startsWith(store)));
  const shown = { stdout, stderr, 'command lines': watched.stop() };
  const texts = [...Object.entries(shown), ...files.map(({ path, text }) => [path, text] as const)];
  const leaks = texts.flatMap(([where, text]) => leaksIn(text, traces).map((trace) => `${where}: ${trace}`));
  return { code, leaks };
}

const login = ['--token-store', 'file', '--force'];

describe('a canary token is found nowhere but in its store', () => {
  const logins: readonly [string, readonly string[], string][] = [
    ['--token-stdin', ['--token-stdin'], canary],
    ['--token-stdin --json --debug', ['--token-stdin', '--json', '--debug'], canary],
    ['--token-stdin --no-verify', ['--token-stdin', '--no-verify'], canary],
    ['a token with a newline in it', ['--token-stdin', '--debug'], `${canary}\n${canary}`],
    ['a token with a NUL', ['--token-stdin', '--debug'], `${canary}\0`],
    ['a token that is too long', ['--token-stdin', '--debug'], canary.repeat(600)],
    ['a token that is not ASCII', ['--token-stdin', '--debug'], `${canary}ü`],
  ];
  test.each(logins)('login: %s', async (_name, flags, input) => {
    const { leaks } = await leaksOf(scene(), ['login', address, ...login, ...flags], { input });
    expect(leaks).toEqual([]);
  });

  test('login: --token-file, and a refused token', async () => {
    const home = scene();
    const file = ['--token-file', join(home.root, 'secret')];
    expect(await leaksOf(home, ['login', address, ...login, ...file])).toEqual({ code: 0, leaks: [] });
    service.refusals.push(401);
    const again = ['login', address, '-p', 'x', ...login, ...file, '--debug', '--json'];
    expect(await leaksOf(home, again)).toEqual({ code: 8, leaks: [] });
  });

  test('login and prompt: --token-command, which gets no MOTIF_TOKEN', async () => {
    const home = scene();
    const env = { MOTIF_TOKEN: canary };
    const command = ['--token-command', join(home.root, 'helper')];
    expect(await leaksOf(home, ['login', address, '--force', ...command], { env })).toEqual({ code: 0, leaks: [] });
    const prompt = ['prompt', '-p', 'support-bot', 'hi'];
    expect(await leaksOf(home, prompt, { env })).toEqual({ code: 0, leaks: [] });
    expect(filesBelow(home.root).find(({ path }) => path === home.spied)?.text).toContain('PATH=');
  });

  const uses: readonly (readonly string[])[] = [
    ['whoami'],
    ['whoami', '--json', '--debug'],
    ['profile', 'list'],
    ['profile', 'list', '--json'],
    ['profile', 'show'],
    ['profile', 'show', '--json'],
    ['profile', 'set', 'timeout', '1m'],
    ['profile', 'set', 'token', 'x', '--debug'],
    ['profile', 'rename', 'support-bot', 'other', '--json'],
    ['profile', 'use', 'nope', '--debug'],
    ['prompt', 'hi'],
    ['prompt', 'hi', '--json'],
    ['prompt', 'hi', '-v', '--debug', '-u'],
    ['prompt', 'hi', '--dry-run'],
    ['prompt', 'hi', '--dry-run', '--json'],
    ['prompt', 'hi', '--curl'],
    ['prompt', 'hi', '-e'],
    ['prompt', 'hi', '-o', '/dev/null'],
    ['prompt', 'hi', '--field', 'response'],
    ['prompt', 'hi', '--no-such-flag', '--debug'],
    ['prompt', 'hi', '--url', 'https://elsewhere.invalid/api/v1/apps/x', '--debug'],
    ['prompt', 'hi', '--proxy', 'http://127.0.0.1:1', '--debug'],
    ['prompt', 'hi', '--cacert', '/nowhere', '--debug'],
    ['logout'],
    ['logout', '--all', '--json'],
  ];

  test.each(uses.map((argv) => [argv.join(' '), argv] as const))('%s with a stored token', async (_name, argv) => {
    const home = scene();
    await leaksOf(home, ['login', address, ...login, '--token-stdin', '--no-verify'], {
      input: canary,
      isProcess: false,
    });
    const isProcess = argv.includes('--debug') || argv.includes('-e');
    expect((await leaksOf(home, argv, { isProcess })).leaks).toEqual([]);
    if (argv[0] === 'logout') expect(filesBelow(home.home).filter(({ text }) => text.includes(canary))).toEqual([]);
  });

  test.each(uses.map((argv) => [argv.join(' '), argv] as const))('%s with MOTIF_TOKEN', async (_name, argv) => {
    const { leaks } = await leaksOf(scene(), argv, { env: { MOTIF_URL: address, MOTIF_TOKEN: canary } });
    expect(leaks).toEqual([]);
  });

  test.each([401, 403, 404, 429, 500, 503])('a prompt that is answered with %i', async (status) => {
    service.refusals.push(status);
    const argv = ['prompt', 'hi', '--retries', '0', '--json', '--debug', '-v'];
    const { code, leaks } = await leaksOf(scene(), argv, { env: { MOTIF_URL: address, MOTIF_TOKEN: canary } });
    expect(leaks).toEqual([]);
    expect(code).not.toBe(0);
  });

  test('a prompt to a port that nobody listens on', async () => {
    const env = { MOTIF_URL: 'http://127.0.0.1:1/api/v1/apps/x', MOTIF_TOKEN: canary };
    const argv = ['prompt', 'hi', '--retries', '0', '--debug', '--json'];
    expect(await leaksOf(scene(), argv, { env })).toEqual({ code: 6, leaks: [] });
  });

  test.skipIf(noPty)(`the editor runs and is given no token ${noPty ?? ''}`, async () => {
    const home = scene();
    const env = { ...home.env, PATH: process.env.PATH, MOTIF_URL: address, MOTIF_TOKEN: canary, SHELL: '/bin/sh' };
    const run = await start('script', ['-qec', `${program.join(' ')} prompt hi -e`, '/dev/null'], { env }).ended;
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello from the service') as string });
    const spied = readFileSync(home.spied, 'utf8');
    expect(spied).toContain('PATH=');
    expect(spied).not.toContain('MOTIF_TOKEN');
    expect(leaksIn(spied + run.stdout, traces)).toEqual([]);
  });

  test.each(['http', 'net', 'tls', 'undici', 'fetch', 'http,http2,net,tls,stream,undici,fetch,child_process'])(
    'NODE_DEBUG=%s',
    async (modules) => {
      const env = { MOTIF_URL: address, MOTIF_TOKEN: canary, NODE_DEBUG: modules };
      expect(await leaksOf(scene(), ['prompt', 'hi'], { env })).toEqual({ code: 0, leaks: [] });
    },
  );
});

test('the search finds what it looks for', () => {
  const hidden = [
    canary,
    `x${canary.slice(5, 17)}y`,
    Buffer.from(`Bearer ${canary}`).toString('base64'),
    Buffer.from(canary).toString('base64url'),
    encodeURIComponent(canary),
  ];
  expect(hidden.map((text) => leaksIn(text, traces).length > 0)).toEqual(hidden.map(() => true));
  expect(leaksIn('****y5Tb', traces)).toEqual([]);
});
