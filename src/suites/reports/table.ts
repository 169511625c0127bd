import { ctrf } from './ctrf.ts';
import { github } from './github.ts';
import { html } from './html.ts';
import { brief, human } from './human.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { ReportKind } from './kinds.ts';
import type { RenderReport } from './report.ts';

const json: RenderReport = (report) => `${JSON.stringify(report)}\n`;

/** Every form of a report, by its name in `--report`. */
export const reports: Readonly<Record<ReportKind, RenderReport>> = {
  human,
  brief,
  json,
  blob: json,
  junit,
  ctrf,
  markdown,
  html,
  github,
};
