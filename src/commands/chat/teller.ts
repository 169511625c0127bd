import { type ChatPorts, shownAtOnceMax, type Teller } from '../../chat/chat.ts';
import { MotifError } from '../../errors.ts';
import { errorLines, fitLines, withNewline } from '../../terminal/lines.ts';
import { defuse } from '../../text/defuse.ts';
import type { Output, World } from '../../world/world.ts';
import type { Notice } from '../shared/notices.ts';
import type { ResultFlags } from '../shared/prompt-result.ts';

/** Answers and what is asked for in their form go to stdout; everything else that a chat has to say goes to stderr. */
export function createTeller(
  world: World,
  flags: ResultFlags,
  { notice, working }: { readonly notice: Notice; readonly working: ChatPorts['working'] },
): Teller {
  const { stdout, stderr, redactor } = world;
  const print = (text: string, output: Output): Promise<void> =>
    text.length <= shownAtOnceMax ? output.write(text) : working((stop) => output.write(text, stop));
  return {
    notice,
    failure: (error) => stderr.write(redactor.redact(errorLines(error, stderr))),
    text: (text) => print(fitLines(defuse(withNewline(text)), stderr), stderr),
    async content(text) {
      if (flags.json) {
        throw new MotifError('usage', 'with --json stdout has documents alone', { hint: 'name a file after it' });
      }
      if (!stdout.isTerminal) return stdout.write(withNewline(text));
      await print(defuse(withNewline(text)), stdout);
    },
  };
}
