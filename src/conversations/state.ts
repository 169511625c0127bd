import type { Message } from '../wire/request.ts';
import type { AskedMotif, SavedTurn, TurnOutcome } from './conversation.ts';
import type { RecordLine } from './record.ts';

interface Pending {
  readonly opening: Message[];
  readonly messages: Message[];
  system: string | null | undefined;
}

/** State of a conversation after its lines, taken in one after the other. */
export class ConversationState {
  /** Title of the last `title` record; undefined if only the head says one. */
  title: string | undefined;
  /** The Motif of the last turns; undefined if it is that of the head. */
  moved: AskedMotif | undefined;
  opening: readonly Message[] = [];
  totalTokens = 0;
  /** Turns that a policy blocked. */
  blocked = 0;
  /** When something was last said; empty if nothing was. */
  updated = '';
  readonly #turns = new Map<string, SavedTurn>();
  /** Turns of which no outcome was seen yet. */
  readonly #pending = new Map<string, Pending>();

  take(line: RecordLine): void {
    switch (line.kind) {
      case 'message': {
        const { opening, messages } = this.#pendingOf(line.turn);
        (line.isOpening ? opening : messages).push({ role: line.role, content: line.content });
        break;
      }
      case 'outcome':
        this.#end(line);
        break;
      case 'undo':
        this.#turns.delete(line.turn);
        break;
      case 'system':
        if (line.turn !== null) this.#pendingOf(line.turn).system = line.content;
        else this.opening = withSystem(this.opening, line.content);
        break;
      case 'title':
        this.title = line.title;
        break;
      case 'moved':
        this.moved = { motifId: line.motifId, service: line.service };
        break;
      case 'other':
    }
  }

  get turns(): readonly SavedTurn[] {
    return [...this.#turns.values()];
  }

  get turnCount(): number {
    return this.#turns.size;
  }

  hasTurn(turn: string): boolean {
    return this.#turns.has(turn);
  }

  get messages(): readonly Message[] {
    return [...this.opening, ...this.turns.flatMap(({ messages }) => messages)];
  }

  #end({ kind: _kind, turn, time, isBlocked, ...outcome }: Extract<RecordLine, { kind: 'outcome' }>): void {
    const { opening, messages, system } = this.#pendingOf(turn);
    this.#pending.delete(turn);
    this.totalTokens += tokensOf(outcome);
    if (time > this.updated) this.updated = time;
    if (isBlocked) {
      this.blocked += 1;
      return;
    }
    if (opening.length > 0) this.opening = [...this.opening, ...opening];
    if (system !== undefined) this.opening = withSystem(this.opening, system);
    this.#turns.set(turn, { turn, messages, time, outcome });
  }

  #pendingOf(turn: string): Pending {
    const found = this.#pending.get(turn) ?? { opening: [], messages: [], system: undefined };
    this.#pending.set(turn, found);
    return found;
  }
}

/** Messages with another system message at their start, or with none. */
export function withSystem(messages: readonly Message[], system: string | null): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const others = first === -1 ? [] : messages.slice(first);
  return system === null ? others : [{ role: 'system', content: system }, ...others];
}

export function tokensOf({ usage }: TurnOutcome): number {
  return usage?.total_tokens ?? (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0);
}
