import type { Argument } from 'commander';
import { expect, test } from 'vitest';
import { declaredCommands } from '../../support/rooms/commands.ts';
import { motif } from '../../support/motif.ts';

/** Help works with nothing set, nothing stored and nothing sent. */
const bare = { env: {}, home: null } as const;

const all = (await declaredCommands()).filter(({ path }) => path[1] !== 'words');

/** Words that a person types for an operand of that name; each is one that the command takes. */
const samples: Readonly<Record<string, readonly string[]>> = {
  shell: ['bash', 'zsh', 'fish'],
  suite: ['cases.csv', 'bad.motif.yaml:3', 'checks/smoke.motif.yaml', 'smoke'],
  file: ['prompts.txt', 'tickets.csv', '-', 'rows'],
  id: ['8w2q4x', '01JD8Y3QZ7M5K2W9T4V6X8B0CN', 'support-bot'],
  name: ['prompt'],
};

/** The command with each of its operands, and a help flag at each place of it. */
function linesOf(path: readonly string[], args: readonly Argument[]): readonly (readonly string[])[] {
  const operands = args.length === 0 ? [] : (samples[args[0]!.name()] ?? ['some']);
  return [path, ...operands.map((operand) => [...path, operand])].flatMap((words) =>
    [...words.keys(), words.length].flatMap((at) =>
      ['--help', '-h'].map((flag) => [...words.slice(0, at), flag, ...words.slice(at)]),
    ),
  );
}

test.each(all)('$path shows its help, wherever the flag stands', async ({ path, command }) => {
  const { stdout } = await motif([...path, '--help'], bare);
  expect(stdout).toContain(`Usage: motif ${path.join(' ')}`);
  for (const argv of linesOf(path, command.registeredArguments))
    expect({ argv, ...(await motif(argv, bare)) }).toMatchObject({ argv, exitCode: 0, stderr: '', stdout });
});

test.each([
  { argv: ['--help', 'nosuch'] },
  { argv: ['-h', 'nosuch'] },
  { argv: ['-q', '-h', 'nosuch'] },
  { argv: ['profile', '--help', 'nosuch'] },
  { argv: ['--help', 'profile', 'nosuch'] },
  { argv: ['admin', '-h', 'nosuch'] },
  { argv: ['batch', 'merg', '--help'] },
  { argv: ['--help', 'batch', 'merg'] },
  { argv: ['check', 'ini', '--help'] },
  { argv: ['admin', 'audit', 'lst', '-h'] },
])('$argv is a usage error, wherever the flag stands', async ({ argv }) => {
  const run = await motif(argv, bare);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('unknown command');
});

test('a file with a name near that of a verb is an operand', async () => {
  const run = await motif(['batch', 'merg', '--help'], { env: {}, files: { merg: 'hi\n' } });
  expect(run).toMatchObject({ exitCode: 0, stdout: (await motif(['batch', '--help'], bare)).stdout });
});

test.each([
  { argv: ['help', 'completion', 'bash'], same: ['completion', '--help'] },
  { argv: ['help', 'batch', 'prompts.txt'], same: ['batch', '--help'] },
  { argv: ['help', 'admin', 'audit', '8w2q4x'], same: ['admin', 'audit', '--help'] },
])('$argv is $same', async ({ argv, same }) => {
  const { stdout } = await motif(same, bare);
  expect(await motif(argv, bare)).toMatchObject({ exitCode: 0, stderr: '', stdout });
});

test.each([
  { name: 'the value of a flag', argv: ['prompt', '--demo', '-s', '--help', 'hi'] },
  { name: 'a word behind --', argv: ['prompt', '--demo', '--', '--help'] },
])('$name is no help flag', async ({ argv }) => {
  const run = await motif(argv, bare);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).not.toContain('Usage:');
});
