import { inertLine } from '../../reports/inert.ts';
import { endLines, failureLines } from './human.ts';
import { failuresBeside } from './proof.ts';
import type { RenderReport } from './report.ts';

/** The failures, those of a proof too, and the last lines alone, without answers: for agents and chat messages. */
export const brief: RenderReport = (report, options) => {
  const whole = { ...report, cases: [...report.cases, ...failuresBeside(report)] };
  const end = report.exit_code === 0 ? [inertLine(report.summary, 400)] : endLines(report, options);
  return `${[...failureLines(whole, options, 0), ...end].join('\n')}\n`;
};
