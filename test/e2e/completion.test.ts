import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Real shells that load the completions as the help says, with keys typed on a terminal of their own. */
const root = sharedFolder();

const home = join(root, 'home');
const work = join(root, 'work');
const hostileName = 'a $(touch pwned);`touch pwned`\'b".txt';
for (const folder of [work, join(root, 'bin'), join(home, '.config/motif/profiles')])
  mkdirSync(folder, { recursive: true });
symlinkSync(resolve('bin/motif.js'), join(root, 'bin/motif'));
writeFileSync(join(work, hostileName), '');
writeFileSync(join(work, 'notes.txt'), '');
writeFileSync(join(work, 'inventory.csv'), '');
for (const name of ['staging', '$(touch pwned)']) writeFileSync(join(home, `.config/motif/profiles/${name}.json`), '{');

const hostileTitle = 'Free $(touch pwned);`touch pwned`\'b"';
const conversations = join(home, '.local/state/motif/conversations');
mkdirSync(conversations, { recursive: true });
for (const [id, title] of [
  ['abc123', 'Kettles returned late'],
  ['fff999', hostileTitle],
] as const) {
  const head = { v: 1, id, title, created: '2026-11-21T10:00:00.000Z', motif_id: null, profile: null };
  writeFileSync(join(conversations, `${id}.jsonl`), `${JSON.stringify(head)}\n`);
}

// The function run at the end of a line is this one, which keeps its words; completion must still reach the program.
const endOfWords = '--- end of words ---';
const keepWords = `motif() { printf '%s\\n' "$@" '${endOfWords}' >>words; }\n`;
writeFileSync(join(home, '.bashrc'), `eval "$(motif completion bash)"\n${keepWords}`);
writeFileSync(
  join(home, '.zshrc'),
  `autoload -Uz compinit\ncompinit -u -D\nsource <(motif completion zsh)\n${keepWords}`,
);

const path = `${join(root, 'bin')}:${process.env['PATH']}`;
const env = { PATH: path, HOME: home, TERM: 'dumb', LC_ALL: 'C.UTF-8' };

const missing = ['bash', 'zsh', 'fish', 'script'].filter(
  (program) => spawnSync(program, ['--version'], { env }).status !== 0,
);
if (missing.length > 0 && process.env['CI'] === 'true') throw new Error(`CI lacks ${missing.join(', ')}`);

/** The reason to skip what needs these programs, if there is one. */
function lack(...programs: readonly string[]): [boolean, string] {
  const lacking = programs.filter((program) => missing.includes(program));
  return [lacking.length > 0, `not installed here: ${lacking.join(', ')}`];
}

