import { matchesFilter, type PromptFilter, toPromptFacts } from '../../../../gateway/records/audit/prompt-facts.ts';
import { AuditStatistics, type PolicyStatistics, type Prices } from '../../../../gateway/records/audit/statistics.ts';
import type { StatisticRow } from '../../../../gateway/records/audit/statistic-rows.ts';
import { AuditVerification, type VerificationResult } from '../../../../gateway/records/audit/verification.ts';
import type { GatewayConfig } from '../../../../gateway/config.ts';
import { printDocument, printLines } from '../../../../terminal/output.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { counted, grouped } from '../../../../text/sizes.ts';
import type { JsonFlags } from '../../../shared/flags/options.ts';
import type { FlagsOf } from '../../../shared/flags/flags.ts';
import { openOutputFile } from '../../../shared/output-file.ts';
import { isAccessible, type Run, styleOf } from '../../../shared/run.ts';
import type { World } from '../../../../world/world.ts';
import type { AdminFlags } from '../flags.ts';
import { type FilterFlags, namedFilters, type statsFlags, toFilter } from './flags.ts';
import { adminCommand } from '../../admin-command.ts';
import { auditInputs, type AuditInputs, LeftOut, readAudits } from './inputs.ts';
import { AuditNames } from './names.ts';
import { statsPage } from './stats-page.ts';
import { type AuditStatisticsReport, onlyWords, statsLines } from './stats-table.ts';
import { dayMs } from '../../../../text/durations.ts';

type StatsRun = Run<AdminFlags & JsonFlags & FilterFlags & FlagsOf<typeof statsFlags>>;

export async function runAuditStats(run: StatsRun, files: readonly string[]): Promise<void> {
  // A policy is what is reported on here, beside all prompts, and no filter.
  const filter = { ...toFilter(run.flags, run.world), policy: undefined };
  const audit = await auditInputs(files, run);
  await showStatistics(run, { filter, files, ...audit }).finally(audit.close);
}

interface StatisticsInputs extends AuditInputs {
  readonly filter: PromptFilter;
  /** As they were named. */
  readonly files: readonly string[];
}

async function showStatistics(run: StatsRun, { inputs, config, filter, files }: StatisticsInputs): Promise<void> {
  const { world, flags, notice } = run;
  const { by = [], policy } = flags;
  const later = inputs.map(({ name }) => name);
  const page =
    flags.report && (await openOutputFile(flags.report.file, world, { flag: '--report', later, mode: 0o600 }));
  const statistics = new AuditStatistics({ by, policy, prices: config && pricesOf(config) });
  const names = new AuditNames(flags, config);
  const verification = new AuditVerification();
  const leftOut = new LeftOut();
  for await (const { file, lines } of readAudits(inputs)) {
    for (const line of lines) {
      leftOut.take(file, line);
      verification.take(file, line);
      if (line.kind === 'config') {
        statistics.takeConfig(line.record);
        names.takeConfig(line.record);
      }
      if (line.kind !== 'prompt') continue;
      const facts = toPromptFacts(line.record);
      names.take(facts);
      if (matchesFilter(facts, filter)) statistics.take(facts);
    }
  }
  leftOut.needPrompt();
  await names.check();
  const prices = whereOfPrices(config);
  const remarks = [...names.remarks(), ...(prices === 'some' ? unpricedWords(statistics) : [])];
  for (const remark of remarks) notice(remark);
  const verified = verification.finish();
  const { faultCount } = verified;
  const span = daysOf(filter.since ?? statistics.firstTime, filter.until, statistics.lastTime);
  const agoMs = flags.since !== undefined && 'agoMs' in flags.since ? flags.since.agoMs : undefined;
  const days = agoMs === undefined ? countDays(span) : daysSince(agoMs, flags.until, world);
  const report: AuditStatisticsReport = {
    by,
    days,
    when: whenWords(days, agoMs, span),
    span,
    filters: namedFilters(filter),
    files: inputs.length,
    seals: sealsWords(verified),
    prices,
    emptyPrompts: statistics.emptyPrompts,
    total: statistics.total,
    rows: statistics.rows,
    policy: statistics.policy,
  };
  if (page !== undefined) {
    await page.write(statsPage(report, [...remarks, ...leftOut.remarks]));
    notice(`written: ${page.path}`);
  }
  if (flags.json) await printDocument(documentOf(report, leftOut), flags, world);
  else {
    const { isTerminal, columns } = world.stdout;
    const screen = {
      columns: isTerminal ? columns : undefined,
      style: await styleOf(run, world.stdout),
      isAccessible: isTerminal && isAccessible(run),
    };
    await printLines(statsLines(report, screen).join('\n'), world);
  }
  if (faultCount > 0)
    notice(`${counted(faultCount, 'fault')} of seals: ${adminCommand(flags, 'audit', 'verify', ...files)} names them`);
  if (!flags.json) leftOut.say(notice);
}

