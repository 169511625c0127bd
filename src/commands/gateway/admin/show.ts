import { CommandEnded } from '../../../errors.ts';
import {
  type GatewayConfig,
  isReplaced,
  type MotifConfig,
  type TokenConfig,
  tokensInForce,
  type UsageLimits,
} from '../../../gateway/config.ts';
import { printDocument, printLines } from '../../../terminal/output.ts';
import { counted } from '../../../text/sizes.ts';
import type { Run } from '../../shared/run.ts';
import { bold, type Column, dim, factColumns, printList, printTable } from '../../shared/table.ts';
import { endingExceptions, exceptionsOf, exceptionWords, leftOutOf, type ShownException } from './exceptions.ts';
import { readGateway, refuseFileNames, sourceOf } from './file.ts';
import { needMotif } from '../needed-motif.ts';
import type { AdminShowFlags } from './flags.ts';
import { motifAddress } from './handover.ts';
import { type LastUses, readLastUses } from './last-use.ts';
import { hashPipedToken, refuseWholeTokens, tokensWith } from './whole-token.ts';
import { dayMs, toMoment } from '../../../text/durations.ts';

/** The facts by which tokens are shown. */
interface TokenContext {
  readonly config: GatewayConfig;
  readonly uses: LastUses | undefined;
  readonly now: number;
  /** True where a head stands above the tokens, so that their cells need not repeat it. */
  readonly isHeaded: boolean;
}

/** Shows Motifs and their tokens: everything but the tokens themselves, which nobody has. */
export async function runAdminShow(run: Run<AdminShowFlags>, id: string | undefined): Promise<void> {
  const { world, flags } = run;
  refuseFileNames('show', [id]);
  const source = sourceOf(flags, world);
  const { config } = await readGateway(source, world);
  if (id !== undefined) refuseWholeTokens([id], config, 'show');
  const piped = flags.tokenStdin ? tokensWith(await hashPipedToken(run, config, 'show'), config) : undefined;
  const uses = await readLastUses(config, source, world);
  const shown = { config, uses, now: world.now(), isHeaded: world.stdout.isTerminal };
  const all = id === undefined ? [...config.motifs.values()] : [needMotif(config, id)];
  const motifs = piped === undefined ? all : piped.map(({ motif }) => motif);
  const isWanted = (token: TokenConfig): boolean =>
    (piped === undefined || piped.some((each) => each.token === token)) && endsWithin(token, flags.expiring, shown.now);
  const picked = motifs.map((motif) => ({ ...motif, tokens: motif.tokens.filter(isWanted) }));
  const tokens = picked.flatMap((motif) => motif.tokens.map((token) => ({ motif, token })));
  if (flags.expiring !== undefined) {
    const exceptions =
      piped === undefined ? endingExceptions(motifs, config, { ms: flags.expiring, now: shown.now }) : [];
    return await showExpiring(run, { tokens, exceptions }, shown);
  }
  const isShared = piped !== undefined && piped.length > 1 && !flags.json;
  if (flags.tokens || isShared) return await showTokens(run, tokens, shown);
  if (flags.json) {
    const items = picked.map((motif) => documentOf(motif, shown));
    return await printDocument({ ok: true, items, error: null }, flags, world);
  }
  if (picked.length === 1) return await showOne(run, picked[0]!, shown);
  await printList(
    run,
    motifColumns,
    picked.map((motif) => motifRow(motif, shown)),
  );
}

const motifColumns: readonly Column[] = [
  { name: 'Motif', paint: bold },
  { name: 'name', dispensable: 1 },
  { name: 'provider' },
  { name: 'policies' },
  { name: 'tokens', paint: dim, dispensable: 2 },
];

function motifRow(motif: MotifConfig, { isHeaded, now }: TokenContext): string[] {
  const { id, name, provider, model, policies, tokens } = motif;
  const inForce = tokensInForce(motif, now).length;
  const ended = tokens.length === inForce ? '' : `, ${tokens.length - inForce} ended`;
  return [
    id,
    name,
    model === undefined ? provider : `${provider} (${model})`,
    policies.length === 0 ? 'no policies' : policies.join(', '),
    `${isHeaded ? String(inForce) : counted(inForce, 'token')}${ended}`,
  ];
}

/** True for a token that will not be accepted after so long, or is not any more. */
function endsWithin({ expiresAt }: TokenConfig, ms: number | undefined, now: number): boolean {
  return ms === undefined || (expiresAt !== undefined && expiresAt <= now + ms);
}

