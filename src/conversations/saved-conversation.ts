import { MotifError } from '../errors.ts';
import { formatSize } from '../text/sizes.ts';
import type { Message } from '../wire/request.ts';
import { FileFault, type World } from '../world/world.ts';
import type { AskedMotif, Conversation, FileHead, SavedTurn, Turn, TurnOutcome } from './conversation.ts';
import { cannotUse, needWritable } from './faults.ts';
import { conversationPath, otherStateHints } from './file-name.ts';
import { conversationBytesMax, type ReadConversation, readConversation } from './reading.ts';
import { messageLines, type WrittenLine, writeHead, writeLine } from './record.ts';
import { ConversationState, withSystem } from './state.ts';
import { checkTitle, defaultTitle, isMoved } from './title.ts';

export type ConversationsWorld = Pick<World, 'files' | 'now' | 'newId'>;

interface Begun {
  readonly folder: string;
  readonly head: FileHead;
  readonly opening: readonly Message[];
  readonly isKept: boolean;
}

/** A conversation of which nothing is on disk yet. */
export function beginConversation(
  world: ConversationsWorld,
  { folder, head, opening, isKept }: Begun,
): SavedConversation {
  const state = new ConversationState();
  state.opening = opening;
  return new SavedConversation(world, folder, { head, state, brokenLines: 0 }, { size: undefined, isKept });
}

/** Reads a conversation that is on disk; undefined if there is no such file, or nothing in it yet. */
export async function openConversation(
  world: ConversationsWorld,
  folder: string,
  id: string,
  isKept = true,
): Promise<SavedConversation | undefined> {
  const path = conversationPath(folder, id);
  try {
    const { bytes } = await world.files.read(path, { bytesMax: conversationBytesMax, follow: false });
    const reading = readConversation(bytes, id);
    return reading === undefined
      ? undefined
      : new SavedConversation(world, folder, reading, { size: bytes.length, isKept });
  } catch (error) {
    if (error instanceof FileFault && error.code === 'ENOENT') return undefined;
    throw cannotUse(path, id, error);
  }
}

class SavedConversation implements Conversation {
  readonly #world: ConversationsWorld;
  readonly #folder: string;
  readonly path: string;
  #head: FileHead;
  #state: ConversationState;
  brokenLines: number;
  /** Size of the file as it was last seen; undefined as long as there is none. */
  #size: number | undefined;
  /** Lines that stand in the state but not on disk. */
  #waiting: WrittenLine[] = [];
  #isKept: boolean;
  /** A system message under which nothing was answered yet; null for none. A block of it leaves no text on disk. */
  #nextSystem: string | null | undefined;

  constructor(
    world: ConversationsWorld,
    folder: string,
    reading: ReadConversation,
    { size, isKept }: { readonly size: number | undefined; readonly isKept: boolean },
  ) {
    this.#world = world;
    this.#folder = folder;
    this.#head = reading.head;
    this.#state = reading.state;
    this.brokenLines = reading.brokenLines;
    this.#size = size;
    this.#isKept = isKept;
    this.path = conversationPath(folder, reading.head.id);
  }

  get id(): string {
    return this.#head.id;
  }

  get title(): string | null {
    return this.#state.title ?? this.#head.title;
  }

  get motifId(): string | null {
    return this.#head.motifId;
  }

  get profile(): string | null {
    return this.#head.profile;
  }

  get lastAsked(): AskedMotif {
    const { motifId, service } = this.#state.moved ?? this.#head;
    return { motifId, service };
  }

  get created(): string {
    return this.#head.created;
  }

