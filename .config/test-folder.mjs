import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A disk in memory that Linux has; a file is made and removed there in a tenth of the time. */
const inMemory = '/dev/shm';

/** Large inputs of several tests at once stay below a tenth of it. */
const roomMin = 2 * 1024 ** 3;

const name = 'motif-tests-';

/** Puts all that a run of the tests writes into one folder, which nobody else shares and which is removed after it. */
export function setup() {
  // Every project of a run comes here.
  if (basename(tmpdir()).startsWith(name)) return;
  const folder = mkdtempSync(join(isUsable() ? inMemory : tmpdir(), name));
  // Programs of another user are run in it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // Each of a thousand Nodes would read it at its start, for longer than most run; tests bring their own certificates.
  delete process.env.NODE_EXTRA_CA_CERTS;
  // After an interruption, too.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

function isUsable() {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= roomMin;
  } catch {
    return false;
  }
}
