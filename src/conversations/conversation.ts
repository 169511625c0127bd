import type { Reply, Usage } from '../wire/reply.ts';
import type { Message } from '../wire/request.ts';

/** The first line of a conversation's file; the file's name is its id. */
export interface Head {
  readonly id: string;
  readonly title: string | null;
  /** ISO 8601. */
  readonly created: string;
  readonly motifId: string | null;
  readonly profile: string | null;
}

/** The head of a conversation's file. */
export interface FileHead extends Head {
  readonly service: Service;
}

/** The service that answers: `demo` or `local` for a gateway in this process, else an address; undefined: unknown. */
export type Service = string | undefined;

/** Outcome of a turn, beside its texts. */
export interface TurnOutcome {
  readonly promptId: string | null;
  readonly finishReason: string | null;
  readonly usage: Usage | null;
  readonly elapsedMs: number;
}

export function toTurnOutcome({ promptId, finishReason, usage }: Reply, elapsedMs: number): TurnOutcome {
  return { promptId, finishReason, usage, elapsedMs };
}

/** The Motif that is asked, and what answers for it. */
export interface AskedMotif {
  readonly motifId: string | null;
  readonly service: Service;
}

export interface Turn {
  /** The messages of this turn alone, without those before. */
  readonly messages: readonly Message[];
  readonly answer: string;
  readonly outcome: TurnOutcome;
  /** Replaces the system message, in one write with the turn that was asked under it. */
  readonly system?: string;
  /** The Motif that answered; kept where it is not that of the turn before. */
  readonly asked?: AskedMotif;
  /** The turn whose place it takes, in one write with it: another answer to the same text. */
  readonly replaces?: string;
}

/** A turn as it was kept. */
export interface SavedTurn {
  readonly turn: string;
  /** The answer is the last one. */
  readonly messages: readonly Message[];
  /** When it was answered, ISO 8601. */
  readonly time: string;
  readonly outcome: TurnOutcome;
}

/** Store of the turns of one conversation. Nothing is written before its first turn was answered. */
export interface Conversation {
  readonly id: string;
  readonly path: string;
  readonly title: string | null;
  readonly motifId: string | null;
  readonly profile: string | null;
  /** The Motif of its last turn: that of its head, unless it went on elsewhere. */
  readonly lastAsked: AskedMotif;
  /** Messages before the next turn: the opening (system message, examples) and all turns that were not undone. */
  readonly messages: readonly Message[];
  /** The part of them that no turn brought along. */
  readonly opening: readonly Message[];
  readonly turns: number;
  /** Those turns, the oldest first. */
  readonly saidTurns: readonly SavedTurn[];
  /** ISO 8601. */
  readonly created: string;
  /** The tokens of all turns, undone and blocked ones included: they were paid for. */
  readonly totalTokens: number;
  /** False until the first turn is on disk, where that failed, and of one that is not to be kept. */
  readonly isSaved: boolean;
  /** Lines of its file that are broken and were left out. */
  readonly brokenLines: number;
  /** Rejects where the next turn could not be saved, as far as that can be known; writes nothing. */
  needWritable(): Promise<void>;
  /** Takes in what other processes have written since; tells how many turns that were. */
  refresh(): Promise<number>;
  /**
   * Durable when it resolves, the whole turn in one write; tells how many turns of other processes came before it.
   * The turn counts in memory even if saving it rejects (a MotifError), and the next one tries to save both.
   */
  addTurn(turn: Turn): Promise<number>;
  /** A blocked turn leaves what it cost, and never any text. */
  addBlocked(outcome: TurnOutcome): Promise<void>;
  /** Takes back the last turn and returns what was asked in it; undefined if there is none. */
  undo(): Promise<readonly Message[] | undefined>;
  /** Kept with the next turn that is answered. */
  setSystem(text: string | undefined): Promise<void>;
  rename(title: string): Promise<void>;
  /** From here on it is kept, and what was said so far is written (`/save` of a chat). */
  save(): Promise<void>;
  /** The same conversation under an id of its own; it is written at once if this one was. */
  fork(title?: string): Promise<Conversation>;
}

/** One line of a list. */
export interface Summary extends Head {
  readonly path: string;
  /** When something was last said, ISO 8601. */
  readonly updated: string;
  readonly turns: number;
  readonly totalTokens: number;
  /** Number of turns that a policy blocked. */
  readonly blocked: number;
  /** Why it cannot be used, in words that follow the path; null for nearly all. */
  readonly fault: string | null;
}

export interface FoundConversation {
  readonly summary: Summary;
  readonly score: number;
  /** Every line of its texts that holds a word of the query, in the order of the conversation. */
  readonly lines: readonly FoundLine[];
}

export interface FoundLine {
  readonly role: string;
  readonly text: string;
  /** Rank among the lines of its conversation. */
  readonly points: number;
}

export interface NewConversation {
  readonly title?: string;
  readonly motifId: string | null;
  readonly profile: string | null;
  readonly service?: Service;
  /** Messages before every turn: the system message, examples. */
  readonly opening?: readonly Message[];
  /** False: in memory alone, until `save` is called; nothing rejects (`--no-save` of a chat). */
  readonly isKept?: boolean;
}

export interface OpenOptions {
  /** False: what is said from here on stays in memory, until `save` is called. */
  readonly isKept?: boolean;
}

/** All saved conversations of this user. */
export interface Conversations {
  create(facts: NewConversation): Promise<Conversation>;
  /** Rejects where no conversation could be begun, as far as that can be known; makes and writes nothing. */
  needWritable(): Promise<void>;
  /** Does the work with this title, or with one behind a number where it is taken; meanwhile nobody takes another. */
  withFreeTitle<T>(title: string, work: (free: string) => Promise<T>): Promise<T>;
  /** Kind `usage` where there is none. */
  latest(options?: OpenOptions): Promise<Conversation>;
  /** By id, title, or the unique beginning of either; else kind `usage` with suggestions. */
  find(name: string, options?: OpenOptions): Promise<Conversation>;
  /** The newest first; what cannot be used is among them, with its fault. */
  list(): Promise<readonly Summary[]>;
  /** The best first; all words and "phrases" of the query are somewhere in each. */
  search(query: string): Promise<readonly FoundConversation[]>;
  /** By name as in `find`, also one that is broken. */
  look(name: string): Promise<Summary>;
  /** All that people said in them, what they took back included. */
  said(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Texts, titles and all else that was kept of them. */
  delete(ids: readonly string[]): Promise<void>;
}
