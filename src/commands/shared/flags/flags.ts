import { parseDuration, dayMs } from '../../../text/durations.ts';

/** Values that the Tab key offers: known ones, files, or names that are looked up at that moment. */
export type Completion = readonly string[] | 'files' | 'profiles' | 'conversations' | 'profile keys' | 'help names';

/** A reason why two flags exclude each other: `--json and --field` is followed by it. */
export interface Conflict {
  readonly reason: string;
  readonly hint?: string;
  /** True where they do exclude each other; absent where they always do. */
  readonly when?: (typed: Readonly<Record<string, unknown>>) => boolean;
}

/** Further facts of a flag; each names other flags by their fields. */
export interface FlagRules {
  readonly not?: Readonly<Record<string, string | Conflict>>;
  /** Flags of which at least one has to be there too. */
  readonly needs?: readonly string[];
  /** Advice where the value is wrong, instead of the help of the command. */
  readonly hint?: string;
  readonly complete?: Completion;
  /** Advice where it was typed with two values; without it the last one counts. */
  readonly once?: string;
}

/** A flag: everything that is known of it, for parsing, help, usage errors and completion. */
export interface Flag<T> {
  /** As in help: `-o, --output <file>`. */
  readonly spelling: string;
  readonly help: string;
  /** Its value in words, for `--expect takes answered, blocked or any`. */
  readonly takes: string;
  readonly rules: FlagRules;
  readonly isRepeatable: boolean;
  /** The value where the flag was not typed. */
  readonly fallback: T | undefined;
  /** The value of a typed text; undefined where it is no such value. */
  read(text: string): unknown;
  /** Always empty; it carries the type of the field. */
  readonly type: readonly T[];
}

type FlagFields = Readonly<Record<string, Flag<unknown>>>;
type ValueOf<F> = F extends Flag<infer T> ? T : never;
type OptionalKey<F> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F];

/** Flags that stand under one heading in help. */
export interface FlagGroup<F extends FlagFields = FlagFields> {
  readonly heading: string;
  readonly fields: F;
}

/** The typed values of a group: `FlagsOf<typeof outputFlags>`. */
export type FlagsOf<G> =
  G extends FlagGroup<infer F>
    ? { readonly [K in OptionalKey<F>]?: ValueOf<F[K]> } & {
        readonly [K in Exclude<keyof F, OptionalKey<F>>]: ValueOf<F[K]>;
      }
    : never;

/**
 * Declares flags, each once and by the field that gets its value. Commander's options, the typed fields, usage errors,
 * conflicts and completion all come from here.
 */
export function flags<const F extends FlagFields>(fields: F, { heading }: { readonly heading: string }): FlagGroup<F> {
  return { heading, fields };
}

/** A switch. One that is spelled `--no-stdin` belongs into the field `noStdin`. */
export function toggle(spelling: string, help: string, rules: FlagRules = {}): Flag<boolean | undefined> {
  return value(spelling, '', () => undefined, help, rules);
}

/** Any text, the empty one included. */
export function textFlag(spelling: string, help: string, rules: FlagRules = {}): Flag<string | undefined> {
  return value(spelling, 'a text', (typed) => typed, help, rules);
}

export function file(spelling: string, help: string, rules: FlagRules = {}): Flag<string | undefined> {
  return value(spelling, 'the name of a file', (typed) => typed, help, { complete: 'files', ...rules });
}

/** One of a few words. */
export function choice<const C extends string>(
  spelling: string,
  choices: readonly C[],
  help: string,
  rules: FlagRules = {},
): Flag<C | undefined> {
  const read = (typed: string): C | undefined => choices.find((each) => each === typed);
  return value(spelling, listed(choices), read, help, { complete: choices, ...rules });
}

/** A whole number. */
export function number(
  spelling: string,
  help: string,
  { from = 1, to = 999_999_999, ...rules }: FlagRules & { readonly from?: number; readonly to?: number } = {},
): Flag<number | undefined> {
  const takes = `a whole number from ${from} ${to === 999_999_999 ? 'on' : `to ${to}`}`;
  const read = (typed: string): number | undefined =>
    /^\d{1,9}$/.test(typed) && Number(typed) >= from && Number(typed) <= to ? Number(typed) : undefined;
  return value(spelling, takes, read, help, rules);
}

const longestDurationMs = 36_500 * dayMs;

/** A duration such as `500ms`, `20s` or `30d`, in milliseconds. */
export function durationFlag(spelling: string, help: string, rules: FlagRules = {}): Flag<number | undefined> {
  return value(spelling, 'a duration like 20s, 24h or 30d', readDuration, help, rules);
}

export function readDuration(typed: string): number | undefined {
  const ms = parseDuration(typed);
  return ms === undefined || ms > longestDurationMs ? undefined : ms;
}

/** A value of any other form: `read` returns it, or undefined where the text is no such value. */
export function value<T>(
  spelling: string,
  takes: string,
  read: (typed: string) => T | undefined,
  help: string,
  rules: FlagRules = {},
): Flag<T | undefined> {
  return { spelling, help, takes, read, rules, isRepeatable: false, fallback: undefined, type: [] };
}

/** The same flag, for several values: its field is a list. */
export function repeatable<T>(flag: Flag<T>): Flag<readonly Exclude<T, undefined>[] | undefined> {
  return { ...flag, help: `${flag.help}; repeatable`, isRepeatable: true, fallback: undefined, type: [] };
}

/** The same flag with a value for where it is not typed, which its help should name. */
export function withDefault<T>(flag: Flag<T>, fallback: Exclude<T, undefined>): Flag<Exclude<T, undefined>> {
  return { ...flag, fallback, type: [] };
}

/** `answered, blocked or any` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
