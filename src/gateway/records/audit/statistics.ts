import type { PromptFacts } from './prompt-facts.ts';
import type { AuditRecord } from './reading.ts';
import { RowBranch, RowSums, type StatisticRow } from './statistic-rows.ts';

export const statisticKeys = ['policy', 'rule', 'motif', 'user', 'team', 'token', 'provider', 'model', 'day'] as const;
export type StatisticKey = (typeof statisticKeys)[number];

/** The price of a million tokens by provider and model. */
export type Prices = ReadonlyMap<string, ReadonlyMap<string, { readonly prompt: number; readonly completion: number }>>;

/** The work of one policy, by rule; config lines say which prompts it judged. */
export interface PolicyStatistics {
  readonly policy: string;
  readonly judged: number;
  readonly notJudged: UnjudgedCounts;
  /** Prompts whose config line is not in these files. */
  readonly unknown: number;
  /** The number of versions of the gateway file with which it judged them. */
  readonly configs: number;
  /** The time since which its kind, action, sides and Motifs are as now; null where they never changed here. */
  readonly unchangedSince: string | null;
  readonly rules: readonly ({ readonly rule: string } & RuleCounts)[];
  readonly excepted: ExceptedCounts;
}

/** Prompts in which exceptions freed something that the policy had found. */
export interface ExceptedCounts {
  readonly prompts: number;
  /** Those of them for which a provider was asked. */
  readonly reachedProvider: number;
  readonly rules: readonly { readonly rule: string; readonly prompts: number }[];
}

/** Prompts in which a rule found something, and what its policy did; what is in neither number was let through. */
interface RuleCounts {
  readonly found: number;
  readonly blocked: number;
  readonly redacted: number;
}

/** Prompts that a policy is known not to have judged, by the reason. */
export interface UnjudgedCounts {
  readonly refused: number;
  /** Failures that came before the policies, such as of a gateway with too much to do. */
  readonly failed: number;
  /** Prompts of Motifs that do not have the policy. */
  readonly withoutPolicy: number;
  /** Of a policy that reads answers alone: prompts that failed, or were blocked, before there was one to judge. */
  readonly withoutAnswer: number;
  /** Those of them all for which a provider was asked. */
  readonly reachedProvider: number;
}

/** The most rows; what comes after them is counted in one more. */
const rowsMax = 5000;
const othersName = '(others)';
/** The most models without a price that are named. */
const unpricedModelsMax = 5;

interface StatisticOptions {
  readonly by: readonly StatisticKey[];
  readonly policy?: string | undefined;
  readonly prices?: Prices | undefined;
}

/** Adds up prompts; its memory grows with the rows alone, and those have a cap. */
export class AuditStatistics {
  readonly #options: StatisticOptions;
  readonly #rows: RowSums[] = [];
  readonly #tree = new RowBranch();
  /** The row of all that come once there are too many. */
  #others: RowSums | undefined;
  readonly #total: RowSums = new RowSums([]);
  /** By hash of the gateway file: the Motifs that the policy judges. */
  readonly #configs = new Map<string, { readonly motifs: ReadonlySet<string>; readonly readsAnswersAlone: boolean }>();
  readonly #rules = new Map<string, RuleCounts>();
  readonly #excepted = { prompts: 0, reachedProvider: 0, rules: new Map<string, number>() };
  readonly #notJudged = { refused: 0, failed: 0, withoutPolicy: 0, withoutAnswer: 0, reachedProvider: 0 };
  /** Those whose prompts the policy judged. */
  readonly #judgingConfigs = new Set<string>();
  /** All that the newest config line says of the policy. */
  #policyFacts: string | undefined;
  #unchangedSince: string | null = null;
  /** Prompts with tokens whose model has no price, and some of those models. */
  unpricedPrompts = 0;
  readonly unpricedModels = new Set<string>();
  #judged = 0;
  #unknown = 0;
  /** Prompts without messages, which count as none. */
  emptyPrompts = 0;
  firstTime: string | undefined;
  lastTime: string | undefined;

