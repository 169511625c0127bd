import { defuseLine, quotedLine } from '../text/defuse.ts';
import { quotedCharactersMax } from '../text/limits.ts';
import { type Fields, isFields, parseEnvelope, parseJson } from '../text/json/json.ts';
import { decodeUtf8 } from '../text/utf8.ts';

export interface ServiceFailure {
  /** The service's own `error` field, whatever its type; null where the body had none. */
  readonly detail: unknown;
  /** The beginning of a body without that field, as one defused line: words of a proxy or a firewall. */
  readonly page: string | null;
  /** The words of both for a person: one defused line, or undefined if the body says nothing. */
  readonly words: string | undefined;
  /** The service's own `code` of it; null where the body had none. */
  readonly code: string | null;
  readonly promptId: string | null;
}

/**
 * Reads the body of a reply that is not a 2xx. Nothing a server sends here can make it throw. `code` and `prompt_id`
 * are read even where something deeper stands twice; `error` only where the whole body has one meaning.
 */
export function parseFailure(body: Uint8Array, wordsMax = quotedCharactersMax): ServiceFailure {
  const text = decodeLoosely(body);
  const { code, prompt_id: promptId } = envelopeOf(text);
  const facts = { code: shortText(code), promptId: shortText(promptId) };
  const detail = errorField(text);
  if (detail !== undefined) return { detail, page: null, words: wordsOfDetail(detail, wordsMax), ...facts };
  const quoted = text.trim();
  if (saysNothing.test(quoted)) return { detail: null, page: null, words: undefined, ...facts };
  const page = defuseLine(quoted, quotedCharactersMax);
  return { detail: null, page, words: quotedLine(quoted, wordsMax), ...facts };
}

const saysNothing = /^(?:|null|\{\s*\}|\[\s*\])$/;

function decodeLoosely(body: Uint8Array): string {
  try {
    return decodeUtf8(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function envelopeOf(text: string): Fields {
  try {
    const value = parseEnvelope(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** A longer text is no name of anything. */
function shortText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= quotedCharactersMax ? value : null;
}

function errorField(text: string): unknown {
  try {
    const value = parseJson(text);
    return isFields(value) ? value.error : undefined;
  } catch {
    return undefined;
  }
}

/** The service's own `error` field for a person: one defused line; undefined where it says nothing. */
export function wordsOfDetail(detail: unknown, charactersMax = quotedCharactersMax): string | undefined {
  if (detail === null || detail === '') return undefined;
  if (typeof detail === 'string') return defuseLine(detail, charactersMax);
  const message = isFields(detail) ? detail.message : undefined;
  return defuseLine(typeof message === 'string' ? message : JSON.stringify(detail), charactersMax);
}
