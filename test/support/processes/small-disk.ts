import { isRoot, shell } from './child.ts';
import { program } from './program.ts';
import { missingPrograms } from './programs.ts';

/** The reason to skip tests on a small disk, if any. */
export const noSmallDisk = isRoot ? missingPrograms('unshare', 'mount') : missingPrograms('bwrap');

/** Runs a line of shell in a folder that is a disk of 64 KiB; `$0` is the folder, the rest the program. */
export async function onSmallDisk(root: string, line: string): Promise<string> {
  const inside = ['/bin/sh', '-c', line, root, ...program];
  const run = isRoot
    ? shell('unshare -m sh -c \'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"\' "$@"', root, ...inside)
    : shell('bwrap --dev-bind / / --size 65536 --tmpfs "$@"', root, ...inside);
  return (await run).stdout;
}
