import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fakeWorld } from '../world.ts';

/** A folder with one of everything that is not a plain file. */
export function zoo() {
  const { folder, files } = fakeWorld();
  const at = (name: string) => join(folder, name);
  fs.writeFileSync(at('plain'), 'hello', { mode: 0o640 });
  fs.mkdirSync(at('folder'));
  fs.symlinkSync('plain', at('link'));
  fs.symlinkSync('circle', at('circle'));
  fs.symlinkSync('nowhere', at('dangling'));
  fs.symlinkSync('/dev/zero', at('zero'));
  execFileSync('mkfifo', [at('fifo')]);
  return { folder, files, at };
}

export const modeOf = (path: string): number => fs.statSync(path).mode & 0o777;

/** Lets everybody into a private test folder. */
export function openUp(folder: string): void {
  fs.chmodSync(join(folder, '..'), 0o755);
  fs.chmodSync(folder, 0o755);
}