/** Types lines into one shell on a terminal, Tab included; the words that motif would have been called with by each. */
function type(shell: string, ...typed: readonly string[]): readonly (readonly string[])[] {
  const words = join(work, 'words');
  rmSync(words, { force: true });
  const run = spawnSync('script', ['-qec', shell, '/dev/null'], {
    cwd: work,
    env,
    input: [...typed, 'exit', ''].join('\r'),
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(existsSync(words), run.stdout).toBe(true);
  const calls = readFileSync(words, 'utf8').split(`${endOfWords}\n`).slice(0, -1);
  return calls.map((call) => call.split('\n').slice(0, -1));
}

const lines = [
  { line: 'motif who\t', words: ['whoami'] },
  { line: 'motif prompt --exp\tbl\t', words: ['prompt', '--expect', 'blocked'] },
  { line: 'motif prompt --expect=bl\t', words: ['prompt', '--expect=blocked'] },
  { line: 'motif prompt "two words" -p st\t', words: ['prompt', 'two words', '-p', 'staging'] },
  { line: 'motif prompt --profile=st\t--curl', words: ['prompt', '--profile=staging', '--curl'] },
  { line: 'motif profile use \t', words: ['profile', 'use', 'staging'] },
  { line: 'motif help exi\t', words: ['help', 'exit-codes'] },
  { line: 'motif history show ab\t', words: ['history', 'show', 'abc123'] },
  { line: 'motif prompt --conversation Ket\t', words: ['prompt', '--conversation', 'Kettles returned late'] },
  { line: 'motif history delete Fre\t--yes', words: ['history', 'delete', hostileTitle, '--yes'] },
  { line: 'motif prompt --conversation "Ket\t', words: ['prompt', '--conversation', 'Kettles returned late'] },
  { line: 'motif history delete "Fre\t--yes', words: ['history', 'delete', hostileTitle, '--yes'] },
  { line: "motif history delete 'Fre\t--yes", words: ['history', 'delete', hostileTitle, '--yes'] },
  { line: 'motif prompt -p "st\t', words: ['prompt', '-p', 'staging'] },
  { line: 'motif prompt -f "no\t-q', words: ['prompt', '-f', 'notes.txt', '-q'] },
  { line: 'motif prompt -f no\t-q', words: ['prompt', '-f', 'notes.txt', '-q'] },
  { line: 'motif prompt -f a\t', words: ['prompt', '-f', hostileName] },
  { line: 'motif prompt --file=no\t', words: ['prompt', '--file=notes.txt'] },
  { line: 'motif prompt --file=a\t', words: ['prompt', `--file=${hostileName}`] },
  { line: 'motif prompt no\t', words: ['prompt', 'no'] },
  { line: 'motif prompt -- --exp\t', words: ['prompt', '--', '--exp'] },
  { line: 'motif batch no\t-q', words: ['batch', 'notes.txt', '-q'] },
  { line: 'motif batch a\t', words: ['batch', hostileName] },
  { line: 'motif check no\t-q', words: ['check', 'notes.txt', '-q'] },
  { line: 'motif check sche\t-q', words: ['check', 'schema', '-q'] },
  { line: 'motif check inv\t-q', words: ['check', 'inventory.csv', '-q'] },
  { line: 'motif check i\tv\t-q', words: ['check', 'inventory.csv', '-q'] },
  { line: 'motif batch out.jsonl -o no\t-q', words: ['batch', 'out.jsonl', '-o', 'notes.txt', '-q'] },
  { line: 'motif admin show -c no\t-q', words: ['admin', 'show', '-c', 'notes.txt', '-q'] },
];

describe.each([
  { name: 'bash', shell: 'bash --noprofile -i' },
  { name: 'zsh', shell: 'zsh -d -i' },
])('$name', ({ name, shell }) => {
  let called: readonly (readonly string[])[] = [];
  beforeAll(() => {
    if (!lack(name, 'script')[0]) called = type(shell, ...lines.map(({ line }) => line));
  });

  test.for(lines)('$line', ({ line, words }, { skip }) => {
    skip(...lack(name, 'script'));
    expect(called).toHaveLength(lines.length);
    expect(called[lines.findIndex((one) => one.line === line)]).toEqual(words);
    expect(existsSync(join(work, 'pwned'))).toBe(false);
  });
});

test('zsh: a file in fpath serves as well', ({ skip }) => {
  skip(...lack('zsh', 'script'));
  const other = join(root, 'fpath');
  mkdirSync(other);
  writeFileSync(join(other, '_motif'), spawnSync('motif', ['completion', 'zsh'], { env }).stdout);
  writeFileSync(join(other, '.zshrc'), `fpath=(${other} $fpath)\nautoload -Uz compinit\ncompinit -u -D\n${keepWords}`);
  expect(type(`ZDOTDIR=${other} zsh -d -i`, 'motif prompt --exp\tbl\t', 'motif who\t')).toEqual([
    ['prompt', '--expect', 'blocked'],
    ['whoami'],
  ]);
});

const asked = [
  { line: 'motif who', offers: ['whoami\twhat would be used now, and where each value came from'] },
  { line: 'motif prompt --expect ', offers: ['answered', 'blocked', 'any'] },
  { line: 'motif prompt --expect=bl', offers: ['--expect=blocked'] },
  { line: 'motif prompt "two words" -p ', offers: ['staging\tprofile'] },
  { line: 'motif prompt --profile=st', offers: ['--profile=staging\tprofile'] },
  { line: 'motif history show ab', offers: ['abc123\tKettles returned late'] },
  { line: 'motif prompt --conversation Ket', offers: ['Kettles returned late\tabc123'] },
  { line: 'motif prompt --conversation "Ket', offers: ['Kettles returned late\tabc123'] },
  { line: "motif prompt --conversation 'Kettles re", offers: ['Kettles returned late\tabc123'] },
  { line: 'motif prompt --conversation Kettles\\ re', offers: ['Kettles returned late\tabc123'] },
  { line: 'motif prompt -f no', offers: ['notes.txt'] },
  { line: 'motif prompt -f ', offers: [hostileName, 'inventory.csv', 'notes.txt'] },
  { line: 'motif prompt --file=no', offers: ['--file=notes.txt'] },
  { line: 'motif prompt no', offers: [] },
  { line: 'motif prompt -- --exp', offers: [] },
  { line: 'motif batch no', offers: ['notes.txt'] },
  { line: 'motif check in', offers: ['init\twrite a first suite: two controls and two blocks', 'inventory.csv'] },
  { line: 'motif check ini', offers: ['init\twrite a first suite: two controls and two blocks'] },
];

describe('fish', () => {
  let offered: readonly string[] = [];
  beforeAll(() => {
    if (lack('fish')[0]) return;
    rmSync(join(work, 'words'), { force: true });
    const script = `motif completion fish | source; for line in $argv; complete -C $line; echo '${endOfWords}'; end`;
    const args = ['--no-config', '-c', script, ...asked.map(({ line }) => line)];
    const { stdout, stderr } = spawnSync('fish', args, { cwd: work, env, encoding: 'utf8' });
    expect(stderr).toBe('');
    offered = stdout.split(`${endOfWords}\n`).slice(0, -1);
  });

  test.for(asked)('$line', ({ line, offers }, { skip }) => {
    skip(...lack('fish'));
    expect(offered).toHaveLength(asked.length);
    expect(offered[asked.findIndex((one) => one.line === line)]?.split('\n').slice(0, -1)).toEqual(offers);
    expect(existsSync(join(work, 'pwned'))).toBe(false);
  });
});
