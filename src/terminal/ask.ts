import { Interrupted, MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { Secret } from '../text/secret.ts';
import { formatSize } from '../text/sizes.ts';
import type { World } from '../world/world.ts';
import { createHiddenLine, type LineEnd } from './hidden-line.ts';
import { fitLines } from './lines.ts';

/** Callers ask only where `canAsk` says so. Questions go to stderr, so that they are seen when stdout is not. */
type QuestionWorld = Pick<World, 'stdin' | 'stderr' | 'interrupted'>;

const answerCharactersMax = 65_536;
const pasteMarkers = /\u001b\[20[01]~/g;

/** True where a person sees a question and can answer it. */
export function canAsk({ stdin, stderr }: Pick<World, 'stdin' | 'stderr'>): boolean {
  return stdin.kind === 'terminal' && stderr.isTerminal;
}

/** True where a question may be seen, as through `tee`. For a login, which ends without an answer in any case. */
export function maySeeQuestion({ stdin, stderr }: Pick<World, 'stdin' | 'stderr'>): boolean {
  return stdin.kind === 'terminal' && stderr.isSeen;
}

/** Refuses to go on without an answer where nobody can give one; the hint has the flag that stands for it. */
export function requireConfirmation(world: Pick<World, 'stdin' | 'stderr'>, hint: string): void {
  if (!canAsk(world)) throw new MotifError('usage', 'cannot ask for confirmation here', { hint });
}

/** One line, trimmed. The question ends in a word or in a question mark. */
export async function askLine(world: QuestionWorld, question: string): Promise<string> {
  await world.stderr.write(asked(question, world));
  return (await readLine(world)).replaceAll(pasteMarkers, '').trim();
}

export async function confirm(world: QuestionWorld, question: string, defaultAnswer: boolean): Promise<boolean> {
  for (;;) {
    const answer = await askLine(world, `${question} ${defaultAnswer ? '[Y/n]' : '[y/N]'}`);
    if (answer === '') return defaultAnswer;
    if (/^y(es)?$/i.test(answer)) return true;
    if (/^no?$/i.test(answer)) return false;
    await world.stderr.write(`y or n; Enter means ${defaultAnswer ? 'yes' : 'no'}\n`);
  }
}

/** A line that is never shown. The terminal is put back whatever ends it. */
export async function askHidden(world: QuestionWorld, question: string): Promise<Secret> {
  const line = createHiddenLine();
  world.stdin.setRaw(true);
  try {
    await world.stderr.write(asked(question, world));
    const end = await readKeys(world, (keys) => line.feed(keys));
    if (end === 'interrupted') throw new Interrupted('SIGINT');
    if (end === 'ended') throw new MotifError('usage', 'no token given');
    return new Secret(line.text());
  } finally {
    world.stdin.setRaw(false);
    await world.stderr.write('\n');
  }
}

function asked(question: string, { stderr }: QuestionWorld): string {
  return `${fitLines(`${defuseLine(question)}${/[?\]]$/.test(question) ? '' : ':'}`, stderr)} `;
}

async function readKeys(world: QuestionWorld, feed: (keys: string) => LineEnd | undefined): Promise<LineEnd> {
  const decoder = new TextDecoder();
  for await (const chunk of world.stdin.chunks(world.interrupted)) {
    const end = feed(decoder.decode(chunk, { stream: true }));
    if (end !== undefined) return end;
  }
  return 'ended';
}

/** The terminal edits the line itself and hands it over whole; Ctrl-D on an empty one is the end of stdin. */
async function readLine(world: QuestionWorld): Promise<string> {
  const decoder = new TextDecoder();
  let line = '';
  for await (const chunk of world.stdin.chunks(world.interrupted)) {
    line += decoder.decode(chunk, { stream: true });
    const end = line.indexOf('\n');
    if (end !== -1) return line.slice(0, end);
    if (line.length > answerCharactersMax) {
      throw new MotifError('usage', `the answer is longer than ${formatSize(answerCharactersMax)}`);
    }
  }
  if (line !== '') return line;
  await world.stderr.write('\n');
  throw new MotifError('usage', 'no answer was given');
}
