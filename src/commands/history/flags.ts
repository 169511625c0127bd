import type { Summary } from '../../conversations/conversation.ts';
import { exportFormatOf, exportFormats } from '../../conversations/export.ts';
import type { World } from '../../world/world.ts';
import { type JsonFlags, jsonFlags } from '../shared/flags/options.ts';
import {
  durationFlag,
  file,
  type FlagsOf,
  flags,
  listed,
  number,
  textFlag,
  toggle,
  value,
  withDefault,
} from '../shared/flags/flags.ts';
import { momentFlag, momentText } from '../shared/flags/moments.ts';

export const listingFlags = flags(
  {
    limit: number('-n, --limit <n>', 'show at most this many', { hint: 'without it a pipe gets all of them' }),
    motif: textFlag('--motif <id>', 'only conversations with this Motif'),
    since: momentFlag('--since <when>', 'only those in which something was said since: 7d, 2026-10-01 (UTC)'),
  },
  { heading: 'Which ones' },
);

export type ListFlags = FlagsOf<typeof listingFlags> & JsonFlags;

/** True for a conversation that `--motif` and `--since` leave in. */
export function isWanted(
  { motifId, updated }: Summary,
  { motif, since }: ListFlags,
  world: Pick<World, 'now'>,
): boolean {
  const from = momentText(since, world);
  return (motif === undefined || motif === motifId) && (from === undefined || updated >= from);
}

export const showFlags = flags({ raw: toggle('--raw', 'no Markdown on a terminal') }, { heading: jsonFlags.heading });

export type ShowFlags = FlagsOf<typeof showFlags> & JsonFlags;

export const exportFlags = flags(
  {
    format: withDefault(
      value('--format <format>', listed(exportFormats), exportFormatOf, `${exportFormats.join(', ')} (markdown)`, {
        complete: exportFormats,
      }),
      'markdown',
    ),
    output: file('-o, --output <file>', 'write into this file instead of stdout'),
  },
  { heading: 'Output' },
);

export type ExportFlags = FlagsOf<typeof exportFlags>;

export const deleteFlags = flags(
  { yes: toggle('--yes', 'delete without asking; needed off a terminal') },
  { heading: 'Deleting' },
);

export const pruneFlags = flags(
  {
    olderThan: durationFlag('--older-than <duration>', 'for example 30d', {
      hint: 'for example: motif history prune --older-than 30d',
    }),
    yes: toggle('--yes', 'delete them'),
  },
  { heading: 'Deleting' },
);

export type DeleteFlags = FlagsOf<typeof deleteFlags> & JsonFlags;
export type PruneFlags = FlagsOf<typeof pruneFlags> & JsonFlags;
