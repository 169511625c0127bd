import { chownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { HttpRequest } from '../../../src/wire/http.ts';
import { motif, type MotifSetup, type Run, testToken } from '../motif.ts';
import type { FakeWorld } from '../world.ts';

export interface FoundFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

/** Runs `motif login` with nothing in the environment and the token on stdin, unless the setup says otherwise. */
export async function logIn(argv: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  return motif(['login', ...argv], { env: {}, stdin: `${testToken}\n`, ...setup });
}

/** A world in which these logins have been made, one after the other, without asking the service. */
export async function loggedIn(...logins: readonly (readonly string[])[]): Promise<FakeWorld> {
  let after: FakeWorld | undefined;
  for (const argv of logins) {
    const token = argv.find((word) => word.startsWith('token=')) ?? `token=${testToken}`;
    const words = argv.filter((word) => word !== token);
    const setup = { stdin: token.slice('token='.length), ...(after && { after }) };
    const run = await logIn([...words, '--token-stdin', '--no-verify'], setup);
    expect(run.stderr).not.toContain('motif: cannot');
    expect(run.exitCode).toBe(0);
    after = run.world;
  }
  if (after === undefined) throw new Error('name at least one login');
  return after;
}

export function configFolder(world: FakeWorld): string {
  return join(world.home ?? '', '.config', 'motif');
}

export function profileFile(world: FakeWorld, name: string): string {
  return join(configFolder(world), 'profiles', `${name}.json`);
}

/** Makes a file look like another user's; only root could really give it away. */
export function givenAway(path: string): { readonly uid?: number } {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { uid: uid + 1 };
  chownSync(path, 4242, 4242);
  return {};
}

/** Every file below a folder, links not followed. One that a running command removes meanwhile, as a lock, is none. */
export function filesBelow(folder: string): readonly FoundFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    try {
      return [{ path, mode: lstatSync(path).mode & 0o777, text: entry.isFile() ? readFileSync(path, 'latin1') : '' }];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** The names of the files below a folder that hold the text. */
export function filesHolding(folder: string, text: string): readonly string[] {
  return filesBelow(folder)
    .filter((file) => file.text.includes(text))
    .map((file) => file.path);
}

/** The document that a run of `--json` printed. */
export function documentOf(run: Run): Record<string, unknown> {
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

/** The token that a request carried; undefined if none. */
export function tokenOf({ headers }: HttpRequest): string | undefined {
  const { authorization } = headers;
  if (typeof authorization !== 'object') return authorization;
  return ('token' in authorization ? authorization.token : authorization).reveal();
}
