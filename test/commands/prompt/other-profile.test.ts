import { describe, expect, test } from 'vitest';
import { chatLines } from '../../support/rooms/chat.ts';
import { loggedIn } from '../../support/rooms/login.ts';
import { prompt } from '../../support/rooms/prompt.ts';
import { testEnv, testUrl } from '../../support/motif.ts';

describe('the profile in use is another one since', () => {
  const begun = async () => {
    const two = ['https://two.example/api/v1/apps/other-bot', '-p', 'two'];
    const after = await loggedIn([testUrl, '-p', 'one'], two);
    await prompt(['-p', 'one', '--save', 'Kettles', 'one'], { after, env: {} });
    return after;
  };

  test.each([
    { name: 'in a script', argv: ['-c'], stderr: {} },
    { name: 'in a script that names the conversation', argv: ['--conversation', 'Kettles'], stderr: {} },
    { name: 'with -q at a terminal', argv: ['-c', '-q'], stderr: { stderr: { columns: 200 } } },
  ])('$name nothing is sent there unseen', async ({ argv, stderr }) => {
    const run = await prompt([...argv, 'two'], { after: await begun(), env: {}, ...stderr });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain('another profile is in use now: conversation ');
    expect(run.stderr).toMatch(
      /was with support-bot at \S+, and goes on with other-bot at \S+\n.*: -p one\n.*: -p two\n/,
    );
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

  test('a chat of lines is no different', async () => {
    const run = await chatLines(['two'], ['-c'], { after: await begun(), env: {} });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', sent: [] });
    expect(run.stderr).toContain('another profile is in use now: ');
  });
});
