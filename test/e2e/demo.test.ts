import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { columnsOf } from '../../src/text/width.ts';
import { createHome } from '../support/processes/home.ts';
import { missingPrograms } from '../support/processes/programs.ts';
import { motifOnPty, noPty } from '../support/terminals/pty.ts';

test('the tour works as printed, without a network, and leaves nothing behind', async () => {
  const home = createHome();
  const run = await home.motif(['demo']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('Kettles can be returned within 30 days with the receipt. [handbook: Returns]');
  expect(run.stdout).toContain('motif: blocked by policy (motif support-bot, finish_reason blocked');
  expect(run.stdout).toMatch(/block +no-pii \/ card/);
  expect(run.stdout).toContain('[AWS_ACCESS_KEY]');
  expect(run.stdout).toMatch(/4 cases of demo\.motif\.yaml: 4 pass · must block 2\/2 · must answer 2\/2/);
  expect(run.stdout).toContain('3 of 3 policies guarded');
  expect(run.stdout.match(/exit \d+$/gm)).toEqual(['exit 0', 'exit 10', 'exit 0', 'exit 0', 'exit 0', 'exit 0']);
  expect(run.stdout.split('\n').filter((line) => columnsOf(line) > 80)).toEqual([]);
  expect(readdirSync(home.home)).toEqual([]);
});

test.skipIf(noPty)('on a terminal it ends in a turn of the person, with a chat that keeps nothing', async () => {
  const home = createHome();
  const run = motifOnPty(['demo'], { env: home.env });
  await run.says('Your turn:');
  // The editor is not ready yet: Enter sends all the same.
  run.type('Opening hours?\r');
  await run.says('in 1 turn');
  run.type('\u0004');
  expect(await run.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
  expect(readdirSync(home.home)).toEqual([]);
});

test.skipIf(noPty)('Enter sends what was typed while the chat was still starting', async () => {
  const run = motifOnPty(['chat', '--demo'], { env: createHome().env });
  await run.pid;
  run.type('Opening hours?\r');
  await run.says('in 1 turn');
  run.type('\u0004');
  expect(await run.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
});

test.skipIf(noPty)('FORCE_COLOR=-1, at which chalk throws, is a colour like any other', async () => {
  const run = motifOnPty(['prompt', '--demo', '--color', 'always', 'Opening hours?'], {
    env: { FORCE_COLOR: '-1', TERM: 'dumb' },
  });
  expect(await run.ended).toMatchObject({ code: 0, shown: expect.not.stringContaining('unforeseen') });
});

test.skipIf(noPty || missingPrograms('less'))(
  'a page of the manual goes through less, and q leaves it early',
  async () => {
    const run = motifOnPty(['help', 'policies'], { env: { PAGER: 'less' } });
    await run.says('Policies');
    run.type('q');
    const { code, isTerminalAsBefore, shown } = await run.ended;
    expect({ code, isTerminalAsBefore }).toEqual({ code: 0, isTerminalAsBefore: true });
    expect(shown).toContain('\u001b[1mPolicies');
    expect(shown.split('\n').length).toBeLessThanOrEqual(26);
  },
);
