import { describe, expect, test } from 'vitest';
import type { MotifError } from '../../src/errors.ts';
import { createKeyring } from '../../src/world/keyring.ts';
import type { Child, ChildResult } from '../../src/world/world.ts';

const secrets = ['plain', 'with "quotes" and \\slashes\\', 'line\nbreak\n', 'ünï ✓', '-dash', ''];
const ended = (code: number | null, stdout = '', stderr = ''): ChildResult => ({ code, stdout, stderr });

type Held = Map<string, string>;

/** A helper program that keeps entries by account, as `secret-tool` or `security` do. */
function helper(answer: (child: Child, held: Held) => ChildResult, platform: NodeJS.Platform) {
  const ran: Child[] = [];
  const held: Held = new Map();
  const run = async (child: Child): Promise<ChildResult> => {
    ran.push(child);
    return answer(child, held);
  };
  return { ran, held, keyring: createKeyring({ run, platform, newId: () => 'id1' }) };
}

function secretTool({ args, stdin = '' }: Child, held: Held): ChildResult {
  const account = args.at(-1) ?? '';
  const value = held.get(account);
  if (args[0] === 'store') held.set(account, stdin);
  if (args[0] === 'clear') held.delete(account);
  if (args[0] === 'search') return ended(0, value === undefined ? '' : '[/1]\n');
  if (args[0] !== 'lookup') return ended(0);
  return value === undefined ? ended(1) : ended(0, value);
}

/** A keyring that is locked and shows nothing of what it holds, as KeePassXC does. */
function hiding({ args }: Child): ChildResult {
  if (args[0] === 'search' || args[0] === 'clear') return ended(0);
  return args[0] === 'lookup' ? ended(1) : ended(1, '', 'secret-tool: The prompt was dismissed');
}

function security({ args, stdin = '' }: Child, held: Held): ChildResult {
  const [, added = '', entry = ''] = /-a "(.*)" -w "(.*)"\n$/s.exec(stdin) ?? [];
  if (args[0] === '-i') held.set(added.replace(/\\(["\\])/g, '$1'), entry);
  const account = args[args.indexOf('-a') + 1] ?? '';
  const value = held.get(account);
  if (args[0] === 'delete-generic-password') held.delete(account);
  if (args[0] !== 'find-generic-password') return ended(0);
  const absent = ended(
    44,
    '',
    'security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.',
  );
  return value === undefined ? absent : ended(0, `${value}\n`);
}

const kinds = [
  { platform: 'linux', program: secretTool, command: 'secret-tool', name: 'Secret Service' },
  { platform: 'darwin', program: security, command: 'security', name: 'macOS Keychain' },
] as const;

describe.each(kinds)('$name', ({ platform, program, command, name }) => {
  test('answers the probe', async () => {
    expect(await helper(program, platform).keyring.probe()).toBe(name);
  });

  test.each(secrets)('keeps %j, and no argument ever holds it', async (secret) => {
    const { keyring, ran } = helper(program, platform);
    expect(await keyring.get('ana')).toBeUndefined();
    await keyring.set('ana', secret);
    expect(await keyring.get('ana')).toBe(secret);
    await keyring.delete('ana');
    expect(await keyring.get('ana')).toBeUndefined();
    if (secret !== '') expect(ran.flatMap(({ args }) => args).filter((arg) => arg.includes(secret))).toEqual([]);
    expect(new Set(ran.map((child) => child.command))).toEqual(new Set([command]));
  });

  test('what is not there is gone, and leaves nothing of the proof', async () => {
    const { keyring, held } = helper(program, platform);
    await keyring.delete('nobody');
    expect(held.size).toBe(0);
  });

  test('no call waits longer than 3 s', async () => {
    const { keyring, ran } = helper(program, platform);
    await keyring.probe();
    await keyring.set('ana', 'x');
    await keyring.delete('ana');
    expect(new Set(ran.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([3_000]));
  });

  test.each([
    ['not installed', { ...ended(null), failure: 'not-found' }],
    ['silent', { ...ended(null), failure: 'timeout' }],
    ['without its service', ended(1, '', 'Cannot autolaunch D-Bus without X11 $DISPLAY')],
  ] as const)('%s: no keyring, and nothing is taken for stored', async (_, result) => {
    const { keyring } = helper(() => result, platform);
    expect(await keyring.probe()).toBeUndefined();
    await expect(keyring.get('ana')).rejects.toMatchObject({ kind: 'io', message: expect.stringContaining('answer') });
    const kept = await keyring.delete('ana').catch((error: unknown) => error);
    expect(kept).toMatchObject({ kind: 'io', message: `the keyring (${name}) does not answer` });
    expect(JSON.stringify((kept as MotifError).hints)).not.toContain('--token-store');
    await expect(keyring.set('ana', 'canary')).rejects.toMatchObject({
      kind: 'io',
      message: `the keyring (${name}) did not take the token`,
    });
  });

  test('a store that changes or forgets the token is no success', async () => {
    const { keyring } = helper(({ args }) => (args[0] === 'lookup' ? ended(0, 'other') : ended(0)), platform);
    const failure = await keyring.set('ana', 'canary').catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'io' });
    expect(JSON.stringify(failure)).not.toContain('canary');
  });

  test('a token that will not go is said so', async () => {
    const { keyring } = helper(() => ended(0, 'still here'), platform);
    await expect(keyring.delete('ana')).rejects.toMatchObject({
      message: `the keyring (${name}) still holds the token`,
    });
  });
});

test('one that is locked and hides what it holds is not taken for empty', async () => {
  const { keyring } = helper(hiding, 'linux');
  expect(await keyring.get('ana')).toBeUndefined();
  await expect(keyring.delete('ana')).rejects.toMatchObject({
    kind: 'io',
    message: 'the keyring (Secret Service) shows no token and takes none; if it is locked, it may still hold one',
    hints: ['unlock it and try again', 'or, once it is unlocked: secret-tool clear -- service motif account ana'],
  });
});

test('a profile whose name looks like a flag is no flag', async () => {
  const { keyring, ran } = helper(secretTool, 'linux');
  await keyring.set('-x', 'secret');
  expect(ran[0]?.args).toEqual(['store', '--label=motif: -x', '--', 'service', 'motif', 'account', '-x']);
});

test('a name with quotes stays one word for macOS', async () => {
  const { keyring, ran } = helper(security, 'darwin');
  await keyring.set('a "b" \\', 'secret');
  expect(ran[0]?.stdin).toBe('add-generic-password -U -s motif -a "a \\"b\\" \\\\" -w "base64:c2VjcmV0"\n');
});

test('an entry that a person made for macOS by hand is read as it is', async () => {
  const { keyring, held } = helper(security, 'darwin');
  held.set('ana', 'by-hand');
  expect(await keyring.get('ana')).toBe('by-hand');
});
