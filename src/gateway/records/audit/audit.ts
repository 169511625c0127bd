import type { Message } from '../../../wire/request.ts';
import type { GatewayConfig } from '../../config.ts';
import type { Action, Hit, TokenCounts } from '../../vocabulary.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** What an auditor needs to know of one prompt. It never says what matched, only where. */
export interface AuditEntry {
  readonly promptId: string;
  readonly motif: string;
  readonly tokenId: string | null;
  readonly user: string | null;
  readonly tenant: string | null;
  readonly decision: Decision;
  readonly hits: readonly Hit[];
  readonly usage: TokenCounts | undefined;
  /** As `durationText` writes them. */
  readonly ms: { readonly policy: string; readonly provider: string; readonly total: string };
  readonly status: number;
  readonly config: string;
  /** Only where `audit.text` asks for it, and only of a prompt that passed. */
  readonly texts?: { readonly messages: readonly Message[]; readonly response: string } | undefined;
}

export type Decision = 'pass' | 'block' | 'refused' | 'failed';

/** A file that lines are added to, opened by whoever may touch files. */
export interface AppendFile {
  /** Rejects if not all of it could be written. */
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface AuditParts {
  open(path: string): Promise<AppendFile>;
  now(): number;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface Audit {
  /** False while lines cannot be written and prompts must not pass unaudited. A line that is written ends it. */
  readonly accepts: boolean;
  /** Resolves once the line is written; false if it could not be and the prompt must not pass unaudited. */
  record(entry: AuditEntry): Promise<boolean>;
  /** Opens the file anew, so that a rotated one is let go. */
  reopen(): Promise<void>;
  /** Writes what is left, and closes. */
  close(): Promise<void>;
}

type AuditConfig = NonNullable<GatewayConfig['audit']>;

/** The lines of all requests that are answered in one turn of the event loop are written together. */
export async function createAudit(config: AuditConfig, parts: AuditParts): Promise<Audit> {
  let file = await parts.open(config.file);
  let waiting = '';
  let writing: Promise<boolean> | undefined;
  let isFailing = false;
  const timeText = createTimeText();

  async function flush(): Promise<boolean> {
    const text = waiting;
    waiting = '';
    writing = undefined;
    try {
      await file.write(text);
      if (isFailing) parts.log.info('audit lines can be written again', { file: config.file });
      isFailing = false;
      return true;
    } catch (error) {
      parts.metrics.count('auditFailures');
      if (!isFailing) {
        parts.log.error('an audit line could not be written', { file: config.file, reason: reasonOf(error) });
      }
      isFailing = true;
      return false;
    }
  }

  return {
    get accepts() {
      return !isFailing || config.whenFull === 'warn';
    },
    record(entry) {
      waiting += `${auditLine(entry, timeText(parts.now()))}\n`;
      writing ??= new Promise((turn) => setImmediate(turn)).then(flush);
      return config.whenFull === 'warn' ? Promise.resolve(true) : writing;
    },
    async reopen() {
      const reopened = await parts.open(config.file);
      await writing;
      const old = file;
      file = reopened;
      await old.close();
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The strongest thing that was done; null where no policy found anything. */
function strongestAction(hits: readonly Hit[]): Action | null {
  for (const action of ['block', 'redact', 'warn'] as const)
    if (hits.some((hit) => hit.action === action)) return action;
  return null;
}

/** The moment in words, which are the same for all prompts of a millisecond. */
function createTimeText(): (now: number) => string {
  let moment = NaN;
  let text = '';
  return (now) => {
    if (now !== moment) text = new Date(now).toISOString();
    moment = now;
    return text;
  };
}

/**
 * One line of the audit file; the names are public and never change. It is put together here, because to make an object
 * for JSON.stringify to take apart would be the dearest part of an audited prompt. A prompt ID needs no escape.
 */
function auditLine(entry: AuditEntry, time: string): string {
  const { usage, ms, hits, texts } = entry;
  const [prompt, completion] = [usage?.prompt ?? 0, usage?.completion ?? 0];
  const estimated = usage?.isEstimated === true ? ',"estimated":true' : '';
  const counts = `"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${prompt + completion}`;
  const durations = `"policy":${ms.policy},"provider":${ms.provider},"total":${ms.total}`;
  const who = `"motif":${quoted(entry.motif)},"token_id":${quoted(entry.tokenId)}`;
  const where = `"user":${quoted(entry.user)},"tenant":${quoted(entry.tenant)}`;
  const rules = hits.length === 0 ? '[]' : rulesText(hits);
  const said = texts === undefined ? '' : `,${JSON.stringify(texts).slice(1, -1)}`;
  return (
    `{"time":"${time}","prompt_id":"${entry.promptId}",${who},${where},` +
    `"decision":"${entry.decision}","rules":${rules},"action":${quoted(strongestAction(hits))},` +
    `"usage":{${counts}${estimated}},"ms":{${durations}},"status":${entry.status},"config":${quoted(entry.config)}${said}}`
  );
}

/** Each place takes a line's worth of bytes, and a prompt of a megabyte could name a hundred thousand of them. */
const rulesMax = 1000;

/** What was done about them decides which are told, where there are too many. */
function toldOf(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length <= rulesMax) return hits;
  const ordered = (['block', 'redact', 'warn'] as const).map((action) => hits.filter((hit) => hit.action === action));
  return ordered.flat().slice(0, rulesMax);
}

function rulesText(hits: readonly Hit[]): string {
  return JSON.stringify(
    toldOf(hits).map(({ policy, rule, on, action, message, start, length, place = null }) => ({
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

/** Most of what stands in a line needs no escape, and to see that is cheaper than to ask for one. */
function quoted(text: string | null): string {
  if (text === null) return 'null';
  return /^[\w.@-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Milliseconds down to microseconds, for finer digits say nothing: `1.5`. Digits of whole numbers cost least. */
export function durationText(ms: number): string {
  const micros = Math.max(0, Math.round(ms * 1000));
  const thousandths = micros % 1000;
  const whole = String((micros - thousandths) / 1000);
  if (thousandths === 0) return whole;
  const digits = String(1000 + thousandths);
  const end = thousandths % 100 === 0 ? 2 : thousandths % 10 === 0 ? 3 : 4;
  return `${whole}.${digits.slice(1, end)}`;
}
