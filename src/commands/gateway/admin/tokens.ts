import { MotifError } from '../../../errors.ts';
import {
  type GatewayConfig,
  isReplaced,
  type MotifConfig,
  type TokenConfig,
  tokensInForce,
} from '../../../gateway/config.ts';
import { confirm, requireConfirmation } from '../../../terminal/ask.ts';
import { printDocument } from '../../../terminal/output.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { dayMs, spellDuration, toMoment } from '../../../text/durations.ts';
import type { World } from '../../../world/world.ts';
import type { Run } from '../../shared/run.ts';
import { editGateway, readGateway, refuseFileNames, sourceOf } from './file.ts';
import { needMotif } from '../needed-motif.ts';
import type { AdminFlags, RevokeFlags, RotateFlags } from './flags.ts';
import { endOf, type FreshToken, handOver, makeToken } from './handover.ts';
import { giveToken, openTokenFile, refuseHeldToken } from './token-file.ts';
import { tellInForce } from './in-force.ts';
import {
  readTokenName,
  toOneAtATime,
  tokenCommand,
  type TokenVerb,
  toTokenUnnamed,
  toUserUnnamed,
} from './token-choice.ts';
import { hashPipedToken, noMotifHasIt, refuseWholeTokens, tokensWith } from './whole-token.ts';

type RotateVerb = TokenVerb & { readonly flags: RotateFlags };

/** A new token, and an end for the one named, or for those of the same user: soon enough, but late enough to switch. */
export async function runAdminRotate(run: Run<RotateFlags>, words: readonly string[]): Promise<void> {
  const { world, flags } = run;
  refuseWholeTokens(words);
  refuseFileNames('rotate', words);
  const verb = { name: 'rotate', flags } as const;
  const tokenFile = await openTokenFile(run, sourceOf(flags, world).name);
  const endsAt = world.now() + flags.grace;
  const { result, config, before } = await editGateway(
    run,
    (before, edit) => {
      const { motif, token: named } = readTokenName(words, before, verb);
      const live = tokensInForce(motif, world.now());
      const user =
        named === undefined ? (flags.user ?? userOfNone(live, motif, verb)) : userOf(named, flags.user, verb);
      const replaced = live.filter((each) => (named === undefined ? each.user === user : each === named));
      refuseHeldToken(tokenFile, run, { config: before, ending: flags.keep ? [] : replaced });
      const predecessor = named ?? replaced.findLast((each) => !isReplaced(each, motif));
      const { team, limits } = predecessor ?? {};
      const model = flags.expires === undefined && predecessor ? modelOf(predecessor, motif) : undefined;
      const endsLike = model === undefined ? endOf(flags.expires, world) : likeEnd(model, world.now());
      const token = makeToken(world, { user, endsAt: endsLike, team, ...(limits && { limits }) });
      const ended = replaced.filter(({ expiresAt = Infinity }) => expiresAt > endsAt);
      edit.append(['motifs', motif.id, 'tokens'], token.record);
      for (const each of flags.keep ? [] : replaced.toReversed()) {
        const at = ['motifs', motif.id, 'tokens', motif.tokens.indexOf(each)];
        // An end of now would come again with a clock that is set back.
        if (flags.grace === 0) edit.remove(at);
        else if (ended.includes(each)) edit.set([...at, 'expires'], toMoment(endsAt));
        if (flags.grace > 0 && !isReplaced(each, motif)) edit.set([...at, 'replaced_by'], token.record.id);
      }
      const inherited = endsLike === undefined ? undefined : model;
      const others = (flags.keep ? live.filter((each) => !isReplaced(each, motif)) : ended).map(({ id }) => id);
      const isOfNobody = user === undefined && live.some((each) => each.user !== undefined);
      return { token, motif, inherited, live, replaced, others, isOfNobody };
    },
    {
      around: ({ token, motif }, change) => giveToken({ token, motifId: motif.id }, tokenFile, run, change),
    },
  );
  const { token, motif, inherited, live, replaced, others, isOfNobody } = result;
  const notes = [
    ...(flags.keep && isOfNobody ? [`${token.record.id} has no user; --user NAME makes one that has`] : []),
    ...(inherited === undefined ? [] : [inheritedWords(token, inherited)]),
    ...(others.length > 0 ? [othersWords(others, motif.id, flags, endsAt)] : []),
    ...(!flags.keep && replaced.length === 0 && live.length > 0 ? [noneEndsWords(token, live, motif.id)] : []),
  ];
  const ending = (flags.keep ? [] : replaced).map(({ id, expiresAt = Infinity }) => ({
    id,
    expires: toMoment(Math.min(expiresAt, endsAt)),
  }));
  await handOver(token, motif.id, config, { run, served: { notes, before }, ending });
}

