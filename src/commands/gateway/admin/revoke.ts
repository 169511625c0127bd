import { MotifError } from '../../../errors.ts';
import { type GatewayConfig, type MotifConfig, tokensInForce } from '../../../gateway/config.ts';
import { confirm, requireConfirmation } from '../../../terminal/ask.ts';
import { printDocument } from '../../../terminal/output.ts';
import type { World } from '../../../world/world.ts';
import type { Run } from '../../shared/run.ts';
import { needMotif } from '../needed-motif.ts';
import { editGateway, readGateway, refuseFileNames, sourceOf } from './file.ts';
import type { AdminFlags, RevokeFlags } from './flags.ts';
import { tellInForce } from './in-force.ts';
import { namesOf, readTokenName, toOneAtATime, tokenCommand, toTokenUnnamed } from './token-choice.ts';
import {
  acceptedElsewhere,
  changedAlongside,
  hashPipedToken,
  noMotifHasIt,
  refuseWholeTokens,
  tokensWith,
} from './whole-token.ts';

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
      notice(noneRevoked(owned.motif));
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
    // The last first, for an alias of a token stands below the token.
    for (const { motif, ids } of (own.length === 0 ? owned : own).toReversed()) {
      const at = (id: string) => motif.tokens.findIndex((token) => token.id === id);
      if (flags.all && ids.length === motif.tokens.length) edit.set(['motifs', motif.id, 'tokens'], []);
      else for (const id of ids.toReversed()) edit.remove(['motifs', motif.id, 'tokens', at(id)]);
    }
    return owned;
  });
  const [facts, ...also] = result.map(({ motif, ids }) => revocation(motif, ids, world));
  for (const { motif, ids } of result) {
    const ended = motif.tokens.filter(({ id }) => ids.includes(id));
    const words = `${namesOf(ended)} of Motif ${motif.id} revoked; ${leftWords(revocation(motif, ids, world))}`;
    // Another one may have revoked all of them since the file was read first.
    notice(ids.length === 0 ? noneRevoked(motif) : words);
    const added = motif.tokens.filter(({ sha256 }) => asked !== undefined && !asked.has(sha256));
    if (added.length > 0) notice(`${namesOf(added)} came into the file after the question and is valid`);
    for (const words of acceptedElsewhere(ended, { motif, config, flags, at: world.now() })) notice(words);
  }
  const meant = new Set(result.map(({ motif }) => motif.id));
  for (const words of changedAlongside(meant, { before, config })) notice(words);
  await tellInForce({ before, config }, run, { ...facts, ...(also.length > 0 && { also }) });
}

function noneRevoked({ id }: MotifConfig): string {
  return `Motif ${id} has no token; nothing was revoked`;
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
