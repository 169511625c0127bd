import { MotifError, StdoutClosed } from '../../errors.ts';
import { defuse, escapeJson } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';

type Document = Readonly<Record<string, unknown>>;

export interface DocumentFlags {
  readonly json?: boolean;
  /** A path into the document, of which only that value is printed. */
  readonly field?: string;
}

/**
 * One JSON document and a newline, the form of every --json. Control and invisible characters are escaped, which loses
 * nothing and leaves a terminal nothing to obey.
 */
export async function printDocument(document: Document, flags: DocumentFlags, world: World): Promise<void> {
  const text =
    flags.field === undefined ? escapeJson(JSON.stringify(document)) : fieldText(document, flags.field, world);
  await world.stdout.write(`${text}\n`);
}

function fieldText(document: Document, path: string, world: World): string {
  let value: unknown = document;
  for (const key of path.split('.')) {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isInside ? (value as Document)[key] : null;
  }
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return escapeJson(JSON.stringify(value));
  return (world.stdout.isTerminal ? defuse(value) : value).replace(/\n$/, '');
}

/** Puts a failure of the work on stdout too, where a document was asked for; `main` still says it on stderr. */
export async function documentingFailure(
  flags: DocumentFlags,
  facts: () => Document,
  world: World,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isWanted = flags.json === true || flags.field !== undefined;
    if (!(error instanceof MotifError) || error.documented || !isWanted) throw error;
    await printFailure(error, { ...facts(), status: error.status ?? null, attempts: error.attempts }, flags, world);
    throw error;
  }
}

/** Prints the one document of a failure; `main` then knows that there is one. */
export async function printFailure(
  error: MotifError,
  facts: Document,
  flags: DocumentFlags,
  world: World,
): Promise<void> {
  const text = world.redactor.redact(JSON.stringify(error.toDocument(facts)));
  error.documented = true;
  await printBeside(error, printDocument(JSON.parse(text) as Document, flags, world));
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
