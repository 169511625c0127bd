import { file, flags, textFlag, toggle, value } from '../../../shared/flags/flags.ts';
import { spanFlags } from '../audit/flags.ts';

/** A threshold: so many texts, or so many of a hundred. */
export type ReplayThreshold = { readonly count: number } | { readonly percent: number };

function readThreshold(typed: string): ReplayThreshold | undefined {
  const [, digits, sign] = /^(\d{1,9}(?:\.\d+)?)(%?)$/.exec(typed) ?? [];
  if (digits === undefined || (sign === '' && digits.includes('.'))) return undefined;
  return sign === '%' ? { percent: Number(digits) } : { count: Number(digits) };
}

/** True where a part of the texts is over a threshold; without one nothing is. */
export function isOverReplayThreshold(part: number, whole: number, threshold: ReplayThreshold | undefined): boolean {
  if (threshold === undefined) return false;
  return 'count' in threshold ? part > threshold.count : part * 100 > threshold.percent * whole;
}

const takes = 'a number or a share like 0.5%';

export const replayFlags = flags(
  {
    config: file('-c, --config <file>', 'the present gateway file (default gateway.yaml)'),
    motif: textFlag('--motif <id>', 'only this Motif; also that of texts that name none', {
      once: 'without it all Motifs are replayed',
    }),
    column: textFlag('--column <name>', 'of tables and JSONL, the field that holds the prompt (default prompt)'),
    ...spanFlags.fields,
    maxBlocked: value('--max-blocked <n>', takes, readThreshold, 'exit 1 if more would newly be blocked: 20, 0.5%'),
    maxPassed: value('--max-passed <n>', takes, readThreshold, 'exit 1 if more would newly pass'),
    showText: toggle('--show-text', 'also show the texts themselves'),
  },
  { heading: 'Replay' },
);
