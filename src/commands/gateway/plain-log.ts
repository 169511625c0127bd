import type { Log, LogFields } from '../../gateway/records/log.ts';

/** A line of the log in words for a person: `a provider failed (status 502, reason ...)`. */
export function plainLine(message: string, fields: LogFields = {}, without: ReadonlySet<string> = new Set()): string {
  const facts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || without.has(name) ? [] : [`${name} ${value}`],
  );
  return facts.length === 0 ? message : `${message} (${facts.join(', ')})`;
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
