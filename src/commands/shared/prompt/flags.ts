import { setting } from '../flags/connection.ts';
import { file, type FlagsOf, flags, repeatable, textFlag, toggle } from '../flags/flags.ts';

/** Parts of a prompt; `prompt` and `chat` share them. */
export const partFlags = flags(
  {
    system: textFlag('-s, --system <text>', 'system message', { not: { systemFile: 'both give the system message' } }),
    systemFile: file('-S, --system-file <file>', 'system message from a file'),
    message: repeatable(textFlag('-m, --message <role:text>', 'a message before the prompt')),
    messages: file('--messages <file>', 'JSON array of messages before the prompt'),
    file: repeatable(file('-f, --file <file>', 'add a file, or a quoted pattern')),
    noIgnore: toggle('--no-ignore', 'with a pattern: also what a .gitignore names, .git and node_modules', {
      needs: ['file'],
    }),
    template: file('-t, --template <file>', 'start the prompt with this file, its ${name} filled in'),
    var: repeatable(textFlag('--var <name=value>', 'a value for the template', { needs: ['template'] })),
  },
  { heading: 'What to send' },
);

export type PartFlags = FlagsOf<typeof partFlags> & {
  /** True where stdin is no part of the prompt. */
  readonly noStdin?: boolean | undefined;
};

export const noStdinToggle = toggle('--no-stdin', 'do not read a piped stdin (or MOTIF_NO_STDIN=1)');

/** The look of an answer and what is said beside it; `prompt` and `chat` share them. */
export const answerFlags = flags(
  {
    raw: toggle('--raw', 'no Markdown on a terminal'),
    usage: toggle('-u, --usage', 'say tokens and time, also where stderr is no terminal'),
    blockedNotice: setting('blockedNotice', '<text>'),
  },
  { heading: 'Output' },
);
