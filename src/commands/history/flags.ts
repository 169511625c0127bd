import { exportFormatOf, exportFormats } from '../../conversations/export.ts';
import { type JsonFlags, jsonFlags } from '../shared/flag-options.ts';
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
} from '../shared/flags.ts';

export const listingFlags = flags(
  {
    limit: number('-n, --limit <n>', 'show at most this many', { hint: 'without it a pipe gets all of them' }),
    motif: textFlag('--motif <id>', 'only conversations with this Motif'),
  },
  { heading: 'Which ones' },
);

export type ListFlags = FlagsOf<typeof listingFlags> & JsonFlags;

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
