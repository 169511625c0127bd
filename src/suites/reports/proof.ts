import type { CaseResult, CheckReport, Guard } from '../result.ts';
import { casesToAddHead } from './report.ts';

/** Failures of a run beside its cases, as cases of their own: those of a proof, and warnings with `--strict`. */
export function failuresBeside(report: CheckReport): readonly CaseResult[] {
  return [...proofFailures(report), ...warningFailures(report)];
}

function warningFailures({ cases, warnings, disallowed }: CheckReport): readonly CaseResult[] {
  if (disallowed.warnings === 0) return [];
  const files = [...new Set(cases.map(({ file }) => file))];
  return warnings.map((message) => {
    const file = files.find((each) => message.startsWith(`${each} `)) ?? files[0] ?? '';
    return failureOf({ file, line: 1 }, 'warning', 'strict', { message });
  });
}

/**
 * The failures of a proof for forms that know cases alone: a case for each policy that is unguarded, and with
 * `--strict` for each part that no case tests, at the policy's place in the gateway file.
 */
function proofFailures({ guards, disallowed }: CheckReport): readonly CaseResult[] {
  return (guards ?? []).flatMap((guard) => {
    const { policy, untested, case_to_add: missing } = guard;
    const parts = disallowed.untested > 0 ? untested : [];
    const diff = missing === null ? [] : [casesToAddHead, ...missing.trimEnd().split('\n')];
    return [
      ...(guard.state === 'unguarded'
        ? [failureOf(guard, policy, 'prove', { message: unguardedText(guard), diff })]
        : []),
      ...parts.map((part) =>
        failureOf(guard, `${policy}/${part}`, 'prove', { message: `no case tests ${part} of ${policy}` }),
      ),
    ];
  });
}

function unguardedText({ policy, off, weakened, also }: Guard): string {
  const changes = [...(off === 0 ? ['switched off'] : []), ...(weakened === 0 ? ['weakened'] : [])].join(' or ');
  const overlap = also.length > 0 ? `; also caught by ${also.join(', ')}` : '';
  return `no case notices that ${policy} is ${changes}${overlap}`;
}

function failureOf(
  { file, line }: Pick<Guard, 'file' | 'line'>,
  id: string,
  expectation: string,
  miss: Pick<CaseResult['misses'][number], 'message' | 'diff'>,
): CaseResult {
  return {
    id,
    file,
    line,
    tags: [],
    verdict: 'regressed',
    expect: 'blocked',
    outcome: null,
    misses: [{ expectation, ...miss }],
    unjudged: [],
    prompt_id: null,
    error: null,
    flaky: false,
    passes: 0,
    repeat: 1,
    attempts: 0,
    elapsed_ms: null,
    usage: null,
    all_elapsed_ms: [],
    all_usage: null,
    finish_reason: null,
    known: null,
    replayed: false,
    messages: null,
    answer: null,
    digest: '',
  };
}
