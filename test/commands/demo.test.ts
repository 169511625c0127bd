import { expect, test } from 'vitest';
import { columnsOf } from '../../src/text/width.ts';
import type { Child, ChildResult } from '../../src/world/world.ts';
import { motif } from '../support/motif.ts';
import { onTerminal } from '../support/rooms/prompt.ts';

/** End of each step when it goes well. */
function endOf({ args }: Child): ChildResult {
  const isCard = args.some((word) => word.includes('4111'));
  const code = isCard && args.includes('prompt') ? 10 : 0;
  return { code, stdout: `did ${args.slice(1).join(' ')}\n`, stderr: '' };
}

test('runs the program itself for each step, and shows what it ended with', async () => {
  const run = await motif(['demo'], { env: {}, run: endOf });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.world.ran).toHaveLength(6);
  expect(run.world.ran.every(({ command, args }) => command === 'node' && args[0] === 'motif')).toBe(true);
  expect(run.world.ran.at(-1)?.args).toEqual(['motif', 'check', '--demo', '--prove', '-q']);
  expect(run.stdout.match(/exit \d+$/gm)).toEqual(['exit 0', 'exit 10', 'exit 0', 'exit 0', 'exit 0', 'exit 0']);
  expect(run.stdout).toContain('$ motif prompt -u --demo "How long can I return a kettle?"');
});

test.each([
  { name: 'in a clone', files: { 'src/entry.ts': '' }, line: '  npm install -g .  ', other: '  motif --help  ' },
  { name: 'installed', files: {}, line: '  motif --help  ', other: '  npm install' },
])('the next commands fit a motif that is $name', async ({ files, line, other }) => {
  const run = await motif(['demo'], { env: {}, files, self: ['node', 'bin/motif.js'], run: endOf });
  expect(run.stdout).toContain(line);
  expect(run.stdout).not.toContain(other);
});

test('fits 80 columns, whatever a step prints', async () => {
  const long = { code: 0, stdout: `${'word '.repeat(40)}\n`, stderr: '' };
  const run = await motif(['demo'], {
    env: {},
    run: (child) => ({ ...endOf(child), ...(endOf(child).code === 0 ? long : {}) }),
  });
  expect(run.stdout.split('\n').filter((line) => columnsOf(line) > 80)).toEqual([]);
});

test('ends badly where a step does not end as it should', async () => {
  const run = await motif(['demo'], { env: {}, run: () => ({ code: 5, stdout: '', stderr: 'broken\n' }) });
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toContain('exit 5');
  expect(run.stderr).toContain('should have ended with 0');
});

test.each([
  { name: 'leaves it', code: 0, exitCode: 0 },
  { name: 'interrupts it', code: 130, exitCode: 130 },
])('a person at a terminal has the last turn, with the program itself, and $name', async ({ code, exitCode }) => {
  const run = await motif(['demo', '--accessible'], {
    ...onTerminal,
    env: {},
    run: (child) => (child.args.includes('chat') ? { code, stdout: '', stderr: '' } : endOf(child)),
    stdin: { typed: [] },
  });
  expect(run).toMatchObject({ exitCode });
  expect(run.stdout).toContain('Your turn:');
  expect(run.world.ran.at(-1)).toMatchObject({
    args: ['motif', 'chat', '--demo', '--no-save', '--accessible'],
    inheritsEnv: true,
    sharesStreams: true,
  });
});

test.each([{ stdout: {} }, { stderr: {} }, { stdin: 'Opening hours?\n' }])(
  'elsewhere than on a terminal it ends by itself: $0',
  async (setup) => {
    const stdin = { typed: ['Opening hours?\r'] };
    const run = await motif(['demo'], { ...onTerminal, stdin, env: {}, run: endOf, ...setup });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toBe('');
  },
);
