import { MotifError, StdoutClosed } from '../errors.ts';
import { defuse, escapeJson } from '../text/defuse.ts';
import type { World } from '../world/world.ts';

/** The one way to stdout; `test/tidy.test.ts` names the few files that write to it themselves. */
type Stdout = Pick<World, 'stdout'>;

type Document = Readonly<Record<string, unknown>>;

export interface DocumentFlags {
  readonly json?: boolean | undefined;
  /** A path into the document, of which only that value is printed. */
  readonly field?: string | undefined;
}

/**
 * Prints one JSON document and a newline, the form of every --json. Control and invisible characters are escaped, which
 * loses nothing and leaves a terminal nothing to obey.
 */
export async function printDocument(document: Document, { field }: DocumentFlags, world: Stdout): Promise<void> {
  const text = field === undefined ? escapeJson(JSON.stringify(document)) : fieldText(document, field, world);
  await world.stdout.write(`${text}\n`);
}

function fieldText(document: Document, path: string, { stdout }: Stdout): string {
  let value: unknown = document;
  for (const key of path.split('.')) {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isInside ? (value as Document)[key] : null;
  }
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return escapeJson(JSON.stringify(value));
  return (stdout.isTerminal ? defuse(value) : value).replace(/\n$/, '');
}

/** Prints what comes with a verdict. A failure stays what there is to tell, even where stdout takes nothing. */
export async function printBeside<T>(failure: MotifError | undefined, printing: Promise<T>): Promise<T | undefined> {
  try {
    return await printing;
  } catch (error) {
    const isOfStdout = error instanceof StdoutClosed || error instanceof MotifError;
    if (failure === undefined || !isOfStdout) throw error;
    if (error instanceof MotifError && error.message !== failure.message) failure.withNote(error.message);
    return undefined;
  }
}
