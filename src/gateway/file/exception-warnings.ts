import { compilePattern } from '../../text/patterns/pattern.ts';
import { requiredLiterals } from '../../text/patterns/required-literals.ts';
import type { ExceptionConfig, PolicyConfig } from '../config.ts';
import { toDay } from '../../text/durations.ts';
import { createPolicy, policyKinds } from '../policies/index.ts';
import type { words } from '../policies/kinds/words.ts';
import type { OptionsOf } from '../policies/policy.ts';
import { prepare } from '../policies/readings/prepare.ts';
import { daysLeft, endingMs } from './certificates.ts';
import type { Spots } from './secrets.ts';

/** Longer texts, and patterns of longer lists, are taken as they are: to compare them costs more than it tells. */
const charactersMax = 1_000;
const listedMax = 1_000;

/** Remarks on exceptions that are over or end soon, that free nothing, and that free a word wherever it stands. */
export function warnOfExceptions(policy: PolicyConfig, now: number, { warn }: Spots): void {
  const remark = policyKinds[policy.kind] === policyKinds.words ? createWordsRemark(policy) : remarkOnPattern;
  policy.except.forEach((exception, index) => {
    const at = warn.at('except', index);
    const { text, until = Infinity } = exception;
    if (until <= now) return at.at('until').fault('is over, so this exception no longer holds');
    if (until - now < endingMs)
      at.at('until').fault(
        `ends on ${toDay(until)}, in ${daysLeft(until, now)}: from then on this counts again, unless the exception has a later day`,
      );
    const words = remark(exception);
    if (words !== undefined) at.at(text === undefined ? 'pattern' : 'text').fault(words);
  });
}

/** Texts of so different forms that a pattern which frees each of them was meant for none. */
const unlike = ['zqkvwxyzj', '9081726354', 'k7v@mail.example.org', 'Q7-x/Z+9_=', 'https://k7v.example/?q=9#x'];

/** The other kinds find what nobody listed. */
function remarkOnPattern({ pattern }: ExceptionConfig): string | undefined {
  if (pattern === undefined || pattern.length > charactersMax) return undefined;
  // One that needs some text frees no other, and a thousand of them would be compiled anew.
  if (requiredLiterals(pattern).length > 0) return undefined;
  const whole = compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: false });
  return unlike.every((text) => whole.test(text)) ? 'frees whatever is found' : undefined;
}

/** A finding of `words` is a word of its list alone, so that it can be told which texts are never one. */
function createWordsRemark(policy: PolicyConfig): (exception: ExceptionConfig) => string | undefined {
  const { words: listed } = policy.options as OptionsOf<typeof words>;
  const known = new Set(listed);
  let detect: ReturnType<typeof createPolicy>['detect'];
  const findingsIn = (text: string) => (detect ??= createPolicy(policy).detect)?.(prepare(text)) ?? [];
  return ({ text, pattern }) => {
    if (text !== undefined) {
      if (known.has(text)) return holdsAnother(text, listed) ? undefined : switchesOff;
      if (text.length > charactersMax) return undefined;
      const found = findingsIn(text);
      if (found.some(({ start, length }) => start === 0 && length === text.length)) return undefined;
      return found.length === 0
        ? 'frees nothing: no word of the list is this text'
        : `frees nothing: a word of the list is found alone, without the text around it; ${listIt}`;
    }
    if (pattern === undefined || listed.length > listedMax) return undefined;
    const [exact, whole] = [false, true].map((ignoreCase) => compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase }));
    if (listed.every((word) => exact!.test(word))) return freesAll;
    if (listed.some((word) => whole!.test(word))) return undefined;
    return 'frees nothing: it matches no word of the list as a whole; list the text that it should free among the words too';
  };
}

const switchesOff = 'is a word of the list, which no longer counts wherever it is written like this';
const freesAll = 'frees each word of the list, none of which counts any more where it is written like there';
const listIt = 'list this text among the words too, so that it is found as a whole';

/** True for a phrase that is listed only to free a listed word in it. */
function holdsAnother(text: string, listed: readonly string[]): boolean {
  const lower = text.toLowerCase();
  const isInside = (word: string): boolean => word.length < text.length && lower.includes(word.toLowerCase());
  return listed.length <= listedMax && listed.some(isInside);
}
