import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { textFiles } from '../../.config/text-files.mjs';

/** Imports TypeScript modules as the bundler makes them, since Node 20 cannot read them itself. */
export async function built(entries) {
  const folder = mkdtempSync(join(tmpdir(), 'motif-built-'));
  try {
    const bundle = await rolldown({ input: entries, platform: 'node', tsconfig: false, plugins: [textFiles] });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
    await bundle.close();
    const names = Object.keys(entries);
    const modules = await Promise.all(names.map((name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href)));
    return Object.fromEntries(names.map((name, index) => [name, modules[index]]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
