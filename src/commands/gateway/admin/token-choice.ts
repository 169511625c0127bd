import { suggestion } from '../../../documents/spot.ts';
import { MotifError } from '../../../errors.ts';
import { type GatewayConfig, isReplaced, type MotifConfig, type TokenConfig } from '../../../gateway/config.ts';
import { toDay, toMoment } from '../../../text/durations.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { adminCommand } from '../admin-command.ts';
import { needMotif } from '../needed-motif.ts';
import type { AdminFlags } from './flags.ts';

/** The command that was typed, as far as its errors print others of its kind. */
export interface TokenVerb {
  readonly name: 'rotate' | 'revoke';
  readonly flags: AdminFlags;
}

/** A whole command for the same gateway file, to be typed as it stands. */
export function tokenCommand({ name, flags }: TokenVerb, ...words: readonly string[]): string {
  return adminCommand(flags, name, ...words);
}

/** A Motif and a token of it, if the words name one. */
interface NamedToken {
  readonly motif: MotifConfig;
  readonly token: TokenConfig | undefined;
}

/** Reads `MOTIF-ID TOKEN-ID`, either of which may be absent: the only Motif needs no name. */
export function readTokenName(words: readonly string[], config: GatewayConfig, verb: TokenVerb): NamedToken {
  const [first, second, ...more] = words;
  if (words.includes('')) throw toEmptyName(words, verb);
  if (more.length > 0) throw toOneAtATime(verb);
  if (first !== undefined && second === undefined && !config.motifs.has(first)) return lonelyToken(first, config, verb);
  const motif = needMotif(config, first);
  return { motif, token: second === undefined ? undefined : needToken(second, motif, verb) };
}

/** The error of a name that a variable without a value left empty. */
function toEmptyName([motifId = '']: readonly string[], { flags }: TokenVerb): MotifError {
  return new MotifError('usage', 'the name of the token is empty', {
    hint: `${adminCommand(flags, 'show', ...(motifId === '' ? [] : [motifId]))} lists them`,
  });
}

export function toOneAtATime(verb: TokenVerb): MotifError {
  const name = `motif admin ${verb.name}`;
  return new MotifError('usage', `${verb.name} takes one Motif and one token at a time`, {
    hint: `${name} MOTIF-ID TOKEN-ID${verb.name === 'revoke' ? `, or ${name} MOTIF-ID --all` : ''}`,
  });
}

/** The token that a single word names: the word is no Motif, and just one Motif has such a token. */
function lonelyToken(id: string, { motifs }: GatewayConfig, verb: TokenVerb): NamedToken {
  const owners = [...motifs.values()].flatMap((motif) => {
    const token = motif.tokens.find((each) => each.id === id);
    return token === undefined ? [] : [{ motif, token }];
  });
  if (owners.length === 1) return owners[0]!;
  const name = defuseLine(id, 60);
  if (owners.length > 1) {
    throw new MotifError('usage', `several Motifs have a token ${name}`, {
      hint: owners.slice(0, choicesMax).map(({ motif }) => tokenCommand(verb, motif.id, id)),
    });
  }
  const [only, ...others] = motifs.values();
  if (only !== undefined && others.length === 0) throwIfUser(id, only, verb);
  const known = [...motifs.values()].flatMap((motif) => [motif.id, ...motif.tokens.map((token) => token.id)]);
  throw new MotifError('usage', `there is no Motif or token ${name}`, { hint: suggestion(id, known) });
}

function needToken(id: string, motif: MotifConfig, verb: TokenVerb): TokenConfig {
  const token = motif.tokens.find((each) => each.id === id);
  if (token !== undefined) return token;
  throwIfUser(id, motif, verb);
  const ids = motif.tokens.map((each) => each.id);
  throw new MotifError('usage', `Motif ${motif.id} has no token ${defuseLine(id, 60)}`, {
    hint: ids.length > 0 ? suggestion(id, ids) : 'it has none',
  });
}

