import type { GatewayConfig } from '../../config.ts';
import type { Action, Hit, TokenCounts } from '../../vocabulary.ts';

/** Everything that an auditor needs to know of one prompt: the places of what matched, never the text. */
export interface AuditEntry {
  readonly promptId: string;
  readonly motif: string;
  readonly team?: string | null | undefined;
  readonly tokenId: string | null;
  readonly user: string | null;
  readonly tenant: string | null;
  readonly decision: Decision;
  readonly hits: readonly Hit[];
  /** Findings that exceptions freed; they count for no decision. */
  readonly excepted?: readonly Hit[] | undefined;
  /** The provider that answered, or was the last to be asked; absent where none was. */
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly modelAnswered?: string | null | undefined;
  readonly providerRequestId?: string | null | undefined;
  /** True where the first provider failed and another one was asked. */
  readonly isFallback?: boolean | undefined;
  /** True where a request was sent twice, because its connection closed before a byte came back. */
  readonly isResent?: boolean | undefined;
  readonly usage: TokenCounts | undefined;
  /** Durations as `durationText` writes them. */
  readonly ms: { readonly policy: string; readonly provider: string; readonly total: string };
  readonly status: number;
  /**
   * The cause of a refusal or failure, in our words alone: `malformed_json`, `provider 401`, `provider timeout`; of an
   * answer of the fallback, why the first provider was given up: `openai: provider 401`.
   */
  readonly reason?: string | null | undefined;
  /** True for the empty prompt of a login that was refused before its body was read. */
  readonly isEmpty?: boolean | undefined;
  /** The number of refused prompts that this line stands for, where it is more than its own. */
  readonly refused?: number | undefined;
  readonly traceparent?: string | null | undefined;
  readonly config: string;
  /** Only where `audit.text` asks for it, and only of a prompt that passed. */
  readonly texts?: { readonly messagesJson: string; readonly responseJson: string } | undefined;
}

/** The entry of a prompt whose answer is kept back, because nobody may find its line. */
export function withheld(entry: AuditEntry): AuditEntry {
  return { ...entry, decision: 'failed', status: 503, reason: 'audit_unavailable', texts: undefined };
}

/** The strongest thing that was done about a prompt. */
export const decisions = ['pass', 'warn', 'redact', 'block', 'refused', 'failed'] as const;
export type Decision = (typeof decisions)[number];

const actionsByStrength = ['block', 'redact', 'warn'] as const;

/** The strongest action among findings; null where no policy found anything. */
export function strongestAction(hits: readonly Hit[]): Action | null {
  if (hits.length === 0) return null;
  return actionsByStrength.find((action) => hits.some((hit) => hit.action === action)) ?? null;
}

/**
 * Returns a function from entry and time to the line without its end; its names are public and never change. A line is
 * put together here, because an object for JSON.stringify would be the dearest part of an audited prompt. A prompt ID
 * needs no escape.
 */
export function createAuditLine(): (entry: AuditEntry, time: string) => string {
  const known = new Map<string, MotifTexts>();
  return (entry, time) => {
    let texts = known.get(entry.motif);
    if (texts === undefined) {
      if (known.size >= motifsMax) known.clear();
      known.set(entry.motif, (texts = new MotifTexts()));
    }
    const { usage, ms } = entry;
    const [prompt, completion] = [usage?.prompt ?? 0, usage?.completion ?? 0];
    return (
      `{"time":"${time}","prompt_id":"${entry.promptId}",${texts.head(entry)}${quoted(entry.providerRequestId)}` +
      `${entry.isFallback === true ? ',"fallback":true' : ',"fallback":false'}` +
      `${entry.isResent === true ? ',"resent":true' : ''},"usage":{"prompt_tokens":${prompt},` +
      `"completion_tokens":${completion},"total_tokens":${prompt + completion}` +
      `${usage?.isEstimated === true ? ',"estimated":true' : ''}},` +
      `"ms":{"policy":${ms.policy},"provider":${ms.provider},"total":${ms.total}},${texts.tail(entry)}${keptText(entry)}`
    );
  };
}

/** The most Motifs whose texts are remembered, so that those of files from before a reload are let go. */
const motifsMax = 1000;

type HeadFacts = Pick<
  AuditEntry,
  'tokenId' | 'user' | 'team' | 'tenant' | 'decision' | 'provider' | 'model' | 'modelAnswered'
>;
type TailFacts = Pick<AuditEntry, 'status' | 'reason' | 'refused' | 'isEmpty' | 'traceparent' | 'config'>;

/** Parts of a line that are mostly as in the line before of its Motif; they are put together when they change. */
class MotifTexts {
  #headFacts: HeadFacts | undefined;
  #head = '';
  #tailFacts: TailFacts | undefined;
  #tail = '';

