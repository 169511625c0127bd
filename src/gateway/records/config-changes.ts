import { isDeepStrictEqual } from 'node:util';
import { defuseLine } from '../../text/defuse.ts';
import type { GatewayConfig, MotifConfig } from '../config.ts';

interface Changes {
  readonly new: readonly string[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

const none: Changes = { new: [], changed: [], gone: [] };
const namesMax = 8;

/** Words for whoever has changed the gateway file: `new: token t2 of bot; changed: policy no-pii; gone: Motif old`. */
export function changeWords(before: GatewayConfig, after: GatewayConfig): string {
  const changes = [
    ...motifChanges(before.motifs, after.motifs),
    named('policy', before.policies, after.policies),
    named('provider', before.providers, after.providers),
    named('knowledge', before.knowledge, after.knowledge),
    named('group', before.groups, after.groups),
    sectionChanges(before, after),
  ];
  const words = (['new', 'changed', 'gone'] as const).flatMap((kind) => {
    const names = changes.flatMap((each) => each[kind]);
    return names.length === 0 ? [] : [`${kind}: ${capped(names)}`];
  });
  if (words.length > 0) return words.join('; ');
  return before.hash === after.hash
    ? 'it has not changed, but a file that it names may have'
    : 'nothing in it has changed that counts';
}

function motifChanges(before: GatewayConfig['motifs'], after: GatewayConfig['motifs']): readonly Changes[] {
  const bare = (motifs: GatewayConfig['motifs']) =>
    new Map([...motifs].map(([id, motif]) => [id, { ...motif, tokens: [] }]));
  const both = [...after.values()].filter(({ id }) => before.has(id));
  return [
    named('Motif', bare(before), bare(after)),
    ...both.map((motif) => tokenChanges(before.get(motif.id)!, motif)),
  ];
}

function tokenChanges(before: MotifConfig, after: MotifConfig): Changes {
  const byId = ({ tokens }: MotifConfig) => new Map(tokens.map((token) => [token.id, token]));
  return named('token', byId(before), byId(after), ` of ${after.id}`);
}

function named(
  kind: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  of = '',
): Changes {
  const words = (name: string): string => `${kind} ${name}${of}`;
  const both = [...after.keys()].filter((name) => before.has(name));
  return {
    new: [...after.keys()].filter((name) => !before.has(name)).map(words),
    changed: both.filter((name) => !isDeepStrictEqual(before.get(name), after.get(name))).map(words),
    gone: [...before.keys()].filter((name) => !after.has(name)).map(words),
  };
}

function sectionChanges(before: GatewayConfig, after: GatewayConfig): Changes {
  const sections = ['tenant', 'listen', 'limits', 'audit', 'admin'] as const;
  return { ...none, changed: sections.filter((name) => !isDeepStrictEqual(before[name], after[name])) };
}

function capped(names: readonly string[]): string {
  const more = names.length - namesMax;
  return defuseLine(names.slice(0, namesMax).join(', '), 500) + (more > 0 ? ` and ${more} more` : '');
}
