import type { Command } from 'commander';
import { MotifError } from '../../errors.ts';
import { parseGiven, SettingFault } from '../../settings/address.ts';
import { profileNameShape, profilesFolder } from '../../settings/paths.ts';
import {
  checkProfileName,
  type Profile,
  profileKeys,
  readCurrentName,
  readProfile,
} from '../../settings/profile-file.ts';
import { saveLogin, writeCurrentName } from '../../settings/profile-store.ts';
import { originOfProfile } from '../../settings/resolve.ts';
import { holdingProfiles, saving } from '../../settings/saving.ts';
import { settingTable } from '../../settings/table.ts';
import { defuseLine } from '../../text/defuse.ts';
import { askLine, maySeeQuestion, confirm } from '../../terminal/ask.ts';
import { errorLines } from '../../terminal/lines.ts';
import type { World } from '../../world/world.ts';
import { readProfileInUse, requireConfigFolder } from '../shared/connection/connection.ts';
import { profileFlag, reachFlags, setting } from '../shared/flags/connection.ts';
import { declare, type FlagsOfAll } from '../shared/declare.ts';
import { jsonFlags } from '../shared/flags/options.ts';
import { flags, toggle } from '../shared/flags/flags.ts';
import type { Run } from '../shared/run.ts';
import { chooseStore, obtainToken, replacedWords, sayWhereThingsAre, tokenFlags } from './given-token.ts';
import { announceStore, remindOfHeld, showLogin, stillHeld, tenantVariable } from './result.ts';
import { verifyWithTenant } from './tenant-question.ts';
import { motifPlaces } from '../../wire/motif-places.ts';

const profileFlags = flags(
  {
    profile: profileFlag('name of the profile (default: the Motif ID)'),
    motif: setting('motif', '<id>', 'Motif ID, where the address has none'),
    tenant: setting('tenant', '<id>', 'tenant ID, if you are not added to the Motif'),
  },
  { heading: 'Profile' },
);

const savingFlags = flags(
  {
    noVerify: toggle('--no-verify', 'do not ask the service whether it accepts the token'),
    force: toggle('--force', 'change an existing profile without asking'),
  },
  { heading: profileFlags.heading },
);

const keptFlags = flags(
  {
    ...reachFlags.fields,
    timeout: setting('timeout', '<duration>', 'kept for the prompts of the profile; the check takes 30s at most'),
  },
  { heading: reachFlags.heading },
);

const loginFlags = [profileFlags, savingFlags, tokenFlags, keptFlags, jsonFlags] as const;

type LoginFlags = FlagsOfAll<typeof loginFlags>;

export function registerLogin(command: Command, world: World): void {
  declare(command, world, {
    summary: "Store a Motif's address, token and tenant as a profile, and use it from now on",
    examples: [
      'motif login https://gw.example/api/v1/apps/support-bot',
      'motif login https://gw.example/api/v1/apps/bot -p staging --tenant acme',
      'pass show motif | motif login -p staging --token-stdin --force',
      'motif login -p staging --token-command "pass show motif"',
    ],
    operands: [['[address]', 'as the console shows it: https://HOST/api/v1/apps/MOTIF-ID']],
    flags: loginFlags,
    run: runLogin,
  });
}

