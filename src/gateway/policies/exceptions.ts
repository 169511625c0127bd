import type { Spend } from '../../text/patterns/automaton.ts';
import { compilePattern } from '../../text/patterns/pattern.ts';
import type { ExceptionConfig } from '../config.ts';

type LookUpException = (found: string, spend?: Spend) => ExceptionConfig | undefined;

/** To hold a pattern against a finding takes as long as to read so many characters, and what it reads of it. */
const workPerPattern = 50;

/**
 * Looks up the exception that frees a finding. It is held against what was found alone and as it was sent, so that no
 * text around an excepted one frees anything else. Undefined where there are no exceptions.
 */
export function createExceptions(except: readonly ExceptionConfig[], now: () => number): LookUpException | undefined {
  if (except.length === 0) return undefined;
  const rules = except.map((exception) => ({ exception, frees: comparison(exception) }));
  return (found, spend) =>
    rules.find(({ exception: { until = Infinity }, frees }) => until > now() && frees(found, spend))?.exception;
}

function comparison({ text, pattern }: ExceptionConfig): (found: string, spend?: Spend) => boolean {
  if (pattern === undefined) return (found) => found === text;
  const whole = compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: false });
  return (found, spend) => {
    spend?.(workPerPattern + found.length);
    return whole.test(found, spend);
  };
}
