import { CommandEnded, Interrupted, MotifError, type SignalName, StdoutClosed } from './errors.ts';
import { createProgram, type FailureForm, type Program } from './program.ts';
import { printBeside, printDocument } from './terminal/output.ts';
import { defuse, defuseLine } from './text/defuse.ts';
import { Secret } from './text/secret.ts';
import { ownTokenForm } from './text/token-form.ts';
import type { World } from './world/world.ts';

/** The end of the process: a code, or the signal that asked for it. */
export type Ending = { readonly exitCode: number } | { readonly signal: SignalName };

/** Runs what was typed, and says at its end which of its changes a power loss may undo. */
export async function main(argv: readonly string[], world: World): Promise<Ending> {
  const ending = await runToEnd(argv, world);
  for (const { path, message } of world.files.unsynced.values()) {
    const { fitLines } = await import('./terminal/lines.ts');
    const words = `motif: warning: ${defuseLine(path)} is changed, but a power loss may undo it: ${message}`;
    await world.stderr.write(`${fitLines(world.redactor.redact(words), world.stderr)}\n`);
  }
  return ending;
}

/** The one catch: what was thrown anywhere becomes words on stderr and an exit code here and nowhere else. */
async function runToEnd(argv: readonly string[], world: World): Promise<Ending> {
  const program = createProgram(argv, world);
  const tokens = typedTokens(argv, world);
  if (!textCommands.test(program.typed)) for (const token of tokens) world.redactor.add(token);
  try {
    await program.run();
    return { exitCode: 0 };
  } catch (thrown) {
    if (thrown instanceof Interrupted) {
      // The terminal showed ^C where the cursor stood, and the shell's prompt is to have a line of its own.
      if (thrown.signal === 'SIGINT' && !thrown.isTold && world.stderr.isTerminal) await world.stderr.write('\n');
      return { signal: thrown.signal };
    }
    if (thrown instanceof StdoutClosed) return { exitCode: 0 };
    if (thrown instanceof CommandEnded) return { exitCode: thrown.exitCode };
    return report(thrown, { program, tokens }, world);
  }
}

/** Commands whose words are texts to be sent, judged or found: a token may be what is tried, and stand in an answer. */
const textCommands = /^(?:(?:prompt|chat|batch)\b|check add$|admin try$|history search$)/;

/** A shorter token may be an ordinary word. */
const tokenCharactersMin = 16;
/** Fewer characters of a token tell next to nothing. */
const startCharactersMin = 8;

/** Whole tokens in the words of the command line, most likely by mistake, as the name of a file or profile. */
function typedTokens(argv: readonly string[], { env }: World): readonly Secret[] {
  const own =
    env.MOTIF_TOKEN !== undefined && env.MOTIF_TOKEN.length >= tokenCharactersMin ? env.MOTIF_TOKEN : undefined;
  const found = argv.flatMap((word) => word.match(new RegExp(ownTokenForm, 'g')) ?? []);
  if (own !== undefined && argv.some((word) => word.includes(own))) found.push(own);
  return found.map((value) => new Secret(value));
}

/** Keeps typed tokens out of an error, and says what to do about one that would stand in it. */
function hideTokens(error: MotifError, tokens: readonly Secret[], { redactor }: World): void {
  const text = [error.message, ...error.notes, ...error.hints].join('\n');
  // A long word is cut where a message names it, and what is left of its token is hidden as well.
  const parts = tokens.flatMap((token) => startsOf(token.reveal()));
  for (const part of parts) redactor.add(new Secret(part));
  if (!parts.some((part) => text.includes(part))) return;
  error.withHint('a token must not be typed in a command, where others can see it: have it replaced');
}

/** A token and all its beginnings that are long enough to tell something of it. */
function startsOf(token: string): readonly string[] {
  return Array.from({ length: token.length - startCharactersMin + 1 }, (_, cut) => token.slice(0, token.length - cut));
}

interface Reported {
  readonly program: Program;
  readonly tokens: readonly Secret[];
}

async function report(thrown: unknown, { program, tokens }: Reported, world: World): Promise<Ending> {
  const error = thrown instanceof MotifError ? thrown : unforeseen(thrown, world);
  hideTokens(error, tokens, world);
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
