import { createHash } from 'node:crypto';
import { MotifError } from '../../errors.ts';
import { stateFolder } from '../../settings/paths.ts';
import type { CheckReport } from '../../suites/result.ts';
import { keyOfResult } from '../../suites/result.ts';
import type { ChosenSuite } from '../../suites/selection.ts';
import { defuseLine } from '../../text/defuse.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { World } from '../../world/world.ts';

const fileBytesMax = 16 * 1024 * 1024;

/** The last run of some suites: the Motif that answered, and the keys of the cases that failed. */
export interface LastRun {
  /** Undefined where only answers of earlier runs were judged. */
  readonly place: string | undefined;
  readonly failed: ReadonlySet<string>;
}

/** The last run of these suites; undefined where none is known. */
export async function readLastRun(suites: readonly ChosenSuite[], world: World): Promise<LastRun | undefined> {
  const path = pathOf(suites, world);
  if (path === undefined || (await world.files.info(path)) === undefined) return undefined;
  try {
    const { bytes } = await world.files.read(path, { bytesMax: fileBytesMax });
    const { place, failed } = JSON.parse(decodeUtf8(bytes)) as { readonly place?: unknown; readonly failed?: unknown };
    if (!Array.isArray(failed)) return undefined;
    return {
      place: typeof place === 'string' ? place : undefined,
      failed: new Set(failed.filter((key) => typeof key === 'string')),
    };
  } catch {
    // It is a convenience; a broken one is written anew by the next run.
    return undefined;
  }
}

/** True where the last run asked one Motif and this one would ask another. */
export function isElsewhere(last: LastRun | undefined, place: string | undefined): boolean {
  return last?.place !== undefined && place !== undefined && last.place !== place;
}

/** Cases that failed at one Motif are not to be asked of another, which may cost. */
export function refuseOtherPlace(last: LastRun | undefined, place: string | undefined, suites: string): void {
  if (!isElsewhere(last, place)) return;
  const asked = defuseLine(last?.place ?? '');
  throw new MotifError('usage', `the last run of ${suites} asked ${asked}, and this one would ask ${place}`, {
    hint: 'without --last-failed all cases are asked',
  });
}

/** False in a job of a pipeline, whose next run begins elsewhere. */
export function isKeptIn({ env }: World): boolean {
  return env.CI !== 'true';
}

/** Keeps what failed, and returns true if it could: a job without a writable home has no second run. */
export async function saveFailed(
  suites: readonly ChosenSuite[],
  report: CheckReport,
  { place, world }: { readonly place: string | undefined; readonly world: World },
): Promise<boolean> {
  const path = pathOf(suites, world);
  if (path === undefined || !isKeptIn(world)) return false;
  const asked = new Set(report.cases.map(keyOfResult));
  const known = await readLastRun(suites, world);
  const before = isElsewhere(known, place) ? [] : [...(known?.failed ?? [])].filter((key) => !asked.has(key));
  const failed = report.cases.filter(({ verdict }) => verdict === 'regressed' || verdict === 'unverified');
  try {
    await world.files.makeFolder(path.slice(0, path.lastIndexOf('/')));
    const last = { place: place ?? known?.place, failed: [...before, ...failed.map(keyOfResult)] };
    await world.files.writeAtomic(path, JSON.stringify(last));
    return true;
  } catch {
    return false;
  }
}

/** A file for each set of suites, so that two projects do not share one. */
function pathOf(suites: readonly ChosenSuite[], world: World): string | undefined {
  const state = stateFolder(world);
  const names = suites.map(({ suite }) => world.files.absolute(suite.file)).sort();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 24);
  return state === undefined ? undefined : `${state}/checks/${hash}.json`;
}
