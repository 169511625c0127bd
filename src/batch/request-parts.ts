import { escapeJson } from '../text/defuse.ts';
import { parseJson } from '../text/json/json.ts';
import { mayHoldSecret } from '../text/secret.ts';
import type { RequestMarks } from './row.ts';

/** A longer text is told apart by its mark alone. */
const textCharactersMax = 60;
/** The parts as they stand in the first line of a file, at most; of more nothing is kept. */
const storedCharactersMax = 1500;
/** Digits and the signs of addresses: passwords, PINs and numbers of cards have them. */
const codeLike = /[\d@\\]|:\/\//;
/** Words beside which a secret may stand. */
const secretWord =
  /passw|passphrase|passcode|kennwort|\bpass\b|(?:\b|_)pw\b|\bpins?\b|token|secret|geheim|credential|\blogin\b|\bauth|\bkeys?\b|[_-]key|schlüssel/i;
/** A long word of letters alone may be a key, too. */
const longWord = /[\w+/=-]{24,}/;

/** Parts whose text is a name, of a field or of files. */
const ofNames: ReadonlySet<string> = new Set(['column', 'files']);
const mayBeSecret = [codeLike, secretWord, longWord];

/** A part of a request: the system message, the template ... */
interface RequestPart {
  /** `system`, `template`, `files`, `column` or `var NAME`. */
  readonly name: string;
  /** Absent for a `--var` whose name is that of a secret: by a mark a short one could be guessed. */
  readonly mark?: string | undefined;
  /** Its text, where that is short and looks like no secret. */
  readonly text?: string | undefined;
}

/** A part before it is marked: `content` decides whether it is the same, `text` may be shown. */
interface PartContent {
  readonly name: string;
  readonly content: string;
  /** Absent for what may well be a secret, as each value of `--var` may. */
  readonly text?: string;
}

/**
 * The parts of a request as they are kept in the first line of an output, so that a later run can tell which of them
 * is another one: `["system#1f0c2a=Be brief"]`. Empty where they are too many.
 */
export function storedParts(
  parts: readonly PartContent[],
  { markOf, isSecret }: { readonly markOf: (text: string) => string; readonly isSecret: (text: string) => boolean },
): string {
  const isShown = ({ name, text }: PartContent): boolean => {
    if (text === undefined || text.length > textCharactersMax || isSecret(text)) return false;
    return ofNames.has(name) || !mayBeSecret.some((form) => form.test(text));
  };
  const texts = parts.map((part) => {
    if (isSecretValue(part.name)) return part.name;
    return `${part.name}#${markOf(part.content)}${isShown(part) ? `=${part.text}` : ''}`;
  });
  // Without braces the end of a line is found without parsing it.
  const stored = JSON.stringify(texts).replaceAll('{', '\\u007b').replaceAll('}', '\\u007d');
  return stored.length <= storedCharactersMax ? stored : '';
}

const variablePrefix = 'var ';

function isSecretValue(name: string): boolean {
  if (!name.startsWith(variablePrefix)) return false;
  const variable = name.slice(variablePrefix.length);
  return mayHoldSecret([variable]) || secretWord.test(variable);
}

/** Each part that differs, or may, between two requests that are not the same; empty where one was not kept. */
export function changedParts({ parts: before }: RequestMarks, { parts: now }: RequestMarks): readonly string[] {
  if (before === undefined || now === undefined || before === '' || now === '') return [];
  const [then, present] = [parseParts(before), parseParts(now)];
  const names = [...new Set([...then, ...present].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [older, newer] = [then, present].map((parts) => parts.find((part) => part.name === name));
    const isSame = older?.mark !== undefined && older.mark === newer?.mark;
    return isSame ? [] : [`${titleOf(name)}: ${changeOf(older, newer)}`];
  });
}

function changeOf(older: RequestPart | undefined, newer: RequestPart | undefined): string {
  if (older?.text !== undefined && older.text === newer?.text) return `the content of ${shown(older)} has changed`;
  if (older !== undefined && newer !== undefined && older.text === undefined && newer.text === undefined) {
    if (newer.mark === undefined) return 'perhaps another value: of a secret nothing is kept';
    return newer.name.startsWith(variablePrefix) ? 'another value' : 'another text';
  }
  return `then ${shown(older)}, now ${shown(newer)}`;
}

function shown(part: RequestPart | undefined): string {
  if (part === undefined) return 'none';
  const what = part.name.startsWith(variablePrefix) ? 'value' : 'text';
  return part.text === undefined ? `a ${what} that is not kept` : escapeJson(JSON.stringify(part.text));
}

const titles: Readonly<Record<string, string>> = {
  system: 'the system message',
  template: 'the template (-t)',
  files: 'the files (-f)',
  column: '--column',
};

function titleOf(name: string): string {
  return titles[name] ?? `--${escapeJson(JSON.stringify(name)).slice(1, -1)}`;
}

function parseParts(stored: string): readonly RequestPart[] {
  const texts = parseJson(stored);
  if (!Array.isArray(texts)) return [];
  return texts.map((each: unknown) => {
    const [, name, mark, text] = /^([^=]*?)#([0-9a-f]{6})(?:=(.*))?$/s.exec(String(each)) ?? [];
    return name === undefined ? { name: String(each) } : { name, mark, text };
  });
}
