import { type Case, expectedOutcome } from '../../suites/case.ts';
import { printDocument, printLines } from '../../terminal/output.ts';
import { counted } from '../../text/sizes.ts';
import { bold, dim, printList } from '../shared/table.ts';
import type { Run } from '../shared/run.ts';
import type { CheckFlags } from './check-flags.ts';

/** Prints the selected cases instead of running them. */
export async function listCases(cases: readonly Case[], run: Run<CheckFlags>): Promise<void> {
  const { world, flags } = run;
  const rows = cases.map((each) => ({ ...each, expect: expectedOutcome(each) }));
  if (flags.json) {
    const items = rows.map(({ id, file, line, expect, tags }) => ({ id, file, line, expect, tags }));
    return await printDocument({ ok: true, items, error: null }, {}, world);
  }
  await printList(
    run,
    [
      { name: 'case', paint: bold },
      { name: 'place', paint: dim },
      { name: 'expect' },
      { name: 'tags', paint: dim, dispensable: 1 },
    ],
    rows.map(({ id, file, line, expect, tags }) => [id, `${file}:${line}`, expect, tags.join(' ')]),
  );
}

/** Says what a run would send; neither the network nor a token is touched. */
export async function showPlan(
  cases: readonly Case[],
  motifId: string | undefined,
  { world, flags }: Run<CheckFlags>,
): Promise<void> {
  const prompts = cases.reduce((sum, { turns, repeat }) => sum + turns.length * repeat, 0);
  const document = { ok: true, cases: cases.length, prompts, motif_id: motifId ?? null, error: null };
  const words = `${counted(cases.length, 'case')}, at most ${counted(prompts, 'prompt')} to ${motifId ?? 'no Motif yet'}; nothing was sent`;
  await (flags.json ? printDocument(document, {}, world) : printLines(words, world));
}