async function runLogin(run: Run<LoginFlags>, typedAddress: string | undefined): Promise<void> {
  const { world, flags: typed, notice } = run;
  const config = requireConfigFolder(world);
  // A broken one is told before anything is asked, verified or stored.
  await readCurrentName(world, config);
  await refuseProfileName(typedAddress, config, world);
  const previous = await meantProfile(run, typedAddress, config);
  const address = await chooseAddress(run, typedAddress, previous);
  const name = typed.profile ?? previous?.name ?? nameFor(address);
  const existing = previous?.name === name ? previous : await readProfile(world, config, name);
  await agreeToChange(run, existing);

  const tenant = tenantOfEnvironment(run, address, existing);
  const merge = (by: Run<LoginFlags>, kept: Profile | undefined) =>
    mergeProfile(by, { name, address, existing: kept, tenant });
  const bare = merge(run, existing);
  const isGuided = typedAddress === undefined && previous?.values.url === undefined;
  const given = await obtainToken(run, { profile: bare, existing, isGuided });
  const record = await chooseStore(given, typed, existing, world);
  if (tenant !== undefined) notice(`the tenant comes from ${tenantVariable}, and is stored with the profile`);
  const tried = (by: Run<LoginFlags>) => ({
    profile: { ...merge(by, existing), token: record },
    tenantFrom: tenant === undefined || by.flags.tenant !== undefined ? 'this login' : tenantVariable,
  });
  const verified = typed.noVerify ? { run, verification: undefined } : await verifyWithTenant(run, given, tried);
  const { verification } = verified;
  const { profile } = tried(verified.run);

  const url = existing?.values.url;
  if (typed.force && url !== undefined && url !== address)
    notice(`this replaces the address of profile ${name}, which was ${defuseLine(url, 200)}`);
  const replaced = typed.force ? await replacedWords(existing, given, world) : undefined;
  await saving(config, () => world.files.makeFolder(profilesFolder(config)));
  announceStore(record, profile, config, notice);
  const left = await holdingProfiles(world, config, [name], async () => {
    const fresh = await readProfile(world, config, name);
    const merged = { ...merge(verified.run, fresh), token: record };
    return saveLogin(world, config, merged, { token: given.token, previous: fresh });
  });
  await writeCurrentName(world, config, name);
  if (replaced !== undefined) notice(replaced);
  if (left?.isNew) throw stillHeld(name, left.fault, verification);
  if (left !== undefined) remindOfHeld(name, left.fault, notice);
  await showLogin(run, profile, verification);
}

/** The profile that -p names; a token that is given without name, address and --motif is one for the profile in use. */
async function meantProfile(
  { world, flags }: Run<LoginFlags>,
  address: string | undefined,
  config: string,
): Promise<Profile | undefined> {
  const { profile, motif } = flags;
  if (profile !== undefined) return readProfile(world, config, checkProfileName(profile));
  const isAlone = isTokenGiven(flags) && address === undefined && motif === undefined;
  return isAlone ? readProfileInUse(world) : undefined;
}

async function refuseProfileName(typed: string | undefined, config: string, world: World): Promise<void> {
  if (typed === undefined || !profileNameShape.test(typed)) return;
  if ((await readProfile(world, config, typed)) === undefined) return;
  throw new MotifError('usage', `${typed} is the name of a profile, where its address belongs`, {
    hint: `to log in to it again: motif login -p ${typed}`,
  });
}

function isTokenGiven({ tokenStdin, tokenFile, tokenCommand }: LoginFlags): boolean {
  return tokenStdin || tokenFile !== undefined || tokenCommand !== undefined;
}

/** The whole address of the Motif as text: as typed, as the profile has it, or asked for. */
async function chooseAddress(
  { world, flags: { motif } }: Run<LoginFlags>,
  typed: string | undefined,
  previous: Profile | undefined,
): Promise<string> {
  const parse = (text: string) =>
    parseGiven((given) => wholeAddress(given, motif), text, { name: 'the address', hint: motifPlaces().guide });
  const known = typed ?? previous?.values.url;
  return known === undefined ? askAddress(world, parse) : parse(known);
}

function wholeAddress(text: string, typedId: string | undefined): string {
  const { baseUrl, motifId } = settingTable.url.parse(text);
  const id = typedId ?? motifId;
  if (id === undefined) {
    throw new SettingFault(
      'names no Motif; an address looks like https://HOST/api/v1/apps/MOTIF-ID, or give --motif ID beside it',
    );
  }
  return `${baseUrl}/api/v1/apps/${encodeURIComponent(settingTable.motif.parse(id))}`;
}

