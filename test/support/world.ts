import { setMaxListeners } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Interrupted, MotifError, type SignalName } from '../../src/errors.ts';
import { createRedactor } from '../../src/text/redact.ts';
import type { Probe, Send } from '../../src/wire/http.ts';
import { createFiles } from '../../src/world/files/files.ts';
import type { Child, ChildResult, Keyring, World } from '../../src/world/world.ts';
import { createFakeClock } from './fake-clock.ts';
import { createFakeInput, type InputSetup } from './fake-input.ts';
import { createFakeOutput, type FakeOutput, type OutputSetup } from './fake-output.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface WorldSetup {
  /** Absent: no stdin, as under cron. A text or bytes is a pipe. */
  readonly stdin?: InputSetup;
  /** Absent: not a terminal, takes everything. */
  readonly stdout?: OutputSetup;
  readonly stderr?: OutputSetup;
  readonly env?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
  /** Absent: `node motif`, no path of a launcher. */
  readonly self?: readonly string[];
  /** Absent: the user who runs the tests. */
  readonly uid?: number;
  /** Null for a user without a home. Absent: a private folder that is removed after the test. */
  readonly home?: null;
  /** The moment the clock starts at; it moves by what is slept, and by `advance`. */
  readonly now?: number;
  /** `held`: a sleep ends only by `advance`. Absent: at once, as far as the clock can tell after its full time. */
  readonly sleeps?: 'held';
  /** Absent: no program is installed. */
  readonly run?: (child: Child) => ChildResult | Promise<ChildResult>;
  /** Absent: no keyring answers. */
  readonly keyring?: 'present' | 'locked';
  /** An earlier world whose folders and keyring this one finds as they were left. */
  readonly after?: Pick<FakeWorld, 'folder' | 'secrets'> & Partial<Pick<FakeWorld, 'ids'>>;
  /** Absent: the test fails if anything is sent. */
  readonly send?: Send;
  /** Absent: the test fails if anything is reached for. */
  readonly probe?: Probe;
}

/** A World of buffers, with real files in private folders. Relative paths start in `folder`, which is not the home. */
export interface FakeWorld extends World {
  readonly stdout: FakeOutput;
  readonly stderr: FakeOutput;
  readonly folder: string;
  /** Every sleep that was asked for, in milliseconds. */
  readonly slept: readonly number[];
  advance(ms: number): Promise<void>;
  /** Every child that was run. */
  readonly ran: readonly Child[];
  /** Secrets of the keyring, by account. */
  readonly secrets: Map<string, string>;
  /** `raw` and `cooked` in the order the terminal was put there. */
  readonly modes: readonly ('raw' | 'cooked')[];
  /** Number of calls of `expectShortRun`. */
  readonly shortRuns: number;
  /** The number of ids that were made, also by the worlds before it: none comes twice. */
  readonly ids: { made: number };
  interrupt(signal?: SignalName): void;
  /** Sends SIGHUP, which has no effect while nobody listens to it. */
  hangUp(): void;
  /** Number of times it was suspended; a shell continues it at once. */
  readonly suspensions: number;
  /** Continues the program as a shell does that had stopped it without asking. */
  continueUs(): void;
}

export function fakeWorld(setup: WorldSetup = {}): FakeWorld {
  const controller = new AbortController();
  const interrupted = controller.signal;
  setMaxListeners(0, interrupted);
  const root = setup.after === undefined ? privateFolder() : dirname(setup.after.folder);
  const clock = createFakeClock(setup, interrupted);
  const input = createFakeInput(setup.stdin, interrupted);
  const ran: Child[] = [];
  const secrets = setup.after?.secrets ?? new Map<string, string>();
  const ids = setup.after?.ids ?? { made: 0 };
  let shortRuns = 0;
  let suspensions = 0;
  let hangup: (() => void) | undefined;
  let onInterrupt: (() => void) | undefined;
  const continued = new Set<() => void>();
  const stdout = createFakeOutput(1, setup.stdout);
  return {
    stdin: input.stdin,
    modes: input.modes,
    stdout,
    stderr: createFakeOutput(2, setup.stderr),
    env: Object.assign(Object.create(null) as Record<string, string>, setup.env),
    platform: setup.platform ?? 'linux',
    self: setup.self ?? ['node', 'motif'],
    nodeVersion: '20.20.0',
    home: setup.home === null ? undefined : join(root, 'home'),
    uid: setup.uid ?? process.getuid?.(),
    folder: join(root, 'work'),
    ...clock,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    writeFreely: () => () => Promise.resolve(true),
    writeRecord: (lines) => stdout.write(lines),
    onHangup: (listener) => void (hangup = listener),
    hangUp: () => hangup?.(),
    onInterrupt(listener) {
      onInterrupt = listener;
      return () => void (onInterrupt = undefined);
    },
    async suspend() {
      suspensions += 1;
    },
    get suspensions() {
      return suspensions;
    },
    onContinue(listener) {
      continued.add(listener);
      return () => void continued.delete(listener);
    },
    continueUs: () => continued.forEach((listener) => listener()),
    ids,
    newId: () => `id${String((ids.made += 1)).padStart(8, '0')}`,
    files: createFiles(join(root, 'work'), { clock }),
    ran,
    async run(child) {
      interrupted.throwIfAborted();
      ran.push(child);
      return (await setup.run?.(child)) ?? { code: null, stdout: '', stderr: '', failure: 'not-found' };
    },
    secrets,
    keyring: createFakeKeyring(setup.keyring, secrets),
    send: setup.send ?? failing('requests'),
    probe: setup.probe ?? failing('probes'),
    redactor: createRedactor(),
    interrupted,
    interrupt(signal = 'SIGINT') {
      if (signal === 'SIGINT' && onInterrupt !== undefined) onInterrupt();
      else controller.abort(new Interrupted(signal));
    },
    async expectShortRun() {
      shortRuns += 1;
    },
    readyToSend: async () => undefined,
    get shortRuns() {
      return shortRuns;
    },
  };
}

/** A folder of this test's own with `home` and `work` in it. */
function privateFolder(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'home'), { mode: 0o700 });
  mkdirSync(join(root, 'work'), { mode: 0o700 });
  return root;
}

/** Throws, and fails the test at its end as well, in case the throw was turned into an exit code. */
function failing(what: string): (request: { readonly url: string } | string) => Promise<never> {
  const urls: string[] = [];
  onTestFinished(() => expect(urls, `${what} that this test did not expect`).toEqual([]));
  return async (request) => {
    urls.push(typeof request === 'string' ? request : request.url);
    throw new Error('this test reaches for nothing');
  };
}

function createFakeKeyring(state: WorldSetup['keyring'], secrets: Map<string, string>): Keyring {
  const refused = (what: string): MotifError => {
    return new MotifError('io', `the keyring (Test Keyring) ${what}`, { hint: 'unlock it and try again' });
  };
  return {
    probe: async () => (state === undefined ? undefined : 'Test Keyring'),
    async get(account) {
      if (state !== 'present' && (state === undefined || secrets.has(account))) throw refused('is locked');
      return secrets.get(account);
    },
    async set(account, secret) {
      if (state !== 'present') throw refused('did not take the token');
      secrets.set(account, secret);
    },
    async delete(account) {
      if (state === undefined) throw refused('does not answer');
      if (state === 'locked' && secrets.has(account)) throw refused('is locked and still holds the token');
      secrets.delete(account);
    },
  };
}
