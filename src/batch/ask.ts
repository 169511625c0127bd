import type { Client, PromptOutcome } from '../client/client.ts';
import { MotifError, TransportError } from '../errors.ts';
import { hasFailedPolicy, type Reply } from '../wire/reply.ts';
import type { PlannedRow, RowOutcome } from './row.ts';

/** Asks for one row, and tells what fails for this row alone from what would fail for every row. */
export class Asker {
  readonly #client: Client;
  #hasAnswered = false;

  constructor(client: Client) {
    this.#client = client;
  }

  ask(row: PlannedRow, signal: AbortSignal): Promise<PromptOutcome> {
    return this.#client.promptJson(row.messagesJson, signal);
  }

  /** The outcome of a row that was answered or blocked. */
  outcomeOf({ reply, attempts, elapsedMs }: PromptOutcome): RowOutcome {
    this.#hasAnswered = true;
    return hasFailedPolicy(reply)
      ? { error: unjudged(reply), usage: reply.usage, attempts, elapsedMs }
      : { reply, attempts, elapsedMs };
  }

  /** The outcome of a row that failed; undefined where every row would. */
  outcomeOfFailure(error: MotifError, elapsedMs: number): RowOutcome | undefined {
    if (isOfEveryRow(error, this.#hasAnswered)) return undefined;
    const isLost = error.kind === 'network' && !error.isUnasked;
    return { error, isLost, attempts: error.attempts, elapsedMs: Math.round(elapsedMs) };
  }
}

/** A policy that could not judge says nothing of the row, which therefore is asked again by the next run. */
function unjudged({ promptId }: Reply): MotifError {
  const error = new MotifError('unverified', 'a policy could not judge, so it blocked', {
    code: 'policy_failed',
    hint: 'the same command asks again; motif help blocked',
  });
  return error.withFacts({ prompt_id: promptId });
}

/** A wrong token, address or certificate is wrong for all; before the first answer little else can be meant. */
function isOfEveryRow(error: MotifError, hasAnswered: boolean): boolean {
  if (error.kind === 'auth' || error.kind === 'config' || error.kind === 'usage' || error.kind === 'io') return true;
  if (hasAnswered) return false;
  if (error instanceof TransportError) return error.kind === 'network' && !error.sent && !error.transient;
  const { kind, status = 0 } = error;
  if (kind === 'rejected') return [404, 405, 415].includes(status);
  return kind === 'service' && status < 500;
}
