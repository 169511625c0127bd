import type { JsonFlags } from '../../shared/flags/options.ts';
import {
  choice,
  durationFlag,
  file,
  type FlagsOf,
  flags,
  number,
  readDuration,
  repeatable,
  textFlag,
  toggle,
  value,
  withDefault,
} from '../../shared/flags/flags.ts';
import { parseUtcDate } from '../../shared/flags/moments.ts';
import { dayMs } from '../../../text/durations.ts';

/** The gateway file where no flag names one. */
export const defaultFile = 'gateway.yaml';

/** The flags of everything that reads the gateway file. */
export const fileFlags = flags(
  { config: file('-c, --config <file>', 'the gateway file (default gateway.yaml)') },
  { heading: 'Gateway' },
);

export type AdminFlags = FlagsOf<typeof fileFlags> & JsonFlags;

export const portFlags = flags(
  { port: number('--port <n>', 'the port of the gateway (default 8080)', { to: 65_535 }) },
  { heading: 'Gateway' },
);

export const createFlags = flags(
  {
    provider: textFlag('--provider <name>', 'a provider of the file; the only one needs no name'),
    model: textFlag('--model <name>', 'as the provider calls it'),
    policy: repeatable(textFlag('--policy <name>', 'a policy of the file')),
  },
  { heading: 'Motif' },
);

/** The end of a token as it was typed: after so long, at a date, or none. */
type TokenEnd = { readonly inMs: number } | { readonly at: number } | 'never';

function readEnd(typed: string): TokenEnd | undefined {
  if (typed === 'never') return typed;
  const inMs = readDuration(typed);
  if (inMs !== undefined) return { inMs };
  const at = parseUtcDate(typed);
  return at === undefined ? undefined : { at };
}

export const newTokenFlags = flags(
  {
    user: textFlag('--user <name>', 'whose token it is; one who is added to the Motif needs no tenant ID'),
    expires: value(
      '--expires <when>',
      'a duration like 90d, a UTC date like 2027-03-01, or never',
      readEnd,
      'when the new token ends: 90d, 2027-03-01 or never',
    ),
  },
  { heading: 'New token' },
);

export const tokenOutFlags = flags(
  {
    tokenOut: file('--token-out <file>', 'write the token into this file (0600) and do not show it'),
    force: toggle('--force', 'even if the file holds a token that stays valid', { needs: ['tokenOut'] }),
  },
  { heading: newTokenFlags.heading },
);

export const rotateFlags = flags(
  {
    grace: withDefault(
      durationFlag('--grace <duration>', 'how long the earlier ones are still accepted (default 24h)'),
      dayMs,
    ),
    keep: toggle('--keep', 'one more token; no earlier one ends', {
      not: { grace: 'do not go together: --keep ends no earlier token' },
    }),
  },
  { heading: 'Earlier tokens' },
);

const wholeToken = toggle('--token-stdin', 'read a whole token from stdin: it is found by its hash');

export const revokeFlags = flags(
  {
    all: toggle('--all', 'all tokens of the Motif', {
      not: { tokenStdin: 'one names all tokens, the other a single one' },
    }),
    tokenStdin: wholeToken,
    yes: toggle('--yes', 'revoke all without asking; needed off a terminal', { needs: ['all'] }),
  },
  { heading: 'Which token' },
);

export const tokenChoiceFlags = flags(
  {
    tokens: toggle('--tokens', 'the tokens of all Motifs: user, age, last use and end'),
    tokenStdin: wholeToken,
    expiring: durationFlag(
      '--expiring <duration>',
      'only tokens and exceptions that end within this time or have ended; exit 1 if any',
    ),
  },
  { heading: 'Which tokens' },
);

export const tryFlags = flags(
  {
    motif: textFlag('--motif <id>', 'the only Motif needs no name'),
    role: choice('--role <role>', ['system', 'user', 'assistant'], 'system, user or assistant (default user)', {
      hint: '--answer tries a text as an answer',
      not: {
        answer: { reason: 'do not go together: an answer has no role', hint: '--answer tries a text as an answer' },
      },
    }),
    answer: toggle('--answer', 'as an answer of the provider'),
    as: textFlag('--as <user>', 'also say whether this user needs the tenant ID'),
    expect: choice(
      '--expect <outcome>',
      ['answered', 'blocked', 'redacted', 'pass', 'any'],
      'answered, blocked, redacted, pass or any: 0 if so',
    ),
    live: toggle('--live', 'also ask the policies that ask outside'),
  },
  { heading: 'Trial' },
);

const sameFile = 'both name a gateway file; use one';

/** Other ways to name a gateway file, as `prompt` has them. */
export const tryFileFlags = flags(
  {
    demo: toggle('--demo', 'judge by the policies of the demo Motif', { not: { local: sameFile, config: sameFile } }),
    local: file('--local <file>', 'the same as --config', { not: { config: sameFile } }),
  },
  { heading: fileFlags.heading },
);

export type CreateFlags = FlagsOf<typeof createFlags> & NewTokenFlags & TokenOutFlags & AdminFlags;
export type NewTokenFlags = FlagsOf<typeof newTokenFlags>;
export type TokenOutFlags = FlagsOf<typeof tokenOutFlags>;
export type RotateFlags = FlagsOf<typeof rotateFlags> & NewTokenFlags & TokenOutFlags & AdminFlags;
export type RevokeFlags = FlagsOf<typeof revokeFlags> & AdminFlags;
export type AdminShowFlags = FlagsOf<typeof tokenChoiceFlags> & AdminFlags;
export type TryFlags = FlagsOf<typeof tryFlags> & FlagsOf<typeof tryFileFlags> & AdminFlags;