  /** From the Motif to the name of the request ID. */
  head(entry: AuditEntry): string {
    const { hits, excepted, tokenId, user, team, tenant, decision, provider, model, modelAnswered } = entry;
    if (hits.length > 0 || (excepted !== undefined && excepted.length > 0)) return headText(entry);
    const last = this.#headFacts;
    if (
      last === undefined ||
      last.tokenId !== tokenId ||
      last.user !== user ||
      last.team !== team ||
      last.tenant !== tenant ||
      last.decision !== decision ||
      last.provider !== provider ||
      last.model !== model ||
      last.modelAnswered !== modelAnswered
    ) {
      // Never the entry itself, which may hold the texts of a prompt.
      this.#headFacts = { tokenId, user, team, tenant, decision, provider, model, modelAnswered };
      this.#head = headText(entry);
    }
    return this.#head;
  }

  /** From the status to the configuration. */
  tail(entry: AuditEntry): string {
    const { status, reason, refused, isEmpty, traceparent, config } = entry;
    const last = this.#tailFacts;
    if (
      last === undefined ||
      last.status !== status ||
      last.reason !== reason ||
      last.refused !== refused ||
      last.isEmpty !== isEmpty ||
      last.traceparent !== traceparent ||
      last.config !== config
    ) {
      this.#tailFacts = { status, reason, refused, isEmpty, traceparent, config };
      this.#tail = tailText(entry);
    }
    return this.#tail;
  }
}

function headText(entry: AuditEntry): string {
  const { hits, provider, model, modelAnswered } = entry;
  return (
    `"motif":${quoted(entry.motif)},"team":${quoted(entry.team)},"token_id":${quoted(entry.tokenId)},` +
    `"user":${quoted(entry.user)},"tenant":${quoted(entry.tenant)},"decision":"${entry.decision}",` +
    `"rules":${hits.length === 0 ? '[]' : rulesText(hits)}${exceptedText(entry)},` +
    `"action":${quoted(strongestAction(hits))},"provider":${quoted(provider)},"model":${quoted(model)},` +
    `"model_answered":${quoted(modelAnswered)},"provider_request_id":`
  );
}

function tailText({ status, reason, refused, isEmpty, traceparent, config }: AuditEntry): string {
  return (
    `"status":${status},"reason":${quoted(reason)}${refused === undefined ? '' : `,"refused":${refused}`}` +
    `${isEmpty === true ? ',"empty":true' : ''},"traceparent":${quoted(traceparent)},"config":${quoted(config)}`
  );
}

function exceptedText({ excepted = [] }: AuditEntry): string {
  return excepted.length === 0 ? '' : `,"excepted":${rulesText(excepted)}`;
}

function keptText({ texts }: AuditEntry): string {
  return texts === undefined ? '' : `,"messages":${texts.messagesJson},"response":${texts.responseJson}`;
}

/** The line that says which policies each Motif had from then on; without it nobody could tell what was judged. */
export function configLine(config: GatewayConfig, time: string): string {
  const policies = [...config.policies].map(([name, { kind, on, action }]) => [name, { kind, on: [...on], action }]);
  const motifs = [...config.motifs].map(([id, motif]) => [id, { policies: motif.policies }]);
  const facts = { policies: Object.fromEntries(policies) as object, motifs: Object.fromEntries(motifs) as object };
  const head = `{"event":"config","time":"${time}","hash":${quoted(config.hash)},"text":${config.audit?.text === true}`;
  return `${head},${JSON.stringify(facts).slice(1, -1)}`;
}

/** The most findings of one line: a prompt of a megabyte could hold a hundred thousand. */
const rulesMax = 1000;

/** The findings that the line keeps: the strongest ones where there are too many. */
function keptFindings(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length <= rulesMax) return hits;
  return actionsByStrength.flatMap((action) => hits.filter((hit) => hit.action === action)).slice(0, rulesMax);
}

function rulesText(hits: readonly Hit[]): string {
  return JSON.stringify(
    keptFindings(hits).map(({ policy, rule, on, action, message, start, length, place = null }) => ({
      policy,
      rule,
      on,
      action,
      message,
      start,
      length,
      place,
    })),
  );
}

/** A JSON string. Most texts need no escape, and a test for that is cheaper than JSON.stringify. */
function quoted(text: string | null | undefined): string {
  if (text === null || text === undefined) return 'null';
  return /^[\w.@-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Milliseconds as text, rounded to microseconds: `1.5`. Digits of whole numbers cost least. */
export function durationText(ms: number): string {
  const micros = Math.max(0, Math.round(ms * 1000));
  const thousandths = micros % 1000;
  const whole = String((micros - thousandths) / 1000);
  if (thousandths === 0) return whole;
  const digits = String(1000 + thousandths);
  const end = thousandths % 100 === 0 ? 2 : thousandths % 10 === 0 ? 3 : 4;
  return `${whole}.${digits.slice(1, end)}`;
}

/** Returns a function from a moment to its text, of which all but the milliseconds is made once a second. */
export function createTimeText(): (now: number) => string {
  let second = NaN;
  let head = '';
  return (now) => {
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      head = new Date(second).toISOString().slice(0, -4);
    }
    return `${head}${String(1000 + ms).slice(1)}Z`;
  };
}
