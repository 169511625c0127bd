import * as fs from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { formatSize } from '../../text/sizes.ts';
import type { FileInfo } from '../world.ts';
import { FileRefusal } from '../fault-words.ts';
import { readFully } from './atomic-write.ts';
import { openRegular } from './file-info.ts';

const { O_NOFOLLOW, O_RDONLY } = fs.constants;

const chunkBytes = 64 * 1024;

/** A file that was read whole, at the path at which it was opened. */
interface WholeFile {
  readonly bytes: Uint8Array;
  readonly info: FileInfo;
  readonly path: string;
}

export function readRegular(
  path: string,
  bytesMax: number,
  follow: boolean,
  check: (fd: number) => void = () => undefined,
): WholeFile {
  const { fd, info } = openRegular(path, O_RDONLY | (follow ? 0 : O_NOFOLLOW));
  try {
    check(fd);
    if (info.size > bytesMax) throw tooLargeRefusal(bytesMax);
    return { bytes: readToEnd(fd, info.size, bytesMax), info, path };
  } finally {
    fs.closeSync(fd);
  }
}

/** Reads what is in a folder, also through links in it; a folder on the way may become one at any moment. */
export function readInside(path: string, folder: string, bytesMax: number): WholeFile {
  const around = fs.realpathSync(folder);
  const real = fs.realpathSync(path);
  needInside(real, around);
  let opened = real;
  const read = readRegular(real, bytesMax, false, (fd) => needInside((opened = openedAt(fd) ?? real), around));
  return { ...read, path: opened };
}

function needInside(real: string, folder: string): void {
  const way = relative(folder, real);
  const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (isOutside) throw new FileRefusal('EOUTSIDE', `is a link that leads out of ${folder}`);
}

/** The path of what is open; Linux alone tells. */
function openedAt(fd: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

export function readPart(path: string, start: number, bytesMax: number): { bytes: Uint8Array; info: FileInfo } {
  const { fd, info } = openRegular(path, O_RDONLY);
  try {
    const bytes = Buffer.alloc(bytesMax);
    return { bytes: bytes.subarray(0, readFully(fd, bytes, start)), info };
  } finally {
    fs.closeSync(fd);
  }
}

/** Reads to the end rather than to the size: the file may grow meanwhile, and files of the system say 0. */
function readToEnd(fd: number, size: number, bytesMax: number): Uint8Array {
  let bytes = Buffer.allocUnsafe(size + 1);
  for (let total = 0; ;) {
    const count = fs.readSync(fd, bytes, { offset: total });
    if (count === 0) return bytes.subarray(0, total);
    total += count;
    if (total > bytesMax) throw tooLargeRefusal(bytesMax);
    if (total === bytes.length) bytes = Buffer.concat([bytes], 2 * total + chunkBytes);
  }
}

function tooLargeRefusal(bytesMax: number): FileRefusal {
  return new FileRefusal('ETOOLARGE', `is larger than ${formatSize(bytesMax)}`);
}
