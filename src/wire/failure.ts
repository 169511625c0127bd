import { defuseLine } from '../text/defuse.ts';
import { quotedCharactersMax } from '../text/limits.ts';
import { parseJson } from '../text/json.ts';
import { decodeUtf8 } from '../text/utf8.ts';

export interface Failure {
  /** The service's own `error` field, whatever its type; null where the body had none. */
  readonly detail: unknown;
  /** The same for a person: one defused line, or undefined if the body says nothing. */
  readonly words: string | undefined;
}

/** Reads the body of a reply that is not a 2xx. Nothing a server sends here can make it throw. */
export function parseFailure(body: Uint8Array): Failure {
  const text = decodeLoosely(body);
  const detail = errorField(text);
  if (detail !== undefined) return { detail, words: wordsOf(detail) };
  const quoted = text.trim();
  return { detail: null, words: quoted === '' ? undefined : `"${defuseLine(quoted, quotedCharactersMax)}"` };
}

function decodeLoosely(body: Uint8Array): string {
  try {
    return decodeUtf8(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function errorField(text: string): unknown {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>).error : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf(detail: unknown): string | undefined {
  if (detail === null || detail === '') return undefined;
  if (typeof detail === 'string') return defuseLine(detail, quotedCharactersMax);
  const message = typeof detail === 'object' ? (detail as Record<string, unknown>).message : undefined;
  return defuseLine(typeof message === 'string' ? message : JSON.stringify(detail), quotedCharactersMax);
}

/**
 * The milliseconds to wait that a Retry-After header asks for: whole seconds, or an HTTP date. Undefined where it is
 * absent or makes no sense; a moment that has passed is 0.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3,9},? \d{1,2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
