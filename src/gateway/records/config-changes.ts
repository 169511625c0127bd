import { isDeepStrictEqual } from 'node:util';
import { defuseLine } from '../../text/defuse.ts';
import { type Fields, isFields } from '../../text/json/json.ts';
import { Secret } from '../../text/secret.ts';
import type { Piecework } from '../../text/turns.ts';
import type { GatewayConfig, MotifConfig } from '../config.ts';

/** Names of what differs between two versions of a gateway file: `token t2 of bot`. */
interface ConfigChanges {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

const kinds = ['new', 'changed', 'gone'] as const;
const none: ConfigChanges = { new: [], changed: [], gone: [] };
const namesMax = 8;

/** A version of the gateway file, and the documents of its knowledge, each by its name with a digest. */
interface Version {
  readonly config: GatewayConfig;
  readonly knowledge: ReadonlyMap<string, { readonly documents: ReadonlyMap<string, string> }>;
}

export function* versionChanges(
  { config: before, ...last }: Version,
  { config: after, ...next }: Version,
): Piecework<ConfigChanges> {
  const changes = [
    ...(yield* motifChanges(before.motifs, after.motifs)),
    named('policy', before.policies, after.policies),
    named('provider', before.providers, after.providers),
    named('knowledge', before.knowledge, after.knowledge),
    named('group', before.groups, after.groups),
    sectionChanges(before, after),
    ...[...next.knowledge].map(([base, { documents }]) =>
      documentChanges(base, last.knowledge.get(base)?.documents ?? documents, documents),
    ),
  ];
  const all = (kind: keyof ConfigChanges): readonly string[] =>
    changes.flatMap((each) => each[kind]).map((name) => defuseLine(name, 200));
  return { new: all('new'), changed: all('changed'), gone: all('gone') };
}

/** Words for whoever has changed the gateway file: `new: token t2 of bot; changed: policy no-pii; gone: Motif old`. */
export function changeWords(changes: ConfigChanges, before: Version, after: Version): string {
  const words = kinds.flatMap((kind) => (changes[kind].length === 0 ? [] : [`${kind}: ${listed(changes[kind])}`]));
  if (words.length > 0) return words.join('; ');
  if (before.config.hash !== after.config.hash) return 'nothing in it has changed that counts';
  return `nothing has changed${after.config.listen.tls === undefined ? '' : ' in it, and its certificate was read again'}`;
}

/** Names of the documents of one knowledge base, or their number where they are many. */
function documentChanges(
  base: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ConfigChanges {
  const changes = named('document', before, after, ` of ${base}`);
  const short = (names: readonly string[]): readonly string[] =>
    names.length <= namesMax ? names : [`${names.length} documents of ${base}`];
  return { new: short(changes.new), changed: short(changes.changed), gone: short(changes.gone) };
}

function* motifChanges(
  before: GatewayConfig['motifs'],
  after: GatewayConfig['motifs'],
): Piecework<readonly ConfigChanges[]> {
  const motifs: ConfigChanges[] = [];
  const tokens: ConfigChanges[] = [];
  const bare = (motif: MotifConfig | undefined) => new Map(motif && [[motif.id, { ...motif, tokens: [] }]]);
  for (const id of new Set([...after.keys(), ...before.keys()])) {
    const [last, next] = [before.get(id), after.get(id)];
    motifs.push(named('Motif', bare(last), bare(next)));
    if (last !== undefined && next !== undefined) tokens.push(tokenChanges(last, next));
    yield;
  }
  return [...motifs, ...tokens];
}

function tokenChanges(before: MotifConfig, after: MotifConfig): ConfigChanges {
  const byId = ({ tokens }: MotifConfig) => new Map(tokens.map((token) => [token.id, token]));
  return named('token', byId(before), byId(after), ` of ${after.id}`);
}

function named(
  kind: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  of = '',
): ConfigChanges {
  const words = (name: string): string => `${kind} ${name}${of}`;
  const both = [...after.keys()].filter((name) => before.has(name));
  return {
    new: [...after.keys()].filter((name) => !before.has(name)).map(words),
    changed: both.filter((name) => !isSame(before.get(name), after.get(name))).map(words),
    gone: [...before.keys()].filter((name) => !after.has(name)).map(words),
  };
}

function sectionChanges(before: GatewayConfig, after: GatewayConfig): ConfigChanges {
  const sections = ['tenant', 'listen', 'limits', 'audit', 'admin'] as const;
  return { ...none, changed: sections.filter((name) => !isSame(before[name], after[name])) };
}

function listed(names: readonly string[]): string {
  const more = names.length - namesMax;
  return names.slice(0, namesMax).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Without a copy of either, for there may be ten thousand Motifs; a comparison of Node sees nothing of a secret. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof Secret) return other instanceof Secret && one.reveal() === other.reveal();
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (one instanceof Map)
    return (
      other instanceof Map &&
      one.size === other.size &&
      [...one].every(([key, item]) => other.has(key) && isSame(item, other.get(key)))
    );
  if (!isPlain(one) || !isPlain(other)) return isDeepStrictEqual(one, other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

function isPlain(value: unknown): value is Fields {
  return isFields(value) && Object.getPrototypeOf(value) === Object.prototype;
}