/** The user of the token that is to be replaced; the one that takes its place is of nobody else. */
function userOf({ id, user }: TokenConfig, typed: string | undefined, verb: TokenVerb): string | undefined {
  if (typed === undefined || typed === user) return user;
  const whose = user === undefined ? 'belongs to no user' : `is a token of ${defuseLine(user, 60)}`;
  throw new MotifError('usage', `${id} ${whose}, and the token in its place keeps the user`, {
    hint: `without --user: ${tokenCommand(verb, id)}`,
  });
}

/** The token whose end a new one takes over: a token that rotate has replaced ends when its grace is over. */
function modelOf(predecessor: TokenConfig, { tokens }: MotifConfig): TokenConfig {
  let model = predecessor;
  for (const _ of tokens) {
    if (model.replacedBy === undefined || model.expiresAt === undefined) return model;
    const next = tokens.find(({ id }) => id === model.replacedBy);
    if (next === undefined) break;
    model = next;
  }
  const { id, expiresAt } = model;
  const end = `${id} ends at ${toMoment(expiresAt!)} because it was rotated`;
  throw new MotifError('usage', `${end}, so the file does not say how long a new token should live`, {
    hint: '--expires says it: 90d, 2027-03-01, or never',
  });
}

/** The end of a token that takes the place of another: as long from now as that one had, else on the same date. */
function likeEnd({ id, createdAt, expiresAt }: TokenConfig, now: number): number | undefined {
  if (expiresAt === undefined) return undefined;
  if (createdAt !== undefined && createdAt < expiresAt) {
    const ms = expiresAt - createdAt;
    // The file knows the day on which a token was made, and not the hour.
    return now + (ms < dayMs ? ms : ms - (ms % dayMs));
  }
  if (expiresAt > now) return expiresAt;
  throw new MotifError('usage', `${id} ended at ${toMoment(expiresAt)}, and the file does not say how long it lived`, {
    hint: '--expires says when the new one ends: 90d, 2027-03-01, or never',
  });
}

function inheritedWords({ record }: FreshToken, { id, createdAt, expiresAt }: TokenConfig): string {
  const isSameDate = createdAt === undefined || createdAt >= expiresAt!;
  const like = isSameDate ? `on the same date as ${id}` : `for it lives as long as ${id}`;
  return `the new token ends at ${record.expires}, ${like}; --expires 90d, or never, says otherwise`;
}

function othersWords(others: readonly string[], motifId: string, flags: RotateFlags, endsAt: number): string {
  const names = others.join(', ');
  const isOne = others.length === 1;
  const revoke = tokenCommand({ name: 'revoke', flags }, motifId, others[0]!);
  if (flags.keep) return `${names} ${isOne ? 'stays' : 'stay'} valid; ${revoke} ends ${isOne ? 'it' : 'one'}`;
  if (flags.grace === 0) return `${names} ${isOne ? 'ends' : 'end'} now`;
  const end = `${names} ${isOne ? 'ends' : 'end'} in ${graceWords(flags.grace)}, at ${toMoment(endsAt)}`;
  return `${end}; if ${isOne ? 'it' : 'one'} leaked, end it now: ${revoke}`;
}

/** A rotation for somebody who had no token here has ended none, which whoever rotates may not expect. */
function noneEndsWords({ user }: FreshToken, live: readonly TokenConfig[], motifId: string): string {
  const whose = user === undefined ? 'without a user' : `of ${defuseLine(user, 60)}`;
  const stay = `${namesOf(live.slice(0, 8))}${live.length > 8 ? ' and others' : ''}`;
  return `no token ends, for Motif ${motifId} had none ${whose}; ${stay} ${live.length === 1 ? 'stays' : 'stay'} valid`;
}