  get messages(): readonly Message[] {
    return [...this.opening, ...this.#state.turns.flatMap(({ messages }) => messages)];
  }

  get opening(): readonly Message[] {
    const { opening } = this.#state;
    return this.#nextSystem === undefined ? opening : withSystem(opening, this.#nextSystem);
  }

  get saidTurns(): readonly SavedTurn[] {
    return this.#state.turns;
  }

  get turns(): number {
    return this.#state.turnCount;
  }

  get totalTokens(): number {
    return this.#state.totalTokens;
  }

  get isSaved(): boolean {
    return this.#size !== undefined && this.#waiting.length === 0;
  }

  async needWritable(): Promise<void> {
    await needWritable(this.#world.files, this.#folder, this.#size === undefined ? undefined : this.path);
  }

  async refresh(): Promise<number> {
    if (this.#size === undefined) return 0;
    const info = await this.#world.files.info(this.path, { follow: false });
    if (info === undefined) throw new MotifError('io', `conversation ${this.id} was deleted meanwhile`);
    if (info.size === this.#size) return 0;
    const known = new Set(this.#state.turns.map(({ turn }) => turn));
    const read = await openConversation(this.#world, this.#folder, this.id);
    if (read === undefined) return 0;
    this.#head = read.#head;
    this.#state = read.#state;
    this.#size = read.#size;
    this.brokenLines = read.brokenLines;
    for (const line of this.#waiting) this.#state.take(line);
    return this.#state.turns.filter(({ turn }) => !known.has(turn)).length;
  }

  async addTurn({ messages, answer, outcome, asked, replaces, system: typed }: Turn): Promise<number> {
    // A fault that keeps us from looking keeps us from saving as well, and is told then.
    const others = await this.refresh().catch(() => 0);
    const turn = this.#newTurn();
    const system = typed ?? this.#nextSystem;
    this.#nextSystem = undefined;
    const said = [...messages, { role: 'assistant', content: answer }];
    const isFirst = !this.#isBegun;
    const opening = isFirst ? this.#openingLines(turn, system) : [];
    if (isFirst) this.#head = { ...this.#head, title: this.title ?? defaultTitle(messages) ?? null };
    const lines: WrittenLine[] = [
      ...messageLines(turn, said),
      ...(system === undefined || isFirst ? [] : [{ kind: 'system', turn, content: system } as const]),
      ...(asked === undefined || !isMoved(this.lastAsked, asked) ? [] : [moved(asked)]),
      this.#outcomeLine(turn, outcome, false),
      // Behind the outcome, so that a torn write never takes one turn and leaves out the other.
      ...(replaces === undefined ? [] : [{ kind: 'undo', turn: replaces } as const]),
    ];
    for (const line of lines) this.#state.take(line);
    this.#waiting.push(...opening, ...lines);
    if (this.#isKept) await this.#write();
    return others;
  }

  async addBlocked(outcome: TurnOutcome): Promise<void> {
    await this.#add(this.#outcomeLine(this.#newTurn(), outcome, true));
  }

  async undo(): Promise<readonly Message[] | undefined> {
    const last = this.#state.turns.at(-1);
    if (last === undefined) return undefined;
    await this.#add({ kind: 'undo', turn: last.turn });
    return last.messages.slice(0, -1);
  }

  async setSystem(text: string | undefined): Promise<void> {
    const content = text ?? null;
    if (this.#isBegun) this.#nextSystem = content;
    else this.#state.opening = withSystem(this.#state.opening, content);
  }

  async rename(title: string): Promise<void> {
    const checked = checkTitle(title);
    if (this.#isBegun) await this.#add({ kind: 'title', title: checked });
    else this.#head = { ...this.#head, title: checked };
  }

  async save(): Promise<void> {
    this.#isKept = true;
    if (this.#isBegun && this.#waiting.length > 0) await this.#write();
  }

  async fork(title?: string): Promise<SavedConversation> {
    const { opening, turns } = this.#state;
    const id = await freeId(this.#world, this.#folder);
    const created = new Date(this.#world.now()).toISOString();
    const head = {
      ...this.#head,
      ...this.lastAsked,
      id,
      created,
      title: title === undefined ? this.title : checkTitle(title),
    };
    const copy = beginConversation(this.#world, { folder: this.#folder, head, opening, isKept: this.#isKept });
    copy.#nextSystem = this.#nextSystem;
    const [first] = turns;
    if (first === undefined) return copy;
    const lines = turns.flatMap(({ turn, messages, outcome, time }): WrittenLine[] => [
      ...messageLines(turn, messages),
      { kind: 'outcome', turn, time, isBlocked: false, ...outcome },
    ]);
    copy.#waiting.push(...copy.#openingLines(first.turn));
    for (const line of lines) copy.#state.take(line);
    copy.#waiting.push(...lines);
    if (this.isSaved) await copy.#write();
    return copy;
  }

  /** True once a turn was added, so that there is something to keep. */
  get #isBegun(): boolean {
    return this.#size !== undefined || this.#waiting.some(({ kind }) => kind === 'message');
  }

  #newTurn(): string {
    const turn = this.#world.newId();
    return this.#state.hasTurn(turn) ? this.#newTurn() : turn;
  }

  #openingLines(turn: string, system?: string | null): WrittenLine[] {
    if (system !== undefined) this.#state.opening = withSystem(this.#state.opening, system);
    return messageLines(turn, this.#state.opening, true);
  }

  #outcomeLine(turn: string, outcome: TurnOutcome, isBlocked: boolean): WrittenLine {
    return { kind: 'outcome', turn, time: new Date(this.#world.now()).toISOString(), isBlocked, ...outcome };
  }

  async #add(line: WrittenLine): Promise<void> {
    this.#state.take(line);
    this.#waiting.push(line);
    if (this.#isKept && this.#isBegun) await this.#write();
  }

  /** Everything that waits goes in one write, so that a turn is there whole or not at all. */
  async #write(): Promise<void> {
    const { files } = this.#world;
    const isNew = this.#size === undefined;
    const text = [...(isNew ? [writeHead(this.#head)] : []), ...this.#waiting.map(writeLine)].join('\n');
    const size = (this.#size ?? 0) + Buffer.byteLength(text) + 1;
    if (size > conversationBytesMax) {
      throw this.#cannotSave(`it would grow larger than ${formatSize(conversationBytesMax)}`);
    }
    try {
      if (isNew) await files.makeFolder(this.#folder);
      await files.append(this.path, text, { mustExist: !isNew });
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      // Whoever deleted it is not to find it made again.
      if (!isNew && error.code === 'ENOENT') throw this.#cannotSave('it was deleted meanwhile');
      if (isNew) await files.remove(this.path).catch(() => undefined);
      throw this.#cannotSave(error.message, error);
    }
    this.#size = size;
    this.#waiting = [];
  }

  #cannotSave(reason: string, cause?: unknown): MotifError {
    const hint = cause instanceof FileFault ? otherStateHints(this.#folder, cause.code) : [];
    return new MotifError('io', `the conversation cannot be saved in ${this.path}: ${reason}`, { hint, cause });
  }
}

function moved({ motifId, service }: AskedMotif): WrittenLine {
  return { kind: 'moved', motifId, service };
}

/** Short, because people type it; two processes do not meet, and what this one has made already is looked at. */
export async function freeId({ files, newId }: ConversationsWorld, folder: string): Promise<string> {
  for (;;) {
    const id = newId();
    if ((await files.info(conversationPath(folder, id), { follow: false })) === undefined) return id;
  }
}
