import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { sharedFolder } from '../temporary-folder.ts';

/** Bundles a TypeScript program so that bare Node can run it; removed after the tests of the calling file. */
export async function bundleProgram(
  entry: string,
  { external = [/transport\/send/] }: { readonly external?: RegExp[] } = {},
): Promise<string> {
  const folder = sharedFolder();
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
