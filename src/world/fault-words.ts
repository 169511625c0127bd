import { FileFault } from './world.ts';

/** Meaning of the system's error names to a person, in words that follow "PATH: ". */
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
  ERR_ACCESS_DENIED: 'the permissions that Node was started with forbid it',
  ERR_INVALID_ARG_VALUE: 'the name holds a NUL character',
};

/** Words for refusals of our own, before it is known by which name the file was called. */
export class FileRefusal extends Error {
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}

/**
 * The error name the system gave; an error that has none is not a fault of the outside and stays what it is. Node calls
 * some UNKNOWN, a used-up quota among them, but keeps their number.
 */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (error.code !== 'UNKNOWN' || !('errno' in error) || typeof error.errno !== 'number') return error.code;
  const number = -error.errno;
  const known = Object.entries(process.getBuiltinModule('node:os').constants.errno);
  return known.find(([, each]) => each === number)?.[0] ?? error.code;
}

export function faultWords(code: string): string {
  return wordsByCode[code] ?? `failed with ${code}`;
}

/** Makes whatever file work met with a FileFault under the name the caller knows. */
export function toFileFault(path: string, error: unknown): unknown {
  if (error instanceof FileFault) return error;
  if (error instanceof FileRefusal) return new FileFault(path, error.code, error.message);
  const code = errorCode(error);
  return code === undefined ? error : new FileFault(path, code, faultWords(code), error);
}

/** Runs file work; a fault of it is told under the name the caller knows. */
export function namingFaults(path: string): <T>(work: () => T) => T {
  return (work) => {
    try {
      return work();
    } catch (error) {
      throw toFileFault(path, error);
    }
  };
}
