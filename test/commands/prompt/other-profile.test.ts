import { describe, expect, test } from 'vitest';
import { chatLines } from '../../support/rooms/chat.ts';
import { loggedIn, logIn } from '../../support/rooms/login.ts';
import { prompt } from '../../support/rooms/prompt.ts';
import { motif, testEnv, testUrl } from '../../support/motif.ts';

describe('the profile in use leads elsewhere than the last turn', () => {
  const begun = async () => {
    const two = ['https://two.example/api/v1/apps/other-bot', '-p', 'two'];
    const after = await loggedIn([testUrl, '-p', 'one'], two);
    await prompt(['-p', 'one', '--save', 'Kettles', 'one'], { after, env: {} });
    return after;
  };
  type Begun = Awaited<ReturnType<typeof begun>>;
  const typed = (argv: readonly string[]) => async (after: Begun) => {
    expect(await motif(argv, { after, env: {} })).toMatchObject({ exitCode: 0 });
  };
  const leadsToThird = async (after: Begun) => {
    const argv = ['https://three.example/api/v1/apps/third', '-p', 'one', '--token-stdin', '--no-verify', '--force'];
    expect(await logIn(argv, { after })).toMatchObject({ exitCode: 0 });
  };
  const goesOnWithTwo = async (after: Begun) => {
    expect(await prompt(['-c', '-p', 'two', 'more'], { after, env: {} })).toMatchObject({ exitCode: 0 });
  };

  test.each([
    { name: 'in a script', argv: ['-c'], stderr: {} },
    { name: 'in a script that names the conversation', argv: ['--conversation', 'Kettles'], stderr: {} },
    { name: 'with -q at a terminal', argv: ['-c', '-q'], stderr: { stderr: { columns: 200 } } },
  ])('$name nothing is sent there unseen', async ({ argv, stderr }) => {
    const run = await prompt([...argv, 'two'], { after: await begun(), env: {}, ...stderr });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain('the profile in use leads elsewhere now: conversation ');
    expect(run.stderr).toMatch(
      /was with support-bot at \S+, and goes on with other-bot at \S+\n.*: -p one\n.*: -p two\n/,
    );
  });

  test.each([
    {
      name: 'the profile under its new name',
      since: [typed(['profile', 'rename', 'one', 'uno'])],
      was: '-p uno\n',
      now: '-p two\n',
    },
    {
      name: 'the address where no profile leads there any more',
      since: [leadsToThird],
      was: `${testUrl}, to which no profile leads\n`,
      now: '-p one\n',
    },
    {
      name: 'the profile of the last turn, and not that of the first',
      since: [goesOnWithTwo, typed(['profile', 'use', 'one'])],
      was: '-p two\n',
      now: '-p one\n',
    },
  ])('where it was is said: $name', async ({ since, was, now }) => {
    const after = await begun();
    for (const step of since) await step(after);
    const run = await prompt(['-c', 'two'], { after, env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain(`where it was: ${was}`);
    expect(run.stderr).toContain(`to go on with the profile in use: ${now}`);
  });

  test.each([
    { name: 'seen at a terminal', argv: ['-c'], env: {}, stderr: { stderr: { columns: 200 } } },
    { name: 'named', argv: ['-c', '-p', 'two'], env: {}, stderr: {} },
    { name: 'named by the environment', argv: ['-c'], env: { MOTIF_PROFILE: 'two' }, stderr: {} },
    { name: 'its address comes from the environment', argv: ['-c'], env: testEnv, stderr: {} },
    { name: 'back where it was', argv: ['-c', '-p', 'one'], env: {}, stderr: {} },
  ])('it goes on: $name', async ({ argv, env, stderr }) => {
    const run = await prompt([...argv, 'two'], { after: await begun(), env, ...stderr });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.requests).toHaveLength(1);
  });

  test.each([{ flag: '--dry-run' }, { flag: '--curl' }])('$flag sends nothing, and shows it', async ({ flag }) => {
    const run = await prompt(['-c', flag, 'two'], { after: await begun(), env: {} });
    expect(run).toMatchObject({ exitCode: 0, requests: [] });
    expect(run.stdout).toContain('two.example');
  });

  test('a profile that has another name since goes on, for it leads where the last turn was', async () => {
    const after = await begun();
    await typed(['profile', 'rename', 'one', 'uno'])(after);
    await typed(['profile', 'use', 'uno'])(after);
    expect(await prompt(['-c', 'two'], { after, env: {} })).toMatchObject({ exitCode: 0 });
  });

  test('a chat of lines is no different', async () => {
    const run = await chatLines(['two'], ['-c'], { after: await begun(), env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', sent: [] });
    expect(run.stderr).toContain('the profile in use leads elsewhere now: ');
  });
});
