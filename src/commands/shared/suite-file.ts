import { MotifError } from '../../errors.ts';
import { type NewCase, sameCaseId, withCase } from '../../suites/add-case.ts';
import type { Suite } from '../../suites/case.ts';
import { loadSuite } from '../../suites/load.ts';
import { suiteBytesMax } from '../../suites/parsing.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { defuseLine, pathWord } from '../../text/defuse.ts';
import { needFolderOf } from './output-file.ts';
import { FileFault, type World } from '../../world/world.ts';

/** The suite that a folder without one gets. */
export const firstSuiteName = 'smoke.motif.yaml';

/** The suite that `check init --attacks` makes, which is made anew and gets no case of a person. */
export const attackSuiteName = 'attacks.motif.yaml';

/**
 * The suite that is meant where none is named: the only one in this folder, of several the one that `check init` makes,
 * or a new one. `naming` is what is typed before a name.
 */
export async function chooseSuiteFile(named: string | undefined, world: World, naming: string): Promise<string> {
  const { files } = world;
  if (named !== undefined && named !== '') {
    await needFolderOf(named, world);
    return named;
  }
  const found = (await files.glob('*.motif.yaml')).filter((name) => name !== attackSuiteName);
  if (found.length < 2) return found[0] ?? firstSuiteName;
  if (found.includes(firstSuiteName)) return firstSuiteName;
  throw new MotifError('usage', 'there are several suites in this folder', {
    hint: found.slice(0, 8).map((name) => `${naming} ${pathWord(name)}`),
  });
}

/** The suite as it is, undefined where it is not there yet; throws where no case could be added to it. */
export async function readSuite(path: string, { files }: World): Promise<Suite | undefined> {
  if (!/\.ya?ml$/.test(path)) throw new MotifError('usage', `${path} is no suite: its name has to end with .yaml`);
  return (await files.info(path)) === undefined ? undefined : await loadSuite(path, files);
}

const idCharactersMax = 60;

/**
 * Adds a case to a suite, whose comments stay; a file that is not there is made. A case that is there already is not
 * added again unless it was given an id of its own. Returns what came of it in words.
 */
export async function addCaseTo(path: string, added: NewCase, world: World): Promise<string> {
  const { files } = world;
  const suite = await readSuite(path, world);
  const same = added.id === undefined ? sameCaseId(added, suite?.cases) : undefined;
  if (same !== undefined)
    return `not added, for ${path} has it: ${defuseLine(same, idCharactersMax)}, expect ${added.expect}`;
  try {
    const bytes = suite !== undefined ? (await files.read(path, { bytesMax: suiteBytesMax })).bytes : undefined;
    const { text, id } = withCase(bytes && decodeUtf8(bytes), suite, added);
    // Decoding drops the mark that some editors put before a text.
    const mark = bytes?.[0] === 0xef && bytes[1] === 0xbb ? '\ufeff' : '';
    await files.writeAtomic(path, `${mark}${text}`, { mode: 'usual' });
    return `added to ${path}: ${defuseLine(id, idCharactersMax)}, expect ${added.expect}`;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `${path}: ${error.message}`, { cause: error });
  }
}
