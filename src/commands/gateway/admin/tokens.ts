import type { YamlEdit } from '../../../documents/yaml-edit.ts';
import { suggestion } from '../../../documents/spot.ts';
import { MotifError } from '../../../errors.ts';
import type { MotifConfig, TokenConfig } from '../../../gateway/config.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { formatDuration } from '../../../text/durations.ts';
import type { World } from '../../../world/world.ts';
import { type AdminFlags, editGateway, needMotif } from './file.ts';
import { handOver, makeToken, toMoment } from './handover.ts';
import { printDocument } from '../../../terminal/output.ts';
import { createNotice } from '../../shared/notices.ts';

export interface RotateFlags extends AdminFlags {
  readonly grace: number;
  readonly user?: string;
  readonly expires?: number;
}

export interface RevokeFlags extends AdminFlags {
  readonly all?: boolean;
}

/** A new token, and an end for the earlier ones of the same user: soon enough to be safe, late enough to change over. */
export async function runAdminRotate(world: World, id: string | undefined, flags: RotateFlags): Promise<void> {
  const endsAt = world.now() + flags.grace;
  const { result, config } = await editGateway(world, flags, (before, edit) => {
    const motif = needMotif(before, id);
    const live = motif.tokens.filter(({ expiresAt = Infinity }) => expiresAt > world.now());
    const user = flags.user ?? onlyUser(live, motif);
    const token = makeToken(world, { user, expiresMs: flags.expires });
    const ended = live.filter((each) => each.user === user && (each.expiresAt ?? Infinity) > endsAt);
    for (const each of ended) {
      edit.set(['motifs', motif.id, 'tokens', motif.tokens.indexOf(each), 'expires'], toMoment(endsAt));
    }
    edit.append(['motifs', motif.id, 'tokens'], token.record);
    return { token, motif, ended: ended.map((each) => each.id) };
  });
  const { token, motif, ended } = result;
  await handOver(token, motif.id, config, { flags, world });
  if (ended.length === 0) return;
  const when = flags.grace === 0 ? 'at once' : `in ${formatDuration(flags.grace)}, at ${toMoment(endsAt)}`;
  createNotice(world, flags)(`${ended.join(', ')} ${ended.length === 1 ? 'ends' : 'end'} ${when}`);
}

function onlyUser(live: readonly TokenConfig[], { id }: MotifConfig): string | undefined {
  const users = new Set(live.map(({ user }) => user));
  if (users.size < 2) return live[0]?.user;
  throw new MotifError('usage', `Motif ${id} has tokens of several users`, {
    hint: `whose is to be rotated? --user ${[...users].find((user) => user !== undefined)}`,
  });
}

export async function runAdminRevoke(world: World, words: readonly string[], flags: RevokeFlags): Promise<void> {
  const { result } = await editGateway(world, flags, (before, edit) => {
    const [first, second] = words;
    // The only Motif needs no name.
    const isTokenAlone = flags.all !== true && second === undefined && before.motifs.size === 1;
    const motif = needMotif(before, isTokenAlone ? undefined : first);
    const tokenId = isTokenAlone ? first : second;
    return { motif, revoked: revoke(motif, flags.all === true ? undefined : tokenId, flags, edit) };
  });
  const { motif, revoked } = result;
  const notice = createNotice(world, flags);
  const left = motif.tokens.length - revoked.length;
  notice(
    `${revoked.join(', ') || 'no token'} of Motif ${motif.id} revoked; ${left === 0 ? 'no token is' : `${left} are`} left`,
  );
  if (flags.json) await printDocument({ ok: true, motif_id: motif.id, revoked, left, error: null }, flags, world);
}

function revoke(
  motif: MotifConfig,
  tokenId: string | undefined,
  { all }: RevokeFlags,
  edit: YamlEdit,
): readonly string[] {
  const ids = motif.tokens.map(({ id }) => id);
  if (all !== true && tokenId === undefined) {
    throw new MotifError('usage', 'which token?', {
      hint: [`--all, or one of ${ids.join(', ') || 'none'}`, `motif admin show ${motif.id}`],
    });
  }
  if (all !== true && !ids.includes(tokenId ?? '')) {
    throw new MotifError('usage', `Motif ${motif.id} has no token ${defuseLine(tokenId ?? '', 60)}`, {
      hint: suggestion(tokenId ?? '', ids),
    });
  }
  const revoked = all === true ? ids : [tokenId!];
  if (all === true) edit.set(['motifs', motif.id, 'tokens'], []);
  else edit.remove(['motifs', motif.id, 'tokens', ids.indexOf(tokenId!)]);
  return revoked;
}
