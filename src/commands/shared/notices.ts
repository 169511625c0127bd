import { defuse } from '../../text/defuse.ts';
import { fitLines } from '../../terminal/lines.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { Output, World } from '../../world/world.ts';
import type { GlobalFlags } from './flags/options.ts';

export type Notice = (text: string) => void;

/** Says something on stderr that is neither an answer nor an error, above the spinner if one runs; -q silences it. */
export function createNotice(
  world: Pick<World, 'redactor' | 'home'> & { readonly stderr: Pick<Output, 'isTerminal' | 'columns' | 'write'> },
  flags: GlobalFlags,
  spinner?: Progress,
): Notice {
  if (flags.quiet) return () => undefined;
  return (text) => {
    const shown = world.stderr.isTerminal ? withTilde(text, world.home) : text;
    const line = fitLines(`motif: ${world.redactor.redact(defuse(shown))}`, world.stderr);
    void (spinner === undefined ? world.stderr.write(`${line}\n`) : spinner.note(line));
  };
}

/** The text with `~/` for the home at the start of a path, where a shell expands it: not in quotes, not behind `=`. */
function withTilde(text: string, home: string | undefined): string {
  if (home === undefined || home.length < 2) return text;
  return text.replace(/(?<=^|[\s(])\/[^\s'"]*/g, (path) =>
    path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path,
  );
}
