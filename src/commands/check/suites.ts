import { join, relative } from 'node:path';
import { MotifError } from '../../errors.ts';
import type { Suite } from '../../suites/case.ts';
import { loadSuite } from '../../suites/load.ts';
import type { ChosenSuite } from '../../suites/selection.ts';
import { pathWord } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { flagWords } from '../shared/flags/typed-command.ts';
import { type CheckFlags, checkFlags } from './check-flags.ts';

const suitesMax = 1000;
const gitTimeoutMs = 10_000;

/** The suites that were named, every one below this folder where none was, or the demo's own. */
export async function chooseSuites(
  operands: readonly string[],
  flags: Pick<CheckFlags, 'demo' | 'local' | 'motif'>,
  world: World,
): Promise<readonly ChosenSuite[]> {
  if (operands.length === 0 && flags.demo) return [{ suite: await readDemoSuite(), line: undefined }];
  const names = operands.length > 0 ? await namedSuites(operands, world) : await findSuites(flags, world);
  if (names.length > suitesMax) throw new MotifError('usage', `these are more than ${suitesMax} suites`);
  const chosen: ChosenSuite[] = [];
  for (const name of new Set(names)) chosen.push(await readChosen(name, world));
  return chosen;
}

/** The suites of these names, of which a folder stands for every suite below it. */
async function namedSuites(operands: readonly string[], world: World): Promise<readonly string[]> {
  const names: string[] = [];
  for (const operand of operands) {
    const suites = await listNamed(operand, world);
    names.push(...suites);
    if (suites.length > 0) continue;
    throw new MotifError('usage', `there is no suite (*.motif.yaml) below ${operand}`, {
      hint: `motif check init ${pathWord(join(operand, 'smoke.motif.yaml'))} writes a first one`,
    });
  }
  return names;
}

/** The operand itself or, where it is a folder, the suites below it, also where git ignores all of them. */
export async function listNamed(operand: string, world: World): Promise<readonly string[]> {
  const info = await world.files.info(operand);
  if (info?.type !== 'folder') return [operand];
  const suites = await listSuites(world, operand);
  return suites.length > 0 ? suites : listByName(world, operand);
}

/** `suite.motif.yaml:12` is a case of a suite, unless a file has that very name. */
async function readChosen(name: string, { files }: World): Promise<ChosenSuite> {
  const [, file = '', line] = /^(.+):(\d{1,9})$/s.exec(name) ?? [];
  const isPlace = line !== undefined && (await files.info(name)) === undefined;
  return { suite: await loadSuite(isPlace ? file : name, files), line: isPlace ? Number(line) : undefined };
}

async function readDemoSuite(): Promise<Suite> {
  const { demoSuite, demoSuiteName } = await import('../../suites/demo.ts');
  return readOwnSuite(demoSuite, demoSuiteName);
}

/** Reads a suite of ours, which names no file and has no fault. */
export async function readOwnSuite(text: string, name: string): Promise<Suite> {
  const { parseSuite } = await import('../../suites/parse.ts');
  const nothing = () => Promise.reject(new Error(`${name} names no file`));
  const files = {
    readText: nothing,
    shownName: (of: string) => of,
    readRows: () => ({ [Symbol.asyncIterator]: nothing as never }),
  };
  const { suite, faults } = await parseSuite(text, name, files);
  if (suite === undefined) throw new Error(`${name} has a fault: ${faults[0]?.expected ?? ''}`);
  return suite;
}

/** By git's own list where there is one, so that nothing it ignores is run. */
async function findSuites(
  { local, motif }: Pick<CheckFlags, 'local' | 'motif'>,
  world: World,
): Promise<readonly string[]> {
  const listed = await listSuites(world);
  if (listed.length > 0) return listed;
  // A first suite is made for the gateway that was typed.
  const words = local === undefined ? [] : flagWords(checkFlags, { local, motif });
  const choice =
    local !== undefined && motif === undefined ? '; where the file has several Motifs, with --motif ID' : '';
  throw new MotifError('usage', 'there is no suite (*.motif.yaml) below this folder', {
    hint: [
      `${['motif check init', ...words].join(' ')} writes a first one${choice}`,
      'motif check --demo runs the suite of the demo',
    ],
  });
}

const namesMax = 4;

/** Words for the suites of this folder that a run of the demo leaves out; undefined where there are none. */
export async function leftOutText(
  operands: readonly string[],
  { demo = false }: { readonly demo?: boolean | undefined },
  world: World,
): Promise<string | undefined> {
  if (operands.length > 0 || !demo) return undefined;
  // A folder that git does not know may be a home, which is not searched for a demo.
  const names = (await listByGit(world)) ?? (await world.files.glob('*.motif.yaml'));
  if (names.length === 0) return undefined;
  const left = names.length === 1 ? 'one suite of this folder is' : `${names.length} suites of this folder are`;
  const named = `${names.slice(0, namesMax).map(pathWord).join(' ')}${names.length > namesMax ? ' ...' : ''}`;
  const asks = names.length === 1 ? 'asks it' : 'asks them';
  return `the demo's own suite is asked, and ${left} left out: motif check ${named} --demo ${asks}`;
}

export async function listSuites(world: World, folder = '.'): Promise<readonly string[]> {
  return (await listByGit(world, folder)) ?? (await listByName(world, folder));
}

async function listByGit(world: World, folder = '.'): Promise<readonly string[] | undefined> {
  // A setting of the folder may name a program to run, which a list of files does not need.
  const safe = ['-C', folder, '-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'];
  const args = [...safe, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '*.motif.yaml'];
  const { code, stdout, failure } = await world.run({ command: 'git', args, timeoutMs: gitTimeoutMs });
  if (code !== 0 || failure !== undefined) return undefined;
  const listed = stdout.split('\0').filter((name) => name !== '');
  const names = [...new Set(listed.map((name) => join(folder, name)))].sort();
  const infos = await Promise.all(names.map((name) => world.files.info(name)));
  return names.filter((_, index) => infos[index]?.type === 'file');
}

async function listByName({ files }: World, folder: string): Promise<readonly string[]> {
  const literal = folder.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`);
  const names = await files.glob(join(literal, '**/*.motif.yaml'));
  const parts = (name: string): readonly string[] => relative(folder, name).split('/');
  return names.filter((name) => !parts(name).some((part) => part === 'node_modules' || part === '.git'));
}
