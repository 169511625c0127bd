import type { Spend } from '../../text/patterns/automaton.ts';
import { compilePattern } from '../../text/patterns/pattern.ts';
import type { Piecework } from '../../text/turns.ts';
import type { ExceptionConfig } from '../config.ts';

/** In pieces, one a pattern: a service may name a MiB as one finding. */
type LookUpException = (found: string, spend?: Spend) => Piecework<ExceptionConfig | undefined>;

/** To hold a pattern against a finding takes as long as to read so many characters, and what it reads of it. */
const workPerPattern = 50;
/** The work that an automaton pays for beyond that is the dearest there is, and one piece. */
const workPerStep = 3;

/**
 * Looks up the exception that frees a finding. It is held against what was found alone and as it was sent, so that no
 * text around an excepted one frees anything else. Undefined where there are no exceptions.
 */
export function createExceptions(except: readonly ExceptionConfig[], now: () => number): LookUpException | undefined {
  if (except.length === 0) return undefined;
  const rules = except.map((exception, index) => ({ exception, index }));
  const patterns = rules.flatMap((rule) => {
    const { pattern } = rule.exception;
    return pattern === undefined ? [] : [{ frees: comparison(pattern), ...rule }];
  });
  // A text may have thousands of findings, which are not held against thousands of texts.
  const texts = new Map<string, typeof rules>();
  for (const rule of rules) {
    const { text, pattern } = rule.exception;
    if (text === undefined || pattern !== undefined) continue;
    const same = texts.get(text);
    if (same === undefined) texts.set(text, [rule]);
    else same.push(rule);
  }
  return function* lookUp(found, spend) {
    const time = now();
    const isInForce = ({ exception: { until = Infinity } }: { readonly exception: ExceptionConfig }) => until > time;
    const same = texts.get(found)?.find(isInForce);
    const { index = Infinity } = same ?? {};
    for (const rule of patterns) {
      if (rule.index >= index) break;
      if (!isInForce(rule)) continue;
      if (rule.frees(found, spend)) return rule.exception;
      yield;
    }
    return same?.exception;
  };
}

function comparison(pattern: string): (found: string, spend?: Spend) => boolean {
  const whole = compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: false });
  return (found, spend) => {
    spend?.(workPerPattern + found.length);
    return whole.test(found, spend && ((steps, ofThisTime) => spend(steps * workPerStep, ofThisTime)));
  };
}