/** Tokens by their IDs, each with its user. */
function namesOf(tokens: readonly TokenConfig[]): string {
  return defuseLine(tokens.map(({ id, user }) => (user === undefined ? id : `${id} (${user})`)).join(', '), 400);
}

/** The duration as a person writes it: `24h` and not `1d`. */
function graceWords(ms: number): string {
  const hours = ms / 3_600_000;
  return Number.isInteger(hours) && hours <= 72 ? `${hours}h` : spellDuration(ms);
}

/** The user of a new token where nobody is named: that of all others, else nobody, if none of them is to end. */
function userOfNone(live: readonly TokenConfig[], motif: MotifConfig, verb: RotateVerb): string | undefined {
  const current = live.filter((each) => !isReplaced(each, motif));
  const users = new Set(current.map(({ user }) => user));
  if (users.size < 2) return current[0]?.user;
  if (verb.flags.keep) return undefined;
  throw toUserUnnamed(current, motif, verb);
}

/** A gateway goes on with the last valid file: a token taken out of a faulty one by hand lives on, too. */
const notRevoked =
  'nothing was revoked: gateways accept the token until the file is valid and this command is typed again';

/** Takes tokens out of the file, by ID, by the token itself on stdin, or all of a Motif. */
export async function runAdminRevoke(run: Run<RevokeFlags>, words: readonly string[]): Promise<void> {
  const { world, flags, notice } = run;
  refuseFileNames('revoke', words);
  const { config: known } = await readGateway(sourceOf(flags, world), world).catch((error: unknown) => {
    throw error instanceof MotifError ? error.withHint(notRevoked) : error;
  });
  refuseWholeTokens(words, known);
  const piped = flags.tokenStdin ? await hashPipedToken(run, known, 'revoke') : undefined;
  let asked: ReadonlySet<string> | undefined;
  if (flags.all) {
    const owned = ownedTokens(words, known, flags);
    if (owned.ids.length === 0) {
      notice(`Motif ${owned.motif.id} has no token; nothing was revoked`);
      const document = { ok: true, ...revocation(owned.motif, [], world), in_force: null, error: null };
      if (flags.json) await printDocument(document, flags, world);
      return;
    }
    if (!flags.yes && !(await isAllConfirmed(run, owned))) return notice('nothing was revoked');
    if (!flags.yes) asked = new Set(owned.motif.tokens.map(({ sha256 }) => sha256));
  }
  const { result, config, before } = await editGateway(run, (before, edit) => {
    // The file may have changed since it was read first, so that only now the places are known.
    const owned =
      piped === undefined
        ? [ownedTokens(words, before, flags, asked)]
        : pipedTokens(piped, words, { config: before, flags });
    // A list that is another one's by an alias changes with that, where the token leaves both.
    const own = owned.filter(({ motif }) => !edit.isShared(['motifs', motif.id, 'tokens']));
    for (const { motif, ids } of own.length === 0 ? owned : own) {
      const at = (id: string) => motif.tokens.findIndex((token) => token.id === id);
      if (flags.all && ids.length === motif.tokens.length) edit.set(['motifs', motif.id, 'tokens'], []);
      else for (const id of ids.toReversed()) edit.remove(['motifs', motif.id, 'tokens', at(id)]);
    }
    return owned;
  });
  const [facts, ...also] = result.map(({ motif, ids }) => revocation(motif, ids, world));
  for (const { motif, ids } of result) {
    const ended = motif.tokens.filter(({ id }) => ids.includes(id));
    notice(`${namesOf(ended)} of Motif ${motif.id} revoked; ${leftWords(revocation(motif, ids, world))}`);
    const added = motif.tokens.filter(({ sha256 }) => asked !== undefined && !asked.has(sha256));
    if (added.length > 0) notice(`${namesOf(added)} came into the file after the question and is valid`);
    for (const { sha256 } of ended) for (const words of elsewhere(sha256, config, flags)) notice(words);
  }
  await tellInForce({ before, config }, run, { ...facts, ...(also.length > 0 && { also }) });
}

