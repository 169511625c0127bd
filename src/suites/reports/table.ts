import type { CheckReport } from '../result.ts';
import type { RenderReport, ReportOptions } from './report.ts';

interface ReportForm {
  /** Loads the form: those that nobody asked for are not read. */
  readonly load: () => Promise<RenderReport>;
  /** A person's text is fenced in a CI system's log; `check merge` reads a file alone. */
  readonly reader: 'person' | 'program' | 'merge';
}

const json: RenderReport = (report) => `${JSON.stringify(report)}\n`;

const forms = {
  human: { reader: 'person', load: async () => (await import('./human.ts')).human },
  brief: { reader: 'person', load: async () => (await import('./brief.ts')).brief },
  json: { reader: 'program', load: async () => json },
  junit: { reader: 'program', load: async () => (await import('./junit.ts')).junit },
  ctrf: { reader: 'program', load: async () => (await import('./ctrf.ts')).ctrf },
  markdown: { reader: 'program', load: async () => (await import('./markdown.ts')).markdown },
  html: { reader: 'program', load: async () => (await import('./html.ts')).html },
  github: { reader: 'person', load: async () => (await import('./github.ts')).github },
  blob: { reader: 'merge', load: async () => json },
} satisfies Readonly<Record<string, ReportForm>>;

export type ReportKind = keyof typeof forms;

/** Every form of a report, by its name in `--report`: one row a form. A blob is the JSON document for `check merge`. */
export const reportForms: Readonly<Record<ReportKind, ReportForm>> = forms;

export const reportKinds = Object.keys(forms) as readonly ReportKind[];

export async function renderReport(kind: ReportKind, report: CheckReport, options: ReportOptions): Promise<string> {
  return (await reportForms[kind].load())(report, options);
}
