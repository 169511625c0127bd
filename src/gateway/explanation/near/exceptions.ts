import { toMoment } from '../../../text/durations.ts';
import { TextWindow } from '../../../text/patterns/text-window.ts';
import { compilePattern, type Pattern } from '../../../text/patterns/pattern.ts';
import type { ExceptionConfig, PolicyConfig } from '../../config.ts';
import type { Hit } from '../../vocabulary.ts';
import type { NearMiss } from './miss.ts';

/** The text on either side of a finding in which a match of a pattern is looked for, and how many are tried. */
const aroundCharacters = 500;
const looksMax = 100;

/** Findings of a policy that one of its exceptions nearly frees; an administrator takes such a one for broken. */
export function nearExceptions(sent: string, { name, kind, except }: PolicyConfig, hits: readonly Hit[]): NearMiss[] {
  return hits.flatMap(({ policy, rule, start, length, seen = '' }) => {
    if (policy !== name || length === 0) return [];
    const place = { sent, start, end: start + length };
    const why = except.map((exception) => lackOf(exception, place)).find((each) => each !== undefined);
    if (why === undefined) return [];
    return [{ rule, start, length, seen, why: why === longer && kind === 'words' ? `${why}; ${wayOut}` : why }];
  });
}

const longer = 'an exception is for a longer text, and frees only what was found as a whole';
/** Of listed words the longest that stand there are found. */
const wayOut = 'list that text among the words too';
const otherForm =
  'an exception names it in other letter case, or with other blanks or hyphens, and frees its own text alone';
const anyCase = 'a pattern that begins with (?i) takes any case';

interface FoundPlace {
  readonly sent: string;
  readonly start: number;
  readonly end: number;
}

/** Words for what an exception lacks to free a finding; undefined where it has nothing to do with it. */
function lackOf({ text, pattern, until }: ExceptionConfig, place: FoundPlace): string | undefined {
  const found = place.sent.slice(place.start, place.end);
  const over = `its exception ended at ${toMoment(until ?? 0)}`;
  if (pattern === undefined) {
    if (text === found) return over;
    const [named, other] = [folded(text ?? ''), folded(found)];
    if (named === other) return text?.toLowerCase() === found.toLowerCase() ? `${otherForm}; ${anyCase}` : otherForm;
    if (other !== '' && named.includes(other)) return longer;
    return named !== '' && other.includes(named) ? 'an exception names only a part of it' : undefined;
  }
  if (compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: false }).test(found)) return over;
  if (compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: true }).test(found))
    return `the pattern of an exception would match it only in another letter case; ${anyCase}`;
  const bare = compilePattern(pattern, { ignoreCase: false });
  if (bare.test(found)) return 'the pattern of an exception matches only a part of it';
  return matchesAround(bare, place) ? longer : undefined;
}

/** True where a match near a finding holds all of it. */
function matchesAround(pattern: Pattern, { sent, start, end }: FoundPlace): boolean {
  const from = Math.max(0, start - aroundCharacters);
  const text = sent.slice(from, end + aroundCharacters);
  const window = new TextWindow(text);
  for (let at = 0, looks = 0; looks < looksMax; looks++) {
    const span = pattern.find(window, at, text.length);
    if (span === undefined || from + span.start > start) return false;
    if (from + span.end >= end) return true;
    at = Math.max(span.end, span.start + 1);
  }
  return false;
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}
