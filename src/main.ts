import { CommandEnded, Interrupted, MotifError, type SignalName, StdoutClosed } from './errors.ts';
import { runProgram, typedCommand } from './program.ts';
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
    if (thrown instanceof Interrupted) {
      // The terminal showed ^C where the cursor stood, and the shell's prompt is to have a line of its own.
      if (thrown.signal === 'SIGINT' && world.stderr.isTerminal) await world.stderr.write('\n');
      return { signal: thrown.signal };
    }
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
  if (typed.includes('--json') && !error.documented) await document(error, argv, world);
  // Help and version, which have to start fast, have no lines to fit.
  const { errorLines } = await import('./terminal/lines.ts');
  await world.stderr.write(world.redactor.redact(`${errorLines(error, world.stderr)}${stack}`));
  return ending;
}

/** Where stdout takes nothing, the failure is still the one to tell of. */
async function document(error: MotifError, argv: readonly string[], world: World): Promise<void> {
  const text = escapeJson(JSON.stringify(error.toDocument(typedCommand(argv)?.blankDocument)));
  try {
    await world.stdout.write(world.redactor.redact(`${text}\n`));
  } catch (trouble) {
    if (trouble instanceof MotifError) error.withNote(trouble.message);
    else if (!(trouble instanceof StdoutClosed)) throw trouble;
  }
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
