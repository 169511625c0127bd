import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once the text stands on stdout. */
  says(text: string): Promise<void>;
}

/** Runs a program with pipes; `input` absent leaves its stdin open and silent. */
export function start(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string | Buffer } = {},
): Running {
  const child = spawn(command, args, { env: options.env ?? process.env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  child.stdin.on('error', () => {});
  if (options.input !== undefined) child.stdin.end(options.input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    process: child,
    ended,
    async says(text) {
      while (!stdout.includes(text)) {
        const over = await Promise.race([
          ended,
          new Promise<undefined>((wake) => child.stdout.once('data', () => wake(undefined))),
        ]);
        if (over && !stdout.includes(text)) throw new Error(`ended without saying ${text}: ${over.stderr}`);
      }
    },
  };
}

/** Runs a line of shell to its end, with nothing on stdin unless the line redirects it. */
export async function shell(line: string, ...words: readonly string[]): Promise<Ended> {
  return await start('/bin/sh', ['-c', line, 'sh', ...words], { input: '' }).ended;
}

export const isRoot = process.getuid?.() === 0;

/** Words that run a program as a user without any rights over our files; that is us already, unless we are root. */
export const asNobody: readonly string[] = isRoot
  ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  : [];
