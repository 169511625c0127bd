import { suggestion } from '../../../documents/spot.ts';
import { MotifError } from '../../../errors.ts';
import type { GatewayConfig, MotifConfig, TokenConfig } from '../../../gateway/config.ts';
import { motifIdRule } from '../../../gateway/file/shape.ts';
import { counted } from '../../../text/sizes.ts';
import { defuseLine } from '../../../text/defuse.ts';
import type { World } from '../../../world/world.ts';
import { type AdminFlags, editGateway, needMotif, readGateway, sourceOf } from './file.ts';
import { handOver, makeToken, motifAddress, toMoment } from './handover.ts';
import { printDocument, printLines } from '../../../terminal/output.ts';
import { printRows } from '../../shared/table.ts';

export interface CreateFlags extends AdminFlags {
  readonly provider: string;
  readonly model?: string;
  readonly policy?: readonly string[];
  readonly user?: string;
  readonly expires?: number;
}

/** Adds a Motif with its first token; a user of the token is added to the Motif, and so needs no tenant ID. */
export async function runAdminCreate(world: World, id: string, flags: CreateFlags): Promise<void> {
  if (!motifIdRule.pattern.test(id)) throw new MotifError('usage', `a Motif ID is ${motifIdRule.expected}`);
  const { provider, model, policy: policies = [], user, expires: expiresMs } = flags;
  const token = makeToken(world, { user, expiresMs });
  const { config } = await editGateway(world, flags, (before, edit) => {
    if (before.motifs.has(id)) {
      throw new MotifError('usage', `there is a Motif ${id} already`, {
        hint: `a new token for it: motif admin rotate ${id}`,
      });
    }
    needKnown('provider', provider, [...before.providers.keys()]);
    for (const policy of policies) needKnown('policy', policy, [...before.policies.keys()]);
    edit.set(['motifs', id], {
      provider,
      ...(model !== undefined && { model }),
      ...(user !== undefined && { users: [user] }),
      ...(policies.length > 0 && { policies }),
      tokens: [token.record],
    });
  });
  await handOver(token, id, config, { flags, world });
}

function needKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new MotifError('usage', `there is no ${what} ${defuseLine(name, 60)} in the file`, {
    hint: suggestion(name, known),
  });
}

/** Motifs and their tokens: everything but the tokens themselves, which nobody has. */
export async function runAdminShow(world: World, id: string | undefined, flags: AdminFlags): Promise<void> {
  const { config } = await readGateway(sourceOf(flags, world), world);
  const motifs = id === undefined ? [...config.motifs.values()] : [needMotif(config, id)];
  if (flags.json) {
    const items = motifs.map((motif) => documentOf(motif, config, world.now()));
    return await printDocument({ ok: true, items, error: null }, flags, world);
  }
  if (motifs.length === 1) return await showOne(motifs[0]!, config, world);
  await printRows(
    motifs.map(({ id: motifId, name, provider, model, policies, tokens }) => [
      motifId,
      name,
      model === undefined ? provider : `${provider} (${model})`,
      policies.length === 0 ? 'no policies' : policies.join(', '),
      counted(tokens.length, 'token'),
    ]),
    world,
  );
}

async function showOne(motif: MotifConfig, config: GatewayConfig, world: World): Promise<void> {
  const { provider, fallback, model, policies, knowledge, users, groups, limits } = motif;
  const rows: (readonly [string, string | undefined])[] = [
    ['Motif ID', motif.id],
    ['name', motif.name],
    ['address', motifAddress(config, motif.id)],
    ['tenant', config.tenant],
    [
      'provider',
      fallback === undefined
        ? provider
        : `${provider}, then ${fallback.provider}${fallback.model === undefined ? '' : ` with ${fallback.model}`}`,
    ],
    ['model', model],
    ['policies', policies.length === 0 ? 'none' : policies.join(', ')],
    ['knowledge', [...knowledge].join(', ')],
    ['users', [...users].join(', ')],
    ['groups', [...groups].join(', ')],
    ['prompts a minute', limits.rpm?.toString()],
    ['tokens a day', limits.tokensPerDay?.toString()],
    ...exceptionsOf(motif, config, world.now()).map((each): readonly [string, string] => [
      each.expired ? 'exception, over' : 'exception',
      exceptionWords(each),
    ]),
    ...leftOutOf(motif, config).map(({ policy, rules }): readonly [string, string] => [
      'left out',
      `${rules.join(', ')} of ${policy}`,
    ]),
  ];
  const told = rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]));
  await printRows(told, world);
  if (motif.tokens.length === 0) return await printLines('\nno token: nobody can ask it', world);
  await printLines('\n', world);
  await printRows(
    motif.tokens.map((token) => tokenRow(token, world.now())),
    world,
  );
}

function tokenRow({ id, user, createdAt, expiresAt }: TokenConfig, now: number): string[] {
  return [id, user ?? 'nobody in particular', ageWords(createdAt, now), expiryWords(expiresAt, now)];
}

interface ShownException {
  readonly policy: string;
  readonly text: string | null;
  readonly pattern: string | null;
  readonly why: string | null;
  readonly until: string | null;
  readonly expired: boolean;
}

/** The exceptions of all policies of a Motif, in their order. */
function exceptionsOf({ policies }: MotifConfig, config: GatewayConfig, now: number): readonly ShownException[] {
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

function exceptionWords({ policy, text, pattern, why, until }: ShownException): string {
  const what = text ?? `all of /${pattern}/`;
  return [`${what} of ${policy}`, ...(why === null ? [] : [why]), ...(until === null ? [] : [`until ${until}`])].join(
    ', ',
  );
}

function leftOutOf({ policies }: MotifConfig, config: GatewayConfig) {
  return policies.flatMap((policy) => {
    const rules = config.policies.get(policy)?.without ?? [];
    return rules.length === 0 ? [] : [{ policy, rules }];
  });
}

/** By the day, as the file has it. */
function ageWords(createdAt: number | undefined, now: number): string {
  if (createdAt === undefined) return 'age unknown';
  const days = Math.floor((now - createdAt) / 86_400_000);
  if (days < 1) return 'made today';
  return `${counted(days, 'day')} old`;
}

function expiryWords(expiresAt: number | undefined, now: number): string {
  if (expiresAt === undefined) return 'does not expire';
  return expiresAt <= now ? `expired ${toMoment(expiresAt)}` : `expires ${toMoment(expiresAt)}`;
}

function documentOf(motif: MotifConfig, config: GatewayConfig, now: number): Record<string, unknown> {
  const { id, name, provider, model = null, policies, knowledge, users, groups, limits } = motif;
  const tokens = motif.tokens.map((token) => ({
    id: token.id,
    user: token.user ?? null,
    created: token.createdAt === undefined ? null : toMoment(token.createdAt),
    expires: token.expiresAt === undefined ? null : toMoment(token.expiresAt),
    expired: token.expiresAt !== undefined && token.expiresAt <= now,
  }));
  const facts = {
    id,
    name,
    address: motifAddress(config, id),
    provider,
    fallback: motif.fallback?.provider ?? null,
    model,
    policies,
    knowledge,
  };
  return {
    ...facts,
    users: [...users],
    groups: [...groups],
    limits: { rpm: limits.rpm ?? null, tokens_per_day: limits.tokensPerDay ?? null },
    exceptions: exceptionsOf(motif, config, now),
    left_out: leftOutOf(motif, config),
    tokens,
  };
}