interface MotifToken {
  readonly motif: MotifConfig;
  readonly token: TokenConfig;
}

interface Expiring {
  readonly tokens: readonly MotifToken[];
  readonly exceptions: readonly ShownException[];
}

/** Shows tokens and exceptions that end soon, with exit 1 if there are any. Replaced tokens are only counted. */
async function showExpiring(
  run: Run<AdminShowFlags>,
  { tokens, exceptions }: Expiring,
  shown: TokenContext,
): Promise<void> {
  const { world, flags } = run;
  const ending = tokens.filter(({ motif, token }) => replacement(token, motif, shown) === null);
  const replaced = tokens.length - ending.length;
  const ok = ending.length + exceptions.length === 0;
  if (flags.json) await printDocument({ ok, items: tokenItems(ending, shown), exceptions, error: null }, flags, world);
  else if (ok) {
    const which = replaced === 0 ? 'no token' : 'no token that is still needed';
    await printLines(`${which} and no exception ends within that time\n`, world);
  } else {
    if (ending.length > 0) await showTokens(run, ending, shown);
    const lines = exceptions.map(
      (each) => `${each.expired ? 'exception, over' : 'exception'}: ${exceptionWords(each)}`,
    );
    if (lines.length > 0) await printLines(lines.join('\n'), world);
  }
  if (replaced > 0)
    run.notice(
      `not listed, because rotate has replaced ${replaced === 1 ? 'it' : 'them'}: ${counted(replaced, 'token')}`,
    );
  if (!ok) throw new CommandEnded(1);
}

/** Lists tokens beside their Motifs. */
async function showTokens(run: Run<AdminShowFlags>, tokens: readonly MotifToken[], shown: TokenContext): Promise<void> {
  const { world, flags } = run;
  if (flags.json) {
    return await printDocument({ ok: true, items: tokenItems(tokens, shown), error: null }, flags, world);
  }
  if (tokens.length === 0) return run.notice('there is no token: nobody can ask a Motif of this file');
  const rows = tokens.map(({ motif, token }) => [motif.id, ...tokenRow(token, motif, shown)]);
  await printList(run, [{ name: 'Motif', paint: bold }, ...tokenColumns], rows);
}

function tokenItems(tokens: readonly MotifToken[], shown: TokenContext): readonly object[] {
  return tokens.map(({ motif, token }) => ({ motif_id: motif.id, ...tokenDocument(token, motif, shown) }));
}

async function showOne(run: Run<AdminShowFlags>, motif: MotifConfig, shown: TokenContext): Promise<void> {
  const { world } = run;
  const { config, now } = shown;
  const { provider, fallback, model, policies, knowledge, users, groups, limits } = motif;
  const rows: (readonly [string, string | undefined])[] = [
    ['Motif ID', motif.id],
    ['name', motif.name],
    ['team', motif.team],
    ['address', motifAddress(config, motif.id)],
    ['tenant', config.tenant],
    ['provider', fallback === undefined ? provider : `${provider}, then ${fallbackWords(fallback)}`],
    ['model', model],
    ['policies', policies.length === 0 ? 'none' : policies.join(', ')],
    ['knowledge', [...knowledge].join(', ')],
    ['users', [...users].join(', ')],
    ['groups', [...groups].join(', ')],
    ['prompts a minute', limits.rpm?.toString()],
    ['tokens a day', limits.tokensPerDay?.toString()],
    ['prompts at once', limits.inFlight?.toString()],
    ...exceptionsOf(motif, config, now).map((each): readonly [string, string] => [
      each.expired ? 'exception, over' : 'exception',
      exceptionWords(each),
    ]),
    ...leftOutOf(motif, config).map(({ policy, rules }): readonly [string, string] => [
      'left out',
      `${rules.join(', ')} of ${policy}`,
    ]),
  ];
  const told = rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]));
  await printTable(run, factColumns, told);
  if (motif.tokens.length === 0) return await printLines('\nno token: nobody can ask it', world);
  await printLines('\n', world);
  const tokens = motif.tokens.map((token) => tokenRow(token, motif, shown));
  await printList(run, tokenColumns, tokens);
  if (tokensInForce(motif, now).length === 0) await printLines('\nno token is in force: nobody can ask it', world);
}

