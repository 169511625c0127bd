import type { PromptOutcome } from '../client/client.ts';
import type { Conversation, Conversations, Service } from '../conversations/conversation.ts';
import type { MotifError } from '../errors.ts';
import type { NamedText } from '../messages/compose.ts';
import type { Message } from '../wire/request.ts';
import { type TokenScale, usualScale } from './context.ts';

/** A terminal takes a text up to here at once, so that a Ctrl-C meanwhile is meant for what comes next. */
export const shownAtOnceMax = 16 * 1024;

/** The Motif of a chat and its profile; /profile puts another in its place. */
export interface ConnectedMotif {
  readonly profile: string | null;
  readonly motifId: string | null;
  readonly service: Service;
  /** The time that one prompt may take, with its origin. */
  timeLimit(): string;
  prompt(messages: readonly Message[], signal: AbortSignal): Promise<PromptOutcome>;
  /** Shows a turn, answered or blocked, until `stop` aborts; the line says where the conversation stands. */
  show(outcome: PromptOutcome, line: string, stop?: AbortSignal): Promise<void>;
}

/** Output of a chat beside its outcomes; the caller decides where it goes, and in which form. */
export interface ChatOutput {
  /** Shows what went wrong, why, and what to do; the chat goes on. */
  failure(error: MotifError): Promise<void>;
  notice(text: string): void;
  /** Shows the output of a slash command, made harmless. */
  text(text: string): Promise<void>;
  /** A part of an answer or of the conversation, for a program that reads stdout. */
  content(text: string): Promise<void>;
}

/** Everything that a chat needs from outside. */
export interface ChatPorts {
  readonly tell: ChatOutput;
  readonly saved: Conversations;
  /** Throws a MotifError where the person has said that nothing is ever to be kept. */
  allowSaving(): void;
  /** Runs what takes long; the signal aborts where the person has had enough of it. */
  working<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  connect(profile: string, stop: AbortSignal): Promise<ConnectedMotif>;
  /** Gives each prompt from now on this time, as typed; throws a MotifError where that is none. */
  allowTime(duration: string): void;
  profiles(): Promise<readonly string[]>;
  readFiles(name: string): Promise<readonly NamedText[]>;
  /** `command` names what was typed, for faults. */
  saveFile(path: string, content: string, command: string): Promise<'made' | 'replaced'>;
  /** Makes a case of a suite, an empty name for the usual one, and tells which. */
  addCase(suite: string, messages: readonly Message[], expect: 'answered' | 'blocked'): Promise<string>;
  /** Puts a text on the clipboard and tells how. */
  copy(text: string): Promise<string>;
  /** A person sits there, who can edit a text before it is sent. */
  readonly isInteractive: boolean;
  /** Keys bring back what was typed; without them the terminal alone edits a line. */
  readonly hasKeys: boolean;
  readonly contextTokensMax: number | undefined;
}

/** A text that was typed and not answered. */
interface HeldText {
  readonly text: string;
  readonly replacesLast: boolean;
  readonly isTakenBack?: boolean;
  /** Nobody has judged it, as far as is known. */
  readonly hasFailed?: boolean;
}

/** A chat between two turns. */
export interface Chat {
  readonly ports: ChatPorts;
  asked: ConnectedMotif;
  conversation: Conversation;
  /** Goes with the next message, and stays until one with it was answered. */
  attached: { readonly template?: string; readonly files: readonly NamedText[] };
  /** Messages before the next one that the conversation does not have yet. */
  ahead: readonly Message[];
  /** Typed, and not answered: blocked, failed, stopped, or taken back. */
  held: HeldText | undefined;
  /** The last reply with what was sent for it; no turn of the conversation if that was blocked or empty. */
  last:
    | {
        readonly outcome: PromptOutcome;
        readonly text: string;
        readonly sent: readonly Message[];
        readonly isTakenBack?: boolean;
      }
    | undefined;
  scale: TokenScale;
  /** True if new conversations are kept. */
  saves: boolean;
  /** Said once each. */
  readonly said: Set<'path' | 'unsaved' | 'left out' | 'blocked' | 'held' | 'elsewhere'>;
  blockedTurns: number;
}

export function createChat(
  ports: ChatPorts,
  start: Pick<Chat, 'asked' | 'conversation' | 'attached' | 'ahead' | 'saves'>,
): Chat {
  return {
    ports,
    ...start,
    held: undefined,
    last: undefined,
    scale: usualScale,
    said: new Set(),
    blockedTurns: 0,
  };
}

/** Another conversation takes the place of this one; what was typed and attached for this one goes with it. */
export function begin(conversation: Conversation, chat: Chat): void {
  chat.conversation = conversation;
  chat.attached = { files: [] };
  chat.ahead = [];
  chat.held = undefined;
  chat.last = undefined;
  chat.said.clear();
}
