import { PolicyFault } from './policy.ts';

/** Reads the options of one policy; every fault names its path, as `policies.no-pii.entities[2]`. */
export interface OptionReader {
  readonly at: string;
  has(name: string): boolean;
  strings(name: string, entriesMax: number): string[] | undefined;
  string(name: string): string | undefined;
  integer(name: string, min: number): number | undefined;
  boolean(name: string): boolean | undefined;
  raw(name: string): unknown;
}

/** Refuses options that the kind does not have: a misspelled one must not be a policy that checks less than it says. */
export function readOptions(value: unknown, at: string, names: readonly string[]): OptionReader {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PolicyFault(`${at} must be a map of options`);
  }
  const options = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'this kind has none' : `known are ${names.join(', ')}`;
    throw new PolicyFault(`${at}.${unknown} is not an option of this kind: ${known}`);
  }

  function read<T>(name: string, expected: string, parse: (raw: unknown) => T | undefined): T | undefined {
    const raw = options[name];
    if (raw === undefined) return undefined;
    const parsed = parse(raw);
    if (parsed === undefined) throw new PolicyFault(`${at}.${name} must be ${expected}`);
    return parsed;
  }

  return {
    at,
    has: (name) => options[name] !== undefined,
    raw: (name) => options[name],
    string: (name) => read(name, 'a text that is not empty', (raw) => (isFilled(raw) ? raw : undefined)),
    integer: (name, min) =>
      read(name, `a whole number from ${min}`, (raw) =>
        Number.isSafeInteger(raw) && Number(raw) >= min ? Number(raw) : undefined,
      ),
    boolean: (name) => read(name, 'true or false', (raw) => (typeof raw === 'boolean' ? raw : undefined)),
    strings: (name, entriesMax) => readStrings(options[name], `${at}.${name}`, entriesMax),
  };
}

function readStrings(raw: unknown, at: string, entriesMax: number): string[] | undefined {
  if (raw === undefined) return undefined;
  if (!Array.isArray(raw) || raw.length === 0) throw new PolicyFault(`${at} must be a list that is not empty`);
  if (raw.length > entriesMax) throw new PolicyFault(`${at} must have at most ${entriesMax} entries`);
  const odd = raw.findIndex((entry) => !isFilled(entry));
  if (odd !== -1) throw new PolicyFault(`${at}[${odd}] must be a text that is not empty`);
  return raw as string[];
}

function isFilled(raw: unknown): raw is string {
  return typeof raw === 'string' && raw.trim() !== '';
}
