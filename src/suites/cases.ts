import { createHash } from 'node:crypto';
import type { Spot } from '../documents/spot.ts';
import { promptBytesMax } from '../text/limits.ts';
import { formatSize } from '../text/sizes.ts';
import type { Message } from '../wire/request.ts';
import type { Case, CaseTurn } from './case.ts';
import { type Expectations, pickExpectations, type WrittenExpectations } from './expectations/table.ts';
import type { WrittenCase, WrittenSuite } from './suite-shape.ts';

export interface CaseFiles {
  /** The text of a file that a suite names, from the suite's folder. */
  readText(path: string): Promise<string>;
}

interface CasePlace {
  readonly file: string;
  readonly line: number;
  /** Counted from 1, for a case without a name. */
  readonly number: number;
  /** The line that names the Motif, where that is another one. */
  readonly motifAt?: Case['motifAt'];
}

export type CaseDefaults = NonNullable<WrittenSuite['defaults']> & Pick<WrittenSuite, 'motif'>;

/** Makes a case of what is written; undefined where it has a fault, which the spot was then told. */
export async function toCase(
  written: WrittenCase,
  defaults: Partial<CaseDefaults>,
  place: CasePlace,
  { spot, files }: { readonly spot: Spot; readonly files: CaseFiles },
): Promise<Case | undefined> {
  await compileExpectations(written, spot, files);
  const turns = await turnsOf(written, defaults, spot, files);
  const { repeat = 1, min_pass: minPass = repeat, known } = written;
  if (minPass > repeat) spot.at('min_pass').fault(`is more than the ${repeat} times that the case is asked`);
  const isTooLarge = turns?.some(({ messages }) => sizeOf(messages) > promptBytesMax) === true;
  if (isTooLarge) spot.fault(`is a prompt larger than ${formatSize(promptBytesMax)}, the most that is sent`);
  if (turns === undefined || minPass > repeat || isTooLarge) return undefined;
  return {
    id: written.id ?? `case-${place.number}`,
    file: place.file,
    line: place.line,
    tags: [...new Set([...(defaults.tags ?? []), ...(written.tags ?? [])])],
    turns,
    repeat,
    minPass,
    known: known && { why: known.why, untilMs: known.until },
    providerAnswer: written.provider_answer,
    motif: written.motif ?? defaults.motif,
    motifAt: place.motifAt,
    timeoutMs: written.timeout ?? defaults.timeout,
    digest: digestOf([written, defaults, turns.map(({ messages }) => messages)]),
  };
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
}

function digestOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** Patterns and schemas of a case and its turns, each told of where it stands. */
async function compileExpectations(written: WrittenCase, spot: Spot, files: CaseFiles): Promise<void> {
  await compileAnswer(written.answer, spot.at('answer'), files);
  for (const [index, { answer }] of (written.turns ?? []).entries())
    await compileAnswer(answer, spot.at('turns', index, 'answer'), files);
}

async function compileAnswer(answer: WrittenCase['answer'], spot: Spot, files: CaseFiles): Promise<void> {
  await answer?.matches?.compile(spot.at('matches'));
  const schema = answer?.schema;
  if (schema === undefined) return;
  if (!isBelow(schema.path)) return spot.at('schema').fault("must stay below the suite's folder");
  await schema.compile(spot.at('schema'), (path) => files.readText(path));
}

async function turnsOf(
  written: WrittenCase,
  defaults: Partial<CaseDefaults>,
  spot: Spot,
  files: CaseFiles,
): Promise<readonly CaseTurn[] | undefined> {
  const ways = (['prompt', 'messages', 'file', 'turns'] as const).filter((name) => written[name] !== undefined);
  if (ways.length !== 1) return spot.fault(wordsForWays(ways));
  const system = written.system ?? defaults.system;
  if (written.turns !== undefined) return conversationOf(written.turns, { system, defaults, spot });
  if (written.messages !== undefined && written.system !== undefined)
    return spot.at('system').fault('stands beside messages, which can hold one');
  const text = written.file === undefined ? written.prompt : await readBelow(written.file, spot.at('file'), files);
  const messages = written.messages ?? (text === undefined ? [] : [...systemMessage(system), user(text)]);
  if (messages.length === 0) return written.messages === undefined ? undefined : spot.at('messages').fault('is empty');
  return [{ messages, expected: expectationsOf(written, defaults) }];
}

function wordsForWays(ways: readonly string[]): string {
  if (ways.length === 0) return 'needs prompt, messages, file or turns';
  return `has ${ways.join(' and ')}, but a case has one of them`;
}

interface ConversationParts {
  readonly system: string | undefined;
  readonly defaults: Partial<CaseDefaults>;
  readonly spot: Spot;
}

function conversationOf(
  turns: NonNullable<WrittenCase['turns']>,
  { system, defaults, spot }: ConversationParts,
): readonly CaseTurn[] | undefined {
  if (turns.length === 0) return spot.at('turns').fault('is empty');
  const made = turns.map((turn, index) => {
    const messages = turn.messages ?? (turn.prompt === undefined ? [] : [user(turn.prompt)]);
    if (messages.length === 0) spot.at('turns', index).fault('needs prompt');
    const before = index === 0 ? systemMessage(system) : [];
    return { messages: [...before, ...messages], expected: expectationsOf(turn, defaults) };
  });
  const isCutShort = made.slice(0, -1).some(({ expected }) => expected.expect === 'blocked');
  if (isCutShort) return spot.at('turns').fault('go on after one that must be blocked, and so has no answer');
  return made.some(({ messages }) => messages.length === 0) ? undefined : made;
}

function expectationsOf(written: WrittenExpectations, defaults: Partial<CaseDefaults>): Expectations {
  return { ...pickExpectations(written), expect: written.expect ?? defaults.expect ?? 'answered' };
}

function systemMessage(system: string | undefined): readonly Message[] {
  return system === undefined ? [] : [{ role: 'system', content: system }];
}

function user(content: string): Message {
  return { role: 'user', content };
}

/** A suite is somebody else's file, so that it may name nothing outside its own folder. */
async function readBelow(path: string, spot: Spot, files: CaseFiles): Promise<string | undefined> {
  if (!isBelow(path)) return spot.fault("must stay below the suite's folder");
  const text = await files.readText(path).catch((error: unknown) => {
    return spot.fault(`names a file that cannot be read: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  return text === '' ? spot.fault('names an empty file') : text;
}

export function isBelow(path: string): boolean {
  return !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..');
}
