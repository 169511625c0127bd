import type { Command } from 'commander';
import { MotifError } from '../errors.ts';
import { parseGiven } from '../settings/address.ts';
import { profilePath } from '../settings/paths.ts';
import {
  checkProfileName,
  listProfiles,
  type Profile,
  profileKeys,
  readCurrentName,
  readCurrentProfile,
  readProfile,
  requireProfile,
} from '../settings/profile-file.ts';
import { renameProfile, writeCurrentName, writeProfile } from '../settings/profile-store.ts';
import { originOfProfile } from '../settings/resolve.ts';
import { holdingProfiles } from '../settings/saving.ts';
import type { Setting } from '../settings/table.ts';
import { defuseLine } from '../text/defuse.ts';
import { spellDuration } from '../text/durations.ts';
import { closest } from '../text/similar.ts';
import type { World } from '../world/world.ts';
import { checkPem, isPemKey } from './shared/connection/certificates.ts';
import { noneInUse, requireConfigFolder } from './shared/connection/connection.ts';
import { printDocument } from '../terminal/output.ts';
import { profileFlag } from './shared/flags/connection.ts';
import { declareGroup, declareVerb } from './shared/declare.ts';
import { type JsonFlags, jsonFlags } from './shared/flags/options.ts';
import { type FlagsOf, flags } from './shared/flags/flags.ts';
import { isAccessible, type Run } from './shared/run.ts';
import { dim, factColumns, printList, printTable } from './shared/table.ts';

const setFlags = flags({ profile: profileFlag('default: the one in use') }, { heading: 'Which profile' });

const showOperands = [['[name]', 'default: the one in use', 'profiles']] as const;
const useOperands = [['<name>', '', 'profiles']] as const;
const setOperands = [
  ['<key>', [...profileKeys.keys()].join(', '), 'profile keys'],
  ['<value>', '"" removes the one that is there'],
] as const;
const renameOperands = [['<old>', '', 'profiles'], ['<new>']] as const;

export function registerProfile(group: Command, world: World): void {
  declareGroup(group, 'Keep several Motifs side by side, a profile each; motif login makes one', [
    'motif profile list',
    'motif profile use staging',
    'motif profile set timeout 2m',
    'motif profile set tenant acme-7f3a -p staging',
  ]);
  declareVerb(group, world, {
    name: 'list',
    summary: 'list the profiles, the one in use marked',
    examples: ['motif profile list', 'motif profile list --json'],
    flags: [jsonFlags],
    run: runProfileList,
  });
  declareVerb(group, world, {
    name: 'use',
    summary: 'use this profile from now on',
    examples: ['motif profile use staging'],
    operands: useOperands,
    flags: [jsonFlags],
    run: runProfileUse,
  });
  declareVerb(group, world, {
    name: 'show',
    summary: 'show what a profile holds',
    examples: ['motif profile show', 'motif profile show staging'],
    operands: showOperands,
    flags: [jsonFlags],
    run: runProfileShow,
  });
  declareVerb(group, world, {
    name: 'set',
    summary: 'set a value of a profile; an empty one removes it',
    examples: ['motif profile set timeout 2m', 'motif profile set tenant "" -p staging'],
    operands: setOperands,
    flags: [setFlags, jsonFlags],
    run: runProfileSet,
  });
  declareVerb(group, world, {
    name: 'rename',
    summary: 'give a profile another name',
    examples: ['motif profile rename support-bot support'],
    operands: renameOperands,
    flags: [jsonFlags],
    run: runProfileRename,
  });
}

async function runProfileList(run: Run<JsonFlags>): Promise<void> {
  const {
    world,
    flags: { json },
    notice,
  } = run;
  const config = requireConfigFolder(world);
  const current = await readCurrentName(world, config);
  let fault: MotifError | undefined;
  const items: {
    name: string;
    current: boolean;
    url: string | null;
    tenant: string | null;
    token_store: string | null;
  }[] = [];
  for (const name of await listProfiles(world.files, config)) {
    const profile = await readProfile(world, config, name).catch((error: unknown) => {
      if (!(error instanceof MotifError)) throw error;
      if (fault === undefined) fault = error;
      else notice(error.message);
    });
    const { url = null, tenant = null } = profile?.values ?? {};
    items.push({ name, current: name === current, url, tenant, token_store: profile?.token?.store ?? null });
  }
  if (json && fault !== undefined) throw fault.withFacts({ items });
  if (json) return printDocument({ ok: true, items, error: null }, {}, world);
  if (items.length === 0) return notice('there is no profile yet; motif login ADDRESS makes one');
  const mark = world.stdout.isTerminal && isAccessible(run) ? 'in use' : '*';
  await printList(
    run,
    [
      { name: '' },
      { name: 'profile', paint: (style, cell, [shown]) => (shown === '' ? cell : style.bold(cell)) },
      { name: 'address' },
      { name: 'token', paint: dim, dispensable: 1 },
    ],
    items.map((item) => [
      item.current ? mark : '',
      item.name,
      item.url ?? 'no usable address',
      // A pipe has no header that names it.
      `${world.stdout.isTerminal ? '' : 'token: '}${item.token_store ?? 'none'}`,
    ]),
  );
  if (fault !== undefined) throw fault;
}

async function runProfileUse(run: Run<JsonFlags>, name: string): Promise<void> {
  const { world } = run;
  const config = requireConfigFolder(world);
  const profile = await requireProfile(world, config, checkProfileName(name, 'motif profile list shows yours'));
  await writeCurrentName(world, config, profile.name);
  await confirmDone(run, `profile ${name} is in use`, { profile: name });
}

