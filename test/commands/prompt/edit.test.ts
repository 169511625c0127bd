import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Interrupted } from '../../../src/errors.ts';
import type { Child, ChildResult } from '../../../src/world/world.ts';
import { testEnv, testToken } from '../../support/motif.ts';
import { prompt, saying } from '../../support/rooms/prompt.ts';
import { blocked, service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

const ended: ChildResult = { code: 0, stdout: '', stderr: '' };

/** An editor that shows what it was given and leaves something else. */
function editor(left: string | Buffer | undefined, result: ChildResult = ended) {
  const seen: { path?: string; text?: string; mode?: number; child?: Child } = {};
  const run = (child: Child): ChildResult => {
    const path = child.args.at(-1) ?? '';
    Object.assign(seen, { child, path, text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 });
    if (left !== undefined) writeFileSync(path, left);
    return result;
  };
  return { seen, run };
}

const env = { ...testEnv, EDITOR: 'ed --flag' };

describe('-e', () => {
  test('shows the composed text and sends what comes back, the other messages untouched', async () => {
    const { seen, run } = editor('better\n');
    const sent = await prompt(['draft', '-e', '-s', 'Be brief', '-f', 'a.txt'], {
      env,
      run,
      files: { 'a.txt': 'A\n' },
    });
    expect(seen.text?.trimEnd()).toBe('draft\n\nA');
    expect(sent).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(sent.messages).toEqual([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'better' },
    ]);
  });

  test('starts from nothing where nothing was given', async () => {
    const { seen, run } = editor('typed');
    expect(await prompt(['-e'], { env, run })).toMatchObject({ exitCode: 0, text: 'typed' });
    expect(seen.text).toBe('');
  });

  test('gives the editor the terminal and a private file that is gone afterwards', async () => {
    const { seen, run } = editor('x');
    await prompt(['a', '-e'], { env, run });
    expect(seen).toMatchObject({ mode: 0o600, child: { takesTerminal: true } });
    expect(existsSync(seen.path ?? '')).toBe(false);
  });

  test('VISUAL goes before EDITOR, flags of either are kept', async () => {
    const { seen, run } = editor('x');
    await prompt(['a', '-e'], { env: { ...env, VISUAL: 'vim -n' }, run });
    expect([seen.child?.command, ...(seen.child?.args ?? [])].join(' ')).toContain('vim -n');
    await prompt(['a', '-e'], { env, run });
    expect([seen.child?.command, ...(seen.child?.args ?? [])].join(' ')).toContain('ed --flag');
  });

  test('the editor is not given the token', async () => {
    const { seen, run } = editor('x');
    await prompt(['a', '-e'], { env, run });
    expect(JSON.stringify(seen.child)).not.toContain(testToken);
    expect(seen.child?.inheritsEnv ?? false).toBe(false);
  });

  test.each([
    { name: 'an emptied file', left: '' },
    { name: 'a file of blanks', left: ' \n\n' },
  ])('$name is nothing to send', async ({ left }) => {
    const { seen, run } = editor(left);
    expect(await prompt(['a', '-e'], { env, run })).toMatchObject({
      exitCode: 2,
      stdout: '',
      requests: [],
      stderr: saying('nothing to send'),
    });
    expect(existsSync(seen.path ?? '')).toBe(false);
  });

  test.each([
    { name: 'an editor that gives up', result: { ...ended, code: 1 }, says: 'ed' },
    {
      name: 'an editor that is no program',
      result: { ...ended, code: 126 },
      says: 'ed --flag cannot be run; nothing was sent\n  set EDITOR to another one, for example EDITOR=vi',
    },
    { name: 'an editor that was killed', result: { ...ended, code: null, failure: 'killed' as const }, says: 'ed' },
    { name: 'no terminal', result: { ...ended, code: null, failure: 'not-started' as const }, says: 'no terminal' },
  ])('$name: nothing is sent', async ({ result, says }) => {
    const run = await prompt(['a', '-e'], { env, run: editor('changed', result).run });
    expect(run).toMatchObject({
      exitCode: 2,
      stdout: '',
      requests: [],
      stderr: saying('edit', says, 'nothing was sent'),
    });
  });

  test.each([
    { name: 'EDITOR', given: { EDITOR: 'nano -w' }, says: ['nano', 'EDITOR', 'EDITOR=vi'] },
    {
      name: 'VISUAL, which goes before it',
      given: { EDITOR: 'ed', VISUAL: 'code' },
      says: ['code', 'VISUAL', 'VISUAL=vi'],
    },
    { name: 'neither variable', given: {}, says: ['vi', 'EDITOR', 'EDITOR=nano'] },
  ])('an editor of $name that is not installed: another one is offered', async ({ given, says }) => {
    const { seen, run } = editor(undefined, { ...ended, code: 119 });
    const [program, variable, offered] = says;
    expect(await prompt(['a', '-e'], { env: { ...testEnv, ...given }, run })).toMatchObject({
      exitCode: 2,
      requests: [],
      stderr: `motif: the editor ${program} is not installed; nothing was sent\n  set ${variable} to another one, for example ${offered}\n`,
    });
    expect(seen.child?.args[1]).toMatch(
      new RegExp(`^command -v ${program} >/dev/null 2>&1 \\|\\| exit 119; ${program}`),
    );
  });

  test.each([
    { EDITOR: 'nano', says: 'the editor nano ended with code 127; nothing was sent' },
    { EDITOR: 'FOO=1 nano', says: 'the editor FOO=1 nano is not installed; nothing was sent' },
  ])(
    '127 is the end of an editor that runs, and what the shell says of one it does not find: $EDITOR',
    async (given) => {
      const { run } = editor(undefined, { ...ended, code: 127 });
      const { stderr } = await prompt(['a', '-e'], { env: { ...testEnv, EDITOR: given.EDITOR }, run });
      expect(stderr).toContain(`motif: ${given.says}\n`);
    },
  );

  test.each(['FOO=1 vi', '"my editor" -w', '~/bin/ed', '$HOME/ed'])('%s is left to the shell', async (command) => {
    const { seen, run } = editor('x');
    await prompt(['a', '-e'], { env: { ...testEnv, EDITOR: command }, run });
    expect(seen.child?.args[1]).toBe(`${command} "$1"`);
  });

  test(':cq says how it ended, and nothing of EDITOR', async () => {
    const run = await prompt(['a', '-e'], { env, run: editor('changed', { ...ended, code: 1 }).run });
    expect(run.stderr).toBe('motif: the editor ed --flag ended with code 1; nothing was sent\n');
  });

  test('a text that is left as it was is sent', async () => {
    expect(await prompt(['as it is', '-e'], { env, run: editor(undefined).run })).toMatchObject({ text: 'as it is' });
  });

  test.each([
    { name: 'binary', left: Buffer.from([0, 1, 2]), says: 'binary' },
    { name: 'a text that is no UTF-8', left: Buffer.from('caf\xe9', 'latin1'), says: 'UTF-8' },
    { name: 'a text that is too large', left: 'x'.repeat(16 * 1024 * 1024 + 1), says: '16 MiB' },
  ])('$name that comes back is refused, but not lost', async ({ left, says }) => {
    const { seen, run } = editor(left);
    const refused = await prompt(['a', '-e'], { env, run });
    expect(refused).toMatchObject({
      exitCode: 2,
      stdout: '',
      requests: [],
      stderr: saying(says, seen.path ?? 'no path'),
    });
    expect(readFileSync(seen.path ?? '').equals(Buffer.from(left))).toBe(true);
  });

  test('a text that was typed survives Ctrl-C while the answer is waited for: its place is named', async () => {
    const { seen, run } = editor('an hour of work');
    let interrupt = (): void => undefined;
    const prepare = (world: FakeWorld) => (interrupt = () => world.interrupt());
    const send = async () => {
      interrupt();
      throw new Interrupted('SIGINT');
    };
    const ended = await prompt(['a', '-e'], { env, run, prepare }, { ...service(), send });
    expect(ended).toMatchObject({ signal: 'SIGINT', stdout: '', stderr: saying(seen.path ?? 'no path') });
    expect(readFileSync(seen.path ?? '', 'utf8')).toBe('an hour of work');
  });

  test.each([
    { name: 'a reader that has gone', argv: [], setup: { stdout: { fails: 'closed' as const } } },
    { name: 'a dry run', argv: ['--dry-run'], setup: {} },
  ])('$name leaves no file', async ({ argv, setup }) => {
    const { seen, run } = editor('shown');
    expect((await prompt(['a', '-e', ...argv], { env, run, ...setup })).exitCode).toBe(0);
    expect(existsSync(seen.path ?? '')).toBe(false);
  });

  test('a text that was typed survives a failure: its place is named', async () => {
    const { seen, run } = editor('an hour of work');
    const sent = await prompt(['a', '-e'], { env, run }, service({ status: 500, body: { error: 'oops' } }));
    expect(sent).toMatchObject({ exitCode: 5, stdout: '', stderr: saying(seen.path ?? 'no path') });
    expect(readFileSync(seen.path ?? '', 'utf8')).toBe('an hour of work');
  });

  test('a blocked text is kept no longer', async () => {
    const { seen, run } = editor('secret');
    const sent = await prompt(['a', '-e'], { env, run }, service({ body: blocked }));
    expect(sent.exitCode).toBe(10);
    expect(existsSync(seen.path ?? '')).toBe(false);
  });
});
