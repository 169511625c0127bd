import { connectionFlags } from '../shared/flags/connection.ts';
import type { FlagsOfAll } from '../shared/declare.ts';
import { embeddedFlags } from '../shared/flags/embedded.ts';
import { flags, number, textFlag, toggle } from '../shared/flags/flags.ts';
import { answerFlags, partFlags } from '../shared/prompt/flags.ts';

const conversationFlags = flags(
  {
    continue: toggle('-c, --continue', 'go on with the latest conversation', {
      not: { conversation: 'both say which conversation to go on with' },
    }),
    conversation: textFlag('--conversation <id|title>', 'go on with this one', { complete: 'conversations' }),
    noSave: toggle('--no-save', 'keep nothing of this chat (or MOTIF_NO_HISTORY=1)'),
    maxContextTokens: number(
      '--max-context-tokens <n>',
      'send about this many tokens at most: the oldest turns are left out',
      {
        hint: 'for example --max-context-tokens 8000',
      },
    ),
  },
  { heading: 'Conversation' },
);

const outputFlags = flags(
  { json: toggle('--json', 'print one JSON document a turn') },
  { heading: answerFlags.heading },
);

export const chatFlags = [
  partFlags,
  conversationFlags,
  outputFlags,
  answerFlags,
  ...connectionFlags,
  embeddedFlags,
] as const;

export type ChatFlags = FlagsOfAll<typeof chatFlags>;
