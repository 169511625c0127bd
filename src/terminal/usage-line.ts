import { defuseLine } from '../text/defuse.ts';
import { formatDuration } from '../text/durations.ts';
import type { Usage } from '../wire/reply.ts';

export interface UsageOutcome {
  readonly usage: Usage | null;
  readonly elapsedMs: number;
  readonly promptId: string | null;
}

const promptIdCharactersMax = 64;

/** The cost of an answer on one line. The counts are shown as they were served, even where they do not add up. */
export function usageLine({ usage, elapsedMs, promptId }: UsageOutcome): string {
  const parts = [
    usage === null ? '' : tokens(usage),
    formatDuration(elapsedMs),
    promptId ? `prompt ${defuseLine(promptId, promptIdCharactersMax)}` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function tokens({ prompt_tokens: sent, completion_tokens: received, total_tokens: total }: Usage): string {
  if (sent === null && received === null) return total === null ? '' : `tokens ${total}`;
  const sum = `tokens ${sent ?? '?'} + ${received ?? '?'}`;
  return total === null ? sum : `${sum} = ${total}`;
}
