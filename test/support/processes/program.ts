import { chmodSync, cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Running, start } from './child.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The Node that the built program runs on: this one, or the one that the Node matrix is at. */
export const testedNode = process.env.MOTIF_TEST_NODE ?? process.execPath;

/** The built program, as words of a command line. */
export const program: readonly string[] = [testedNode, resolve('bin/motif.js')];

export interface ProgramSetup {
  /** Its whole environment, beside a PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: stdin is empty. Null: open and silent. */
  readonly input?: string | null;
  /** A command that runs the program, such as one that enters a network. */
  readonly within?: readonly string[];
}

/** Runs the built program with pipes, in an environment that holds nothing of the caller's. */
export function startMotif(args: readonly string[], { env = {}, input = '', within = [] }: ProgramSetup = {}): Running {
  const [command = '', ...words] = [...within, ...(within.includes('setpriv') ? openProgram() : program), ...args];
  return start(command, words, {
    env: { PATH: process.env.PATH, ...env },
    ...(input === null ? {} : { input }),
  });
}

/** A copy that another user may read: a checkout can lie in a folder that is its owner's alone. */
function openProgram(): readonly string[] {
  const folder = temporaryFolder('/tmp');
  for (const part of ['bin', 'dist']) cpSync(resolve(part), join(folder, part), { recursive: true });
  chmodSync(folder, 0o755);
  return [testedNode, join(folder, 'bin/motif.js')];
}
