import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of this test's own, which goes when it ends; below /tmp another user can be let in. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'motif-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
