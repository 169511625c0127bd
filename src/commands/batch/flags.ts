import type { HaltThreshold } from '../../batch/halt.ts';
import { rowFormats } from '../../rows/rows.ts';
import { connectionFlags, type ConnectionFlags } from '../shared/flags/connection.ts';
import { embeddedFlags, type EmbeddedFlags } from '../shared/flags/embedded.ts';
import {
  choice,
  durationFlag,
  file,
  type FlagsOf,
  flags,
  number,
  repeatable,
  textFlag,
  toggle,
  value,
  withDefault,
} from '../shared/flags/flags.ts';
import { partFlags } from '../shared/prompt/flags.ts';

const { system, systemFile } = partFlags.fields;

const rowFlags = flags(
  {
    column: textFlag('--column <name>', 'the column or field that holds the prompt'),
    format: choice('--format <format>', rowFormats, 'what the input is, where its name does not say'),
    system,
    systemFile,
    file: repeatable(file('-f, --file <file>', 'add a file, or a quoted pattern, to every row')),
    template: file('-t, --template <file>', 'the prompt of every row, its ${field} filled in'),
    var: repeatable(
      textFlag('--var <name=value>', 'a value for the template, where a row has none', { needs: ['template'] }),
    ),
  },
  { heading: 'What to send' },
);

const paceFlags = flags(
  {
    concurrency: withDefault(number('-j, --concurrency <n>', 'rows at once, at most (8)', { to: 1000 }), 8),
    rpm: number('--rpm <n>', 'requests a minute, at most'),
    maxErrors: threshold(
      '--max-errors <n|n%>',
      'halt once more rows than this ended in error; a share counts from 100 rows on',
    ),
    maxBlocked: threshold(
      '--max-blocked <n|n%>',
      'halt once more rows than this were blocked; a share counts from 100 rows on',
    ),
    maxTokensTotal: number('--max-tokens-total <n>', 'halt once this run has used so many tokens'),
    maxOutage: withDefault(
      durationFlag('--max-outage <duration>', 'how long to wait for a service that is away (15m)'),
      900_000,
    ),
  },
  { heading: 'How fast, how far' },
);

const partialFlags = flags(
  {
    limit: number('--limit <n>', 'only the first rows; the same command without it goes on'),
    shard: textFlag('--shard <i/n|auto|auto/n>', 'only this part of the rows'),
    fresh: toggle('--fresh', 'ask every row again, answered or not', { needs: ['output'] }),
    dryRun: toggle('--dry-run', 'say what would be sent, and show the first request'),
  },
  { heading: 'Which rows' },
);

const outputFlags = flags(
  {
    output: file('-o, --output <file>', 'write JSON lines here; the same command again finishes the rest'),
    json: toggle('--json', 'print the summary as a JSON document', { needs: ['output', 'dryRun'] }),
  },
  { heading: 'Output' },
);

export const batchFlags = [rowFlags, partialFlags, paceFlags, outputFlags, embeddedFlags, ...connectionFlags] as const;

export type BatchFlags = FlagsOf<typeof rowFlags> &
  FlagsOf<typeof paceFlags> &
  FlagsOf<typeof partialFlags> &
  FlagsOf<typeof outputFlags> &
  ConnectionFlags &
  EmbeddedFlags;

export const mergeFlags = flags(
  {
    output: file('-o, --output <file>', 'a .jsonl or .csv file instead of stdout'),
    limit: number('--limit <n>', 'only the first rows, as of a run with --limit'),
    json: toggle('--json', 'print the summary as a JSON document', { needs: ['output'] }),
  },
  { heading: 'Output' },
);

export type MergeFlags = FlagsOf<typeof mergeFlags>;

function threshold(spelling: string, help: string) {
  return value(spelling, 'a number or a share like 5%', parseHaltThreshold, help);
}

function parseHaltThreshold(typed: string): HaltThreshold | undefined {
  const [, digits = '', sign] = /^(\d{1,9}|\d{1,3}\.\d{1,3}(?=%))(%)?$/.exec(typed) ?? [];
  if (digits === '') return undefined;
  if (sign === undefined) return { count: Number(digits) };
  return Number(digits) <= 100 ? { percent: Number(digits) } : undefined;
}
