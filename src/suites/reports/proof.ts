import { type CaseResult, type CheckReport, type Guard, unaskedResult } from '../result.ts';
import { casesToAddHead } from './report.ts';

/** Failures of a run beside its cases, as cases of their own: those of a proof, and warnings with `--strict`. */
export function failuresBeside(report: CheckReport): readonly CaseResult[] {
  return [...proofFailures(report), ...warningFailures(report)];
}

/** A warning about no suite is shown at the first one. */
function warningFailures({ cases, warnings, warning_files: files, disallowed }: CheckReport): readonly CaseResult[] {
  if (disallowed.warnings === 0) return [];
  return warnings.map((message, at) =>
    failureOf({ file: files[at] ?? cases[0]?.file ?? '', line: 1 }, 'warning', 'strict', { message }),
  );
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
  const misses = [{ expectation, ...miss }];
  return unaskedResult({ id, file, line }, { verdict: 'regressed', expect: 'blocked', misses });
}
