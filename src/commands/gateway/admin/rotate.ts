import { MotifError } from '../../../errors.ts';
import { isReplaced, type MotifConfig, type TokenConfig, tokensInForce } from '../../../gateway/config.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { dayMs, spellDuration, toMoment } from '../../../text/durations.ts';
import type { Run } from '../../shared/run.ts';
import { editGateway, refuseFileNames, sourceOf } from './file.ts';
import type { RotateFlags } from './flags.ts';
import { endOf, type FreshToken, handOver, makeToken } from './handover.ts';
import { giveToken, openTokenFile, refuseHeldToken } from './token-file.ts';
import { namesOf, readTokenName, tokenCommand, type TokenVerb, toUserUnnamed } from './token-choice.ts';
import { acceptedElsewhere, changedAlongside, refuseWholeTokens } from './whole-token.ts';

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
        if (flags.grace === 0) {
          // With a time of its end it would be accepted again once a clock is set back.
          edit.remove(at);
          continue;
        }
        if (ended.includes(each)) edit.set([...at, 'expires'], toMoment(endsAt));
        if (!isReplaced(each, motif)) edit.set([...at, 'replaced_by'], token.record.id);
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
    ...(flags.keep || flags.grace === 0 ? [] : soonerWords(replaced, endsAt)),
    ...changedAlongside(new Set([motif.id]), { before, config }),
    ...acceptedElsewhere(flags.keep ? [] : replaced, { motif, config, flags, at: endsAt }),
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

/** Words on tokens that end by themselves before the grace is over: it does not make them last. */
function soonerWords(replaced: readonly TokenConfig[], endsAt: number): readonly string[] {
  return replaced
    .filter(({ expiresAt = Infinity }) => expiresAt < endsAt)
    .map(({ id, expiresAt }) => `${id} ends at ${toMoment(expiresAt!)} already, as it would have without this`);
}

/** A rotation for somebody who had no token here has ended none, which whoever rotates may not expect. */
function noneEndsWords({ user }: FreshToken, live: readonly TokenConfig[], motifId: string): string {
  const whose = user === undefined ? 'without a user' : `of ${defuseLine(user, 60)}`;
  const stay = `${namesOf(live.slice(0, 8))}${live.length > 8 ? ' and others' : ''}`;
  return `no token ends, for Motif ${motifId} had none ${whose}; ${stay} ${live.length === 1 ? 'stays' : 'stay'} valid`;
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
