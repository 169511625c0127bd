import { base64Inside, createRedactor, hexadecimalAt, redactionMark, type Redactor } from '../../text/redact.ts';
import { Secret } from '../../text/secret.ts';
import type { Piecework } from '../../text/turns.ts';
import type { ProxyRoute } from '../../wire/http.ts';
import type { GatewayConfig, ProviderConfig } from '../config.ts';
import { LetterRuns, lettersOf } from './letter-runs.ts';
import { hasSpellings, isRandom, SpelledSecret, viewOf } from './spelled-secrets.ts';

/** The most letters of a key that an answer may repeat. */
export const keyLettersMax = 6;
/** The fewest letters of a word of several, digits among them, that is a secret of its own. */
const wordLettersMin = 12;
/** The fewest letters and digits of a secret that no answer of another service holds by chance. */
const foreignLettersMin = 12;

export type Hide = (text: string) => string;

/** Hides secrets in what one provider says. */
export interface ProviderSecrets {
  /** The values of its own. */
  readonly own: readonly string[];
  /** Hides these as they are and in base64. */
  readonly wholes: Hide;
  /** Hides all secrets of the file that are long enough, in every form. */
  readonly inAnswer: Hide;
  /** The same for a large answer, in pieces; a part of it that is full of secrets is hidden as a whole. */
  readonly inLargeAnswer: (text: string) => Piecework<string>;
  /** Hides its own short ones, too. */
  readonly inWords: Hide;
}

/** A value that is hidden, in whatever form. */
interface Known {
  readonly value: string;
  /** True for a name, such as "ACME Assistant 2025", whose words may stand in answers by themselves. */
  readonly isName: boolean;
  readonly spelled: SpelledSecret | undefined;
  /** False where the letters of a text cannot tell that it lacks the value, which is looked for in each text then. */
  hasRuns: boolean;
  /** A text in which none of its runs stands holds the value in no form, unless it holds one of these. */
  windows: readonly string[];
}

/**
 * The secrets of a whole gateway file. None leaves by an answer of any provider: a model may have been told one by
 * somebody else, and services behind one proxy may repeat the headers of each other.
 */
export class FileSecrets {
  readonly #known = new Map<string, Known>();
  readonly #runs = new LetterRuns<Known>();
  readonly #foreign: readonly Known[];
  readonly #unsureForeign: readonly Known[];
  /** Hides those that are long enough to stand nowhere by chance. */
  readonly inAnyWords: Hide;

