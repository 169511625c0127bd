import { JsonFault } from '../../text/json/json.ts';
import type { Policy } from './policy.ts';

/** The same policy, which tells why it could not ask outside: a judge only needs to know that it could not. */
export function withNotedFailures(policy: Policy, note: (reason: string) => void): Policy {
  const { ask } = policy;
  if (ask === undefined) return policy;
  return {
    ...policy,
    async ask(texts, side, limits) {
      try {
        return await ask(texts, side, limits);
      } catch (error) {
        // Given up with its client, it has not failed.
        if (limits.signal?.aborted !== true) note(reasonOf(error));
        throw error;
      }
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof JsonFault || error instanceof TypeError) return 'its answer is no JSON of the form it must have';
  return error instanceof Error ? error.message : 'it gave no answer';
}
