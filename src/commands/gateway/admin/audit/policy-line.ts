import type { ExceptedCounts, PolicyStatistics, UnjudgedCounts } from '../../../../gateway/records/audit/statistics.ts';
import type { StatisticRow } from '../../../../gateway/records/audit/statistic-rows.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { counted, grouped } from '../../../../text/sizes.ts';

const nameCharactersMax = 1000;

interface PolicyFacts {
  readonly policy: PolicyStatistics | undefined;
  readonly total: Pick<StatisticRow, 'prompts'>;
}

/** Facts of the prompts that a policy judged, in one line. */
export function policyLine({ policy, total }: PolicyFacts): string {
  if (policy === undefined) return '';
  const { judged, notJudged, unknown, excepted } = policy;
  const known = `${defuseLine(policy.policy, nameCharactersMax)} judged ${grouped(judged)} of ${grouped(total.prompts)} prompts`;
  const lost = unknown === 0 ? '' : `; unknown for ${grouped(unknown)}, whose config line is not in these files`;
  return `${known}${versionWords(policy)}${notJudgedWords(notJudged)}${lost}${exceptedWords(excepted)}`;
}

/** Prompts in which an exception let something pass that the policy had found. */
function exceptedWords({ prompts, reachedProvider, rules }: ExceptedCounts): string {
  if (prompts === 0) return '';
  const named = rules.map(({ rule, prompts: count }) => `${defuseLine(rule, nameCharactersMax)} in ${grouped(count)}`);
  const reached = reachedProvider === 0 ? 'none' : grouped(reachedProvider);
  return `; exceptions freed findings in ${counted(prompts, 'prompt')}: ${named.join(', ')} (${reached} reached a provider)`;
}

/** The versions of the gateway file that it judged with; options of a policy stand in that file alone. */
function versionWords({ configs, unchangedSince }: PolicyStatistics): string {
  if (configs === 0) return '';
  const versions = ` under ${counted(configs, 'version')} of the gateway file`;
  if (unchangedSince !== null)
    return `${versions}; its kind, action, "on" and Motifs have not changed since ${minute(unchangedSince)}`;
  return configs === 1 ? versions : `${versions} (its kind, action, "on" and Motifs are the same in all)`;
}

function minute(time: string): string {
  return `${defuseLine(time, 30).slice(0, 16).replace('T', ' ')} UTC`;
}

/** Prompts that were not judged, by the reason, and whether a provider got them all the same. */
function notJudgedWords(counts: UnjudgedCounts): string {
  const { refused, failed, withoutPolicy, withoutAnswer, reachedProvider } = counts;
  const reasons = [
    ...(refused === 0 ? [] : [`${grouped(refused)} refused`]),
    ...(failed === 0 ? [] : [`${grouped(failed)} failed before the policies`]),
    ...(withoutPolicy === 0 ? [] : [`${grouped(withoutPolicy)} of Motifs without this policy at that time`]),
    ...(withoutAnswer === 0 ? [] : [`${grouped(withoutAnswer)} without an answer`]),
  ];
  if (reasons.length === 0) return '';
  const reached = reachedProvider === 0 ? 'none' : grouped(reachedProvider);
  return `; not judged: ${reasons.join(', ')} (${reached} reached a provider)`;
}
