import type { SendOptions } from '../wire/http.ts';
import { monotonic } from './clock.ts';

/** Time that the system's resolver allows a question by itself. */
const usualMs = 10_000;

/**
 * Time that the system's resolver may ask, as its RES_OPTIONS. No question to it can be taken back, and the process
 * cannot end before its answer. It reads them at its first question, counts in whole seconds, and takes this time for
 * each of its name servers; undefined where its own limit is short enough.
 */
export function lookupLimit(limitMs: number): string | undefined {
  if (limitMs >= usualMs) return undefined;
  const attempts = limitMs > 1000 ? 2 : 1;
  return `timeout:${Math.max(1, Math.ceil(limitMs / attempts / 1000))} attempts:${attempts}`;
}

/** Limits what the system's resolver may take, before anything is looked up; a limit that the person set stands. */
export function limitLookups({ connection, deadlineAt }: Pick<SendOptions, 'connection' | 'deadlineAt'>): void {
  const limit = lookupLimit(Math.min(connection.connectTimeoutMs, deadlineAt - monotonic()));
  if (limit !== undefined) process.env.RES_OPTIONS ??= limit;
}
