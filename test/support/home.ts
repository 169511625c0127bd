import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ended } from './child.ts';
import { type ProgramSetup, startMotif } from './program.ts';

export interface Home {
  /** The private folder that holds the home and the folder for temporary files. */
  readonly root: string;
  readonly home: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the built program to its end in this home. */
  readonly motif: (args: readonly string[], setup?: ProgramSetup) => Promise<Ended>;
}

/** A private home for the built program; it is under /tmp, so that another user can be let in. */
export function createHome(): Home {
  const root = mkdtempSync('/tmp/motif-home-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(root, 'tmp'), { mode: 0o700 });
  const env = { HOME: home, TMPDIR: join(root, 'tmp') };
  return {
    root,
    home,
    config: join(home, '.config/motif'),
    env,
    motif: (args, setup = {}) => startMotif(args, { ...setup, env: { ...env, ...setup.env } }).ended,
  };
}

/** A login of the built program that asks nobody; the token goes to stdin, or what the flags say. */
export function loginWords(name: string, ...flags: readonly string[]): readonly string[] {
  const address = `https://gw.example/api/v1/apps/${name}`;
  return ['login', address, '--token-stdin', '--no-verify', '--token-store', 'file', ...flags];
}
