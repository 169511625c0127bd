import { toMoment } from '../../../text/durations.ts';
import { compilePattern } from '../../../text/patterns.ts';
import type { ExceptionConfig, PolicyConfig } from '../../config.ts';
import type { Hit } from '../../vocabulary.ts';
import type { NearMiss } from './miss.ts';

/** Findings of a policy that one of its exceptions nearly frees; an administrator takes such a one for broken. */
export function nearExceptions(sent: string, { name, except }: PolicyConfig, hits: readonly Hit[]): NearMiss[] {
  return hits.flatMap(({ policy, rule, start, length, seen = '' }) => {
    if (policy !== name || length === 0) return [];
    const found = sent.slice(start, start + length);
    const why = except.map((exception) => lackOf(exception, found)).find((each) => each !== undefined);
    return why === undefined ? [] : [{ rule, start, length, seen, why }];
  });
}

/** Words for what an exception lacks to free a finding; undefined where it has nothing to do with it. */
function lackOf({ text, pattern, until }: ExceptionConfig, found: string): string | undefined {
  const over = `its exception ended at ${toMoment(until ?? 0)}`;
  if (pattern === undefined) {
    if (text === found) return over;
    const isAlike = folded(text ?? '') === folded(found);
    return isAlike
      ? 'an exception names it in other letter case, or with other blanks or hyphens, and frees its own text alone'
      : undefined;
  }
  if (compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: false }).test(found)) return over;
  if (compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: true }).test(found))
    return 'the pattern of an exception would match it only in another letter case';
  const isPart = compilePattern(pattern, { ignoreCase: false }).test(found);
  return isPart ? 'the pattern of an exception matches only a part of it' : undefined;
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}