async function runProfileShow(run: Run<JsonFlags>, typed: string | undefined): Promise<void> {
  const {
    world,
    flags: { json },
  } = run;
  const config = requireConfigFolder(world);
  const profile = await findProfile(typed, world, config);
  const path = profilePath(config, profile.name);
  const store = profile.token?.store ?? null;
  if (json) {
    const values = Object.fromEntries(
      [...profileKeys.keys()].map((key) => [key, shown(key, profile.values[key]) ?? null]),
    );
    return printDocument({ ok: true, name: profile.name, ...values, token_store: store, path, error: null }, {}, world);
  }
  const rows = Object.entries(profile.values).map(([key, text]) => [key, inWords(key, shown(key, text) ?? '')]);
  await printTable(run, factColumns, [['profile', profile.name], ...rows, ['token', store ?? 'none'], ['file', path]]);
}

async function runProfileSet(
  run: Run<FlagsOf<typeof setFlags> & JsonFlags>,
  key: string,
  value: string,
): Promise<void> {
  const { world } = run;
  const config = requireConfigFolder(world);
  const { name } = await findProfile(run.flags.profile, world, config);
  const setting = requireSetting(key, name);
  const text = isPemKey(key) && value !== '' ? world.files.absolute(value) : value;
  if (isPemKey(key) && value !== '') await checkPem(key, text, world);
  const changed = await holdingProfiles(world, config, [name], async () => {
    const fresh = changeValue(await requireProfile(world, config, name), key, setting, text);
    await writeProfile(world, config, fresh);
    return fresh;
  });
  const kept = shown(key, changed.values[key]) ?? null;
  const done =
    value === '' ? `${key} is removed from profile ${name}` : `${key} of profile ${name} is now: ${inWords(key, kept)}`;
  await confirmDone(run, done, { profile: name, key, value: kept });
}

async function runProfileRename(run: Run<JsonFlags>, old: string, name: string): Promise<void> {
  const { world } = run;
  const config = requireConfigFolder(world);
  await requireProfile(world, config, checkProfileName(old, 'motif profile list shows yours'));
  checkProfileName(name, 'motif profile rename OLD NEW');
  const current = await readCurrentName(world, config);
  await holdingProfiles(world, config, [old, name], async () => {
    const profile = await requireProfile(world, config, old);
    if ((await readProfile(world, config, name)) === undefined) return renameProfile(world, config, profile, name);
    throw new MotifError('usage', `there is a profile ${name} already`, {
      hint: `forget it first: motif logout ${name}`,
    });
  });
  if (current === old) await writeCurrentName(world, config, name);
  await confirmDone(run, `profile ${old} is called ${name} now`, { profile: name });
}

function requireSetting(key: string, name: string): Setting<unknown> {
  const setting = profileKeys.get(key);
  if (setting !== undefined) return setting;
  if (key === 'token') throw new MotifError('usage', 'a token is not set here', { hint: `motif login -p ${name}` });
  const near = closest(key, [...profileKeys.keys()]);
  const known = `the keys are ${[...profileKeys.keys()].join(', ')}`;
  throw new MotifError('usage', `a profile has no ${defuseLine(key, 64)}`, {
    hint: near === undefined ? known : [`did you mean ${near}?`, known],
  });
}

/** A stored token never follows its profile to another origin, so the address may only change within its own. */
function changeValue(profile: Profile, key: string, setting: Setting<unknown>, value: string): Profile {
  const { [key]: _removed, ...others } = profile.values;
  if (value === '' && key !== 'url') return { ...profile, values: others };
  try {
    parseGiven(setting.parse, value, { name: key, hint: 'motif help profile set' });
  } catch (error) {
    const without = setting.default === undefined ? 'to have none' : 'to have the default again';
    if (error instanceof MotifError && key !== 'url')
      error.hints = [...error.hints, `${without}: motif profile set ${key} ""`];
    throw error;
  }
  const changed = { ...profile, values: { ...others, [key]: value } };
  if (
    key === 'url' &&
    originOfProfile(profile) !== undefined &&
    originOfProfile(changed) !== originOfProfile(profile)
  ) {
    throw new MotifError('usage', `profile ${profile.name} and its token belong to ${originOfProfile(profile)}`, {
      hint: `another service needs its own login: motif login ${defuseLine(value, 200)} -p ${profile.name}`,
    });
  }
  return changed;
}

/** A proxy's address may hold a password. */
function shown(key: string, text: string | undefined): string | undefined {
  if (key !== 'proxy' || text === undefined) return text;
  const url = profileKeys.get('proxy')?.parse(text);
  return url instanceof URL ? url.origin : text;
}

/** A duration with its unit, which a bare number of seconds lacks; any other value as it is. */
function inWords(key: string, text: string | null): string {
  if (text === null || !/^\d+$/.test(text) || !key.endsWith('timeout')) return text ?? 'none';
  return spellDuration(Number(text) * 1000);
}

/** The profile of that name, or the one in use. */
async function findProfile(typed: string | undefined, world: World, config: string): Promise<Profile> {
  if (typed !== undefined) return requireProfile(world, config, checkProfileName(typed));
  const current = await readCurrentProfile(world, config);
  if (current !== undefined) return current;
  const names = await listProfiles(world.files, config);
  if (names.length > 0) throw noneInUse(names);
  throw new MotifError('config', 'there is no profile yet', { hint: 'motif login ADDRESS makes one' });
}

async function confirmDone(
  { world, flags: { json }, notice }: Run<JsonFlags>,
  words: string,
  document: Readonly<Record<string, unknown>>,
): Promise<void> {
  notice(words);
  if (json) await printDocument({ ok: true, ...document, error: null }, {}, world);
}