function sealsWords({ seals, faultCount, absent }: VerificationResult): string {
  if (seals === 0) return 'no seals';
  if (faultCount > 0) return `${counted(faultCount, 'fault')} of seals`;
  return absent === 0 ? 'seals intact' : 'seals intact but for the first, which cannot be compared';
}

function pricesOf({ providers }: GatewayConfig): Prices {
  return new Map([...providers].map(([name, { prices }]) => [name, prices]));
}

function whereOfPrices(config: GatewayConfig | undefined): AuditStatisticsReport['prices'] {
  if (config === undefined) return 'no gateway file';
  return [...config.providers.values()].some(({ prices }) => prices.size > 0) ? 'some' : 'none';
}

/** The remark that a cost lacks prompts, or all of them; none where it lacks none. */
function unpricedWords({ unpricedPrompts, unpricedModels }: AuditStatistics): readonly string[] {
  if (unpricedPrompts === 0) return [];
  const models = [...unpricedModels].map((name) => defuseLine(name, 100)).join(', ');
  const have = unpricedPrompts === 1 ? 'has' : 'have';
  return [`the cost lacks ${counted(unpricedPrompts, 'prompt')}, which ${have} no price: ${models}`];
}

/** The first and the last UTC day that is reported on; what is asked for ends before `until`. */
function daysOf(first: string | undefined, until: string | undefined, lastTime: string | undefined): readonly string[] {
  const last = until === undefined ? lastTime : new Date(Date.parse(until) - 1).toISOString();
  return [first, last].flatMap((at) => at?.slice(0, 10) ?? []);
}

/** Words for the days, behind the number of prompts. */
function whenWords(days: number, agoMs: number | undefined, span: readonly string[]): string {
  if (days > 1 && agoMs === undefined) return `from ${span.join(' to ')}`;
  return `${days === 1 ? 'on' : 'in'} ${counted(days, 'day')}`;
}

function countDays([first, last]: readonly string[]): number {
  return first === undefined || last === undefined ? 0 : (Date.parse(last) - Date.parse(first)) / dayMs + 1;
}

/** The days since a moment that was typed as so long ago: 7 since `7d`, though they touch eight dates. */
function daysSince(agoMs: number, until: FilterFlags['until'], { now }: Pick<World, 'now'>): number {
  const untilAgoMs = until === undefined ? 0 : 'agoMs' in until ? until.agoMs : now() - Date.parse(until.at);
  return Math.ceil((agoMs - untilAgoMs) / dayMs);
}

function documentOf(report: AuditStatisticsReport, leftOut: LeftOut): Readonly<Record<string, unknown>> {
  const { by, days, when, span, filters, files, seals, total, rows, policy, emptyPrompts } = report;
  const named = rows.map((row) => ({
    ...Object.fromEntries(by.map((key, index) => [key, row.values[index] ?? null])),
    ...rowDocument(row),
  }));
  const only = onlyWords(filters).map((words) => `, ${words}`);
  const summary = `${counted(total.prompts, 'prompt')} ${when}${only.join('')}, ${grouped(total.decisions.block)} blocked, ${seals}`;
  return {
    ok: true,
    exit_code: 0,
    summary,
    days,
    from: span[0] ?? null,
    to: span[1] ?? null,
    filters: Object.fromEntries(filters),
    files,
    seals,
    by,
    total: rowDocument(total),
    empty_prompts: emptyPrompts,
    rows: named,
    policy: policy === undefined ? null : policyDocument(policy),
    ...leftOut.document,
    error: null,
  };
}

function policyDocument({ notJudged, unchangedSince, excepted, ...policy }: PolicyStatistics): object {
  const { refused, failed, withoutPolicy, withoutAnswer, reachedProvider } = notJudged;
  const without = { without_policy: withoutPolicy, without_answer: withoutAnswer };
  const counts = { refused, failed, ...without, reached_provider: reachedProvider };
  const { prompts, reachedProvider: reached, rules } = excepted;
  const freed = { prompts, reached_provider: reached, rules };
  return { ...policy, unchanged_since: unchangedSince, not_judged: counts, excepted: freed };
}

function rowDocument({ prompts, decisions, promptTokens, completionTokens, cost, p50, p95 }: StatisticRow): object {
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  // Sums of fractions and the middles of classes have digits that say nothing.
  const latencies = { p50: rounded(p50, 3), p95: rounded(p95, 3) };
  return { prompts, decisions, usage, cost: rounded(cost, 9), latency_ms: latencies };
}

/** To three decimals a number of milliseconds, to nine a cost, which is beyond the price of a token. */
function rounded(value: number | undefined, decimals: number): number | null {
  return value === undefined ? null : Number(value.toFixed(decimals));
}
