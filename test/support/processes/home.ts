import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../src/main.ts';
import { createSend } from '../../../src/transport/send.ts';
import { createChildRunner } from '../../../src/world/child.ts';
import { createFiles } from '../../../src/world/files/files.ts';
import { createSleep } from '../../../src/world/clock.ts';
import type { World } from '../../../src/world/world.ts';
import type { Ended } from './child.ts';
import { type ProgramSetup, startMotif } from './program.ts';
import { fakeWorld } from '../world.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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
  const root = temporaryFolder('/tmp');
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

/**
 * The same home with motif in this process: real files, clock, sockets and children, but motif itself is not started.
 * A stdin that stays open, or a command around motif, still gets the built program.
 */
export function inMemory(home: Home): Home {
  return {
    ...home,
    motif: async (args, setup = {}) => {
      if (setup.within !== undefined || setup.input === null) return await home.motif(args, setup);
      return await runInMemory(home, args, setup);
    },
  };
}

async function runInMemory({ root, env }: Home, args: readonly string[], setup: ProgramSetup): Promise<Ended> {
  const fake = fakeWorld({
    after: { folder: join(root, 'work'), secrets: new Map() },
    env: { PATH: process.env.PATH ?? '', ...env, ...setup.env },
    stdin: setup.input ?? '',
  });
  const world: World = {
    ...fake,
    now: Date.now,
    monotonic,
    sleep: createSleep(fake.interrupted),
    newId: () => randomBytes(5).toString('hex'),
    files: createFiles(),
    run: createChildRunner({ env: fake.env, interrupted: fake.interrupted }),
    send: createSend({ now: monotonic }),
  };
  const ending = await main(args, world);
  return {
    code: 'exitCode' in ending ? ending.exitCode : null,
    signal: 'signal' in ending ? ending.signal : null,
    stdout: fake.stdout.text,
    stderr: fake.stderr.text,
  };
}

function monotonic(): number {
  return performance.now();
}

/** A login of the built program that asks nobody; the token goes to stdin, or what the flags say. */
export function loginWords(name: string, ...flags: readonly string[]): readonly string[] {
  const address = `https://gw.example/api/v1/apps/${name}`;
  return ['login', address, '--token-stdin', '--no-verify', '--token-store', 'file', ...flags];
}
