import type { CaseResult, CheckReport } from '../../../src/suites/result.ts';
import { naughtyTexts } from './naughty.ts';
import { reportOf, resultOf } from '../rooms/suites.ts';

/** Every text in every place that somebody outside has a say in. */
const results: readonly CaseResult[] = naughtyTexts.flatMap((text, index) => {
  const parts = {
    id: `${index} ${text}`,
    file: `${text}.yaml`,
    tags: [text],
    prompt_id: text,
    messages: [{ role: text, content: text }],
    answer: text,
  };
  const misses = [{ expectation: 'answer.contains', message: `lacks ${text}`, diff: [`- ${text}`, `+ ${text}`] }];
  const error = { kind: 'service', exit_code: 5, message: text, code: null, detail: text, hint: null } as const;
  return [
    resultOf({ ...parts, verdict: 'regressed', misses }),
    resultOf({
      ...parts,
      id: `${parts.id} 2`,
      verdict: 'regressed',
      misses: [{ expectation: 'expect', message: text }],
    }),
    resultOf({ ...parts, id: `${parts.id} 3`, verdict: 'unverified', outcome: null, error }),
    resultOf({ ...parts, id: `${parts.id} 4`, verdict: 'known', known: text, misses }),
  ];
});

/** A run in which whatever somebody outside has a say in is a naughty text. */
export const hostileReport: CheckReport = reportOf(results, {
  names: [naughtyTexts[3]!],
  profile: null,
  motifId: naughtyTexts[6]!,
  warnings: naughtyTexts.slice(3, 5).map((text) => ({ message: text, file: text })),
  against: {
    name: naughtyTexts[3]!,
    differences: [
      {
        id: naughtyTexts[4]!,
        file: naughtyTexts[3]!,
        line: 1,
        what: 'outcome',
        here: naughtyTexts[3]!,
        there: naughtyTexts[1]!,
      },
    ],
    unverified: [{ id: naughtyTexts[3]!, file: naughtyTexts[4]!, line: 1 }],
    error: { kind: 'network', exit_code: 6, message: naughtyTexts[4]! },
  },
  guards: naughtyTexts.map((text) => ({
    policy: text,
    file: text,
    line: 3,
    kind: text,
    action: 'block',
    off: 0,
    weakened: 0,
    state: 'unguarded',
    also: [text],
    untested: [text],
    parts: 2,
    case_to_add: `  - id: ${JSON.stringify(text)}\n    prompt: ${text}\n`,
  })),
  baseline: { file: naughtyTexts[3]!, fixed: naughtyTexts, standing: naughtyTexts, new: naughtyTexts },
});
