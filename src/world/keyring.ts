import { MotifError } from '../errors.ts';
import { plainWord } from '../text/defuse.ts';
import type { Child, ChildResult, Keyring, World } from './world.ts';

const service = 'motif';
const answerMs = 3_000;

interface KeyringProgram {
  readonly name: string;
  lookup(account: string): Child;
  store(account: string, secret: string): Child;
  clear(account: string): Child;
  /** Looks for an entry without its secret, which a locked keyring lets be seen as well. */
  search(account: string): Child;
  /** Result of a search; undefined where no keyring answered. */
  holds(found: ChildResult): boolean | undefined;
  /** True where a lookup that found nothing looked in a keyring that works. */
  answered(absent: ChildResult): boolean;
  decode(found: string): string;
}

/** `secret-tool` of libsecret: the secret goes in through stdin and is looked up exactly as it was stored. */
const secretTool: KeyringProgram = {
  name: 'Secret Service',
  lookup: (account) => ({ command: 'secret-tool', args: ['lookup', '--', ...attributes(account)] }),
  store: (account, secret) => ({
    command: 'secret-tool',
    args: ['store', `--label=motif: ${account}`, '--', ...attributes(account)],
    stdin: secret,
  }),
  clear: (account) => ({ command: 'secret-tool', args: ['clear', '--', ...attributes(account)] }),
  search: (account) => ({ command: 'secret-tool', args: ['search', '--', ...attributes(account)] }),
  holds: ({ code, stdout }) => (code === 0 ? stdout.trim() !== '' : undefined),
  // Both a missing entry and a missing bus end with 1; only the second is explained.
  answered: ({ code, stderr }) => code === 1 && stderr.trim() === '',
  decode: (found) => found,
};

const encodedMark = 'base64:';
const itemNotFound = 44;

/**
 * `security` of macOS. It reads its command from stdin, since arguments are open to every user of the machine, and the
 * secret is encoded, since `-w` prints whatever is not plain text as hexadecimal digits, without saying so.
 */
const security: KeyringProgram = {
  name: 'macOS Keychain',
  lookup: (account) => ({ command: 'security', args: ['find-generic-password', '-s', service, '-a', account, '-w'] }),
  store: (account, secret) => {
    const encoded = `${encodedMark}${Buffer.from(secret).toString('base64')}`;
    const command = `add-generic-password -U -s ${service} -a ${quote(account)} -w ${quote(encoded)}\n`;
    return { command: 'security', args: ['-i'], stdin: command };
  },
  clear: (account) => ({ command: 'security', args: ['delete-generic-password', '-s', service, '-a', account] }),
  search: (account) => ({ command: 'security', args: ['find-generic-password', '-s', service, '-a', account] }),
  holds: ({ code }) => (code === 0 ? true : code === itemNotFound ? false : undefined),
  answered: ({ code }) => code === itemNotFound,
  decode: (found) => {
    const text = found.replace(/\n$/, '');
    return text.startsWith(encodedMark) ? Buffer.from(text.slice(encodedMark.length), 'base64').toString('utf8') : text;
  },
};

/** The desktop's keyring through the program that comes with it; a native module would have to be installed. */
export function createKeyring({ run, platform, newId }: Pick<World, 'run' | 'platform' | 'newId'>): Keyring {
  const program = platform === 'darwin' ? security : secretTool;
  const ask = (child: Child): Promise<ChildResult> => run({ ...child, timeoutMs: answerMs });
  const get = async (account: string): Promise<string | undefined> => {
    const { code, stdout } = await ask(program.lookup(account));
    if (code === 0) return program.decode(stdout);
    const isHeld = await isHeldFor(account);
    if (isHeld === false) return undefined;
    throw refused(isHeld ? 'is locked' : 'does not answer');
  };
  return {
    get,
    async probe() {
      const absent = await ask(program.lookup(`probe-${newId()}`));
      return program.answered(absent) ? program.name : undefined;
    },
    async set(account, secret) {
      const stored = await ask(program.store(account, secret));
      const kept = stored.code === 0 ? await get(account) : undefined;
      if (kept !== secret) throw refused('did not take the token');
    },
    async delete(account) {
      const wasHeld = await isHeldFor(account);
      await ask(program.clear(account));
      const isHeld = await isHeldFor(account);
      const { command, args } = program.clear(account);
      const typed = [command, ...args].map(plainWord).join(' ');
      const later = `or, once it is unlocked: ${typed}`;
      if (isHeld === undefined) throw refused('does not answer', `or, once it answers: ${typed}`);
      if (isHeld) {
        const isReadable = (await ask(program.lookup(account))).code === 0;
        throw refused(isReadable ? 'still holds the token' : 'is locked and still holds the token', later);
      }
      // KeePassXC and others hide what they hold while they are locked: only one that takes an entry has none of ours.
      if (wasHeld === true || (await takesEntries())) return;
      throw refused('shows no token and takes none; if it is locked, it may still hold one', later);
    },
  };

  async function isHeldFor(account: string): Promise<boolean | undefined> {
    return program.holds(await ask(program.search(account)));
  }

  async function takesEntries(): Promise<boolean> {
    const account = `probe-${newId()}`;
    await ask(program.store(account, 'probe'));
    const { code, stdout } = await ask(program.lookup(account));
    await ask(program.clear(account));
    return code === 0 && program.decode(stdout) === 'probe';
  }

  function refused(what: string, ...next: readonly string[]): MotifError {
    return new MotifError('io', `the keyring (${program.name}) ${what}`, {
      hint: ['unlock it and try again', ...next],
    });
  }
}

function attributes(account: string): readonly string[] {
  return ['service', service, 'account', account];
}

function quote(word: string): string {
  return `"${word.replace(/["\\]/g, '\\$&')}"`;
}
