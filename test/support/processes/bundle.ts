import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

/** Bundles a TypeScript program so that bare Node can run it; removed after the tests of the calling file. */
export async function bundleProgram(
  entry: string,
  { external = [/transport\/send/] }: { readonly external?: RegExp[] } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'motif-program-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Other users run it, too.
  chmodSync(folder, 0o755);
  const bundle = await rolldown({
    input: { program: entry },
    platform: 'node',
    external,
    tsconfig: false,
  });
  await bundle.write({ dir: folder, format: 'cjs' });
  await bundle.close();
  return join(folder, 'program.js');
}
