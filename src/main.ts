import { CommandEnded, Interrupted, MotifError, type SignalName, StdoutClosed } from './errors.ts';
import { commandTable, runProgram } from './program.ts';
import { defuse, escapeJson } from './text/defuse.ts';
import type { World } from './world/world.ts';

/** How the process ends: with a code, or by the signal that asked it to. */
export type Ending = { readonly exitCode: number } | { readonly signal: SignalName };

/** The one catch: what was thrown anywhere becomes words on stderr and an exit code here and nowhere else. */
export async function main(argv: readonly string[], world: World): Promise<Ending> {
  try {
    await runProgram(argv, world);
    return { exitCode: 0 };
  } catch (thrown) {
    if (thrown instanceof Interrupted) return { signal: thrown.signal };
    if (thrown instanceof StdoutClosed) return { exitCode: 0 };
    if (thrown instanceof CommandEnded) return { exitCode: thrown.exitCode };
    return report(thrown, argv, world);
  }
}

async function report(thrown: unknown, argv: readonly string[], world: World): Promise<Ending> {
  const error = thrown instanceof MotifError ? thrown : unforeseen(thrown, world);
  const typed = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
  const stack = typed.includes('--debug') ? stackOf(thrown) : '';
  const ending = { exitCode: error.exitCode };
  await world.stderr.write(world.redactor.redact(`${error.said ? '' : describeError(error)}${stack}`));
  if (!typed.includes('--json') || error.documented) return ending;
  const blank = commandTable.find(({ name }) => typed.includes(name))?.blankDocument;
  try {
    await world.stdout.write(world.redactor.redact(`${escapeJson(JSON.stringify(error.toDocument(blank)))}\n`));
    return ending;
  } catch (closed) {
    if (closed instanceof StdoutClosed || closed instanceof MotifError) return ending;
    throw closed;
  }
}

/** What happened, why or where, and what to type next: a line each. */
function describeError({ message, notes, hints }: MotifError): string {
  const lines = [`motif: ${message}`, ...notes.map((note) => `  ${note}`), ...hints.map((hint) => `  ${hint}`)];
  return lines.map((line) => `${defuse(line)}\n`).join('');
}

function unforeseen(thrown: unknown, world: World): MotifError {
  return new MotifError('bug', `something unforeseen happened (report ${world.newId()})`, {
    hint: 'run it again with --debug and send what it prints to the authors; it holds no secrets',
    cause: thrown,
  });
}

function stackOf(thrown: unknown): string {
  const parts: string[] = [];
  for (let error: unknown = thrown; error instanceof Error && parts.length < 8; error = error.cause) {
    parts.push(defuse(error.stack ?? String(error)));
  }
  return parts.length === 0 ? '' : `${parts.join('\ncaused by: ')}\n`;
}
