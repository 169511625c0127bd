import type { Command } from 'commander';
import { MotifError } from '../errors.ts';
import { tokensFolder } from '../settings/paths.ts';
import {
  checkProfileName,
  listProfiles,
  lostProfile,
  readCurrentName,
  readProfile,
  unknownProfile,
} from '../settings/profile-file.ts';
import { forgetProfile, writeCurrentName } from '../settings/profile-store.ts';
import { holdingProfiles, saving } from '../settings/saving.ts';
import type { KeyringLeft } from '../settings/token-removal.ts';
import { defuseLine } from '../text/defuse.ts';
import type { World } from '../world/world.ts';
import { requireConfigFolder } from './shared/connection/connection.ts';
import { printDocument } from '../terminal/output.ts';
import { declare } from './shared/declare.ts';
import { type JsonFlags, jsonFlags } from './shared/flags/options.ts';
import { type FlagsOf, flags, toggle } from './shared/flags/flags.ts';
import type { Run } from './shared/run.ts';

const logoutFlags = flags(
  {
    all: toggle('--all', 'forget every profile'),
    force: toggle('--force', 'also where a keyring is gone or stays locked; a token in it stays there'),
  },
  { heading: 'What to forget' },
);

export function registerLogout(command: Command, world: World): void {
  declare(command, world, {
    summary: 'Forget a profile and its token, wherever it is kept',
    examples: ['motif logout', 'motif logout staging', 'motif logout --all'],
    operands: [['[profile]', 'the profile to forget (default: the one in use)', 'profiles']],
    flags: [logoutFlags, jsonFlags],
    run: runLogout,
  });
}

async function runLogout(
  { world, flags: { all, force = false, json }, notice }: Run<FlagsOf<typeof logoutFlags> & JsonFlags>,
  typed: string | undefined,
): Promise<void> {
  const config = requireConfigFolder(world);
  const current = await readCurrentName(world, config);
  const known = await listProfiles(world.files, config);
  if (all && typed !== undefined) throw new MotifError('usage', '--all takes no name: it forgets every profile');
  const names = all ? known : [chooseName(typed, current)];
  const failures: unknown[] = [];
  const left: KeyringLeft[] = [];
  for (const name of names) {
    const missing = () => (typed === undefined ? lostProfile(name, config) : unknownProfile(name, known));
    await forget(world, config, name, { missing, leavesKeyring: force }).then(
      (some) => left.push(...some),
      (error: unknown) => failures.push(error),
    );
  }
  // A token whose profile is broken or was lost some other way goes with the rest.
  if (all) await saving(config, () => world.files.remove(tokensFolder(config), { recursive: true }));
  if (failures.length > 0) throw failures[0];
  const wasInUse = current !== undefined && names.includes(current);
  if (wasInUse) await writeCurrentName(world, config, undefined);
  if (world.env.MOTIF_TOKEN) notice('MOTIF_TOKEN is still set in this shell');
  const done = left.length === 0 ? 'forgotten, token included' : 'forgotten';
  notice(names.length === 0 ? 'there was no profile' : `${done}: ${names.join(', ')}`);
  for (const { account, fault } of left) {
    notice(`${fault.message}; what it may hold for motif stays there, account ${defuseLine(account)}`);
  }
  if (wasInUse && known.length > names.length) notice('no profile is in use now; choose one: motif profile use NAME');
  const accounts = left.map(({ account }) => account);
  if (json) await printDocument({ ok: true, items: names, left_in_keyring: accounts, error: null }, {}, world);
}

interface ForgetOptions {
  readonly missing: () => MotifError;
  readonly leavesKeyring: boolean;
}

async function forget(
  world: World,
  config: string,
  name: string,
  { missing, leavesKeyring }: ForgetOptions,
): Promise<readonly KeyringLeft[]> {
  if ((await readProfile(world, config, name)) === undefined) throw missing();
  return await holdingProfiles(world, config, [name], async () => {
    const profile = await readProfile(world, config, name);
    return profile === undefined ? [] : await forgetProfile(world, config, profile, { leavesKeyring });
  });
}

function chooseName(typed: string | undefined, current: string | undefined): string {
  if (typed !== undefined) return checkProfileName(typed);
  if (current !== undefined) return current;
  throw new MotifError('config', 'no profile is in use', {
    hint: 'name one: motif logout NAME (motif profile list shows them)',
  });
}
