import { describe, expect, test } from 'vitest';
import { testEnv } from '../../support/motif.ts';
import { prompt, terminal } from '../../support/rooms/prompt.ts';
import { answering } from '../../support/service.ts';

const escape = '\u001b[';

/** Highest first, as the contract lists them; each row differs from the one that would decide without it. */
const table: {
  name: string;
  argv?: readonly string[];
  env?: Record<string, string>;
  onTerminal: boolean;
  inPipe: boolean;
}[] = [
  { name: 'nothing', onTerminal: true, inPipe: false },
  { name: '--color auto', argv: ['--color', 'auto'], onTerminal: true, inPipe: false },
  { name: '--color always', argv: ['--color', 'always'], onTerminal: true, inPipe: true },
  { name: '--color never', argv: ['--color', 'never'], onTerminal: false, inPipe: false },
  {
    name: '--color always before NO_COLOR',
    argv: ['--color', 'always'],
    env: { NO_COLOR: '1' },
    onTerminal: true,
    inPipe: true,
  },
  {
    name: '--color never before FORCE_COLOR',
    argv: ['--color', 'never'],
    env: { FORCE_COLOR: '1' },
    onTerminal: false,
    inPipe: false,
  },
  {
    name: '--color auto leaves it to NO_COLOR',
    argv: ['--color', 'auto'],
    env: { NO_COLOR: '1' },
    onTerminal: false,
    inPipe: false,
  },
  { name: 'NO_COLOR', env: { NO_COLOR: '1' }, onTerminal: false, inPipe: false },
  { name: 'NO_COLOR=0 is not empty', env: { NO_COLOR: '0' }, onTerminal: false, inPipe: false },
  { name: 'NO_COLOR empty', env: { NO_COLOR: '' }, onTerminal: true, inPipe: false },
  { name: 'NO_COLOR before FORCE_COLOR', env: { NO_COLOR: '1', FORCE_COLOR: '1' }, onTerminal: false, inPipe: false },
  { name: 'FORCE_COLOR', env: { FORCE_COLOR: '1' }, onTerminal: true, inPipe: true },
  { name: 'FORCE_COLOR=0', env: { FORCE_COLOR: '0' }, onTerminal: false, inPipe: false },
  {
    name: 'FORCE_COLOR=0 before CLICOLOR_FORCE',
    env: { FORCE_COLOR: '0', CLICOLOR_FORCE: '1' },
    onTerminal: false,
    inPipe: false,
  },
  { name: 'FORCE_COLOR before CLICOLOR=0', env: { FORCE_COLOR: '1', CLICOLOR: '0' }, onTerminal: true, inPipe: true },
  { name: 'CLICOLOR_FORCE', env: { CLICOLOR_FORCE: '1' }, onTerminal: true, inPipe: true },
  { name: 'CLICOLOR_FORCE=0 forces nothing', env: { CLICOLOR_FORCE: '0' }, onTerminal: true, inPipe: false },
  {
    name: 'CLICOLOR_FORCE before CLICOLOR=0',
    env: { CLICOLOR_FORCE: '1', CLICOLOR: '0' },
    onTerminal: true,
    inPipe: true,
  },
  { name: 'CLICOLOR=0', env: { CLICOLOR: '0' }, onTerminal: false, inPipe: false },
  { name: 'CLICOLOR=1', env: { CLICOLOR: '1' }, onTerminal: true, inPipe: false },
  { name: 'TERM=dumb', env: { TERM: 'dumb' }, onTerminal: false, inPipe: false },
  { name: 'FORCE_COLOR before TERM=dumb', env: { FORCE_COLOR: '1', TERM: 'dumb' }, onTerminal: true, inPipe: true },
  { name: 'TERM=xterm', env: { TERM: 'xterm' }, onTerminal: true, inPipe: false },
];

const cases = table.flatMap((row) => [
  { ...row, where: 'on a terminal', stream: terminal, isColoured: row.onTerminal },
  { ...row, where: 'in a pipe', stream: {}, isColoured: row.inPipe },
]);

describe('stderr', () => {
  test.each(cases)('$name, $where: $isColoured', async ({ argv = [], env = {}, stream, isColoured }) => {
    const run = await prompt(['hi', '-u', ...argv], { env: { ...testEnv, ...env }, stderr: stream });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n' });
    expect(run.stderr.includes(escape)).toBe(isColoured);
  });
});

describe('the answer', () => {
  const reply = () => answering('Some **bold** text');
  test.each(cases.filter(({ stream }) => stream === terminal))(
    '$name, $where: $isColoured',
    async ({ argv = [], env = {}, isColoured }) => {
      const run = await prompt(['hi', ...argv], { env: { ...testEnv, ...env }, stdout: terminal }, reply());
      expect(run.stdout.includes(escape)).toBe(isColoured);
      expect(run.stdout).toContain('bold');
      expect(run.stderr).toBe('');
    },
  );

  test.each(cases.filter(({ stream }) => stream !== terminal))(
    '$name, $where: as received',
    async ({ argv = [], env = {} }) => {
      const run = await prompt(['hi', ...argv], { env: { ...testEnv, ...env } }, reply());
      expect(run.stdout).toBe('Some **bold** text\n');
    },
  );
});

test('each stream is judged by itself', async () => {
  const answerOnly = await prompt(['hi', '-u'], { stdout: terminal }, answering('**b**'));
  expect(answerOnly.stdout).toContain(escape);
  expect(answerOnly.stderr).not.toContain(escape);
  const lineOnly = await prompt(['hi', '-u'], { stderr: terminal }, answering('**b**'));
  expect(lineOnly.stdout).toBe('**b**\n');
  expect(lineOnly.stderr).toContain(escape);
});

test.each([['--json'], ['--field', 'response'], ['-x']])(
  '%s %s has no colour, even on a terminal',
  async (...flags) => {
    const run = await prompt(
      ['hi', '--color', 'always', ...flags.filter(Boolean)],
      { stdout: terminal },
      answering('**b**\n```\nx\n```'),
    );
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stdout).not.toContain(escape);
  },
);
