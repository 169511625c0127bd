import type { GatewayConfig, MotifConfig } from '../../../gateway/config.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { toMoment } from '../../../text/durations.ts';

const partCharactersMax = 1000;

export interface ShownException {
  readonly policy: string;
  readonly text: string | null;
  readonly pattern: string | null;
  readonly why: string | null;
  readonly until: string | null;
  readonly expired: boolean;
}

/** The exceptions of all policies of a Motif, in their order. */
export function exceptionsOf(
  { policies }: Pick<MotifConfig, 'policies'>,
  config: GatewayConfig,
  now: number,
): readonly ShownException[] {
  return policies.flatMap((policy) =>
    (config.policies.get(policy)?.except ?? []).map(({ text = null, pattern = null, why = null, until }) => ({
      policy,
      text,
      pattern,
      why,
      until: until === undefined ? null : toMoment(until),
      expired: until !== undefined && until <= now,
    })),
  );
}

/** Exceptions of these Motifs that end within so long, or are over: each once, however many Motifs have its policy. */
export function endingExceptions(
  motifs: readonly MotifConfig[],
  config: GatewayConfig,
  { ms, now }: { readonly ms: number; readonly now: number },
): readonly ShownException[] {
  const policies = [...new Set(motifs.flatMap((motif) => motif.policies))];
  return exceptionsOf({ policies }, config, now).filter(({ until }) => until !== null && Date.parse(until) <= now + ms);
}

/** An exception in one line, whatever those put into it who may name some. */
export function exceptionWords({ policy, text, pattern, why, until }: ShownException): string {
  const line = (part: string): string => defuseLine(part, partCharactersMax);
  const parts = [`${line(text ?? `all of /${pattern}/`)} of ${policy}`];
  if (why !== null) parts.push(line(why));
  if (until !== null) parts.push(`until ${until}`);
  return parts.join(', ');
}

/** The rules that policies of a Motif leave out. */
export function leftOutOf({ policies }: MotifConfig, config: GatewayConfig) {
  return policies.flatMap((policy) => {
    const rules = config.policies.get(policy)?.without ?? [];
    return rules.length === 0 ? [] : [{ policy, rules }];
  });
}
