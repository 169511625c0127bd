import { ctrf } from './ctrf.ts';
import { github } from './github.ts';
import { html } from './html.ts';
import { brief, human } from './human.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { RenderReport } from './report.ts';

/** Every form of a report, by its name in `--report`. A blob is the JSON document, in a file that merge reads. */
export const reports: Readonly<Record<string, RenderReport>> = {
  human,
  brief,
  json: (report) => `${JSON.stringify(report)}\n`,
  junit,
  ctrf,
  markdown,
  html,
  github,
};
