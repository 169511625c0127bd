import { suggestion } from '../../../../documents/spot.ts';
import { MotifError } from '../../../../errors.ts';
import type { GatewayConfig } from '../../../../gateway/config.ts';
import type { PolicyKind } from '../../../../gateway/policies/policy.ts';
import type { PromptFacts } from '../../../../gateway/records/audit/prompt-facts.ts';
import type { AuditRecord } from '../../../../gateway/records/audit/reading.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { closest } from '../../../../text/similar.ts';

/** The most names that are kept for a suggestion. */
const namesMax = 1000;

const shownCharactersMax = 60;
/** The most rules in a hint. */
const namesShownMax = 20;

interface WantedNames {
  readonly policy?: string | undefined;
  readonly rule?: string | undefined;
  readonly motif?: string | undefined;
  readonly user?: string | undefined;
  readonly team?: string | undefined;
  readonly tokenId?: string | undefined;
}

/** Names that stand in lines alone: a line may come, so that one which stands nowhere is told and no fault. */
const callerNouns = { user: 'user', team: 'team', tokenId: 'token' } as const;
const callerNames = ['user', 'team', 'tokenId'] as const;

/**
 * Names of policies, rules, Motifs and callers that stand in audit files or in the gateway file. A name that stands
 * nowhere is most likely misspelled, and "nothing found" would be taken for good news.
 */
export class AuditNames {
  readonly #wanted: WantedNames;
  readonly #isWanted: boolean;
  readonly #seen = {
    policy: new Set<string>(),
    rule: new Set<string>(),
    motif: new Set<string>(),
    user: new Set<string>(),
    team: new Set<string>(),
    tokenId: new Set<string>(),
  };
  /** Pairs `policy/kind` of all configurations. */
  readonly #kinds = new Set<string>();

  constructor(wanted: WantedNames, config: GatewayConfig | undefined) {
    this.#wanted = wanted;
    const { policy, rule, motif, user, team, tokenId } = wanted;
    this.#isWanted = [policy, rule, motif, user, team, tokenId].some((name) => name !== undefined);
    if (config === undefined) return;
    for (const { name, kind } of config.policies.values()) this.#addPolicy(name, kind);
    for (const id of config.motifs.keys()) this.#add('motif', id);
  }

  take({ motif, rules, user, team, token }: PromptFacts): void {
    if (!this.#isWanted) return;
    this.#add('motif', motif);
    if (user !== null) this.#add('user', user);
    if (team !== null) this.#add('team', team);
    if (token !== null) this.#add('tokenId', token);
    for (const { policy, rule } of rules) {
      this.#add('policy', policy);
      this.#add('rule', rule);
      this.#add('rule', `${policy}/${rule}`);
    }
  }

  /** Takes a config line, which names all policies and Motifs, whether they found anything or not. */
  takeConfig({ policies, motifs }: AuditRecord): void {
    if (!this.#isWanted) return;
    for (const [name, policy] of Object.entries(policies ?? {})) {
      this.#addPolicy(name, String((policy as { readonly kind?: unknown } | null)?.kind));
    }
    for (const [id, motif] of Object.entries(motifs ?? {})) {
      this.#add('motif', id);
      const used = (motif as { readonly policies?: unknown } | null)?.policies;
      if (Array.isArray(used)) for (const name of used) this.#add('policy', String(name));
    }
  }

  /** Words for a wanted caller that no line has, whose empty result would be taken for an idle one. */
  remarks(): readonly string[] {
    return callerNames.flatMap((what) => {
      const name = this.#wanted[what];
      if (name === undefined || this.#seen[what].has(name)) return [];
      const near = closest(name, [...this.#seen[what]]);
      const meant = near === undefined ? '' : `; did you mean ${defuseLine(near, shownCharactersMax)}?`;
      return [`no line has the ${callerNouns[what]} ${defuseLine(name, shownCharactersMax)}${meant}`];
    });
  }

  /** Throws for a wanted name that stands nowhere. */
  async check(): Promise<void> {
    for (const what of ['policy', 'rule', 'motif'] as const) {
      const name = this.#wanted[what];
      if (name === undefined || this.#seen[what].has(name)) continue;
      const kinds = what === 'rule' ? await this.#rulesOfPolicies() : new Map<string, PolicyKind['rules']>();
      if (mayFind(name, kinds)) continue;
      const noun = what === 'motif' ? 'Motif' : what;
      const shown = defuseLine(name, shownCharactersMax);
      throw new MotifError(
        'usage',
        `no line and no configuration names a ${noun} ${shown}, so nothing is known of it`,
        { hint: hintFor(what, name, [...this.#seen[what]], listedIn(kinds)) },
      );
    }
  }

  /** The rules of each pair of policy and kind; the kinds are loaded only where a rule found nothing. */
  async #rulesOfPolicies(): Promise<ReadonlyMap<string, PolicyKind['rules']>> {
    const { policyKinds } = await import('../../../../gateway/policies/index.ts');
    return new Map(
      [...this.#kinds].map((pair) => {
        const kind = pair.slice(pair.indexOf('/') + 1);
        return [pair, (Object.hasOwn(policyKinds, kind) ? policyKinds[kind]?.rules : undefined) ?? []];
      }),
    );
  }

  #addPolicy(name: string, kind: string): void {
    this.#add('policy', name);
    if (this.#kinds.size < namesMax) this.#kinds.add(`${name}/${kind}`);
  }

  /** A wanted name is kept in any case. */
  #add(what: keyof WantedNames, name: string): void {
    const seen = this.#seen[what];
    if (seen.size < namesMax || name === this.#wanted[what]) seen.add(name);
  }
}

/** True for a rule that a configured policy has, though it found nothing. */
function mayFind(typed: string, kinds: ReadonlyMap<string, PolicyKind['rules']>): boolean {
  const [rule = '', policy] = typed.split('/').reverse();
  return [...kinds].some(([pair, rules]) => {
    const [name] = pair.split('/');
    if (policy !== undefined && policy !== name) return false;
    return rule === 'policy_failed' || (rules instanceof RegExp ? rules.test(rule) : rules.includes(rule));
  });
}

/** The rules that are known by their names, each once. */
function listedIn(kinds: ReadonlyMap<string, PolicyKind['rules']>): readonly string[] {
  return [...new Set([...kinds.values()].flatMap((rules) => (rules instanceof RegExp ? [] : rules)))];
}

/** The name that was probably meant, or some that are known; `listed` are rules, most of which found nothing yet. */
function hintFor(what: string, name: string, seen: readonly string[], listed: readonly string[]): string {
  const known = [...new Set([...seen, ...listed])];
  if (what !== 'rule' || seen.length > 0 || closest(name, known) !== undefined) return suggestion(name, known);
  const shown = listed.slice(0, namesShownMax).join(', ');
  return `no rule was found yet${listed.length === 0 ? '' : `; configured: ${shown}`}`;
}
