import { dirname, join } from 'node:path';
import { type DocumentFault, faultyFile } from '../documents/fault.ts';
import { MotifError } from '../errors.ts';
import { formatOfName, readRows } from '../rows/rows.ts';
import { fileSource } from '../rows/source.ts';
import { checkPathHint, plainWord } from '../text/defuse.ts';
import { decodeUtf8, Utf8Fault } from '../text/utf8.ts';
import { FileFault, type Files } from '../world/world.ts';
import type { Suite } from './case.ts';
import { type ParsedSuite, suiteBytesMax, type SuiteFiles } from './parsing.ts';
import { parseRows } from './rows-suite.ts';

/** Files that a person names, and files that a suite names, which are read without following a link. */
type LoadFiles = Pick<Files, 'read' | 'chunks' | 'info'>;

/** Reads a suite, or a file of rows, with all that it names; throws with everything that is wrong with it. */
export async function loadSuite(path: string, files: LoadFiles): Promise<Suite> {
  const parts = suiteFiles(path, files);
  const format = formatOfName(path);
  const isRows = format !== undefined && format !== 'lines';
  const { suite, faults }: ParsedSuite = isRows
    ? await parseRows(path, readRows(fileSource(files, path), { withPlaces: true }), parts)
    : await (await import('./parse.ts')).parseSuite(await readNamed(path, files), path, parts);
  if (suite === undefined) throw toFaultError(path, faults);
  return suite;
}

function suiteFiles(path: string, files: LoadFiles): SuiteFiles {
  const inFolder = (name: string): string => join(dirname(path), name);
  return {
    shownName: inFolder,
    async *readRows(name) {
      const path = inFolder(name);
      const info = await files.info(path, { follow: false });
      if (info?.type === 'link') throw new MotifError('usage', `${path} is a link, which a suite may not follow`);
      yield* readRows(fileSource(files, path));
    },
    async readText(name) {
      const { bytes } = await files.read(inFolder(name), { bytesMax: suiteBytesMax, follow: false });
      return decodeUtf8(bytes);
    },
  };
}

async function readNamed(path: string, files: LoadFiles): Promise<string> {
  try {
    return decodeUtf8((await files.read(path, { bytesMax: suiteBytesMax })).bytes);
  } catch (error) {
    if (!(error instanceof FileFault) && !(error instanceof Utf8Fault)) throw error;
    const hint = [
      ...(error instanceof FileFault ? [checkPathHint(path, error.code)] : []),
      reportName.test(path)
        ? reportHint
        : 'motif check init writes a first suite, motif check init --attacks one of attacks',
    ];
    throw new MotifError('usage', `${path}: ${error.message}`, { hint, cause: error });
  }
}

const faultsShownMax = 20;
/** Faults of a file whose name is that of something else: each of its lines may be one. */
const faultsOfOtherMax = 3;

/** Names of reports, and no names of suites. */
const reportName = /\.(?:xml|html|md)$/i;
const reportHint = 'to write a report: --report KIND=FILE, as in --report junit=check.xml';

/** Advice on files that people name in the place of a suite, by their names. A suite may be JSON, too. */
const others: readonly (readonly [name: RegExp, hint: string])[] = [
  [
    /\.(?:txt|log)$/i,
    'a list of prompts is a table: cases.csv with the columns prompt and expect; motif batch sends it without checks',
  ],
  [reportName, reportHint],
];

function toFaultError(name: string, faults: readonly DocumentFault[]): MotifError {
  const hints = others.filter(([other]) => other.test(name)).map(([, hint]) => hint);
  const isGateway = faults.some(({ path }) => path === 'providers') && faults.some(({ path }) => path === 'motifs');
  const message = `${name} is no suite that can be run`;
  if (isGateway)
    return new MotifError('usage', message, {
      hint: `it looks like a gateway file: motif check --local ${plainWord(name)}`,
    });
  return faultyFile(message, faults, {
    shownMax: hints.length > 0 ? faultsOfOtherMax : faultsShownMax,
    hint: [...hints, 'motif help suites; motif check schema prints what a suite may hold'],
  });
}
