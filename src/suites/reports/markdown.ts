import { codeBlock, codeSpan } from '../../reports/inert.ts';
import { formatDuration } from '../../text/durations.ts';
import type { CaseResult, CheckReport, MatrixRow } from '../result.ts';
import { allowedText, disallowedTexts, proofOf, unprovedText } from '../sentences.ts';
import {
  allPass,
  evidenceOf,
  latencyText,
  sinceBaseline,
  reasonOf,
  type RenderReport,
  troubles,
  casesToAdd,
  casesToAddHead,
  untestedHead,
  unverifiedThereText,
} from './report.ts';
import { grouped } from '../../text/sizes.ts';

/** GitHub cuts off a summary beyond 1 MiB, and shows none of it. */
const charactersMax = 900_000;
const rowsMax = 500;
const partsShownMax = 8;
const marks = { pass: 'pass', regressed: 'FAIL', unverified: '????', known: 'known', skipped: 'skip' } as const;

/** Markdown for job summaries and comments: whatever is not ours stands as code, where nothing of it is obeyed. */
export const markdown: RenderReport = (report, { again }) => {
  const { matrix } = report;
  const parts = [
    `### ${headOf(report)}`,
    ...report.warnings.map((warning) => `warning: ${codeSpan(warning)}`),
    [
      '| | blocked | answered | unverified |',
      '| --- | ---: | ---: | ---: |',
      matrixRow('must block', matrix.must_block),
      matrixRow('must answer', matrix.must_answer),
    ].join('\n'),
    figuresOf(report),
    ...troubleParts(report),
    ...guardParts(report),
    ...differenceParts(report),
    ...(again === undefined || allPass(report) ? [] : [`again: ${codeSpan(again)}`]),
  ];
  const text = `${parts.join('\n\n')}\n`;
  return text.length <= charactersMax
    ? text
    : `${text.slice(0, charactersMax)}\n\n(cut: the whole is in the other reports)\n`;
};

function headOf({
  exit_code: code,
  totals,
  motif_id: motifId,
  guards,
  unproved,
  allowed,
  disallowed,
}: CheckReport): string {
  const word = code === 0 ? 'OK' : code === 11 ? 'Not verified' : 'Failed';
  const proof = unproved ? [unprovedText] : guards === null ? [] : [proofOf(guards, disallowed)];
  const passed = `${totals.pass} of ${totals.cases} cases pass${allowedText(allowed)}`;
  return `${word}: ${[...proof, ...disallowedTexts(disallowed), passed].join(', ')}${motifId === null ? '' : `, Motif ${codeSpan(motifId)}`}`;
}

function figuresOf(report: CheckReport): string {
  const tokens = `${grouped(report.usage.total_tokens)} tokens`;
  return [latencyText(report) ?? [], tokens, formatDuration(report.elapsed_ms)].flat().join(' · ');
}

function matrixRow(name: string, { blocked, answered, unverified }: MatrixRow): string {
  return `| ${name} | ${blocked} | ${answered} | ${unverified} |`;
}

function troubleParts(report: CheckReport): readonly string[] {
  const shown = troubles(report);
  if (shown.length === 0) return [];
  const row = (each: CaseResult) =>
    `| ${marks[each.verdict]} | ${codeSpan(each.id)} | ${codeSpan(`${each.file}:${each.line}`)} | ${codeSpan(reasonOf(each))} |`;
  const table = ['| | case | where | why |', '| --- | --- | --- | --- |', ...shown.slice(0, rowsMax).map(row)].join(
    '\n',
  );
  const more = shown.length > rowsMax ? [`and ${shown.length - rowsMax} more`] : [];
  return [table, ...more, ...shown.slice(0, rowsMax).flatMap(detailsOf)];
}

function detailsOf(each: CaseResult): readonly string[] {
  const evidence = each.verdict === 'regressed' ? evidenceOf(each) : undefined;
  return evidence === undefined ? [] : [`${codeSpan(each.id)} was answered:\n\n${codeBlock(evidence.slice(0, 4000))}`];
}

function guardParts(report: CheckReport): readonly string[] {
  const { guards } = report;
  if (guards === null) return [];
  const rows = guards.map(({ policy, action, state, off, weakened, also, untested }) => {
    const more = untested.length > partsShownMax ? [`${untested.length - partsShownMax} more`] : [];
    const overlaps = also.map((name) => `also caught by ${codeSpan(name)}`);
    const parts = [...untested.slice(0, partsShownMax).map((part) => codeSpan(part)), ...more, ...overlaps].join(', ');
    return `| ${codeSpan(policy)} | ${action} | ${state} | ${off ?? ''} | ${weakened ?? ''} | ${parts} |`;
  });
  const table = [
    `| policy | action | | switched off | weakened | ${untestedHead} |`,
    '| --- | --- | --- | ---: | ---: | --- |',
    ...rows,
  ];
  const missing = casesToAdd(report);
  return [table.join('\n'), ...(missing === '' ? [] : [`${casesToAddHead}\n\n${codeBlock(missing.trimEnd())}`])];
}

function differenceParts({ against, baseline }: CheckReport): readonly string[] {
  const parts: string[] = [];
  if (baseline !== null)
    parts.push(
      `since ${codeSpan(baseline.file)}: ${sinceBaseline(baseline, (ids) =>
        ids
          .slice(0, partsShownMax)
          .map((id) => codeSpan(id))
          .join(', '),
      )}`,
    );
  if (against === null) return parts;
  const unverified = unverifiedThereText(against, codeSpan);
  if (unverified !== '') parts.push(`against ${codeSpan(against.name)}: ${unverified}`);
  if (against.differences.length === 0) return parts;
  const rows = against.differences
    .slice(0, rowsMax)
    .map(({ id, what, here, there }) => `| ${codeSpan(id)} | ${what} | ${codeSpan(here)} | ${codeSpan(there)} |`);
  return [
    ...parts,
    [`| case | differs | here | ${codeSpan(against.name)} |`, '| --- | --- | --- | --- |', ...rows].join('\n'),
  ];
}
