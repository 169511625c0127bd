import { MotifError } from '../../../../errors.ts';
import { decisions } from '../../../../gateway/records/audit/line.ts';
import type { PromptFilter } from '../../../../gateway/records/audit/prompt-facts.ts';
import { type StatisticKey, statisticKeys } from '../../../../gateway/records/audit/statistics.ts';
import type { World } from '../../../../world/world.ts';
import { file, type Flag, type FlagsOf, flags, listed, textFlag, toggle, value } from '../../../shared/flags/flags.ts';
import { momentFlag, momentText } from '../../../shared/flags/moments.ts';

export const spanFlags = flags(
  {
    since: momentFlag('--since <when>', 'only prompts from then on: 7d, 2026-10-01 (UTC)'),
    until: momentFlag('--until <when>', 'only prompts before then'),
  },
  { heading: 'Which prompts' },
);

/** A filter by one name; of two of them one would be left out in silence. */
function nameFlag(key: StatisticKey, placeholder: string, help: string): Flag<string | undefined> {
  const spelling = `--${key === 'token' ? 'token-id' : key} ${placeholder}`;
  return textFlag(spelling, help, { once: `motif admin audit stats --by ${key} counts all of them` });
}

export const filterFlags = flags(
  {
    ...spanFlags.fields,
    decision: value('--decision <decisions>', listed(decisions), readDecisions, `some of ${decisions.join(', ')}`, {
      complete: decisions,
      once: 'several stand behind one flag: --decision block,redact',
    }),
    policy: nameFlag(
      'policy',
      '<name>',
      'in which this policy found something; stats counts all, and adds what it did',
    ),
    rule: nameFlag('rule', '<name>', 'in which this rule found something: card or no-pii/card'),
    motif: nameFlag('motif', '<id>', 'of this Motif'),
    user: nameFlag('user', '<name>', 'of this user'),
    team: nameFlag('team', '<name>', 'of this team'),
    tokenId: nameFlag('token', '<id>', 'of this token, by its ID'),
  } satisfies Readonly<Record<keyof PromptFilter, Flag<unknown>>>,
  { heading: spanFlags.heading },
);

export type FilterFlags = FlagsOf<typeof filterFlags>;

export function toFilter({ since, until, ...named }: FilterFlags, world: Pick<World, 'now'>): PromptFilter {
  const span = { since: momentText(since, world), until: momentText(until, world) };
  if (span.since !== undefined && span.until !== undefined && span.since >= span.until) {
    throw new MotifError('usage', '--since must be before --until');
  }
  const { decision, policy, rule, motif, user, team, tokenId } = named;
  return { ...span, decision, policy, rule, motif, user, team, tokenId };
}

/** The filters of a report but its days, as they were typed. */
export function namedFilters({ decision, policy, rule, motif, user, team, tokenId }: PromptFilter) {
  const all = { decision, policy, rule, motif, user, team, token: tokenId };
  return Object.entries(all).flatMap(([name, wanted]) => (wanted === undefined ? [] : [[name, wanted] as const]));
}

export const listFlags = flags(
  {
    jsonl: toggle('--jsonl', 'print the audit lines themselves, one a line', { not: { json: 'both are documents' } }),
  },
  { heading: 'Output' },
);

/** A report to be written beside, or instead of, what people read: `html=FILE`. */
interface PageTarget {
  readonly file: string;
}

export const statsFlags = flags(
  {
    by: value<readonly StatisticKey[]>(
      '--by <keys>',
      `${listed(statisticKeys)}, or several: policy,team`,
      readKeys,
      `rows by these: ${statisticKeys.join(', ')}`,
      { complete: statisticKeys, once: 'several stand behind one flag: --by policy,team' },
    ),
    report: value<PageTarget>('--report <report>', 'html=FILE', readPageTarget, 'html=FILE also writes a page to FILE'),
  },
  { heading: 'Output' },
);

/** Several decisions, with commas between them as in {@link PromptFilter}. */
function readDecisions(typed: string): string | undefined {
  const names = typed.split(',').map((name) => name.trim());
  return names.every((name) => decisions.some((each) => each === name)) ? names.join(',') : undefined;
}

function readKeys(typed: string): readonly StatisticKey[] | undefined {
  const keys = typed.split(',').map((name) => statisticKeys.find((key) => key === name.trim()));
  return keys.every((key) => key !== undefined) && new Set(keys).size === keys.length ? keys : undefined;
}

function readPageTarget(typed: string): PageTarget | undefined {
  const path = /^html=(.+)$/s.exec(typed)?.[1];
  return path === undefined ? undefined : { file: path };
}

export const verifyFlags = flags(
  {
    log: file('--log <file>', "compare with the seals in the gateway's log"),
    until: momentFlag('--until <when>', 'only with those of its seals from before then', { needs: ['log'] }),
  },
  { heading: 'Proof' },
);
