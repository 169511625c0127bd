import type { AuditRecord } from './reading.ts';
import { type Decision, decisions } from './line.ts';
import { textOrNull } from '../../../wire/reply.ts';
import { emptyPromptReason } from '../../refusal.ts';

/** One finding of an audit line. */
interface RuleFacts {
  readonly policy: string;
  readonly rule: string;
  readonly on: string;
  readonly action: string;
}

/** The facts of one prompt, as its audit line has them; null for what a line of an earlier version lacks. */
export interface PromptFacts {
  /** ISO, in UTC: its order is that of time. */
  readonly time: string;
  readonly promptId: string;
  readonly motif: string;
  readonly team: string | null;
  readonly user: string | null;
  readonly token: string | null;
  readonly decision: Decision;
  /** The prompts that the line stands for: more than 1 where refused ones share a line. */
  readonly count: number;
  readonly provider: string | null;
  /** True where the provider answered in place of the first one, which had failed. */
  readonly isFallback: boolean;
  /** The model that answered, or else the one that was asked. */
  readonly model: string | null;
  readonly modelAsked: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly policyMs: number;
  readonly totalMs: number;
  readonly config: string | null;
  readonly reason: string | null;
  /** True for a prompt without messages, as `login` and `doctor` send it to try a token. */
  readonly isEmpty: boolean;
  readonly rules: readonly RuleFacts[];
  /** Findings that exceptions freed. */
  readonly excepted: readonly RuleFacts[];
}

const noRules: readonly RuleFacts[] = [];

/** Reads the line of a prompt; whatever is not of the form it must have counts as not said. */
export function toPromptFacts(record: AuditRecord): PromptFacts {
  const usage = fieldsOf(record.usage);
  const modelAsked = textOrNull(record.model);
  const ms = fieldsOf(record.ms);
  return {
    time: textOrNull(record.time) ?? '',
    promptId: textOrNull(record.prompt_id) ?? '',
    motif: textOrNull(record.motif) ?? '',
    team: textOrNull(record.team),
    user: textOrNull(record.user),
    token: textOrNull(record.token_id),
    decision: decisionOf(record),
    count: Math.max(1, countOf(record.refused)),
    provider: textOrNull(record.provider),
    isFallback: record.fallback === true,
    model: textOrNull(record.model_answered) ?? modelAsked,
    modelAsked,
    promptTokens: countOf(usage.prompt_tokens),
    completionTokens: countOf(usage.completion_tokens),
    policyMs: countOf(ms.policy),
    totalMs: countOf(ms.total),
    config: textOrNull(record.config),
    reason: textOrNull(record.reason),
    isEmpty: record.empty === true || (record.decision === 'refused' && record.reason === emptyPromptReason),
    rules: rulesOf(record.rules),
    excepted: rulesOf(record.excepted),
  };
}

/** Earlier versions called a prompt with redactions or warnings `pass`, and said so in its action alone. */
function decisionOf({ decision, action }: AuditRecord): Decision {
  if (decision === 'pass' && (action === 'redact' || action === 'warn')) return action;
  return decisions.find((each) => each === decision) ?? 'failed';
}

function rulesOf(value: unknown): readonly RuleFacts[] {
  if (!Array.isArray(value) || value.length === 0) return noRules;
  return value.map((each) => {
    const { policy, rule, on, action } = fieldsOf(each);
    const word = (text: unknown): string => textOrNull(text) ?? '';
    return { policy: word(policy), rule: word(rule), on: word(on), action: word(action) };
  });
}

const noFields: AuditRecord = {};

function fieldsOf(value: unknown): AuditRecord {
  return typeof value === 'object' && value !== null ? (value as AuditRecord) : noFields;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** One test for each filter, of a prompt and what is wanted of it; one finding must have both policy and rule. */
const filters = {
  /** ISO texts: from `since` on, before `until`. */
  since: ({ time }, wanted) => time >= wanted,
  until: ({ time }, wanted) => time < wanted,
  /** One of several, with commas between them. */
  decision: ({ decision }, wanted) => decision === wanted || wanted.split(',').includes(decision),
  motif: ({ motif }, wanted) => motif === wanted,
  user: ({ user }, wanted) => user === wanted,
  team: ({ team }, wanted) => team === wanted,
  tokenId: ({ token }, wanted) => token === wanted,
  policy: ({ rules, excepted }, wanted, { rule }) =>
    [...rules, ...excepted].some((found) => found.policy === wanted && (rule === undefined || isNamed(found, rule))),
  rule: ({ rules, excepted }, wanted) => [...rules, ...excepted].some((found) => isNamed(found, wanted)),
} satisfies Readonly<Record<string, (facts: PromptFacts, wanted: string, filter: WantedRule) => boolean>>;

interface WantedRule {
  readonly rule: string | undefined;
}

/** The prompts that are asked for; undefined asks for all. */
export type PromptFilter = Readonly<Record<keyof typeof filters, string | undefined>>;

const filterNames = Object.keys(filters) as readonly (keyof PromptFilter)[];

/** True for a prompt that is asked for. */
export function matchesFilter(facts: PromptFacts, filter: PromptFilter): boolean {
  return filterNames.every((name) => {
    const wanted = filter[name];
    return wanted === undefined || filters[name](facts, wanted, filter);
  });
}

/** A rule is named by itself, `card`, or with its policy as lists show it: `no-pii/card`. */
function isNamed({ policy, rule }: RuleFacts, name: string): boolean {
  return rule === name || (name.length > rule.length && `${policy}/${rule}` === name);
}