/** Says where a token that was revoked is accepted still: its text may be a token of several Motifs. */
function elsewhere(sha256: string, config: GatewayConfig, flags: AdminFlags): readonly string[] {
  return tokensWith(sha256, config).map(({ motif, token }) => {
    const command = tokenCommand({ name: 'revoke', flags }, motif.id, token.id);
    return `the same token is ${token.id} of Motif ${motif.id}, which still accepts it: ${command}`;
  });
}

/** The facts of a revocation; the Motif is as it was before. */
function revocation(motif: MotifConfig, revoked: readonly string[], { now }: Pick<World, 'now'>): Revocation {
  const kept = motif.tokens.filter(({ id }) => !revoked.includes(id));
  const left = tokensInForce({ tokens: kept }, now()).length;
  return { motif_id: motif.id, revoked, left, left_ended: kept.length - left };
}

/** `left` counts the tokens that are accepted still, and `left_ended` those that stand in the file and have ended. */
type Revocation = {
  readonly motif_id: string;
  readonly revoked: readonly string[];
  readonly left: number;
  readonly left_ended: number;
};

function leftWords({ left, left_ended: ended }: Revocation): string {
  const words = left === 0 ? 'no token in force is left' : `${left} ${left === 1 ? 'is' : 'are'} left`;
  if (ended === 0) return left === 0 ? 'no token is left' : words;
  return `${words} (${ended}${left === 0 ? '' : ' more'} ${ended === 1 ? 'has' : 'have'} ended)`;
}

/** The answer of a person to the end of all tokens. */
async function isAllConfirmed({ world, flags }: Run<RevokeFlags>, { motif, ids }: OwnedTokens): Promise<boolean> {
  const command = tokenCommand({ name: 'revoke', flags }, motif.id, '--all', '--yes');
  requireConfirmation(world, `--yes revokes without asking: ${command}`);
  const what = ids.length === 1 ? 'the only token' : `all ${ids.length} tokens`;
  return confirm(world, `Revoke ${what} of Motif ${motif.id}? Then nobody can ask it.`, false);
}

interface OwnedTokens {
  readonly motif: MotifConfig;
  readonly ids: readonly string[];
}

/** The tokens with this hash: those of all Motifs, for it may have leaked, or that of the Motif which was typed. */
function pipedTokens(
  sha256: string,
  words: readonly string[],
  { config, flags }: { readonly config: GatewayConfig; readonly flags: AdminFlags },
): readonly OwnedTokens[] {
  const found = tokensWith(sha256, config);
  const [first] = found;
  if (first === undefined) throw noMotifHasIt();
  const [named, ...more] = words;
  const meant = named === undefined ? found : found.filter(({ motif }) => motif.id === named);
  if (more.length > 0 || meant.length === 0) {
    const names = found.map(({ motif, token }) => `${token.id} of Motif ${motif.id}`);
    throw new MotifError('usage', `the token on stdin is ${names.join(', ')}`, {
      hint: tokenCommand({ name: 'revoke', flags }, first.motif.id, '--token-stdin'),
    });
  }
  return meant.map(({ motif, token }) => ({ motif, ids: [token.id] }));
}

/** The tokens that the words mean; of `all`, those that a person was asked about, where one was. */
function ownedTokens(
  words: readonly string[],
  config: GatewayConfig,
  flags: RevokeFlags,
  asked?: ReadonlySet<string>,
): OwnedTokens {
  const verb = { name: 'revoke', flags } as const;
  if (flags.all) {
    if (words.length > 1) throw toOneAtATime(verb);
    const motif = needMotif(config, words[0]);
    const meant = motif.tokens.filter(({ sha256 }) => asked?.has(sha256) !== false);
    if (asked === undefined || meant.length > 0) return { motif, ids: meant.map(({ id }) => id) };
    throw new MotifError('usage', `nothing was revoked: all tokens of Motif ${motif.id} changed after the question`);
  }
  const { motif, token } = readTokenName(words, config, verb);
  if (token === undefined) throw toTokenUnnamed(motif, verb);
  return { motif, ids: [token.id] };
}
