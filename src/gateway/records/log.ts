import { escapeJson } from '../../text/defuse.ts';
import { grouped } from '../../text/sizes.ts';

/** The levels of a log, from the most urgent on; a log of one level holds those before it too. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
type LogLevel = (typeof logLevels)[number];
type LogValue = string | number | boolean | readonly string[] | null | undefined;
export type LogFields = Readonly<Record<string, LogValue>>;
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

interface LogParts {
  readonly write: (line: string) => void;
  readonly now: () => number;
  readonly level: LogLevel;
}

/** The most characters of one value; what a client or a provider chose must not fill the disk. */
const valueCharactersMax = 2000;
/** The most texts of one list. */
const listMax = 100;

/**
 * Writes one JSON object a line. Whatever stands in a value is escaped, so that it can neither end the line nor speak
 * to the terminal that shows it. Texts of prompts and answers are never logged.
 */
export function createLog({ write, now, level }: LogParts): Log {
  const shown = logLevels.indexOf(level);
  const at = (index: number): Log[LogLevel] => {
    if (index > shown) return () => undefined;
    return (message, fields) => {
      const reason = typeof fields?.reason === 'object' ? { reason: fields.reason?.join('; ') } : {};
      const line = { time: new Date(now()).toISOString(), level: logLevels[index], message, ...fields, ...reason };
      write(`${escapeJson(JSON.stringify(line, capped))}\n`);
    };
  };
  return { error: at(0), warn: at(1), info: at(2), debug: at(3) };
}

/** Logs that a server which is named by these facts sent bytes that nobody asked for. */
export function unaskedNote(log: Log, facts: LogFields): () => void {
  return () => log.warn('a server sent what nobody asked for, and for an hour no connection to it is kept', facts);
}

/** A log that nobody reads must not fill the memory. */
const unreadLinesMax = 10_000;

/** Hands lines over, so many at once at most. `tell` gets the number that was left out, once all others are taken. */
export function boundedWrite(
  write: (line: string) => Promise<void>,
  tell: (lost: number) => void,
  unreadMax = unreadLinesMax,
): (line: string) => void {
  let unread = 0;
  let lost = 0;
  return (line) => {
    if (unread >= unreadMax) return void (lost += 1);
    unread += 1;
    void write(line).then(() => {
      unread -= 1;
      if (lost === 0 || unread > 0) return;
      const count = lost;
      lost = 0;
      tell(count);
    });
  };
}

function capped(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && value.length > valueCharactersMax) return `${value.slice(0, valueCharactersMax)}…`;
  if (!Array.isArray(value) || value.length <= listMax) return value;
  return [...(value as readonly string[]).slice(0, listMax), `${value.length - listMax} more`];
}

/**
 * A line of the log in words for a person: `a provider failed: the reason (status 502)`, `3 connections dropped`. Of
 * several reasons, which stand at the end, each further one has a line of its own. A message that is counted begins
 * with a plural.
 */
function plainLine(
  message: string,
  { reason, count, ...fields }: LogFields = {},
  without?: ReadonlySet<string>,
): string {
  const facts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || without?.has(name) ? [] : [`${name} ${textOf(value)}`],
  );
  const reasons = reason === undefined || reason === null || without?.has('reason') ? [] : [reason].flat();
  const why = reasons.length === 0 ? '' : `: ${reasons.join('\n  ')}`;
  const about = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const many = typeof count === 'number' ? `${grouped(count)} ` : '';
  const words = count === 1 ? message.replace(/^([a-z]+)s /, '$1 ') : message;
  return reasons.length > 1 ? `${many}${words}${about}${why}` : `${many}${words}${why}${about}`;
}

function textOf(value: NonNullable<LogValue>): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/** A log that says warnings and errors as plain lines; `say` gets each. */
export function createPlainLog(say: (line: string) => void, without?: ReadonlySet<string>): Log {
  return {
    error: (message, fields) => say(plainLine(message, fields, without)),
    warn: (message, fields) => say(plainLine(message, fields, without)),
    info: () => undefined,
    debug: () => undefined,
  };
}
