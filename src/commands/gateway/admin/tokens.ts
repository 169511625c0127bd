import { suggestion } from '../../../documents/spot.ts';
import { MotifError } from '../../../errors.ts';
import { type GatewayConfig, isReplaced, type MotifConfig, type TokenConfig } from '../../../gateway/config.ts';
import { printDocument } from '../../../terminal/output.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { spellDuration, dayMs } from '../../../text/durations.ts';
import type { Run } from '../../shared/run.ts';
import { editGateway, readGateway, refuseFileNames, sourceOf } from './file.ts';
import { needMotif } from '../needed-motif.ts';
import type { RevokeFlags, RotateFlags } from './flags.ts';
import { endOf, type FreshToken, handOver, makeToken, toMoment } from './handover.ts';
import { askInForce } from './in-force.ts';
import { findPipedToken, refuseWholeTokens } from './whole-token.ts';

/** A new token, and an end for the earlier ones of the same user: soon enough to be safe, late enough to switch. */
export async function runAdminRotate(run: Run<RotateFlags>, id: string | undefined): Promise<void> {
  const { world, flags } = run;
  refuseFileNames('rotate', [id]);
  refuseWholeTokens(id === undefined ? [] : [id]);
  const endsAt = world.now() + flags.grace;
  const { result, config } = await editGateway(run, (before, edit) => {
    const motif = needMotif(before, id);
    const live = motif.tokens.filter(({ expiresAt = Infinity }) => expiresAt > world.now());
    const user = flags.user ?? onlyUser(live, motif);
    const predecessor = live.findLast((each) => each.user === user && !isReplaced(each, motif));
    const typedEnd = endOf(flags.expires, world);
    const { team, limits } = predecessor ?? {};
    const endsLike = typedEnd ?? (predecessor && likeEnd(predecessor, world.now()));
    const token = makeToken(world, { user, endsAt: endsLike, team, ...(limits && { limits }) });
    const replaced = live.filter((each) => each.user === user);
    const ended = replaced.filter(({ expiresAt = Infinity }) => expiresAt > endsAt);
    for (const each of flags.keep ? [] : replaced) {
      const at = ['motifs', motif.id, 'tokens', motif.tokens.indexOf(each)];
      if (ended.includes(each)) edit.set([...at, 'expires'], toMoment(endsAt));
      edit.set([...at, 'replaced_by'], token.record.id);
    }
    edit.append(['motifs', motif.id, 'tokens'], token.record);
    const inherited = typedEnd === undefined && endsLike !== undefined ? predecessor?.id : undefined;
    return { token, motif, inherited, others: (flags.keep ? live : ended).map((each) => each.id) };
  });
  const { token, motif, inherited, others } = result;
  const served = [
    ...(inherited === undefined ? [] : [inheritedWords(token, inherited)]),
    ...(others.length > 0 ? [othersWords(others, motif.id, flags, endsAt)] : []),
  ];
  await handOver(token, motif.id, config, { run, served });
}

/** The end of a token that takes the place of another: as long from now as that one had, else on the same date. */
function likeEnd({ createdAt, expiresAt }: TokenConfig, now: number): number | undefined {
  if (expiresAt === undefined || createdAt === undefined || createdAt >= expiresAt) return expiresAt;
  const ms = expiresAt - createdAt;
  // The file knows the day on which a token was made, and not the hour.
  return now + (ms < dayMs ? ms : ms - (ms % dayMs));
}

function inheritedWords({ record }: FreshToken, before: string): string {
  return `the new token ends at ${record.expires}, for ${before} has an end too; --expires sets another one`;
}

function othersWords(others: readonly string[], motifId: string, flags: RotateFlags, endsAt: number): string {
  const names = others.join(', ');
  const isOne = others.length === 1;
  if (flags.keep)
    return `${names} ${isOne ? 'stays' : 'stay'} valid; motif admin revoke ${motifId} ${others[0]} ends ${isOne ? 'it' : 'one'}`;
  if (flags.grace === 0) return `${names} ${isOne ? 'ends' : 'end'} now`;
  const end = `${names} ${isOne ? 'ends' : 'end'} in ${graceWords(flags.grace)}, at ${toMoment(endsAt)}`;
  return `${end}; if ${isOne ? 'it' : 'one'} leaked, end it now: motif admin revoke ${motifId} ${others[0]}`;
}

/** The duration as a person writes it: `24h` and not `1d`. */
function graceWords(ms: number): string {
  const hours = ms / 3_600_000;
  return Number.isInteger(hours) && hours <= 72 ? `${hours}h` : spellDuration(ms);
}

function onlyUser(live: readonly TokenConfig[], { id }: MotifConfig): string | undefined {
  const users = new Set(live.map(({ user }) => user));
  if (users.size < 2) return live[0]?.user;
  throw new MotifError('usage', `Motif ${id} has tokens of several users`, {
    hint: `whose is to be rotated? --user ${[...users].find((user) => user !== undefined)}`,
  });
}

