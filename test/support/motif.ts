import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Ending, main } from '../../src/main.ts';
import { fakeWorld, type FakeWorld, type WorldSetup } from './world.ts';

export interface MotifSetup extends WorldSetup {
  /** Files in the working folder, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Called with the world once it is made, before motif runs in it. */
  readonly prepare?: (world: FakeWorld) => void;
}

export interface Run {
  /** Undefined where it ended by a signal. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly world: FakeWorld;
}

/** The test token: the run as a whole makes sure that it stands nowhere but in the profile store. */
export const testToken = 'mtf_test_4Zq9Lw7Yb2Xn8Vc3';
export const testUrl = 'https://gw.example/api/v1/apps/support-bot';

/** Everything from the environment, as a CI job has it. */
export const testEnv = { MOTIF_URL: testUrl, MOTIF_TOKEN: testToken };

/** Runs motif as it is used: argv in; exit code, stdout and stderr out. In memory, with files in a private folder. */
export async function motif(argv: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  const world = fakeWorld({ env: testEnv, ...setup });
  for (const [name, content] of Object.entries(setup.files ?? {})) {
    mkdirSync(dirname(join(world.folder, name)), { recursive: true });
    writeFileSync(join(world.folder, name), content);
  }
  setup.prepare?.(world);
  const ending: Ending = await main(argv, world);
  return {
    exitCode: 'exitCode' in ending ? ending.exitCode : undefined,
    signal: 'signal' in ending ? ending.signal : undefined,
    stdout: world.stdout.text,
    stderr: world.stderr.text,
    world,
  };
}