  /** `others` stand beside the configuration. */
  constructor({ providers, policies }: Pick<GatewayConfig, 'providers' | 'policies'>, others: readonly string[] = []) {
    const ofPolicies = [...policies.values()].flatMap(({ options }) => this.#knownOf(valuesIn(options)));
    const all = new Set([
      ...[...providers.values()].flatMap((config) => this.#of(config)),
      ...ofPolicies,
      ...this.#knownOf(others),
    ]);
    const isForeign = ({ value, isName }: Known): boolean => !isName && lettersOf(value).length >= foreignLettersMin;
    this.#foreign = [...all].filter(isForeign);
    this.#unsureForeign = this.#foreign.filter(isUnsure);
    this.inAnyWords = this.#hiderOf([]);
  }

  of(config: ProviderConfig): ProviderSecrets {
    const own = this.#of(config);
    const inAnswers = own.filter(({ value }) => value.length > keyLettersMax);
    const redactor = redactorFor(own);
    const inAnswer = this.#hiderOf(inAnswers);
    const longest = [...inAnswers, ...this.#foreign].reduce((most, { value }) => Math.max(most, value.length), 0);
    return {
      own: own.map(({ value }) => value),
      wholes: (text) => redactor.redact(text),
      inAnswer,
      inLargeAnswer: (text) => hideInPieces(text, inAnswer, signsPerCharacter * longest),
      inWords: this.#hiderOf(own),
    };
  }

  #of({ key, headers, proxy }: Pick<ProviderConfig, 'key' | 'headers' | 'proxy'>): readonly Known[] {
    return [...this.#knownOf(valuesIn({ key, proxy })), ...this.#knownOf(valuesIn(headers), true)];
  }

  /** Whole secrets, and each long word of one of several: `Bearer` need not be repeated with the token. */
  #knownOf(whole: readonly string[], mayBeNames = false): readonly Known[] {
    const words = whole.flatMap((text) => text.split(/[ ,;]+/)).filter((word) => !whole.includes(word));
    const tokens = words.filter((word) => word.length >= wordLettersMin && /\d/.test(word));
    return [...whole, ...tokens].map((value) => this.#know(value, mayBeNames && !isRandom(value)));
  }

  #know(value: string, isName: boolean): Known {
    const before = this.#known.get(value);
    if (before !== undefined && (isName || !before.isName)) return before;
    const spelled = !isName && hasSpellings(value) ? new SpelledSecret(value) : undefined;
    const known: Known = { value, isName, spelled, hasRuns: false, windows: [] };
    this.#known.set(value, known);
    const forms = [value, ...[0, 1, 2].map((offset) => base64Inside(value, offset))].map(lettersOf);
    // Of a secret with a sign that begins an escape, one reading of a text may have only a part.
    known.hasRuns = !/[%\\]/.test(value) && forms.every((form) => this.#runs.add(form, known));
    if (known.hasRuns && spelled !== undefined) known.windows = spelled.addTo(this.#runs, known);
    return known;
  }

  /** Hides those of one provider and the foreign ones; a list of all for each provider would grow with the square. */
  #hiderOf(values: readonly Known[]): Hide {
    if (values.length === 0 && this.#foreign.length === 0) return (text) => text;
    const unsure = [...values.filter(isUnsure), ...this.#unsureForeign];
    return (text) => {
      const found = this.#runs.in(readingsOf(text));
      for (const known of unsure) if (mayHold(text, known)) found.add(known);
      if (found.size === 0) return text;
      // In the order of the file: `Bearer` and a token come before the token alone.
      const standing = new Set([...values, ...this.#foreign].filter((known) => found.has(known)));
      let hidden = redactorFor(standing).redact(text);
      for (const { spelled } of standing) hidden = spelled?.hide(hidden) ?? hidden;
      return hidden;
    };
  }
}

/** A character of a secret with all that may stand between it and the next one. */
const signsPerCharacter = 32;
/** Characters of an answer in which secrets are looked for at once, which takes up to 20 ms. */
export const piecesCharactersMin = 128 * 1024;
/** The most pieces in a row that are searched for each secret of theirs; more are a key repeated for megabytes. */
const piecesHiddenMax = 3;

/** Each piece reaches so far into the next one that it holds all of a secret which begins in it. */
function* hideInPieces(text: string, hide: Hide, secretMax: number): Piecework<string> {
  const length = Math.max(piecesCharactersMin, secretMax);
  /** Rows of pieces that hold secrets: the first one, and the one behind the last. */
  const rows: { readonly first: number; behind: number }[] = [];
  const count = Math.ceil(text.length / length);
  const rowOf = (first: number, behind: number): string => text.slice(first * length, behind * length + secretMax);
  for (let piece = 0; piece < count; piece++) {
    if (piece > 0) yield;
    const own = rowOf(piece, piece + 1);
    const last = rows.at(-1);
    if (hide(own) !== own) {
      if (last?.behind === piece) last.behind += 1;
      else rows.push({ first: piece, behind: piece + 1 });
    }
  }
  let hidden = '';
  let done = 0;
  for (const { first, behind } of rows) {
    yield;
    const isFull = behind - first > piecesHiddenMax;
    hidden += text.slice(done, first * length) + (isFull ? redactionMark : hide(rowOf(first, behind)));
    done = behind * length + secretMax;
  }
  return hidden + text.slice(done);
}

/** True of a value that may stand in a text without its runs. */
function isUnsure({ hasRuns, windows }: Known): boolean {
  return !hasRuns || windows.length > 0;
}

function mayHold(text: string, { hasRuns, windows }: Known): boolean {
  return !hasRuns || windows.some((window) => text.includes(window));
}

function redactorFor(known: Iterable<Known>): Redactor {
  const redactor = createRedactor();
  for (const { value } of known) redactor.add(new Secret(value));
  return redactor;
}

/** The secrets among the values of a map, and the passwords of proxies among them. */
function valuesIn(options: unknown): readonly string[] {
  const values: readonly unknown[] = Object.values(options ?? {});
  return values.flatMap((value) => {
    if (value instanceof Secret) return [value.reveal()];
    const { credentials } = (value ?? {}) as Partial<ProxyRoute>;
    return credentials instanceof Secret ? ofProxy(credentials.reveal()) : [];
  });
}

/** The two together, as the proxy is told them, and the password alone. */
function ofProxy(credentials: string): readonly string[] {
  return [credentials, credentials.slice(credentials.indexOf(':') + 1)].filter(({ length }) => length > keyLettersMax);
}

const anyEscape = /%[\da-f]{2}|\\u[\da-f]{4}/i;

/** The text, and where it differs the same with other signs as letters and without escapes. */
function readingsOf(text: string): readonly string[] {
  const readings = [text];
  const view = viewOf(text);
  if (view !== text) readings.push(view);
  if ((text.includes('%') || text.includes('\\u')) && anyEscape.test(text)) readings.push(unescaped(text));
  return readings;
}

const percent = 0x25;
const backslash = 0x5c;

function unescaped(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const digits = unit === percent ? 2 : unit === backslash && text[at + 1] === 'u' ? 4 : 0;
    const start = at + (digits === 4 ? 2 : 1);
    const escaped = digits === 0 ? -1 : hexadecimalAt(text, start, digits);
    if (escaped !== -1) at = start + digits - 1;
    units[length++] = escaped === -1 ? unit : escaped;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}
