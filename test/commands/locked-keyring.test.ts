import { expect, test } from 'vitest';
import { declaredCommands } from '../support/rooms/commands.ts';
import { logIn } from '../support/rooms/login.ts';
import { motif, testUrl } from '../support/motif.ts';

/** Commands that need the token of the profile, and words that they need beside it. */
const needy: Readonly<Record<string, readonly string[]>> = {
  whoami: [],
  logout: [],
  login: [testUrl, '--force', '--no-verify'],
  'profile rename': ['support-bot', 'other'],
  prompt: ['hi'],
  chat: [],
  batch: ['rows.jsonl'],
  check: ['cases.csv'],
  'check add': ['hi'],
};
/** Commands left out: they look at the network, or keep a port or a person busy. */
const others = new Set(['doctor', 'serve', 'demo']);
const declared = (await declaredCommands()).map(({ path }) => path.join(' ')).filter((name) => !others.has(name));

test.each(declared)('%s: 12 and a way out where it needs the token, else nothing of it', async (name) => {
  const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
  const files = { 'rows.jsonl': '{"prompt":"hi"}\n', 'cases.csv': 'prompt,expect\nhi,answered\n' };
  const setup = { env: {}, after: world, keyring: 'locked', files, stdin: '' } as const;
  const run = await motif([...name.split(' '), ...(needy[name] ?? [])], setup);
  if (needy[name] === undefined) {
    expect([0, 2, 12]).toContain(run.exitCode);
    expect(run.stderr).not.toContain('keyring');
    return;
  }
  expect(run.exitCode).toBe(12);
  expect(run.stderr).toMatch(/is locked[^]*unlock/);
  expect(world.secrets.size).toBe(1);
});
