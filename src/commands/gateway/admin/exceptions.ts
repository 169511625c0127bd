import type { GatewayConfig, MotifConfig } from '../../../gateway/config.ts';
import { toMoment } from '../../../text/durations.ts';

interface ShownException {
  readonly policy: string;
  readonly text: string | null;
  readonly pattern: string | null;
  readonly why: string | null;
  readonly until: string | null;
  readonly expired: boolean;
}

/** The exceptions of all policies of a Motif, in their order. */
export function exceptionsOf({ policies }: MotifConfig, config: GatewayConfig, now: number): readonly ShownException[] {
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

export function exceptionWords({ policy, text, pattern, why, until }: ShownException): string {
  const what = text ?? `all of /${pattern}/`;
  return [`${what} of ${policy}`, ...(why === null ? [] : [why]), ...(until === null ? [] : [`until ${until}`])].join(
    ', ',
  );
}

/** The rules that policies of a Motif leave out. */
export function leftOutOf({ policies }: MotifConfig, config: GatewayConfig) {
  return policies.flatMap((policy) => {
    const rules = config.policies.get(policy)?.without ?? [];
    return rules.length === 0 ? [] : [{ policy, rules }];
  });
}
