import { MotifError } from '../../../errors.ts';
import { isAdded } from '../../../gateway/access/access.ts';
import { assembleKnowledge } from '../../../gateway/assembly.ts';
import { type Composition, compose, placed } from '../../../gateway/composition.ts';
import type { GatewayConfig, MotifConfig, PolicyConfig } from '../../../gateway/config.ts';
import type { Action, ExceptedHit, Hit, Side } from '../../../gateway/vocabulary.ts';
import { strongestAction } from '../../../gateway/records/audit/line.ts';
import { type Explanation, explain } from '../../../gateway/explanation/explain.ts';
import { createPolicy } from '../../../gateway/policies/index.ts';
import { isPure, judge } from '../../../gateway/policies/judging.ts';
import { withNotedFailures } from '../../../gateway/policies/noted-failures.ts';
import type { World } from '../../../world/world.ts';
import { type GatewaySource, readingFiles } from '../source.ts';

/** The judgement of a text as the gateway would make it, with reasons. */
export interface Trial extends Explanation {
  readonly side: Side;
  /** As the audit has it: the strongest action among the findings. */
  readonly decision: Action | 'pass';
  readonly hits: readonly Hit[];
  /** Findings that exceptions freed. */
  readonly excepted: readonly ExceptedHit[];
  /** The text as it was tried. */
  readonly sent: string;
  /** The same as it would go on. */
  readonly text: string;
  /** Policies that looked at it, and those that would have had to be asked outside. */
  readonly looked: readonly string[];
  readonly notAsked: readonly string[];
  /** Why a policy could not tell, by its name. */
  readonly failures: ReadonlyMap<string, string>;
}

interface TrialRequest {
  readonly text: string;
  readonly role: string;
  readonly side: Side;
  readonly motif: MotifConfig;
  readonly config: GatewayConfig;
  /** True where policies that ask outside are asked. */
  readonly isLive: boolean;
}

/** Judges a text among what the gateway would put before it: the Motif's own message, and passages of its knowledge. */
export async function tryText(request: TrialRequest, source: GatewaySource, world: World): Promise<Trial> {
  const { text, side, motif, config, isLive } = request;
  const configs = policiesOf(motif, side, config);
  const failures = new Map<string, string>();
  const parts = isLive ? { send: world.send, monotonic: () => world.monotonic() } : {};
  const policies = configs.map((each) =>
    withNotedFailures(createPolicy(each, parts), (reason) => failures.set(each.name, reason)),
  );
  const applicable = isLive ? policies : policies.filter(isPure);
  const composition = await composeFor(request, source);
  const texts = composition?.messages.map(({ content }) => content) ?? [text];
  const limits = {
    deadlineAt: world.monotonic() + config.limits.providerTimeoutMs,
    signal: world.interrupted,
    policyWork: config.limits.policyWork,
  };
  const verdict = await judge(applicable, side, texts, limits);
  world.interrupted.throwIfAborted();
  const placedIn = <H extends Hit>(some: readonly H[]): readonly H[] =>
    composition === undefined ? some : some.map((hit) => placed(hit, composition));
  const hits = placedIn(verdict.hits);
  const excepted = placedIn(verdict.excepted ?? []);
  const isOwn = ({ message }: Hit): boolean => side === 'inference' || message === texts.length - 1;
  const names = new Set(applicable.map(({ name }) => name));
  return {
    side,
    decision: verdict.decision === 'block' ? 'block' : (strongestAction(hits) ?? 'pass'),
    hits,
    excepted,
    sent: text,
    text: verdict.texts.at(-1) ?? text,
    looked: [...names],
    notAsked: policies.map(({ name }) => name).filter((name) => !names.has(name)),
    failures,
    ...explain(
      text,
      configs.filter(({ name }) => names.has(name)),
      hits.filter(isOwn),
      excepted.filter(isOwn),
    ),
  };
}

function policiesOf({ policies }: MotifConfig, side: Side, config: GatewayConfig): readonly PolicyConfig[] {
  return policies.map((name) => config.policies.get(name)!).filter(({ on }) => on.has(side));
}

async function composeFor(
  { text, role, side, motif, config }: TrialRequest,
  source: GatewaySource,
): Promise<Composition | undefined> {
  if (side === 'inference') return undefined;
  const retrieve = await readingFiles(source, () => assembleKnowledge(motif, config, source));
  return compose([{ role, content: text }], { system: motif.system, retrieve });
}

export interface TenantAdmission {
  readonly user: string;
  readonly needsTenant: boolean;
  /** `users`, or the group that lets this user in; null for neither. */
  readonly by: string | null;
}

/** A trial with what its report needs beside it. */
export interface Tried {
  readonly trial: Trial;
  readonly role: string;
  readonly motif: MotifConfig;
  readonly config: GatewayConfig;
  /** Undefined where nobody is played. */
  readonly admission: TenantAdmission | undefined;
}

/** The tenant rule's answer for a user. */
export function admissionOf(user: string, motif: MotifConfig, config: GatewayConfig): TenantAdmission {
  const group = [...motif.groups].find((name) => config.groups.get(name)?.has(user));
  const by = motif.users.has(user) ? 'users' : (group ?? null);
  return { user, by, needsTenant: config.tenant !== undefined && !isAdded(user, motif, config) };
}

/** Nothing is sent for a flag that could not have changed anything. */
export function needLive(motif: MotifConfig, side: Side, config: GatewayConfig): readonly string[] {
  const asking = policiesOf(motif, side, config).filter((each) => !isPure(createPolicy(each)));
  if (asking.length > 0) return asking.map(({ name }) => name);
  const what = side === 'inference' ? 'an answer' : 'a prompt';
  throw new MotifError('usage', `--live has nothing to ask: no policy of ${motif.id} asks outside about ${what}`, {
    hint: 'leave --live out: all its policies are judged without it',
  });
}
