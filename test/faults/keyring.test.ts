import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../support/processes/bundle.ts';
import { start } from '../support/processes/child.ts';
import { testedNode } from '../support/processes/program.ts';
import { missingPrograms } from '../support/processes/programs.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const missing = missingPrograms('gnome-keyring-daemon', 'secret-tool', 'dbus-run-session');

const home = sharedFolder('/tmp');
let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, LANG: 'C.UTF-8' };
const unlocked = 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';
const locked = 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1';

/** Lines of shell in a session of their own; `"$@"` is the program. */
async function session(daemon: string, ...lines: readonly string[]) {
  const script = [daemon, ...lines].join('\n');
  const words = ['dbus-run-session', '--', '/bin/sh', '-c', script, 'sh', process.execPath, program];
  const { stdout, stderr } = await start(words[0] ?? '', words.slice(1), { env, input: '' }).ended;
  return { stdout, all: stderr, said: stderr.split('\n').filter((line) => /^(MotifError|Error)/.test(line)) };
}

describe.skipIf(missing)(`a real keyring ${missing ?? ''}`, () => {
  test('unlocked: stored, found, gone, with any characters', async () => {
    const odd = `'a "b" \\\\ ünï
'`;
    const { stdout, said } = await session(
      unlocked,
      '"$@" probe',
      '"$@" get ana',
      `"$@" set ana ${odd}`,
      '"$@" get ana',
      `"$@" set -x two`,
      '"$@" get -x',
      '"$@" delete ana',
      '"$@" get ana',
      '"$@" get -x',
    );
    expect(stdout).toBe(
      ['"Secret Service"', 'null', JSON.stringify('a "b" \\\\ ünï\n'), '"two"', 'null', '"two"'].join(''),
    );
    expect(said).toEqual([]);
  });

  test('a person can read with secret-tool what was stored', async () => {
    const { stdout } = await session(unlocked, '"$@" set bo canary', 'secret-tool lookup service motif account bo');
    expect(stdout).toBe('canary');
  });

  test('locked is told from absent, and takes nothing', async () => {
    const { stdout, said } = await session(locked, '"$@" probe', '"$@" get bo', '"$@" set bo other');
    expect(stdout).toBe('"Secret Service"');
    expect(said).toEqual([
      'MotifError: the keyring (Secret Service) is locked',
      'MotifError: the keyring (Secret Service) did not take the token',
    ]);
    expect((await session(unlocked, '"$@" get bo')).stdout).toBe('"canary"');
  });

  test('locked and deleted from, it says that it still holds the token', async () => {
    const { said } = await session(locked, '"$@" delete bo', '"$@" delete nobody', '"$@" get nobody');
    expect(said).toEqual([
      'MotifError: the keyring (Secret Service) is locked and still holds the token',
      'MotifError: the keyring (Secret Service) shows no token and takes none; if it is locked, it may still hold one',
    ]);
    expect((await session(unlocked, '"$@" get bo')).stdout).toBe('"canary"');
  });

  test('a profile in a locked one: logout and whoami end with 12, another store names the token that is left', async () => {
    const motif = [testedNode, resolve('bin/motif.js')].join(' ');
    const login = `printf first_token_0123456789 | ${motif} login https://gw.example/api/v1/apps/bot --token-stdin --no-verify`;
    await session(unlocked, login);
    const { stdout, all } = await session(
      locked,
      `${motif} logout --json; echo " $?"`,
      `${motif} whoami >/dev/null; echo "$?"`,
      `${login} --force --token-store file; echo "$?"`,
    );
    expect(stdout).toMatch(/"ok":false.*"kind":"io".* 12\n12\n12\n$/s);
    expect(all).toContain('or, once it is unlocked: secret-tool clear -- service motif account bot@https://gw.example');
    expect((await session(unlocked, '"$@" get bot@https://gw.example')).stdout).toBe('"first_token_0123456789"');
    const later = await session(unlocked, `${motif} logout; echo "$?"`, '"$@" get bot@https://gw.example');
    expect(later.stdout).toBe('0\nnull');
  });

  test('without a bus there is no keyring', async () => {
    const { stdout } = await start(process.execPath, [program, 'probe'], { env, input: '' }).ended;
    expect(stdout).toBe('null');
  });

  test('a helper that never answers is given up', async () => {
    const folder = join(home, 'bin');
    fs.mkdirSync(folder);
    fs.writeFileSync(join(folder, 'secret-tool'), '#!/bin/sh\nsleep 100\n', { mode: 0o755 });
    const slow = { ...env, PATH: `${folder}:${env.PATH}` };
    const { stdout } = await start(process.execPath, [program, 'probe'], { env: slow, input: '' }).ended;
    expect(stdout).toBe('null');
  });
});