function fallbackWords({ provider, model }: NonNullable<MotifConfig['fallback']>): string {
  return model === undefined ? provider : `${provider} with ${model}`;
}

const tokenColumns: readonly Column[] = [
  { name: 'token', paint: bold },
  { name: 'user' },
  { name: 'age', paint: dim },
  { name: 'last use', paint: dim },
  { name: 'end' },
  { name: 'limits' },
  { name: '' },
];

function tokenRow(token: TokenConfig, motif: MotifConfig, shown: TokenContext): string[] {
  const { id, user, limits } = token;
  const by = replacement(token, motif, shown);
  return [
    id,
    user ?? 'no user',
    ageWords(token, shown),
    useWords(token, motif, shown),
    endWords(token, shown),
    limitWords(limits),
    by === null ? '' : `replaced by ${by}`,
  ];
}

/** The token that `rotate` made in place of this one, and that is accepted for longer; null where there is none. */
function replacement(token: TokenConfig, { id }: MotifConfig, { config }: TokenContext): string | null {
  const motif = config.motifs.get(id);
  return motif !== undefined && isReplaced(token, motif) ? (token.replacedBy ?? null) : null;
}

/** No words of an end: on a narrow terminal the one stands below the other, far from its head. */
function useWords({ id }: TokenConfig, motif: MotifConfig, { uses, isHeaded }: TokenContext): string {
  if (uses === undefined) return '';
  const [time, since] = [uses.of(motif.id, id), uses.since].map((each) => each?.replace(/\.\d+Z$/, 'Z'));
  if (time !== undefined) return isHeaded ? time : `last used ${time}`;
  return since === undefined ? 'not used' : `not used since ${since}`;
}

/** Limits of a token alone, in few words; empty where it has none beside those of its Motif. */
function limitWords({ rpm, tokensPerDay, inFlight }: UsageLimits): string {
  return [
    ...(rpm === undefined ? [] : [`${rpm} a minute`]),
    ...(tokensPerDay === undefined ? [] : [`${tokensPerDay} tokens a day`]),
    ...(inFlight === undefined ? [] : [`${inFlight} at once`]),
  ].join(', ');
}

/** The age in days, as the file knows it. */
function ageWords({ createdAt }: TokenConfig, { now, isHeaded }: TokenContext): string {
  if (createdAt === undefined) return isHeaded ? 'unknown' : 'age unknown';
  const days = Math.floor((now - createdAt) / dayMs);
  if (days < 1) return isHeaded ? 'today' : 'made today';
  return isHeaded ? counted(days, 'day') : `${counted(days, 'day')} old`;
}

function endWords({ expiresAt }: TokenConfig, { now }: TokenContext): string {
  if (expiresAt === undefined) return 'does not expire';
  return `${expiresAt <= now ? 'expired' : 'expires'} ${toMoment(expiresAt)}`;
}

function tokenDocument(token: TokenConfig, motif: MotifConfig, shown: TokenContext): Record<string, unknown> {
  const { uses, now } = shown;
  const { id, user = null, createdAt, expiresAt, limits } = token;
  return {
    id,
    user,
    created: createdAt === undefined ? null : toMoment(createdAt),
    expires: expiresAt === undefined ? null : toMoment(expiresAt),
    expired: expiresAt !== undefined && expiresAt <= now,
    limits: limitsDocument(limits),
    replaced_by: replacement(token, motif, shown),
    last_used: uses?.of(motif.id, id) ?? null,
  };
}

function limitsDocument({ rpm, tokensPerDay, inFlight }: UsageLimits): object {
  return { rpm: rpm ?? null, tokens_per_day: tokensPerDay ?? null, in_flight: inFlight ?? null };
}

function documentOf(motif: MotifConfig, shown: TokenContext): Record<string, unknown> {
  const { config, now } = shown;
  const { id, name, provider, fallback, model = null, policies, knowledge, users, groups, limits } = motif;
  const tokens = motif.tokens.map((token) => tokenDocument(token, motif, shown));
  const facts = {
    id,
    name,
    team: motif.team ?? null,
    address: motifAddress(config, id),
    tenant: config.tenant ?? null,
    provider,
    fallback: fallback?.provider ?? null,
    model,
    policies,
    knowledge,
  };
  return {
    ...facts,
    users: [...users],
    groups: [...groups],
    limits: limitsDocument(limits),
    exceptions: exceptionsOf(motif, config, now),
    left_out: leftOutOf(motif, config),
    tokens,
  };
}
