import { type DocumentFault, faultyFile, type Path } from '../../../documents/fault.ts';
import { parseYaml } from '../../../documents/yaml.ts';
import type { YamlEdit } from '../../../documents/editing/edit.ts';
import { editYaml } from '../../../documents/editing/yaml-edit.ts';
import { MotifError } from '../../../errors.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { gatewayFileBytesMax, type ParsedGateway, parseGatewayFile } from '../../../gateway/file/parse.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { formatDuration } from '../../../text/durations.ts';
import { lockWaitMs } from '../../../text/limits.ts';
import { FileFault, type World } from '../../../world/world.ts';
import type { Run } from '../../shared/run.ts';
import { throwIo } from '../../shared/output-file.ts';
import { type AdminFlags, defaultFile } from './flags.ts';
import {
  gatewayFileSource,
  type GatewaySource,
  keepApart,
  keepFromOutputs,
  suiteHint,
  wrongNameHint,
} from '../source.ts';

interface ParseOptions {
  /** True where secrets are looked for; a command that only reads and changes the file needs none. */
  readonly wantsSecrets?: boolean;
}

export function sourceOf({ config = defaultFile }: AdminFlags, world: World): GatewaySource {
  return gatewayFileSource(config, world);
}

/** Reads and judges a gateway file; throws where it cannot be read, and leaves its faults to the caller. */
export async function parseSource(
  source: GatewaySource,
  world: World,
  { wantsSecrets = false }: ParseOptions = {},
): Promise<ParsedGateway & { readonly text: string }> {
  const text = await readText(source);
  const parts = {
    file: source.name,
    env: world.env,
    readFile: source.readFile,
    readInside: source.readInside,
    now: world.now(),
  };
  const parsed = await parseGatewayFile(text, { ...parts, areProvidersReplaced: !wantsSecrets });
  if (parsed.config !== undefined) keepApart(parsed.config, source);
  return { text, ...parsed };
}

export async function readGateway(
  source: GatewaySource,
  world: World,
): Promise<{ text: string; config: GatewayConfig }> {
  const { text, config, faults } = await parseSource(source, world);
  if (config === undefined) throw toFaultyFile(source.name, faults);
  keepFromOutputs(config, source, world);
  return { text, config };
}

async function readText(source: GatewaySource): Promise<string> {
  try {
    return await source.readText();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const isMissing = error.code === 'ENOENT';
    throw new MotifError('usage', `${source.name}: ${error.message}`, {
      hint: !isMissing
        ? []
        : source.name === defaultFile
          ? ['motif admin init makes a gateway file', '-c FILE names another']
          : wrongNameHint,
    });
  }
}

const faultsShownMax = 50;

export function toFaultyFile(file: string, faults: readonly DocumentFault[]): MotifError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  return faultyFile(`${file} has ${count}`, faults, { shownMax: faultsShownMax, hint: suiteHint(file, faults) });
}

/** A change of the gateway file that is ready to be made. */
export interface Change {
  readonly config: GatewayConfig;
  readonly source: GatewaySource;
  readonly make: () => Promise<void>;
  readonly takeBack: () => Promise<void>;
}

interface EditOptions<T> {
  /** Adds what the change needs to be there. */
  readonly prepare?: (text: string) => string;
  /** Makes the change, with all that has to happen before it or right behind it, while nobody else changes the file. */
  readonly around?: (result: T, change: Change) => Promise<void>;
}

/**
 * Changes the gateway file: under its lock, from what it holds at that moment and still holds when it is replaced, and
 * only into one that is valid as a whole. The gateways that serve it see the old file or the new one. `at` tells file
 * and line of a value.
 */
export async function editGateway<T>(
  { world, flags }: Run<AdminFlags>,
  change: (config: GatewayConfig, edit: YamlEdit, at: (path: Path) => string) => T,
  { prepare = (text) => text, around = (_, { make }) => make() }: EditOptions<T> = {},
): Promise<{
  readonly result: T;
  readonly config: GatewayConfig;
  readonly warnings: readonly DocumentFault[];
  readonly before: GatewayConfig;
}> {
  const named = sourceOf(flags, world);
  let original = '';
  const source = { ...named, readText: async () => prepare((original = await named.readText())) };
  const release = await takeLock(source.name, world);
  try {
    const { text, config } = await readGateway(source, world);
    const present = original;
    await needOwn(source.name, world);
    const results: T[] = [];
    const at = (path: Path): string => `${defuseLine(source.name)}:${parseYaml(text, source.name).at(path).line}`;
    const edited = editYaml(text, gatewayFileBytesMax, (edit) => results.push(change(config, edit, at)));
    const parsed = await parseSource({ ...source, readText: async () => edited }, world);
    if (parsed.config === undefined) throw toFaultyChange(source.name, parsed.faults);
    // An editor knows no lock: what it took out in between, such as a token, would be in force again.
    const put = (content: string, over: string) =>
      world.files.writeAtomic(source.name, content, { mode: 'usual', over }).catch((error: unknown) => {
        if (error instanceof FileFault && error.code === 'ECHANGED') throw toChangedMeanwhile(source.name);
        throwIo(error);
      });
    const make = () => put(edited, present);
    const ready = { config: parsed.config, source, make, takeBack: () => put(present, edited) };
    await around(results[0]!, ready);
    return { result: results[0]!, config: parsed.config, warnings: parsed.warnings, before: config };
  } finally {
    release();
  }
}

function toFaultyChange(file: string, faults: readonly DocumentFault[]): MotifError {
  const notes = faults.slice(0, faultsShownMax).map(({ path, expected }) => `${path} ${expected}`);
  return new MotifError('usage', `${file} stays as it is, because the change would make it invalid`, { notes });
}

function toChangedMeanwhile(file: string): MotifError {
  return new MotifError('io', `${file} was changed meanwhile by somebody else, and stays as it is now`, {
    hint: 'type the command again',
  });
}

export async function takeLock(path: string, world: World): Promise<() => void> {
  const release = await world.files.lock(path, lockWaitMs).catch(throwIo);
  if (release !== undefined) return release;
  throw new MotifError('io', `${path} is busy: another motif has held it for ${formatDuration(lockWaitMs)}`, {
    hint: `if none is running, remove ${world.files.lockPath(path)}`,
  });
}

/** A new file in place of another user's would be ours, and the gateway of that user could not read it any more. */
async function needOwn(path: string, world: World): Promise<void> {
  const info = await world.files.info(path);
  if (info === undefined || world.uid === undefined || info.uid === world.uid) return;
  throw new MotifError('io', `${path} belongs to another user (${info.uid})`, {
    hint: `run this as that user: sudo -u '#${info.uid}' motif admin ...`,
  });
}

/** The flags with the file that an operand names in the place of -c, which is refused beside it. */
export function withNamedFile<T extends AdminFlags>(flags: T, operand: string | undefined): T {
  if (operand === undefined) return flags;
  if (flags.config === undefined) return { ...flags, config: operand };
  throw new MotifError('usage', '-c and the word behind the command both name a gateway file', { hint: 'use one' });
}

/** Refuses the name of a gateway file in the place of a Motif. */
export function refuseFileNames(verb: string, words: readonly (string | undefined)[]): void {
  const name = words.find((word) => word !== undefined && /\.ya?ml$/.test(word));
  if (name === undefined) return;
  throw new MotifError('usage', 'a gateway file is named by a flag', {
    hint: `motif admin ${verb} -c ${defuseLine(name, 200)}`,
  });
}
