import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder of this test's own, which goes when it ends; below /tmp another user can be let in. */
export function temporaryFolder(parent?: string): string {
  return folderUntil(onTestFinished, parent);
}

/** A folder of all tests of a file, which goes after the last of them. */
export function sharedFolder(parent?: string): string {
  return folderUntil(afterAll, parent);
}

function folderUntil(end: (remove: () => void) => void, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'motif-test-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
