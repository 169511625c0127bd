import type { Command } from 'commander';
import { MotifError } from '../errors.ts';
import { type Settings, targetOf } from '../settings/resolve.ts';
import { fetchToken } from '../settings/token-source.ts';
import type { World } from '../world/world.ts';
import { findProxy, missingTarget, missingToken, resolveSettings } from './shared/connection.ts';
import { printBeside, printDocument } from './shared/documents.ts';
import { type ConnectionFlags, describe, withConnection } from './shared/flags.ts';
import { createNotice, type Notice } from './shared/notices.ts';
import { printRows } from './shared/table.ts';
import { settingRows, type Shown, showSettings, tokenOrigin } from './shared/setting-rows.ts';

export interface WhoamiFlags extends ConnectionFlags {
  readonly json?: boolean;
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
  const notice = createNotice(world, flags);
  const settings = await resolveSettings(flags, world, notice);
  const target = targetOf(settings);
  const proxy = target && findProxy(settings, target, world);
  const { token, failure } = await describeToken(settings, world, notice);
  const shown = showSettings(settings, { token, proxy });
  const missing = (await missingWords(settings, world)) ?? failure;
  if (flags.json) {
    if (missing !== undefined) missing.documented = true;
    const { error } = missing?.toDocument() ?? { error: null };
    const document = { ok: missing === undefined, profile: settings.profile ?? null, ...shown, error };
    await printBeside(missing, printDocument(document, flags, world));
  } else {
    await printBeside(missing, printRows(settingRows(settings, shown), world));
  }
  if (missing !== undefined) throw missing;
}

/** The masked token, or why it cannot be had. A token command is not run: it may ask the person, or the network. */
async function describeToken(
  settings: Settings,
  world: World,
  notice: Notice,
): Promise<{ readonly token: Shown; readonly failure?: MotifError }> {
  const from = tokenOrigin(settings);
  const source = settings.token?.value;
  if (source === undefined) return { token: { value: null, from } };
  const isCommand = source.kind === 'profile' && source.record.store === 'command';
  if (isCommand) return { token: { value: 'from a command, not run now', from } };
  try {
    return { token: { value: String(await fetchToken(source, world, notice)), from } };
  } catch (failure) {
    if (!(failure instanceof MotifError)) throw failure;
    return { token: { value: null, from }, failure };
  }
}

async function missingWords(settings: Settings, world: World): Promise<MotifError | undefined> {
  const target = targetOf(settings);
  if (target === undefined) return missingTarget(settings, world);
  return settings.token === undefined ? missingToken(target) : undefined;
}
