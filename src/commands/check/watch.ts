import { MotifError } from '../../errors.ts';
import { inertLine } from '../../reports/inert.ts';
import { renderReport } from '../../suites/reports/table.ts';
import { type CheckReport, keyOfResult } from '../../suites/result.ts';
import { printLines } from '../../terminal/output.ts';
import type { World } from '../../world/world.ts';
import { version } from '../shared/flags/options.ts';
import { isAccessible, type Run, styleOf } from '../shared/run.ts';
import type { CheckFlags } from './check-flags.ts';
import { checkSuites } from './check.ts';
import { terminalColumns } from './reports.ts';
import { listNamed, listSuites } from './suites.ts';
import { SeenFiles } from './seen-files.ts';

const lookAgainMs = 200;
/** New suites and new documents are looked for less often, since that reads folders. */
const looksUntilSearch = 10;
/** Files are at rest where they are the same after this time. */
const restMs = 50;
/** Looks at files that never come to rest, after which they are judged as they are. */
const restLooksMax = 20;
/** Judgements in a row that are dropped because a file changed meanwhile. */
const droppedMax = 3;

/** Judges again whenever a file that was looked at changes, or a suite or a document is new, until Ctrl-C. */
export async function runWatch(run: Run<CheckFlags>, operands: readonly string[]): Promise<void> {
  const { world } = run;
  const paint = await styleOf(run, world.stdout);
  let before: CheckReport | undefined;
  for (let dropped = 0; ;) {
    const seen = new SeenFiles(world.files);
    const list = async () => {
      const names = await Promise.all(operands.map((operand) => listNamed(operand, world)));
      return (operands.length > 0 ? names.flat() : await listSuites(world)).join('\n');
    };
    const listed = await list();
    const watched: World = Object.assign(Object.create(world) as World, { files: seen.noting() });
    const { report, fault } = await checkOnce({ ...run, world: watched }, operands);
    if (dropped < droppedMax && (await seen.hasChanged())) {
      dropped += 1;
      await waitForRest(seen, world);
      continue;
    }
    dropped = 0;
    for (const line of fault) run.notice(line);
    if (report !== undefined) {
      const changes = before === undefined ? [] : changesOf(before, report);
      const options = {
        again: undefined,
        paint,
        version,
        columns: terminalColumns(world),
        isAccessible: world.stdout.isTerminal && isAccessible(run),
        isVerbose: run.flags.verbose,
      };
      await printLines([...changes, await renderReport('human', report, options)].join('\n'), world);
      before = report;
    }
    await changeOf(seen, async () => (await list()) !== listed, world);
    await waitForRest(seen, world);
  }
}

interface JudgedRun {
  readonly report?: CheckReport | undefined;
  /** The lines that say why nothing could be judged. */
  readonly fault: readonly string[];
}

/** A file that is being edited is broken now and then, which is told and waited out. */
async function checkOnce(run: Run<CheckFlags>, operands: readonly string[]): Promise<JudgedRun> {
  try {
    return { report: await checkSuites(run, operands), fault: [] };
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    return { fault: [error.message, ...error.notes] };
  }
}

async function changeOf(seen: SeenFiles, hasOtherSuites: () => Promise<boolean>, world: World): Promise<void> {
  for (let look = 1; ; look += 1) {
    await world.sleep(lookAgainMs, world.interrupted);
    if (await seen.hasChanged()) return;
    // A clock of a file system may not tell a change from the state that was judged right before it.
    if (look === 1 && (await seen.hasOtherTexts())) return;
    if (look % looksUntilSearch === 0 && ((await seen.hasOtherMatches()) || (await hasOtherSuites()))) return;
  }
}

/** Half of a file that is being written is no change of anybody's. */
async function waitForRest(seen: SeenFiles, world: World): Promise<void> {
  let last = await seen.state();
  for (let look = 0; look < restLooksMax; look += 1) {
    await world.sleep(restMs, world.interrupted);
    const now = await seen.state();
    if (now === last) return;
    last = now;
  }
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
