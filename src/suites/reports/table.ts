import type { CheckReport } from '../result.ts';
import type { ReportKind } from './kinds.ts';
import type { RenderReport, ReportOptions } from './report.ts';

const json: RenderReport = (report) => `${JSON.stringify(report)}\n`;

/** Every form of a report, by its name in `--report`; one that nobody asked for is not loaded. */
const forms: Readonly<Record<ReportKind, () => Promise<RenderReport>>> = {
  human: async () => (await import('./human.ts')).human,
  brief: async () => (await import('./human.ts')).brief,
  json: async () => json,
  blob: async () => json,
  junit: async () => (await import('./junit.ts')).junit,
  ctrf: async () => (await import('./ctrf.ts')).ctrf,
  markdown: async () => (await import('./markdown.ts')).markdown,
  html: async () => (await import('./html.ts')).html,
  github: async () => (await import('./github.ts')).github,
};

export async function renderReport(kind: ReportKind, report: CheckReport, options: ReportOptions): Promise<string> {
  return (await forms[kind]())(report, options);
}
