/** The way of every text to stdout; only the audit of `serve` goes there beside it, as `test/tidy.test.ts` sees to. */
import { MotifError, StdoutClosed } from '../errors.ts';
import { defuse, escapeJson } from '../text/defuse.ts';
import type { World } from '../world/world.ts';

type Stdout = Pick<World, 'stdout'>;

type Document = Readonly<Record<string, unknown>>;

export interface DocumentFlags {
  readonly json?: boolean | undefined;
  /** A path into the document, of which only that value is printed. */
  readonly field?: string | undefined;
}

/** Prints lines that motif made, without secrets; what others chose was defused where it became part of them. */
export async function printLines(
  lines: string,
  { stdout, redactor }: Pick<World, 'stdout' | 'redactor'>,
  { isSecretShown = false }: PrintOptions = {},
): Promise<void> {
  if (lines !== '') await stdout.write(withNewline(isSecretShown ? lines : redactor.redact(lines)));
}

export interface PrintOptions {
  /** True for a token that was just made, which a person gets to see this once. */
  readonly isSecretShown?: boolean;
}

/**
 * Prints a text that was received or saved: to a pipe to its last byte, to a terminal as `show` has it, by default
 * defused. A terminal gets no more once `stop` aborts; a sequence of ours that was cut in two is cancelled.
 */
export async function printReceived(
  text: string,
  { stdout }: Stdout,
  {
    show = () => defuse(text),
    stop,
  }: { readonly show?: () => string | Promise<string>; readonly stop?: AbortSignal | undefined } = {},
): Promise<void> {
  if (!stdout.isTerminal) return stdout.write(withNewline(text));
  const shown = withNewline(await show());
  await stdout.write(shown, stop);
  if (stop?.aborted) await stdout.write(shown.includes('\u001b') ? '\u0018\u001b[m\n' : '\n');
}

/** Prints whole lines of JSON as they are to a pipe; a terminal gets their control characters escaped. */
export async function printJsonLines(lines: Uint8Array, { stdout }: Stdout): Promise<void> {
  if (!stdout.isTerminal) return stdout.write(lines);
  const texts = Buffer.from(lines).toString().split('\n');
  await stdout.write(texts.map(escapeJson).join('\n'));
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

/** The text with a newline at its end, so that what follows begins a line. */
export function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