function throwIfUser(word: string, motif: MotifConfig, verb: TokenVerb): void {
  const tokens = motif.tokens.filter(({ user }) => user === word);
  if (tokens.length === 0) return;
  throw new MotifError('usage', `${defuseLine(word, 60)} is a user, and no token of Motif ${motif.id}`, {
    hint: verb.name === 'rotate' ? [choiceOfUser(word, tokens, motif, verb)] : choicesOfTokens(tokens, motif, verb),
  });
}

const choicesMax = 12;

/** The error of a revocation that names no token; it prints every one that can be meant. */
export function toTokenUnnamed(motif: MotifConfig, verb: TokenVerb): MotifError {
  const choices = choicesOfTokens(motif.tokens, motif, verb);
  return new MotifError('usage', 'name the token to revoke', {
    hint:
      choices.length === 0
        ? `Motif ${motif.id} has none`
        : [...choices, `${tokenCommand(verb, motif.id, '--all')} ends all of them`],
  });
}

/** The error of a rotation that may mean tokens of several users; it prints every choice. */
export function toUserUnnamed(live: readonly TokenConfig[], motif: MotifConfig, verb: TokenVerb): MotifError {
  const users = [...new Set(live.flatMap(({ user }) => user ?? []))];
  const ofUsers = users.map((user) =>
    choiceOfUser(
      user,
      live.filter((each) => each.user === user),
      motif,
      verb,
    ),
  );
  const others = live.filter(({ user }) => user === undefined);
  const choices = [...ofUsers, ...choicesOfTokens(others, motif, verb)];
  return new MotifError('usage', `Motif ${motif.id} has tokens of several users: say which is to be replaced`, {
    hint: capped(choices, motif, verb),
  });
}

function choiceOfUser(user: string, tokens: readonly TokenConfig[], motif: MotifConfig, verb: TokenVerb): string {
  const ids = tokens.filter((token) => !isReplaced(token, motif)).map(({ id }) => id);
  return `${tokenCommand(verb, motif.id, '--user', user)} replaces ${defuseLine(ids.join(', '), 200)}`;
}

function choicesOfTokens(tokens: readonly TokenConfig[], motif: MotifConfig, verb: TokenVerb): readonly string[] {
  const does = verb.name === 'rotate' ? 'replaces' : 'ends';
  return capped(
    tokens.map((token) => {
      const { id, user } = token;
      const whose = user === undefined ? 'the one without a user' : `the one of ${defuseLine(user, 60)}`;
      const isAlone = tokens.filter((each) => each.user === user).length === 1;
      const facts = isAlone ? [] : factsOf(token, motif);
      return [`${tokenCommand(verb, motif.id, id)} ${does} ${whose}`, ...facts].join(', ');
    }),
    motif,
    verb,
  );
}

/** Facts by which tokens of the same user are told apart. */
function factsOf(token: TokenConfig, motif: MotifConfig): readonly string[] {
  const { createdAt, expiresAt } = token;
  return [
    ...(createdAt === undefined ? [] : [`made ${toDay(createdAt)}`]),
    ...(expiresAt === undefined ? [] : [`which ends ${toMoment(expiresAt)}`]),
    ...(isReplaced(token, motif) ? ['which rotate has replaced'] : []),
  ];
}

function capped(choices: readonly string[], motif: MotifConfig, { flags }: TokenVerb): readonly string[] {
  if (choices.length <= choicesMax) return choices;
  const more = choices.length - choicesMax;
  return [...choices.slice(0, choicesMax), `and ${more} more: ${adminCommand(flags, 'show', motif.id)}`];
}

/** Tokens by their IDs, each with its user. */
export function namesOf(tokens: readonly TokenConfig[]): string {
  const names = tokens.map(({ id, user }) => (user === undefined ? id : `${id} (${user})`));
  return defuseLine(names.join(', '), 400);
}
