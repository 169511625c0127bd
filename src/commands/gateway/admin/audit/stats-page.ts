import { barChart, htmlPage, htmlTable } from '../../../../reports/html-page.ts';
import { type Markup, markup } from '../../../../reports/markup.ts';
import { policyLine } from './policy-line.ts';
import {
  type AuditStatisticsReport,
  columnsFor,
  headLine,
  onlyWords,
  ruleHead,
  ruleRows,
  valueTexts,
} from './stats-table.ts';
import { grouped } from '../../../../text/sizes.ts';

/**
 * So that a name of several words does not stand word below word where the table is narrow, marks above a letter do not
 * cover other rows, and long names do not push columns off the paper.
 */
const styles = `td:not(.number) { min-width: 5rem } td, .bars > span { contain: paint }
@media print { td { overflow-wrap: anywhere } }`;

/** The statistics as one page that needs nothing else, with remarks on what they lack. */
export function statsPage(report: AuditStatisticsReport, remarks: readonly string[]): string {
  const { span, filters, total, by } = report;
  const days = [...new Set(span)].join(' to ');
  const what = [days, ...onlyWords(filters)].filter(Boolean).join(', ');
  const body = markup`<header><h1>Audit ${what}</h1><p class="dim">${headLine(report)}</p>${remarks.map((remark) => markup`<p class="warn">${remark}</p>`)}</header>
<main><section><h2>Decisions</h2>${barChart(decisionBars(report))}</section>
${by.length === 0 ? undefined : rowsSection(report)}
<section><h2>${filters.length === 0 ? 'All prompts' : 'All of these prompts'}</h2>${table([total], [])}</section>
${policySection(report)}</main>`;
  return htmlPage({ title: `motif audit: ${what}`, body, styles });
}

function decisionBars({ total }: AuditStatisticsReport) {
  return Object.entries(total.decisions).map(([label, amount]) => ({ label, amount, shown: grouped(amount) }));
}

function rowsSection({ by, rows }: AuditStatisticsReport): Markup {
  const bars = rows.slice(0, barsMax).map(({ values, prompts }) => ({
    label: valueTexts(by, values).filter(Boolean).join(' · '),
    amount: prompts,
    shown: grouped(prompts),
  }));
  return markup`<section><h2>By ${by.join(', ')}</h2>${barChart(bars)}${table(rows, by)}</section>`;
}

const barsMax = 40;

function table(rows: AuditStatisticsReport['rows'], by: AuditStatisticsReport['by']): Markup {
  const columns = columnsFor(rows);
  return htmlTable({
    head: [...by, ...columns.map(({ name }) => name)],
    align: [...by.map(() => 'left' as const), ...columns.map(() => 'right' as const)],
    rows: rows.map((row) => [...valueTexts(by, row.values), ...columns.map(({ of }) => of(row))]),
  });
}

function policySection({ policy, total }: AuditStatisticsReport): Markup | undefined {
  if (policy === undefined) return undefined;
  const rows = ruleRows(policy);
  const align = ruleHead.map((_, index) => (index === 0 ? ('left' as const) : ('right' as const)));
  return markup`<section><h2>Policy ${policy.policy}</h2><p>${policyLine({ policy, total })}</p>${htmlTable({ head: ruleHead, rows, align })}</section>`;
}
