import { byKind, joined } from '../../documents/by-kind.ts';
import { FetchedSecret, FetchedText } from '../../documents/fetched.ts';
import { refined } from '../../documents/refined.ts';
import {
  about,
  byDefault,
  list,
  moment,
  object,
  oneOf,
  readInPieces,
  type Shape,
  text,
} from '../../documents/shape.ts';
import { inTurns } from '../../text/turns.ts';
import { linearPattern, makePatterns } from '../policies/kinds/regex.ts';
import type { Fields } from '../../text/json/json.ts';
import type { PolicyConfig } from '../config.ts';
import { policyKinds } from '../policies/index.ts';
import type { PolicyKind } from '../policies/policy.ts';
import type { Side } from '../vocabulary.ts';
import { warnOfExceptions } from './exception-warnings.ts';
import { warnOfForms } from './form-warnings.ts';
import { keptPolicy, noteEntry } from './kept-policies.ts';
import { closest } from '../../text/similar.ts';
import { fileWords, resolveSecret, type Sources, spotsAt, type Spots } from './secrets.ts';

/** The most exceptions of one policy; where more are needed, another policy is. */
const exceptionsMax = 1_000;

interface PolicySources extends Sources {
  readonly now: number;
  /** Policies of the version before. */
  readonly before?: ReadonlyMap<string, PolicyConfig> | undefined;
  readonly areProvidersReplaced?: boolean;
}

const bothSides: readonly Side[] = ['prompt', 'inference'];

const exception = refined(
  object(
    {},
    {
      text: about('a finding of exactly this text does not count', text()),
      pattern: about('a finding that this pattern matches as a whole does not count', linearPattern),
      why: text(),
      until: about('the exception ends then', moment()),
    },
  ),
  (read, spot) =>
    (read.text === undefined) === (read.pattern === undefined)
      ? spot.fault('needs text or pattern, one of them')
      : read,
);

/** The keys of every policy, whatever its kind. */
function headOf({ sides, rules }: PolicyKind) {
  const shared = {
    on:
      sides === undefined
        ? byDefault('both', 'what is looked at: prompts, answers or both', oneOf('prompt', 'inference', 'both'))
        : byDefault(sides.length === 1 ? sides[0] : 'both', 'what is looked at', oneOf(...sides)),
    action: byDefault('block', 'what becomes of a text with a finding', oneOf('block', 'redact', 'warn')),
    except: about('findings that do not count', list(exception, { most: exceptionsMax })),
  };
  const without = (names: readonly string[]) => ({
    without: about('rules that are left out', list(oneOf(...new Set(names)))),
  });
  // A kind without rules to leave out does not have this key.
  const own = rules instanceof RegExp ? {} : without(rules);
  return object({}, { ...shared, ...own } as typeof shared & ReturnType<typeof without>);
}

/** A policy of any kind, with the options of that kind. */
export const policyShape = byKind(
  Object.fromEntries(Object.entries(policyKinds).map(([name, kind]) => [name, joined(headOf(kind), kind.options)])),
);

/** The texts of policies that may name secrets. */
export function policySecrets(entries: ReadonlyMap<string, Fields> | undefined): readonly string[] {
  return [...(entries?.values() ?? [])].flatMap((entry) =>
    Object.entries(optionsOfKind(entry.kind)).flatMap(([name, { source }]) =>
      source === 'secret' && typeof entry[name] === 'string' ? [entry[name]] : [],
    ),
  );
}

/** The patterns of a policy, kept alive until it is made: it then gets these and need not compile them again. */
const heldPatterns = new WeakMap<PolicyConfig, readonly unknown[]>();

export async function toPolicies(
  entries: ReadonlyMap<string, Fields> | undefined,
  sources: PolicySources,
  spots: Spots,
): Promise<ReadonlyMap<string, PolicyConfig>> {
  const policies = new Map<string, PolicyConfig>();
  for (const [name, entry] of entries ?? []) {
    const at = spotsAt(spots, 'policies', name);
    const fetched = await withSources(entry, sources, at);
    if (fetched === undefined) continue;
    const policy =
      (await inTurns(keptPolicy(sources.before?.get(name), fetched))) ?? (await toPolicy(name, fetched, at));
    if (policy === undefined) continue;
    policies.set(name, policy);
    warnOfExceptions(policy, sources.now, at);
    warnOfNothingLeft(policy, at);
    await inTurns(warnOfForms(entry, policy, at));
  }
  return policies;
}

function warnOfNothingLeft({ kind, without, options }: PolicyConfig, { warn }: Spots): void {
  const known = policyKinds[kind]!;
  const sought = known.rulesOf?.(options) ?? known.rules;
  if (sought instanceof RegExp || sought.some((rule) => !without.includes(rule))) return;
  warn.at('without').fault('leaves nothing of what it looks for, so this policy finds nothing');
}

/** A policy that names no side judges every side that its kind can judge. */
async function toPolicy(name: string, entry: Fields, { spot }: Spots): Promise<PolicyConfig | undefined> {
  const made = await inTurns(makePatterns(entry));
  const read = await inTurns(readInPieces(policyShape, entry, spot));
  if (read === undefined) return undefined;
  const { kind, head, rest } = read;
  const { on = 'both', action = 'block', except = [], without = [] } = head;
  const sides = on === 'both' ? (policyKinds[kind]!.sides ?? bothSides) : [on];
  const policy = { name, kind, on: new Set(sides), action, except, without, options: rest };
  heldPatterns.set(policy, made);
  noteEntry(policy, entry);
  return policy;
}

/** The entry with texts in place of paths, and secrets in place of their names; undefined: a file is not there. */
async function withSources(entry: Fields, sources: PolicySources, spots: Spots): Promise<Fields | undefined> {
  const fetched: Record<string, unknown> = { ...entry };
  for (const [name, { source }] of Object.entries(optionsOfKind(entry.kind))) {
    const value = entry[name];
    if (typeof value !== 'string') continue;
    const at = spotsAt(spots, name);
    if (source === 'secret') {
      // With replaced providers nobody outside is asked, so no key is needed.
      const resolved = sources.areProvidersReplaced ? undefined : await resolveSecret(value, sources, at);
      fetched[name] = resolved && new FetchedSecret(resolved.secret, resolved.spot);
    }
    if (source !== 'file') continue;
    fetched[name] = await readNamed(value, sources, at);
    if (fetched[name] === undefined) return undefined;
  }
  return fetched;
}

function optionsOfKind(kind: unknown): Readonly<Record<string, Shape<unknown>>> {
  if (typeof kind !== 'string') return {};
  // Of a mistyped kind the one that was meant, whose options are read as well.
  const known = Object.hasOwn(policyKinds, kind) ? kind : closest(kind, Object.keys(policyKinds));
  return (known === undefined ? undefined : policyKinds[known]!.options.fields) ?? {};
}

async function readNamed(path: string, { readInside }: Sources, { named }: Spots): Promise<FetchedText | undefined> {
  try {
    return new FetchedText(await readInside(path), named);
  } catch (error) {
    return named.fault(`names ${fileWords(path, error)}`);
  }
}