  constructor(options: StatisticOptions) {
    this.#options = options;
  }

  /** Takes a config line, which says what the lines after it were judged by. */
  takeConfig({ hash, motifs, policies, time }: AuditRecord): void {
    const { policy } = this.#options;
    if (policy === undefined || typeof hash !== 'string' || typeof motifs !== 'object' || motifs === null) return;
    const judged = Object.entries(motifs as Record<string, { readonly policies?: unknown } | null>)
      .filter(([, motif]) => Array.isArray(motif?.policies) && motif.policies.includes(policy))
      .map(([id]) => id);
    const options = (policies as Readonly<Record<string, { readonly on?: unknown }>> | null | undefined)?.[policy];
    const readsAnswersAlone = JSON.stringify(options?.on) === '["inference"]';
    this.#configs.set(hash, { motifs: new Set(judged), readsAnswersAlone });
    const facts = JSON.stringify([options, judged.sort()]);
    if (this.#policyFacts !== undefined && facts !== this.#policyFacts) this.#unchangedSince = String(time);
    this.#policyFacts = facts;
  }

  take(facts: PromptFacts): void {
    const { time } = facts;
    if (facts.isEmpty) {
      this.emptyPrompts += facts.count;
      return;
    }
    if (this.firstTime === undefined || time < this.firstTime) this.firstTime = time;
    if (this.lastTime === undefined || time > this.lastTime) this.lastTime = time;
    const cost = this.#costOf(facts);
    this.#total.add(facts, cost);
    const { by, policy } = this.#options;
    if (policy !== undefined) this.#takePolicy(facts, policy);
    if (by.length === 0) return;
    if (!by.includes('policy') && !by.includes('rule')) return this.#rowOf(by, facts, undefined).add(facts, cost);
    const seen = new Set<RowSums>();
    for (const found of facts.rules.length === 0 ? [undefined] : facts.rules) seen.add(this.#rowOf(by, facts, found));
    for (const row of seen) row.add(facts, cost);
  }

  #rowOf(by: readonly StatisticKey[], facts: PromptFacts, found: PromptFacts['rules'][number] | undefined): RowSums {
    let branch: RowBranch | undefined = this.#tree;
    for (const key of by) branch = branch?.next.get(valueOf(key, facts, found));
    if (branch?.row !== undefined) return branch.row;
    if (this.#rows.length >= rowsMax) return (this.#others ??= new RowSums(by.map(() => othersName)));
    const values = by.map((key) => valueOf(key, facts, found));
    const row = new RowSums(values);
    this.#rows.push(row);
    this.#tree.put(values, row);
    return row;
  }

  #costOf({ provider, model, modelAsked, promptTokens, completionTokens }: PromptFacts): number | undefined {
    if (this.#options.prices === undefined) return undefined;
    const prices = this.#options.prices.get(provider ?? '');
    const price = prices?.get(model ?? '') ?? prices?.get(modelAsked ?? '');
    if (price !== undefined) return (promptTokens * price.prompt + completionTokens * price.completion) / 1e6;
    if (provider === null || promptTokens + completionTokens === 0) return undefined;
    this.unpricedPrompts += 1;
    const named = model === null ? `provider ${provider}, no model named` : `${model} of ${provider}`;
    if (this.unpricedModels.size < unpricedModelsMax) this.unpricedModels.add(named);
    return undefined;
  }

  #takePolicy(facts: PromptFacts, policy: string): void {
    this.#takeJudgement(facts);
    if (facts.excepted.length > 0) this.#takeExcepted(facts, policy);
    if (facts.rules.length === 0) return;
    const actions = new Map<string, string>();
    for (const { policy: finder, rule, action } of facts.rules) {
      if (finder !== policy) continue;
      const before = actions.get(rule);
      if (before !== 'block' && (before !== 'redact' || action === 'block')) actions.set(rule, action);
    }
    for (const [rule, action] of actions) {
      const { found, blocked, redacted } = this.#rules.get(rule) ?? { found: 0, blocked: 0, redacted: 0 };
      this.#rules.set(rule, {
        found: found + 1,
        blocked: blocked + (action === 'block' ? 1 : 0),
        redacted: redacted + (action === 'redact' ? 1 : 0),
      });
    }
  }

  #takeExcepted({ excepted, provider }: PromptFacts, policy: string): void {
    const rules = new Set(excepted.flatMap((each) => (each.policy === policy ? [each.rule] : [])));
    if (rules.size === 0) return;
    this.#excepted.prompts += 1;
    if (provider !== null) this.#excepted.reachedProvider += 1;
    for (const rule of rules) this.#excepted.rules.set(rule, (this.#excepted.rules.get(rule) ?? 0) + 1);
  }

  #takeJudgement(facts: PromptFacts): void {
    const { config, motif, provider } = facts;
    const judged = this.#configs.get(config ?? '');
    const early = reasonBeforePolicies(facts);
    if (early === undefined && judged === undefined) return void (this.#unknown += 1);
    const hasPolicy = judged?.motifs.has(motif) === true;
    const isUnanswered = judged?.readsAnswersAlone === true && !hasJudgedAnswer(facts);
    if (early === undefined && hasPolicy && !isUnanswered) {
      this.#judgingConfigs.add(config ?? '');
      this.#judged += 1;
      return;
    }
    this.#notJudged[early ?? (hasPolicy ? 'withoutAnswer' : 'withoutPolicy')] += facts.count;
    if (provider !== null) this.#notJudged.reachedProvider += 1;
  }

  get total(): StatisticRow {
    return this.#total.row();
  }

  /** The rows with most prompts first. */
  get rows(): readonly StatisticRow[] {
    const isByDay = this.#options.by[0] === 'day';
    const all = this.#others === undefined ? this.#rows : [...this.#rows, this.#others];
    const rows = all.map((sums) => sums.row());
    return rows.sort((one, other) =>
      isByDay ? String(one.values[0]).localeCompare(String(other.values[0])) : other.prompts - one.prompts,
    );
  }

  get policy(): PolicyStatistics | undefined {
    const { policy } = this.#options;
    if (policy === undefined) return undefined;
    const rules = [...this.#rules].map(([rule, sums]) => ({ rule, ...sums }));
    rules.sort((one, other) => other.found - one.found);
    return {
      policy,
      judged: this.#judged,
      notJudged: this.#notJudged,
      unknown: this.#unknown,
      configs: this.#judgingConfigs.size,
      unchangedSince: this.#unchangedSince,
      rules,
      excepted: { ...this.#excepted, rules: [...this.#excepted.rules].map(([rule, prompts]) => ({ rule, prompts })) },
    };
  }
}

/** The reason for which no policy at all looked at a prompt; undefined for one that came as far as the policies. */
function reasonBeforePolicies(facts: PromptFacts): 'refused' | 'failed' | undefined {
  const { decision, provider, rules, policyMs } = facts;
  if (decision === 'refused') return 'refused';
  return decision === 'failed' && provider === null && rules.length === 0 && policyMs === 0 ? 'failed' : undefined;
}

/** True where policies saw an answer: it passed, or something was found in it. */
function hasJudgedAnswer({ decision, rules }: PromptFacts): boolean {
  return (decision !== 'failed' && decision !== 'block') || rules.some(({ on }) => on === 'inference');
}

function valueOf(
  key: StatisticKey,
  facts: PromptFacts,
  found: PromptFacts['rules'][number] | undefined,
): string | null {
  if (key === 'policy' || key === 'rule') return found?.[key] ?? null;
  if (key === 'day') return facts.time.slice(0, 10);
  return facts[key];
}
