import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { start } from '../support/processes/child.ts';
import { localService } from '../support/servers/local-service.ts';
import { naughtyTexts } from '../support/texts/naughty.ts';
import { testedNode } from '../support/processes/program.ts';
import { missingPrograms } from '../support/processes/programs.ts';
import { answered, blocked } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const motif = fileURLToPath(new URL('../../bin/motif.js', import.meta.url));

/** A folder to run in, with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('/tmp');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const run = (folder: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  start('sh', ['-c', 'cd "$1" && shift && exec "$@"', 'sh', folder, testedNode, motif, 'check', ...args], {
    env,
    input: '',
  });

const suite = 'cases:\n  - { id: a, prompt: Hi }\n  - { id: b, prompt: Card, expect: blocked }\n';
const bare = { PATH: process.env.PATH, HOME: '/nonexistent' };

describe('a service over a socket', () => {
  test.each([
    { name: 'hangs', reply: () => undefined, says: 'timeout' },
    {
      name: 'resets',
      reply: (response: { socket: { resetAndDestroy(): unknown } | null }) => void response.socket?.resetAndDestroy(),
      says: 'network',
    },
  ])('that $name is an outage: 11', async ({ reply, says }) => {
    const service = await localService(reply as never);
    const folder = folderWith({ 's.motif.yaml': suite });
    const args = ['--timeout', '700ms', '--retries', '0', '--report', 'json=r.json'];
    const { code, stdout } = await run(folder, args, service.env).ended;
    expect(code).toBe(11);
    expect(stdout).toContain('2 unverified');
    expect(readFileSync(join(folder, 'r.json'), 'utf8')).toContain(`"kind":"${says}"`);
  });

  test('Ctrl-C writes what was found out, says that it is a part, and ends by the signal', async () => {
    const service = await localService(
      (response) => void (service.requests.length < 3 && response.end(JSON.stringify(answered))),
    );
    const rows = Array.from({ length: 20 }, (_, index) => `{"id":"c${index}","prompt":"x","expect":"answered"}\n`).join(
      '',
    );
    const folder = folderWith({ 'c.jsonl': rows });
    const child = run(folder, ['c.jsonl', '-j', '1', '--report', 'junit=part.xml'], service.env);
    await service.received(3);
    child.process.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    const xml = readFileSync(join(folder, 'part.xml'), 'utf8');
    expect(xml).toContain('name="interrupted" value="true"');
    expect(xml.match(/<testcase/g)).toHaveLength(2);
  });
});

test.skipIf(missingPrograms('git'))('suites that git ignores are not run', async () => {
  const folder = folderWith({ 's.motif.yaml': suite, 'out/t.motif.yaml': suite, '.gitignore': 'out/\n' });
  spawnSync('git', ['init', '-q', folder], { env: { ...bare, GIT_CONFIG_NOSYSTEM: '1' } });
  const { stdout } = await run(folder, ['--list'], bare).ended;
  expect(stdout).toContain('s.motif.yaml');
  expect(stdout).not.toContain('t.motif.yaml');
});

test('a judge of the suite gets the result and three variables, no token among them', async () => {
  const judge = '#!/bin/sh\nenv > env.txt\ngrep -q "30 days" && exit 0\nexit 1\n';
  const folder = folderWith({
    'judge.sh': judge,
    's.motif.yaml': 'cases:\n  - { prompt: How long can I return a kettle?, answer: { command: [./judge.sh] } }\n',
  });
  chmodSync(join(folder, 'judge.sh'), 0o755);
  const env = { ...bare, LANG: 'C', MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3', AWS_SECRET: 'x' };
  const { code } = await run(folder, ['s.motif.yaml', '--demo', '--allow-commands'], env).ended;
  expect(code).toBe(0);
  const names = readFileSync(join(folder, 'env.txt'), 'utf8').match(/^[A-Z_]+(?==)/gm) ?? [];
  expect(names.filter((name) => !['PATH', 'HOME', 'LANG', 'PWD', 'SHLVL', 'OLDPWD', '_'].includes(name))).toEqual([]);
});

test.skipIf(missingPrograms('xmllint'))('JUnit of whatever a service answers is well-formed XML', async () => {
  let count = 0;
  const service = await localService((response) => {
    const text = naughtyTexts[count++ % naughtyTexts.length]!;
    response.end(
      JSON.stringify(
        count % 3 === 0 ? { ...blocked, finish_reason: text } : { ...answered, response: text, prompt_id: text },
      ),
    );
  });
  const rows = naughtyTexts.map((text, index) =>
    JSON.stringify({
      id: `${index} ${text.toWellFormed()}`,
      prompt: text.toWellFormed(),
      expect: 'blocked',
      tags: [`t${index}`],
    }),
  );
  const folder = folderWith({ 'c.jsonl': `${rows.join('\n')}\n` });
  const { code } = await run(
    folder,
    ['c.jsonl', '-j', '1', '--report', 'junit=r.xml', '--report', 'html=r.html'],
    service.env,
  ).ended;
  expect(code).toBe(1);
  expect(spawnSync('xmllint', ['--noout', join(folder, 'r.xml')], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect(existsSync(join(folder, 'r.html'))).toBe(true);
});
