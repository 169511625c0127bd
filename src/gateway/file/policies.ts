import { suggestion } from '../../documents/spot.ts';
import type { PolicyConfig } from '../config.ts';
import { spotsAt, type Spots } from './providers.ts';
import { fileWords, resolveSecret, type Sources } from './secrets.ts';
import type { Action, Side } from '../vocabulary.ts';
import { PolicyFault, type PolicyKind } from '../policies/policy.ts';

export interface PolicyFileParts extends Sources {
  readonly policyKinds: Readonly<Record<string, PolicyKind>>;
}

type Options = Readonly<Record<string, unknown>>;

const sides: readonly Side[] = ['prompt', 'inference'];
const actions: readonly Action[] = ['block', 'redact', 'warn'];

export async function toPolicies(
  entries: ReadonlyMap<string, Options> | undefined,
  parts: PolicyFileParts,
  spots: Spots,
): Promise<ReadonlyMap<string, PolicyConfig>> {
  const policies = new Map<string, PolicyConfig>();
  for (const [name, entry] of entries ?? []) {
    const policy = await toPolicy(name, entry, parts, spotsAt(spots, 'policies', name));
    if (policy !== undefined) policies.set(name, policy);
  }
  return policies;
}

async function toPolicy(
  name: string,
  entry: Options,
  parts: PolicyFileParts,
  spots: Spots,
): Promise<PolicyConfig | undefined> {
  const { spot } = spots;
  const { kind, on, action = 'block', ...written } = entry;
  if (kind === undefined) return spot.fault(`needs kind: ${Object.keys(parts.policyKinds).join(', ')}`);
  if (typeof kind !== 'string' || !Object.hasOwn(parts.policyKinds, kind)) {
    return spot
      .at('kind')
      .fault(
        `is no kind of policy; ${suggestion(typeof kind === 'string' ? kind : '', Object.keys(parts.policyKinds))}`,
      );
  }
  const policyKind = parts.policyKinds[kind]!;
  const known = policyKind.sides ?? sides;
  const judged = sidesOf(on, known);
  if (judged === undefined)
    spot.at('on').fault(`must be ${known.length > 1 ? 'prompt, inference or both' : known.join()} for kind ${kind}`);
  const chosen = actions.find((word) => word === action);
  if (chosen === undefined) spot.at('action').fault(`must be one of ${actions.join(', ')}`);
  const options = await readOptions(written, policyKind, parts, spots);
  if (options === undefined || judged === undefined || chosen === undefined) return undefined;
  try {
    policyKind.create(options, `policies.${name}`, {});
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    return faultOf(error, name, spots);
  }
  return { name, kind, on: new Set(judged), action: chosen, options };
}

/** Without a word of its own a policy looks at every side that its kind can judge. */
function sidesOf(on: unknown, known: readonly Side[]): readonly Side[] | undefined {
  if (on === undefined || (on === 'both' && known.length > 1)) return known;
  const side = known.find((word) => word === on);
  return side && [side];
}

/** Texts of files in place of their paths, and secrets in place of their names. */
async function readOptions(
  written: Options,
  { files = [], secrets = [] }: PolicyKind,
  parts: PolicyFileParts,
  spots: Spots,
): Promise<Options | undefined> {
  const options: Record<string, unknown> = { ...written };
  for (const [name, value] of Object.entries(written)) {
    if (typeof value !== 'string') continue;
    const at = spotsAt(spots, name);
    if (files.includes(name)) {
      options[name] = await parts.readFile(value).catch((error: unknown) => {
        return at.spot.fault(`names ${fileWords(value, error)}`);
      });
      if (options[name] === undefined) return undefined;
    } else if (secrets.includes(name)) {
      options[name] = (await resolveSecret(value, parts, at))?.secret;
    }
  }
  return options;
}

/** A kind names the path in its message, since it knows no file; here that becomes a place in one. */
function faultOf({ message }: PolicyFault, name: string, { spot }: Spots): undefined {
  const [path = '', option, index] = /^policies\.[\w-]+(?:\.([\w-]+)(?:\[(\d+)\])?)?:?/.exec(message) ?? [];
  const words = message.slice(path.length).trim();
  const steps = [...(option === undefined ? [] : [option]), ...(index === undefined ? [] : [Number(index)])];
  return spot.at(...steps).fault(path === '' ? message : words || message.slice(`policies.${name}`.length));
}
