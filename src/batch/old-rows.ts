import { FileFault, type Files } from '../world/world.ts';
import { parseStoredRow } from './output-line.ts';
import { StoredLines } from './stored-lines.ts';

/** The name beside an output under which its rows stay while all are asked again; nothing else is called so. */
export function oldPathOf(path: string): string {
  return `${path}.before-fresh`;
}

/** Finding about that file: an output of batch is `kept` there, or there is something `other`. */
export async function findOldRows(path: string, files: Files): Promise<'none' | 'kept' | 'other'> {
  const old = oldPathOf(path);
  const info = await files.info(old, { follow: false });
  if (info === undefined) return 'none';
  if (info.type !== 'file') return 'other';
  try {
    const grown = await files.openGrown(old);
    try {
      const [first] = new StoredLines(grown).all();
      return first !== undefined && parseStoredRow(first.text) !== undefined ? 'kept' : 'other';
    } finally {
      grown.close();
    }
  } catch (error) {
    if (error instanceof FileFault) return 'other';
    throw error;
  }
}
