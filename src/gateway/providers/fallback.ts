import type { FallbackCause } from '../config.ts';
import { type Provider, ProviderFailure } from '../vocabulary.ts';

interface FallbackOptions {
  /** The model that the fallback is asked for; without it, the same as the first provider. */
  readonly model?: string | undefined;
  /** Causes for which it is asked. */
  readonly on?: ReadonlySet<FallbackCause>;
  /** The clock of deadlines; without it there is always time. */
  monotonic?(): number;
  /** Told each time why the first provider was given up, which no caller would learn otherwise. */
  notice?(failure: ProviderFailure, promptId: string | undefined): void;
}

/** The least time in which a provider may still answer. */
const usefulMsMin = 10;

/** Failures after which the first provider surely did no work, so that none is paid twice. */
export const fallbackCausesDefault: ReadonlySet<FallbackCause> = new Set(['not_sent', 'limited']);

/**
 * Asks the second provider where the first one failed for one of the causes. A request that was sent and got no reply
 * may still run, and one that failed may have worked on it first: both would be paid twice, so they are causes by
 * choice alone. What a filter of the first one refused is an answer and goes nowhere else.
 */
export function withFallback(first: Provider, second: Provider, options: FallbackOptions = {}): Provider {
  const { on = fallbackCausesDefault } = options;
  return {
    name: first.name,
    kind: first.kind,
    async ask(request, limits) {
      try {
        return await first.ask(request, limits);
      } catch (failure) {
        if (!(failure instanceof ProviderFailure) || !on.has(causeOf(failure))) throw failure;
        limits.signal?.throwIfAborted();
        // One that is asked too late only hides the failure of the first, and is named for it.
        if (options.monotonic !== undefined && limits.deadlineAt - options.monotonic() < usefulMsMin) throw failure;
        options.notice?.(failure, limits.promptId);
        const { exchange } = limits;
        if (exchange !== undefined) {
          const firstFailure = `${first.name}: ${failure.reason}`;
          const model = options.model ?? request.model;
          const ofFirst = { requestId: undefined, modelAnswered: undefined, isUnsent: undefined };
          Object.assign(exchange, { ...ofFirst, provider: second.name, model, isFallback: true, firstFailure });
        }
        return await second
          .ask({ ...request, model: options.model ?? request.model }, limits)
          .catch((error: unknown) => {
            // The first may be at work still, so that the prompt of a client that has gone counts.
            if (failure.mayStillRun && exchange !== undefined) exchange.isUnsent = undefined;
            throw error instanceof ProviderFailure ? failureToTell(failure, error, [first.name, second.name]) : error;
          });
      }
    },
  };
}

function causeOf({ status, mayStillRun, surelyDidNotRun }: ProviderFailure): FallbackCause {
  if (mayStillRun) return status === 504 ? 'timeout' : 'reset';
  if (status === 429) return 'limited';
  return surelyDidNotRun ? 'not_sent' : 'failed';
}

/**
 * The failure to tell where both failed: of one that may have run, for a caller who hears a 429 asks again, as nothing
 * ran. Where neither did, a caller who is told when to come back is better off than one who hears that all is broken.
 */
function failureToTell(
  first: ProviderFailure,
  second: ProviderFailure,
  names: readonly [string, string],
): ProviderFailure {
  const saysWhen = first.retryAfterMs !== undefined && second.retryAfterMs === undefined;
  const isFirst = second.surelyDidNotRun && (saysWhen || !first.surelyDidNotRun);
  const { status, message, reason, ...parts } = isFirst ? first : second;
  return new ProviderFailure(status, message, {
    ...parts,
    reason: isFirst ? `${names[0]}: ${reason}` : reason,
    mayStillRun: first.mayStillRun || second.mayStillRun,
    detail: `${first.detail ?? first.message}; then ${names[1]}: ${second.detail ?? second.message}`,
  });
}
