import { compilePattern } from '../../text/patterns/pattern.ts';
import type { ExceptionConfig } from '../config.ts';

/**
 * Looks up the exception that frees a finding. It is held against what was found alone and as it was sent, so that no
 * text around an excepted one frees anything else. Undefined where there are no exceptions.
 */
export function createExceptions(
  except: readonly ExceptionConfig[],
  now: () => number,
): ((found: string) => ExceptionConfig | undefined) | undefined {
  if (except.length === 0) return undefined;
  const rules = except.map((exception) => ({ exception, frees: comparison(exception) }));
  return (found) =>
    rules.find(({ exception: { until = Infinity }, frees }) => until > now() && frees(found))?.exception;
}

function comparison({ text, pattern }: ExceptionConfig): (found: string) => boolean {
  if (pattern === undefined) return (found) => found === text;
  const whole = compilePattern(`\\A(?:${pattern})\\z`, { ignoreCase: false });
  return (found) => whole.test(found);
}
