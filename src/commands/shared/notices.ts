import { defuse } from '../../text/defuse.ts';
import { fitLines } from '../../terminal/lines.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { World } from '../../world/world.ts';
import type { GlobalFlags } from './flag-options.ts';

export type Notice = (text: string) => void;

/** Says something on stderr that is neither an answer nor an error, above the spinner if one runs; -q silences it. */
export function createNotice(
  world: Pick<World, 'stderr' | 'redactor'>,
  flags: GlobalFlags,
  spinner?: Progress,
): Notice {
  if (flags.quiet) return () => undefined;
  return (text) => {
    const line = fitLines(`motif: ${world.redactor.redact(defuse(text))}`, world.stderr);
    void (spinner === undefined ? world.stderr.write(`${line}\n`) : spinner.note(line));
  };
}
