import type { Command } from 'commander';
import { MotifError } from '../errors.ts';
import { type Settings, type Sourced, targetOf } from '../settings/resolve.ts';
import { fetchToken } from '../settings/token.ts';
import { formatDuration } from '../text/durations.ts';
import { motifUrl } from '../wire/request.ts';
import type { World } from '../world/world.ts';
import { resolveSettings } from './connection.ts';
import { printDocument } from './documents.ts';
import { type ConnectionFlags, describe, withConnection } from './flags.ts';
import { createNotice, type Notice } from './notices.ts';
import { printRows } from './rows.ts';

export interface WhoamiFlags extends ConnectionFlags {
  readonly json?: boolean;
}

interface Shown {
  readonly value: string | number | null;
  readonly from: string | null;
}

export function registerWhoami(command: Command, world: World): void {
  describe(command, 'Show what would be used now, and where each value came from; asks no network', [
    'motif whoami',
    'motif whoami -p staging --json',
  ]);
  withConnection(command)
    .option('--json', 'print the result as a JSON document')
    .action(() => runWhoami(world, command.optsWithGlobals<WhoamiFlags>()));
}

export async function runWhoami(world: World, flags: WhoamiFlags): Promise<void> {
  const settings = await resolveSettings(flags, world);
  const shown = await describeSettings(settings, world, createNotice(world, flags));
  const missing = missingWords(settings);
  if (flags.json) {
    if (missing !== undefined) missing.documented = true;
    const { error } = missing?.toDocument() ?? { error: null };
    await printDocument(
      { ok: missing === undefined, profile: settings.profile ?? null, ...shown, error },
      flags,
      world,
    );
  } else {
    const rows = Object.entries(shown).map(([name, { value, from }]) => [name, textOf(name, value), from ?? '']);
    await printRows([['profile', settings.profile ?? 'none', ''], ...rows], world);
  }
  if (missing !== undefined) throw missing;
}

async function describeSettings(settings: Settings, world: World, notice: Notice): Promise<Record<string, Shown>> {
  const target = targetOf(settings);
  const of = (sourced: Sourced<string | number> | undefined): Shown => ({
    value: sourced?.value ?? null,
    from: sourced?.from ?? null,
  });
  const { proxy } = settings;
  return {
    url: {
      value: target === undefined ? (settings.baseUrl?.value ?? null) : motifUrl(target),
      from: settings.baseUrl?.from ?? null,
    },
    motif_id: of(settings.motifId),
    token: await describeToken(settings, world, notice),
    tenant: of(settings.tenant),
    timeout: of(settings.timeout),
    connect_timeout: of(settings.connectTimeout),
    retries: of(settings.retries),
    proxy: { value: proxy?.value.origin ?? null, from: proxy?.from ?? null },
    cacert: of(settings.cacert),
    cert: of(settings.cert),
    key: of(settings.key),
    blocked_notice: of(settings.blockedNotice),
  };
}

/** Masked. A token command is not run: it may ask the person, or the network. */
async function describeToken({ token }: Settings, world: World, notice: Notice): Promise<Shown> {
  if (token === undefined) return { value: null, from: null };
  const { value: source, from } = token;
  if (source.kind !== 'profile') return { value: String(await fetchToken(source, world, notice)), from };
  const { store } = source.record;
  if (store === 'command') return { value: 'from a command, not run now', from: `${from}, command` };
  try {
    return { value: String(await fetchToken(source, world, notice)), from: `${from}, ${store}` };
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    notice(error.message);
    return { value: null, from: `${from}, ${store}` };
  }
}

function textOf(name: string, value: string | number | null): string {
  if (value === null) return 'none';
  const isTime = name === 'timeout' || name === 'connect_timeout';
  return isTime && typeof value === 'number' ? formatDuration(value) : String(value);
}

function missingWords(settings: Settings): MotifError | undefined {
  const hint = 'motif login ADDRESS, or MOTIF_URL and MOTIF_TOKEN';
  if (targetOf(settings) === undefined) return new MotifError('config', 'no Motif is named', { hint });
  return settings.token === undefined ? new MotifError('config', 'there is no token', { hint }) : undefined;
}
