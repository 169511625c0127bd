import { type ChatPorts, shownAtOnceMax, type ChatOutput } from '../../chat/chat.ts';
import { MotifError } from '../../errors.ts';
import { errorLines, fitLines } from '../../terminal/lines.ts';
import { printReceived, withNewline } from '../../terminal/output.ts';
import { defuse } from '../../text/defuse.ts';
import type { ResultFlags } from '../shared/prompt/result.ts';
import { type Run, styleOf } from '../shared/run.ts';

/** Answers and what is asked for in their form go to stdout; everything else that a chat has to say goes to stderr. */
export function createChatOutput(run: Run<ResultFlags>, working: ChatPorts['working']): ChatOutput {
  const { world, flags, notice } = run;
  const { stderr, redactor } = world;
  return {
    notice,
    async failure(error) {
      await stderr.write(redactor.redact(errorLines(error, stderr, await styleOf(run, stderr))));
    },
    text(text) {
      const lines = fitLines(defuse(withNewline(text)), stderr);
      return lines.length <= shownAtOnceMax ? stderr.write(lines) : working((stop) => stderr.write(lines, stop));
    },
    async content(text) {
      if (flags.json) {
        throw new MotifError('usage', 'with --json stdout has documents alone', { hint: 'name a file after it' });
      }
      if (text.length <= shownAtOnceMax) return printReceived(text, world);
      await working((stop) => printReceived(text, world, { stop }));
    },
  };
}
