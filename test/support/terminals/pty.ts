import { execFileSync, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { StringDecoder } from 'node:string_decoder';
import { onTestFinished } from 'vitest';
import { program } from '../processes/program.ts';
import { missingPrograms } from '../processes/programs.ts';

/** The reason to skip tests on a terminal, if any: Node opens none itself, so python3 does. */
export const noPty = missingPrograms('python3');

export interface PtyEnded {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True where the terminal's settings, echo among them, are what they were before the program began. */
  readonly isTerminalAsBefore: boolean;
  /** All that went to the terminal, as it was sent. */
  readonly shown: string;
}

export interface Pty {
  readonly pid: Promise<number>;
  /** All that went to the terminal until now, as it was sent. */
  shown(): string;
  /** Resolves once this was sent to the terminal, `after` so many characters. */
  says(text: string | RegExp, after?: number): Promise<void>;
  /** Awaits what happens elsewhere because of what was typed; otherwise fails with what is shown here. */
  brings<T>(happening: Promise<T>): Promise<T>;
  type(keys: string | Buffer): void;
  /** Types, and waits until the program has drawn what it makes of it. */
  enters(keys: string): Promise<void>;
  resize(columns: number, rows: number): void;
  kill(signal: NodeJS.Signals): void;
  /** Leaves what the program shows unread for a while. */
  ignore(seconds: number): void;
  /** Drops the terminal, as a closed window or a lost connection does. */
  hangUp(): void;
  readonly ended: Promise<PtyEnded>;
}

interface PtySetup {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Longest wait for an output, on a machine that does much else. */
const patienceMs = 40_000;

/** Silence after which a program counts as done with drawing. */
const quietMs = 100;

/** Runs the built program on a terminal of its own. */
export function motifOnPty(args: readonly string[], setup: PtySetup = {}): Pty {
  return openPty([...program, ...args], setup);
}

/** Runs a command on a terminal of its own, with nothing of our environment but PATH. */
export function openPty(command: readonly string[], { env, columns = 80, rows = 24 }: PtySetup = {}): Pty {
  const script = resolve(import.meta.dirname, 'pty.py');
  const child = spawn(findPython(), ['-I', '-S', script, `${columns}`, `${rows}`, ...command], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {});
  onTestFinished(() => void child.kill('SIGKILL'));
  const decoder = new StringDecoder();
  const waiting = new Set<() => void>();
  let text = '';
  let end: PtyEnded | undefined;
  let tellPid: (pid: number) => void = () => {};
  const pid = new Promise<number>((tell) => (tellPid = tell));
  const shown = (): string => text;
  const hear = (line: string): void => {
    const [kind, ...words] = line.split(' ');
    if (kind === 'p') tellPid(Number(words[0]));
    if (kind === 'o') text += decoder.write(Buffer.from(words[0] ?? '', 'base64'));
    if (kind === 'e') end = toEnd(words, shown());
    for (const wake of waiting) wake();
  };
  const ended = new Promise<PtyEnded>((resolve, reject) => {
    createInterface(child.stdout)
      .on('line', hear)
      .once('close', () => (end === undefined ? reject(new Error('the terminal broke')) : resolve(end)));
  });
  ended.catch(() => {});
  onTestFinished(async () => {
    if (end === undefined) await pid.then((id) => killGroup(id));
  });
  const order = (line: string): void => void child.stdin.write(`${line}\n`);
  const type = (keys: string | Buffer): void => order(`w ${Buffer.from(keys).toString('base64')}`);
  return {
    pid,
    shown,
    ended,
    type,
    async enters(keys) {
      const before = shown().length;
      const giveUpAt = Date.now() + patienceMs;
      type(keys);
      let length = -1;
      while (shown().length === before || shown().length !== length) {
        if (end !== undefined || Date.now() > giveUpAt) throw new Error(`drew nothing: ${JSON.stringify(shown())}`);
        length = shown().length;
        await new Promise((resolve) => setTimeout(resolve, quietMs));
      }
    },
    resize: (width, height) => order(`r ${width} ${height}`),
    kill: (signal) => order(`k ${constants.signals[signal]}`),
    ignore: (seconds) => order(`d ${seconds}`),
    hangUp: () => order('h'),
    async brings(happening) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        const fail = (): void => reject(new Error(`nothing came of it: ${JSON.stringify(shown())}`));
        timer = setTimeout(fail, patienceMs);
        ended.then(() => setTimeout(fail, 1000), fail);
      });
      return await Promise.race([happening, late]).finally(() => clearTimeout(timer));
    },
    async says(wanted, after = 0) {
      const giveUpAt = Date.now() + patienceMs;
      // A plain text is looked for in the new part alone, and where the old one may end with half of it.
      let from = after;
      const isSaid = (): boolean => {
        if (typeof wanted !== 'string') return wanted.test(shown().slice(after));
        const at = shown().slice(from).indexOf(wanted);
        if (at < 0) from = Math.max(after, shown().length - wanted.length);
        return at >= 0;
      };
      while (!isSaid()) {
        if (end !== undefined) throw new Error(`ended without saying ${String(wanted)}: ${JSON.stringify(end)}`);
        if (Date.now() > giveUpAt) throw new Error(`never said ${String(wanted)}: ${JSON.stringify(shown())}`);
        await nextOf(waiting);
      }
    },
  };
}

let python: string | undefined;

/** The interpreter itself, found once a process: the `python3` of a version manager starts more slowly than motif. */
function findPython(): string {
  python ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  return python;
}

async function nextOf(waiting: Set<() => void>): Promise<void> {
  let wake: () => void = () => {};
  const timer = setTimeout(() => wake(), 500);
  await new Promise<void>((resolve) => waiting.add((wake = resolve)));
  clearTimeout(timer);
  waiting.delete(wake);
}

function toEnd([code, signal, same]: readonly string[], shown: string): PtyEnded {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return {
    code: code === '-' ? null : Number(code),
    signal: names.find(([, number]) => String(number) === signal)?.[0] ?? null,
    isTerminalAsBefore: same === 'same',
    shown,
  };
}

/** The program leads a session of its own, so its group is what it has started too. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone, which is what was wanted.
  }
}
