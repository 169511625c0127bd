import { FileFault } from './world.ts';

/** What the system's error names mean to a person, in words that follow "PATH: ". */
const wordsByCode: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'has nothing to read now',
  EBUSY: 'is in use, or is a mount of its own',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'exists already',
  EFBIG: 'grows larger than is allowed here',
  EIO: 'the disk or device failed (input/output error)',
  EISDIR: 'is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this system',
  ENODEV: 'there is no such device',
  ENOENT: 'no such file or folder',
  ENOMEM: 'there is not enough memory',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'is a socket, or a pipe that nobody reads',
  EPIPE: 'its reader has gone',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network file system lost it',
  ERR_INVALID_ARG_VALUE: 'the name holds a NUL character',
};

/** The error name the system gave; an error that has none is not a fault of the outside and stays what it is. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export function faultWords(code: string): string {
  return wordsByCode[code] ?? `failed with ${code}`;
}

/** Runs file work on a path and gives whatever the system says about it as a FileFault. */
export function namingFaults<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileFault(path, error);
  }
}

export function toFileFault(path: string, error: unknown): unknown {
  const code = error instanceof FileFault ? undefined : errorCode(error);
  return code === undefined ? error : new FileFault(path, code, faultWords(code), error);
}