/** Takes tokens out of the file, by ID, by the token itself on stdin, or all of a Motif. */
export async function runAdminRevoke(run: Run<RevokeFlags>, words: readonly string[]): Promise<void> {
  const { world, flags, notice } = run;
  refuseFileNames('revoke', words);
  const { config: known } = await readGateway(sourceOf(flags, world), world);
  refuseWholeTokens(words, known);
  const piped = flags.tokenStdin ? await findPipedToken(run, known) : undefined;
  const { result, config } = await editGateway(run, (before, edit) => {
    const { motif, ids } = piped === undefined ? namedTokens(words, before, flags) : pipedToken(piped, words);
    const at = (id: string) => motif.tokens.findIndex((token) => token.id === id);
    if (flags.all) edit.set(['motifs', motif.id, 'tokens'], []);
    else for (const id of ids) edit.remove(['motifs', motif.id, 'tokens', at(id)]);
    return { motif, revoked: ids };
  });
  const { motif, revoked } = result;
  const left = motif.tokens.length - revoked.length;
  const leftWords = left === 0 ? 'no token is left' : `${left} ${left === 1 ? 'is' : 'are'} left`;
  notice(`${revoked.join(', ') || 'no token'} of Motif ${motif.id} revoked; ${leftWords}`);
  const { isInForce, words: inForceWords } = await askInForce(config, world);
  notice(inForceWords);
  if (!flags.json) return;
  const document = { ok: true, motif_id: motif.id, revoked, left, in_force: isInForce, error: null };
  await printDocument(document, flags, world);
}

interface NamedTokens {
  readonly motif: MotifConfig;
  readonly ids: readonly string[];
}

function pipedToken(
  { motif, token }: NonNullable<Awaited<ReturnType<typeof findPipedToken>>>,
  words: readonly string[],
) {
  const [named, ...more] = words;
  if (more.length > 0 || (named !== undefined && named !== motif.id)) {
    throw new MotifError('usage', `the token on stdin is ${token.id} of Motif ${motif.id}`, {
      hint: `motif admin revoke --token-stdin, or motif admin revoke ${motif.id} --token-stdin`,
    });
  }
  return { motif, ids: [token.id] };
}

function namedTokens(words: readonly string[], config: GatewayConfig, { all }: RevokeFlags): NamedTokens {
  const [first, second, ...more] = words;
  if (more.length > 0 || (all && second !== undefined))
    throw new MotifError('usage', 'one Motif and one token are revoked at a time', {
      hint: 'motif admin revoke MOTIF-ID TOKEN-ID, or motif admin revoke MOTIF-ID --all',
    });
  if (all) {
    const motif = needMotif(config, first);
    return { motif, ids: motif.tokens.map(({ id }) => id) };
  }
  const byName = first === undefined ? undefined : config.motifs.get(first);
  if (second === undefined && first !== undefined && byName === undefined) return lonelyToken(first, config);
  const motif = needMotif(config, first);
  return needToken(second, motif);
}

/** The token that a single word names: the word is no Motif, and just one Motif has such a token. */
function lonelyToken(id: string, { motifs }: GatewayConfig): NamedTokens {
  const owners = [...motifs.values()].filter(({ tokens }) => tokens.some((token) => token.id === id));
  if (owners.length === 1) return { motif: owners[0]!, ids: [id] };
  const name = defuseLine(id, 60);
  if (owners.length > 1) {
    throw new MotifError('usage', `several Motifs have a token ${name}`, {
      hint: owners.slice(0, 8).map((owner) => `motif admin revoke ${owner.id} ${name}`),
    });
  }
  const known = [...motifs.values()].flatMap((motif) => [motif.id, ...motif.tokens.map((token) => token.id)]);
  throw new MotifError('usage', `there is no Motif or token ${name}`, { hint: suggestion(id, known) });
}

function needToken(id: string | undefined, motif: MotifConfig): NamedTokens {
  const ids = motif.tokens.map((token) => token.id);
  if (id === undefined) {
    throw new MotifError('usage', 'name the token to revoke', {
      hint: [`--all, or one of ${withUsers(motif.tokens) || 'none'}`, `motif admin show ${motif.id}`],
    });
  }
  if (ids.includes(id)) return { motif, ids: [id] };
  const ofUser = motif.tokens.filter(({ user }) => user === id);
  throw new MotifError('usage', `Motif ${motif.id} has no token ${defuseLine(id, 60)}`, {
    hint:
      ofUser.length > 0 ? `a user, with ${withUsers(ofUser)}` : ids.length > 0 ? suggestion(id, ids) : 'it has none',
  });
}

/** `t1 (ana), t2`: tokens by ID, and whose they are. */
function withUsers(tokens: readonly TokenConfig[]): string {
  const named = tokens.slice(0, 20).map(({ id, user }) => (user === undefined ? id : `${id} (${user})`));
  return defuseLine(named.join(', '));
}
