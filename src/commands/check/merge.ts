import { CommandEnded } from '../../errors.ts';
import { mergeBlobs } from '../../suites/merge.ts';
import { toReport } from '../../suites/whole.ts';
import type { Run } from '../shared/run.ts';
import type { CheckMergeFlags } from './check-flags.ts';
import { openReports } from './reports.ts';
import { readStoredRun } from './stored-files.ts';

/** Makes one result of the shards of a suite, or ends with 2 where they are not whole. */
export async function runCheckMerge(run: Run<CheckMergeFlags>, files: readonly string[]): Promise<void> {
  const { world, flags } = run;
  const blobs = [];
  for (const file of files) blobs.push({ file, run: await readStoredRun(file, world, 'blob') });
  const merged = mergeBlobs(blobs);
  const writer = await openReports(run, flags, files);
  const report = toReport({ ...merged, tolerance: flags });
  await writer.write(report, undefined);
  if (report.exit_code !== 0) throw new CommandEnded(report.exit_code);
}