/** The address that is typed; one that is none is asked for again, unless nothing was typed. */
async function askAddress(world: World, parse: (text: string) => string): Promise<string> {
  if (!maySeeQuestion(world)) {
    const isNamed = Boolean(world.env.MOTIF_URL);
    throw new MotifError('usage', 'no address was given: motif login ADDRESS', {
      hint: [...(isNamed ? ['to store the one in MOTIF_URL: motif login "$MOTIF_URL"'] : []), ...motifPlaces().guide],
    });
  }
  await sayWhereThingsAre(world);
  for (;;) {
    const text = await askLine(world, 'Address');
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof MotifError) || text === '') throw error;
      await world.stderr.write(errorLines(error, world.stderr));
    }
  }
}

function nameFor(address: string): string {
  const id = settingTable.url.parse(address).motifId ?? '';
  if (profileNameShape.test(id)) return id;
  throw new MotifError('usage', 'the Motif ID cannot be the name of a profile (letters, digits, - and _)', {
    hint: 'name it: -p NAME',
  });
}

/** The tenant of the environment, where it is for this service, and neither a flag nor the profile has one. */
function tenantOfEnvironment(
  { world: { env }, flags }: Run<LoginFlags>,
  address: string,
  existing: Profile | undefined,
): string | undefined {
  const { origin } = new URL(address);
  const isKept = existing?.values.tenant !== undefined && originOfProfile(existing) === origin;
  if (!env[tenantVariable] || flags.tenant !== undefined || isKept) return undefined;
  // It belongs to the service of MOTIF_URL.
  return !env.MOTIF_URL || originOfText(env.MOTIF_URL) === origin ? env[tenantVariable] : undefined;
}

/** The origin of an address; undefined for what is none, which a login to another one does not need. */
function originOfText(address: string): string | undefined {
  try {
    return settingTable.url.parse(address).origin;
  } catch {
    return undefined;
  }
}

/** Asks before an existing profile is changed. */
async function agreeToChange({ world, flags }: Run<LoginFlags>, existing: Profile | undefined): Promise<void> {
  if (existing === undefined || flags.force) return;
  if (!maySeeQuestion(world)) {
    throw new MotifError('usage', `profile ${existing.name} exists already`, {
      hint: ['change it: --force', 'or name another: -p NAME'],
    });
  }
  const next = isTokenGiven(flags) ? '' : ' The token is asked for after this.';
  const question = `Profile ${existing.name} exists (${existing.values.url ?? 'no address'}). Change it?${next}`;
  if (!(await confirm(world, question, true)))
    throw new MotifError('usage', 'nothing was changed', { hint: 'another name: -p NAME' });
}

/** The profile with what was given; the rest is kept, but never taken along to another origin. */
function mergeProfile(
  { world, flags }: Run<LoginFlags>,
  {
    name,
    address,
    existing,
    tenant,
  }: { name: string; address: string; existing: Profile | undefined; tenant: string | undefined },
): Profile {
  const absolute = (path: string | undefined) => path && world.files.absolute(path);
  const isSameOrigin = existing !== undefined && originOfProfile(existing) === new URL(address).origin;
  const kept = Object.entries(existing?.values ?? {}).filter(
    ([key]) => isSameOrigin || profileKeys.get(key)?.isBound !== true,
  );
  const typed: Record<string, string | undefined> = {
    tenant: flags.tenant ?? tenant,
    timeout: flags.timeout,
    connect_timeout: flags.connectTimeout,
    proxy: flags.proxy,
    cacert: absolute(flags.cacert),
    cert: absolute(flags.cert),
    key: absolute(flags.key),
  };
  const given = Object.entries(typed).filter((entry): entry is [string, string] => entry[1] !== undefined);
  for (const [key, text] of given) {
    const setting = profileKeys.get(key);
    const from = key === 'tenant' && text === tenant ? tenantVariable : `--${key.replace('_', '-')}`;
    if (setting !== undefined) parseGiven(setting.parse, text, { name: from });
  }
  return {
    name,
    values: { ...Object.fromEntries(kept), ...Object.fromEntries(given), url: address },
    others: isSameOrigin ? existing.others : {},
    allowHttp: flags.allowHttp === true || (isSameOrigin && existing.allowHttp),
  };
}
