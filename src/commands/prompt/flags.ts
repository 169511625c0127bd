import { connectionFlags } from '../shared/flags/connection.ts';
import type { FlagsOfAll } from '../shared/declare.ts';
import { embeddedFlags } from '../shared/flags/embedded.ts';
import { choice, type Conflict, file, type FlagsOf, flags, textFlag, toggle, value } from '../shared/flags/flags.ts';
import { parseFieldPath } from '../shared/prompt/document.ts';
import { answerFlags, noStdinToggle, partFlags } from '../shared/prompt/flags.ts';

const inputFlags = flags(
  {
    noStdin: noStdinToggle,
    edit: toggle('-e, --edit', 'edit the prompt in $EDITOR first; an emptied file sends nothing'),
  },
  { heading: partFlags.heading },
);

const bothOnStdout = 'both say what stdout gets';

/** An extract and a document get along where the extract goes into a file. */
const extractOnStdout: Conflict = {
  reason: bothOnStdout,
  hint: 'give -x a file: -o FILE',
  when: ({ output }) => output === undefined,
};

const curlOnStdout: Conflict = { reason: bothOnStdout, hint: '--dry-run --json is a document' };

const outputFlags = flags(
  {
    output: file('-o, --output <file>', 'write the answer to this file, if there is one'),
    extract: toggle('-x, --extract', 'only the first code block of the answer', {
      not: { json: extractOnStdout, field: extractOnStdout },
    }),
    block: value(
      '--block <n|language>',
      'a number from 1 on, or a language',
      (typed) => (/^0*$/.test(typed) ? undefined : typed),
      'only that code block',
      {
        hint: 'for example --block 2 or --block python',
        not: { json: extractOnStdout, field: extractOnStdout },
      },
    ),
    json: toggle('--json', 'print the whole result as one JSON document', { not: { field: bothOnStdout } }),
    field: value(
      '--field <path>',
      'a path into the document of --json',
      parseFieldPath,
      'print one value of it, for example usage.total_tokens',
      { once: '--json has all of them' },
    ),
    verbose: toggle('-v, --verbose', 'say how long each phase took'),
    expect: choice(
      '--expect <outcome>',
      ['answered', 'blocked', 'any'],
      'answered, blocked or any: exit 0 if so, 1 if not',
    ),
  },
  { heading: answerFlags.heading },
);

const noAddress: Conflict = {
  reason: 'do not go together: an embedded gateway has no address',
  hint: 'motif serve gives it one',
};

const requestFlags = flags(
  {
    dryRun: toggle('--dry-run', 'print the request instead of sending it', { not: { curl: bothOnStdout } }),
    curl: toggle('--curl', 'print the request as a curl command for a POSIX shell', {
      not: { demo: noAddress, local: noAddress, json: curlOnStdout, field: curlOnStdout },
    }),
  },
  { heading: 'Instead of sending it' },
);

/** A prompt that is a turn of a conversation. */
const conversationFlags = flags(
  {
    save: textFlag('--save <title>', 'keep prompt and answer as a new conversation of this title', {
      not: {
        continue: 'do not go together: one begins a conversation, the other goes on with one',
        conversation: 'do not go together: one begins a conversation, the other goes on with one',
      },
    }),
    continue: toggle('-c, --continue', 'a turn of the latest conversation, which is sent before it', {
      not: { conversation: 'both name a conversation' },
    }),
    conversation: textFlag('--conversation <id|title>', 'the same with this one; -s replaces its system message', {
      complete: 'conversations',
    }),
  },
  { heading: 'Conversation' },
);

export type ConversationFlags = FlagsOf<typeof conversationFlags>;

export const promptFlags = [
  partFlags,
  inputFlags,
  outputFlags,
  answerFlags,
  conversationFlags,
  requestFlags,
  ...connectionFlags,
  embeddedFlags,
] as const;

export type PromptFlags = FlagsOfAll<typeof promptFlags>;
