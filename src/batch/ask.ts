import type { Client } from '../client/client.ts';
import { MotifError, TransportError } from '../errors.ts';
import { hasFailedPolicy, type Reply } from '../wire/reply.ts';
import type { PlannedRow, RowOutcome } from './row.ts';

/** Asks for one row. What fails for this row alone is its outcome; what would fail for every row is thrown. */
export class Asker {
  readonly #client: Client;
  readonly #monotonic: () => number;
  #hasAnswered = false;

  constructor(client: Client, monotonic: () => number) {
    this.#client = client;
    this.#monotonic = monotonic;
  }

  async ask(row: PlannedRow, signal: AbortSignal): Promise<RowOutcome> {
    const startedAt = this.#monotonic();
    try {
      const { reply, attempts, elapsedMs } = await this.#client.prompt(row.messages, signal);
      this.#hasAnswered = true;
      return hasFailedPolicy(reply)
        ? { error: unjudged(reply), usage: reply.usage, attempts, elapsedMs }
        : { reply, attempts, elapsedMs };
    } catch (error) {
      if (!(error instanceof MotifError) || isOfEveryRow(error, this.#hasAnswered)) throw error;
      const isLost = error.kind === 'network' && !error.isUnasked;
      const elapsedMs = Math.round(this.#monotonic() - startedAt);
      return { error, isLost, attempts: error.attempts, elapsedMs };
    }
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
