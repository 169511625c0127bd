import type { ChildProcess, StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Interrupted, signalTable } from '../errors.ts';
import { errorCode, faultWords } from './fault-words.ts';
import type { Child, ChildResult, World } from './world.ts';

/** Variables that an editor, a pager or a keyring's helper needs; any other may hold somebody's secret. */
const handedOn: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TMPDIR LANG LANGUAGE TZ TERM COLORTERM DISPLAY WAYLAND_DISPLAY XAUTHORITY EDITOR VISUAL',
    'XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK GPG_TTY',
  ].flatMap((names) => names.split(' ')),
);
/** NODE_OPTIONS is meant for this program and could load code into the next. */
const neverHandedOn: ReadonlySet<string> = new Set(['MOTIF_TOKEN', 'NODE_OPTIONS']);

const runMs = 60_000;
/** From the polite signal to the one that cannot be refused; also how long a pipe may outlive its child. */
const graceMs = 500;
export const childOutputBytesMax = 1024 * 1024;

interface ChildParts {
  readonly env: World['env'];
  readonly interrupted: AbortSignal;
}

/** Runs programs; each gets a process group of its own, unless it shares the terminal, so that none leaves orphans. */
export function createChildRunner({ env, interrupted }: ChildParts): World['run'] {
  return async function run(child) {
    interrupted.throwIfAborted();
    let terminal: number | undefined;
    try {
      terminal = child.takesTerminal ? openSync('/dev/tty', 'r+') : undefined;
      const started = process.getBuiltinModule('node:child_process').spawn(child.command, child.args, {
        env: environmentOf(child, env),
        stdio: stdioOf(child, terminal),
        detached: !child.takesTerminal && !child.sharesStreams,
      });
      if (child.sharesStreams) return await accompany(started, interrupted);
      return await follow(started, child, interrupted);
    } catch (error) {
      return notStarted(error);
    } finally {
      if (terminal !== undefined) closeSync(terminal);
    }
  };
}

/** A person's own command may need whatever its cloud's tools read; ours get the list. */
function environmentOf(child: Child, env: World['env']): Record<string, string | undefined> {
  if (child.isBare) return { PATH: env.PATH, HOME: env.HOME, LANG: env.LANG };
  const passes = (name: string): boolean =>
    child.inheritsEnv === true || handedOn.has(name) || /^(?:LC_|LESS)/.test(name);
  const inherited = Object.entries(env).filter(
    ([name]) => passes(name) && !neverHandedOn.has(name) && child.withoutEnv?.has(name) !== true,
  );
  return { ...Object.fromEntries(inherited), ...child.env };
}

function stdioOf({ stdin, sharesStreams }: Child, terminal: number | undefined): StdioOptions {
  if (sharesStreams) return 'inherit';
  if (terminal !== undefined) return [stdin === undefined ? terminal : 'pipe', terminal, terminal];
  return [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
}

/**
 * Waits for the child, however long. A signal meant for us is passed on, and the child decides what to do about it;
 * with a second one, which ends this process, it is ended too.
 */
async function accompany(started: ChildProcess, interrupted: AbortSignal): Promise<ChildResult> {
  const passOn = (): void => {
    if (interrupted.reason instanceof Interrupted) started.kill(interrupted.reason.signal);
  };
  const endWithUs = (): void => {
    if (interrupted.aborted) started.kill('SIGKILL');
  };
  interrupted.addEventListener('abort', passOn);
  // Before the listener that ends this process.
  for (const { signal } of signalTable) process.prependListener(signal, endWithUs);
  try {
    const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      started.once('error', reject);
      started.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { code, stdout: '', stderr: '', ...(signal !== null && { failure: 'killed', signal }) };
  } finally {
    interrupted.removeEventListener('abort', passOn);
    for (const { signal } of signalTable) process.removeListener(signal, endWithUs);
  }
}

async function follow(started: ChildProcess, child: Child, interrupted: AbortSignal): Promise<ChildResult> {
  let failure: ChildResult['failure'];
  let lastResort: NodeJS.Timeout | undefined;
  const stop = (reason: typeof failure): void => {
    failure ??= reason;
    signalGroup(started, child, 'SIGTERM');
    lastResort ??= setTimeout(() => signalGroup(started, child, 'SIGKILL'), graceMs);
  };
  const onAbort = (): void => stop('killed');
  const limitMs = child.timeoutMs ?? (child.takesTerminal ? undefined : runMs);
  const limit = limitMs === undefined ? undefined : setTimeout(() => stop('timeout'), limitMs);
  for (const signal of [interrupted, child.stop]) signal?.addEventListener('abort', onAbort);
  if (child.stop?.aborted) onAbort();
  try {
    const stdout = collect(started.stdout, () => stop('too-much-output'));
    const stderr = collect(started.stderr, () => stop('too-much-output'));
    feed(started, child);
    const code = await ending(started);
    interrupted.throwIfAborted();
    failure ??= code === null ? 'killed' : undefined;
    return { code: failure ? null : code, stdout: stdout(), stderr: stderr(), ...(failure && { failure }) };
  } finally {
    clearTimeout(limit);
    clearTimeout(lastResort);
    for (const signal of [interrupted, child.stop]) signal?.removeEventListener('abort', onAbort);
    // The child is gone; what it started and left behind is not to outlive it.
    if (lastResort) signalGroup(started, child, 'SIGKILL');
  }
}

/** The child may end without having read what it was given; that is its business. */
function feed({ stdin }: ChildProcess, child: Child): void {
  stdin?.on('error', () => {});
  stdin?.end(child.stdin);
}

function collect(stream: ChildProcess['stdout'], tooMuch: () => void): () => string {
  const parts: Uint8Array[] = [];
  let total = 0;
  stream?.on('data', (part: Uint8Array) => {
    total += part.length;
    if (total > childOutputBytesMax) tooMuch();
    else parts.push(part);
  });
  return () => Buffer.concat(parts).toString('utf8');
}

/** Resolves with the exit code, or null after a signal. A grandchild that keeps the pipes open is not waited for. */
async function ending(started: ChildProcess): Promise<number | null> {
  return await new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    started.once('error', reject);
    started.once('exit', () => {
      timer = setTimeout(() => {
        started.stdout?.destroy();
        started.stderr?.destroy();
      }, graceMs);
    });
    started.once('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

function signalGroup({ pid }: ChildProcess, { takesTerminal }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(takesTerminal ? pid : -pid, signal);
  } catch {
    // Nobody of that group is left.
  }
}

/** Anything the system itself refused is a result; an interruption or a bug of ours stays an error. */
function notStarted(error: unknown): ChildResult {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const failure = code === 'ENOENT' ? 'not-found' : 'not-started';
  return { code: null, stdout: '', stderr: faultWords(code), failure };
}
