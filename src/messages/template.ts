import { MotifError } from '../errors.ts';
import { plainWord } from '../text/defuse.ts';
import { promptBytesMax } from '../text/limits.ts';
import { closest } from '../text/similar.ts';
import { formatSize } from '../text/sizes.ts';

/** Values by name; null for a name that is known and has no value here. */
type TemplateValues = ReadonlyMap<string, string | null>;

/** A filled template, and the names of the values that went into it. */
export interface FilledTemplate {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** A `${...}` that stands for a value and has none. */
export class MissingValue extends MotifError {
  /** Words without the place: what is missing, and the name that was most likely meant. */
  readonly words: string;
  readonly near: string | undefined;
  readonly missing: string;

  constructor(name: string, near: string | undefined, place: string) {
    const words = `there is no value for \${${name}}`;
    const give = `give one: --var ${plainWord(`${name}=VALUE`)}`;
    super('usage', `${place}: ${words}`, {
      hint: near === undefined ? give : `did you mean \${${near}}? else ${give}`,
    });
    this.missing = name;
    this.near = near;
    this.words = near === undefined ? words : `${words}; did you mean \${${near}}?`;
  }
}

/** The place of a `${...}` in a template. */
interface Hole {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/**
 * Replaces each `${name}` once; what a value holds is never looked at again, so data cannot inject a hole. Any name
 * that has a value is one, `Price (EUR)` too. Of the others those made of words are missing, as are those that are
 * almost a known name; `${x:-y}` and other text of a shell stays as it is.
 */
export function fillTemplate(template: string, values: TemplateValues, name: string): FilledTemplate {
  const names = new Set<string>();
  let text = '';
  let length = template.length;
  let copied = 0;
  for (const hole of holesOf(template, values)) {
    const value = values.get(hole.name) ?? null;
    if (value === null) {
      const withValue = [...values].filter(([, each]) => each !== null).map(([each]) => each);
      const line = template.slice(0, hole.start).split('\n').length;
      throw new MissingValue(hole.name, nearName(hole.name, withValue), `${name}, line ${line}`);
    }
    length += value.length - (hole.end - hole.start);
    // A few holes and a long value make a text of any size.
    if (length > promptBytesMax) {
      throw new MotifError('usage', `${name} grows over ${formatSize(promptBytesMax)} as it is filled`);
    }
    names.add(hole.name);
    text += template.slice(copied, hole.start) + value;
    copied = hole.end;
  }
  return { text: text + template.slice(copied), names };
}

/** The holes of a template, those without a value too. */
function* holesOf(template: string, values: TemplateValues): Generator<Hole> {
  const names = [...values.keys()];
  const braces = { most: Math.max(0, ...names.map(bracesIn)), open: names.some((name) => name.includes('${')) };
  let start = template.indexOf('${');
  while (start >= 0) {
    const next = template.indexOf('${', start + 2);
    // Thousands of holes that nothing closes are not each looked through to the end of the text.
    const end = next === -1 || braces.open ? template.length : next;
    const hole = holeAt(template.slice(start, end), start, values, braces.most);
    if (hole !== undefined) yield hole;
    start = hole === undefined || hole.end <= next ? next : template.indexOf('${', hole.end);
  }
}

function bracesIn(name: string): number {
  return name.includes('}') ? name.split('}').length - 1 : 0;
}

/** The hole with which a text begins, that begins at `start`; undefined where it only looks like one. */
function holeAt(text: string, start: number, values: TemplateValues, bracesMax: number): Hole | undefined {
  const first = text.indexOf('}');
  let close = first;
  for (let braces = 0; braces <= bracesMax && close >= 0; braces++) {
    const name = knownName(text.slice(2, close), values);
    if (name !== undefined) return { start, end: start + close + 1, name };
    close = text.indexOf('}', close + 1);
  }
  if (first < 0 || first > nameCharactersMax) return undefined;
  const name = text.slice(2, first);
  // The outer one of two: the inner one comes next.
  if (name.includes('${')) return undefined;
  const isMeant = wordsOnly.test(name.trim()) || nearName(name, [...values.keys()]) !== undefined;
  return isMeant ? { start, end: start + first + 1, name } : undefined;
}

/** A longer text in braces is no misspelled name. */
const nameCharactersMax = 1000;

/** The name as the values have it: spreadsheets write an accent as a character of its own or as part of the letter. */
function knownName(name: string, values: TemplateValues): string | undefined {
  if (name === '') return undefined;
  if (values.has(name)) return name;
  return [name.normalize('NFC'), name.normalize('NFD')].find((each) => values.has(each));
}

/**
 * Words of letters and figures, some of them in round brackets. Other languages hardly have that within `${...}`, and
 * an error tells of it, where a misspelled name that is sent as text would be paid for in silence.
 */
const wordsOnly = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*(?:[ \u00a0]+(?:[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*|\([^(){}]*\)))*$/u;

/** `${x:-y}`, `${#x}`, `${x[0]}` and the like of a shell. */
const shellExpansion = /^(?:[#!]\w+|\w+[:#%/^,@=+?[-]).*$/s;

/** A name that may be one of another language too, whose code goes on behind it. */
const simpleName = /^\w+$/;

/** The name that was most likely meant; undefined if there is none. */
function nearName(name: string, names: readonly string[]): string | undefined {
  if (wordsOnly.test(name)) return sameLetters(name, names) ?? closest(name, names);
  const others = shellExpansion.test(name) ? names.filter((each) => !simpleName.test(each)) : names;
  const near = sameLetters(name, others) ?? closest(name, others);
  const goesOn = near !== undefined && simpleName.test(near) && name.startsWith(near) && name.trim() !== near;
  return goesOn ? undefined : near;
}

/** The name that has the same letters and figures, whatever stands between them. */
function sameLetters(name: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  return letters === '' ? undefined : names.find((each) => each !== name && lettersOf(each) === letters);
}

function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Words for each `--var` that has no hole in the template, most likely because one of the two is misspelled. */
export function unusedWords(template: string, values: TemplateValues, name: string): readonly string[] {
  const names = new Set([...holesOf(template, values)].map((hole) => hole.name));
  return [...values.keys()]
    .filter((key) => !names.has(key))
    .map((key) => {
      const near = closest(key, [...names]);
      const meant = near === undefined ? '' : `; did you mean ${near}?`;
      return `--var ${key} is not used: ${name} has no \${${key}}${meant}`;
    });
}

/** Reads each `--var name=value`; a name given twice is a mistake. */
export function parseVariables(texts: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (key === undefined || value === undefined || key.trim() !== key || key.startsWith('${'))
      throw new MotifError('usage', '--var takes name=value', {
        hint: ['--var name=Ana', "a name of several words: --var 'first name=Ana'"],
      });
    if (values.has(key)) throw new MotifError('usage', `--var ${key} is given twice`);
    values.set(key, value);
  }
  return values;
}
