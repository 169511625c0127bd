import { MotifError } from '../../errors.ts';
import { inertLine } from '../../reports/inert.ts';
import { human } from '../../suites/reports/human.ts';
import { type CheckReport, keyOfResult } from '../../suites/result.ts';
import { printLines } from '../../terminal/output.ts';
import type { World } from '../../world/world.ts';
import { version } from '../shared/flag-options.ts';
import { type Run, styleOf } from '../shared/run.ts';
import type { CheckFlags } from './check-flags.ts';
import { terminalColumns } from './reports.ts';
import { type CheckedSuites, checkSuites } from './check.ts';

const lookAgainMs = 200;

/** Judges again whenever the gateway file, a file that it names, or a suite changes, until Ctrl-C. */
export async function runWatch(run: Run<CheckFlags>, operands: readonly string[]): Promise<void> {
  const { world, flags } = run;
  const paint = await styleOf(run, world.stdout);
  let before: CheckReport | undefined;
  let files: readonly string[] = [flags.local ?? ''];
  for (;;) {
    const marks = await marksOf(files, world);
    const checked = await checkOnce(run, operands);
    if (checked !== undefined) {
      const { report } = checked;
      const changes = before === undefined ? [] : changesOf(before, report);
      await printLines(
        [...changes, human(report, { again: undefined, paint, version, columns: terminalColumns(world) })].join('\n'),
        world,
      );
      before = report;
    }
    const named = checked === undefined ? files : filesOf(checked, flags);
    // A file that changed while it was judged is judged again, so that the marks from before are kept where they can be.
    const isSame = named.join('\n') === files.join('\n');
    files = named;
    await changeOf(files, isSame ? marks : await marksOf(files, world), world);
  }
}

/** A file that is being edited is broken now and then, which is told and waited out. */
async function checkOnce(run: Run<CheckFlags>, operands: readonly string[]): Promise<CheckedSuites | undefined> {
  try {
    return await checkSuites(run, operands);
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    for (const line of [error.message, ...error.notes]) run.notice(line);
    return undefined;
  }
}

function filesOf({ suites, report, gatewayFiles }: CheckedSuites, { local }: CheckFlags): readonly string[] {
  const named = suites.map(({ suite }) => suite.file);
  return [...new Set([local ?? '', ...gatewayFiles, ...named, ...report.cases.map(({ file }) => file)])].filter(
    (file) => file !== '',
  );
}

async function marksOf(names: readonly string[], { files }: World): Promise<string> {
  const infos = await Promise.all(names.map((name) => files.info(name)));
  return infos.map((info) => `${info?.identity} ${info?.size} ${info?.modifiedAt}`).join('\n');
}

async function changeOf(names: readonly string[], marks: string, world: World): Promise<void> {
  do await world.sleep(lookAgainMs, world.interrupted);
  while ((await marksOf(names, world)) === marks);
}

function changesOf(before: CheckReport, after: CheckReport): readonly string[] {
  const verdicts = new Map(before.cases.map((each) => [keyOfResult(each), each.verdict]));
  const changes = after.cases.flatMap((each) => {
    const old = verdicts.get(keyOfResult(each));
    if (old === each.verdict) return [];
    return [`changed: ${inertLine(each.id, 60)}  ${old ?? 'new'} -> ${each.verdict}`];
  });
  return changes.length > 0 ? changes : ['changed: no verdict'];
}
