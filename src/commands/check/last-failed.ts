import { createHash } from 'node:crypto';
import { stateFolder } from '../../settings/paths.ts';
import type { CheckReport } from '../../suites/result.ts';
import { keyOfResult } from '../../suites/result.ts';
import type { ChosenSuite } from '../../suites/selection.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import type { World } from '../../world/world.ts';

const fileBytesMax = 16 * 1024 * 1024;

/** Keys of the cases that failed in the last run of these suites; undefined where no run of them is known. */
export async function readLastFailed(
  suites: readonly ChosenSuite[],
  world: World,
): Promise<ReadonlySet<string> | undefined> {
  const path = pathOf(suites, world);
  if (path === undefined || (await world.files.info(path)) === undefined) return undefined;
  try {
    const { bytes } = await world.files.read(path, { bytesMax: fileBytesMax });
    const keys: unknown = JSON.parse(decodeUtf8(bytes));
    return Array.isArray(keys) ? new Set(keys.filter((key) => typeof key === 'string')) : undefined;
  } catch {
    // It is a convenience; a broken one is written anew by the next run.
    return undefined;
  }
}

/** A job without a writable home has no second run to remember for. */
export async function saveFailed(suites: readonly ChosenSuite[], report: CheckReport, world: World): Promise<void> {
  const path = pathOf(suites, world);
  if (path === undefined || world.env.CI === 'true') return;
  const asked = new Set(report.cases.map(keyOfResult));
  const known = await readLastFailed(suites, world);
  const before = [...(known ?? [])].filter((key) => !asked.has(key));
  const failed = report.cases.filter(({ verdict }) => verdict === 'regressed' || verdict === 'unverified');
  try {
    await world.files.makeFolder(path.slice(0, path.lastIndexOf('/')));
    await world.files.writeAtomic(path, JSON.stringify([...before, ...failed.map(keyOfResult)]));
  } catch {
    return;
  }
}

/** A file for each set of suites, so that two projects do not share one. */
function pathOf(suites: readonly ChosenSuite[], world: World): string | undefined {
  const state = stateFolder(world);
  const names = suites.map(({ suite }) => world.files.absolute(suite.file)).sort();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 24);
  return state === undefined ? undefined : `${state}/checks/${hash}.json`;
}
