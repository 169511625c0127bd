import type { Command } from 'commander';
import { MotifError } from '../errors.ts';
import { type Settings, targetOf, usedProfile } from '../settings/resolve.ts';
import { fetchToken } from '../settings/token-source.ts';
import type { World } from '../world/world.ts';
import { findProxy, missingTarget, missingToken, resolveSettings } from './shared/connection/connection.ts';
import { printBeside, printDocument } from '../terminal/output.ts';
import { type ConnectionFlags, connectionFlags } from './shared/flags/connection.ts';
import { declare } from './shared/declare.ts';
import { type JsonFlags, jsonFlags } from './shared/flags/options.ts';
import type { Notice } from './shared/notices.ts';
import type { Run } from './shared/run.ts';
import { printTable, settingColumns } from './shared/table.ts';
import { settingRows, type ShownSetting, showSettings, tokenOrigin } from './shared/connection/setting-rows.ts';

export function registerWhoami(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Show what would be used now, and where each value came from; asks no network',
    examples: ['motif whoami', 'motif whoami -p staging --json'],
    flags: [...connectionFlags, jsonFlags],
    run: runWhoami,
  });
}

async function runWhoami(run: Run<ConnectionFlags & JsonFlags>): Promise<void> {
  const { world, flags, notice } = run;
  const settings = await resolveSettings(run);
  const target = targetOf(settings);
  const proxy = target && (await findProxy(settings, target, world));
  const { token, failure } = await describeToken(settings, world, notice);
  const shown = showSettings(settings, { token, proxy });
  const missing = (await findMissing(settings, world)) ?? failure;
  const facts = { profile: usedProfile(settings) ?? null, ...shown, empty_variables: settings.emptyVariables };
  if (!flags.json) await printBeside(missing, printTable(run, settingColumns, settingRows(settings, shown)));
  if (missing !== undefined) throw missing.withFacts(facts);
  if (flags.json) await printDocument({ ok: true, ...facts, error: null }, {}, world);
}

/** The masked token, or why it cannot be had. A token command is not run: it may ask the person, or the network. */
async function describeToken(
  settings: Settings,
  world: World,
  notice: Notice,
): Promise<{ readonly token: ShownSetting; readonly failure?: MotifError }> {
  const from = tokenOrigin(settings);
  const source = settings.token?.value;
  if (source === undefined) return { token: { value: null, from } };
  const isCommand = source.kind === 'profile' && source.record.store === 'command';
  if (isCommand) return { token: { value: 'from a command, not run now', from } };
  try {
    return { token: { value: String(await fetchToken(source, world, notice)), from } };
  } catch (failure) {
    if (!(failure instanceof MotifError)) throw failure;
    return { token: { value: 'set, but not usable: see what failed', from }, failure };
  }
}

/** The error for what is missing to ask anything; undefined where nothing is. */
async function findMissing(settings: Settings, world: World): Promise<MotifError | undefined> {
  const target = targetOf(settings);
  if (target === undefined) return missingTarget(settings, world);
  return settings.token === undefined ? missingToken(settings, target, world) : undefined;
}
