import { byKind, joined, NamedText, object, oneOf } from '../../documents/shape.ts';
import type { Fields } from '../../text/json.ts';
import type { PolicyConfig } from '../config.ts';
import { policyKinds } from '../policies/index.ts';
import type { PolicyKind } from '../policies/policy.ts';
import type { Side } from '../vocabulary.ts';
import { fileWords, resolveSecret, type Sources, spotsAt, type Spots } from './secrets.ts';

const bothSides: readonly Side[] = ['prompt', 'inference'];

/** What every policy may say, whatever its kind. */
function headOf({ sides }: PolicyKind) {
  return object(
    {},
    {
      on: sides === undefined ? oneOf('prompt', 'inference', 'both') : oneOf(...sides),
      action: oneOf('block', 'redact', 'warn'),
    },
  );
}

/** A policy of any kind, with the options of that kind. */
export const policyShape = byKind(
  Object.fromEntries(Object.entries(policyKinds).map(([name, kind]) => [name, joined(headOf(kind), kind.options)])),
);

export async function toPolicies(
  entries: ReadonlyMap<string, Fields> | undefined,
  sources: Sources,
  spots: Spots,
): Promise<ReadonlyMap<string, PolicyConfig>> {
  const policies = new Map<string, PolicyConfig>();
  for (const [name, entry] of entries ?? []) {
    const at = spotsAt(spots, 'policies', name);
    const fetched = await withSources(entry, sources, at);
    const read = fetched && policyShape.read(fetched, at.spot);
    if (read !== undefined) policies.set(name, toPolicy(name, read));
  }
  return policies;
}

type PolicyEntry = NonNullable<ReturnType<typeof policyShape.read>>;

/** A policy that names no side judges every side that its kind can judge. */
function toPolicy(name: string, { kind, head, rest }: PolicyEntry): PolicyConfig {
  const { on = 'both', action = 'block' } = head;
  const sides = on === 'both' ? (policyKinds[kind]!.sides ?? bothSides) : [on];
  return { name, kind, on: new Set(sides), action, options: rest };
}

/** The entry with texts in place of the paths of files, and secrets in place of their names; undefined: a file is not there. */
async function withSources(entry: Fields, sources: Sources, spots: Spots): Promise<Fields | undefined> {
  const { kind } = entry;
  const isKnown = typeof kind === 'string' && Object.hasOwn(policyKinds, kind);
  const fields = isKnown ? policyKinds[kind]!.options.fields : undefined;
  const fetched: Record<string, unknown> = { ...entry };
  for (const [name, { source }] of Object.entries(fields ?? {})) {
    const value = entry[name];
    if (typeof value !== 'string') continue;
    const at = spotsAt(spots, name);
    if (source === 'secret') fetched[name] = (await resolveSecret(value, sources, at))?.secret;
    if (source !== 'file') continue;
    fetched[name] = await readNamed(value, sources, at);
    if (fetched[name] === undefined) return undefined;
  }
  return fetched;
}

async function readNamed(path: string, { readInside }: Sources, { named }: Spots): Promise<NamedText | undefined> {
  try {
    return new NamedText(await readInside(path), named);
  } catch (error) {
    return named.fault(`names ${fileWords(path, error)}`);
  }
}
