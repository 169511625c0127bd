import { CommandEnded, Interrupted, MotifError, type SignalName, StdoutClosed } from './errors.ts';
import { createProgram, type FailureForm, type Program } from './program.ts';
import { printBeside, printDocument } from './terminal/output.ts';
import { defuse } from './text/defuse.ts';
import { Secret } from './text/secret.ts';
import { ownTokenForm } from './text/token-form.ts';
import type { World } from './world/world.ts';

/** The end of the process: a code, or the signal that asked for it. */
export type Ending = { readonly exitCode: number } | { readonly signal: SignalName };

/** The one catch: what was thrown anywhere becomes words on stderr and an exit code here and nowhere else. */
export async function main(argv: readonly string[], world: World): Promise<Ending> {
  const program = createProgram(argv, world);
  hideTypedTokens(argv, program, world);
  try {
    await program.run();
    return { exitCode: 0 };
  } catch (thrown) {
    if (thrown instanceof Interrupted) {
      // The terminal showed ^C where the cursor stood, and the shell's prompt is to have a line of its own.
      if (thrown.signal === 'SIGINT' && world.stderr.isTerminal) await world.stderr.write('\n');
      return { signal: thrown.signal };
    }
    if (thrown instanceof StdoutClosed) return { exitCode: 0 };
    if (thrown instanceof CommandEnded) return { exitCode: thrown.exitCode };
    return report(thrown, program, world);
  }
}

/** Commands whose words are texts to be sent, judged or found: a token there may be what is tried. */
const textCommands = /^(?:(?:prompt|chat|batch|check)\b|admin try$|history search$)/;

/** Keeps a whole token that was typed by mistake, as the name of a profile, out of all that is printed. */
function hideTypedTokens(argv: readonly string[], { typed }: Program, { redactor }: World): void {
  if (textCommands.test(typed)) return;
  for (const word of argv) {
    const value = word.replace(/^--[\w-]+=/, '');
    if (ownTokenForm.test(value)) redactor.add(new Secret(value));
  }
}

async function report(thrown: unknown, program: Program, world: World): Promise<Ending> {
  const error = thrown instanceof MotifError ? thrown : unforeseen(thrown, world);
  const stack = program.isDebugged() ? stackOf(thrown) : '';
  const ending = { exitCode: error.exitCode };
  const form = error.hasDocument ? undefined : await program.failureForm();
  if (form !== undefined) await printFailure(error, form, world);
  // Help and version, which have to start fast, have no lines to fit.
  const [{ errorLines }, { colourIsOn, createStyle }] = await Promise.all([
    import('./terminal/lines.ts'),
    import('./terminal/style.ts'),
  ]);
  const { stderr, redactor } = world;
  const style = await createStyle(colourIsOn(program.colour(), world.env, stderr.isTerminal));
  await stderr.write(redactor.redact(`${errorLines(error, stderr, style)}${stack}`));
  return ending;
}

/** Puts the failure on stdout as a document. Where stdout takes nothing, it is still the one to tell of. */
async function printFailure(error: MotifError, { blank, field }: FailureForm, world: World): Promise<void> {
  const text = world.redactor.redact(JSON.stringify(error.toDocument(blank)));
  const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
  await printBeside(error, printDocument(document, { field }, world));
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
