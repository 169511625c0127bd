import { type ReportKind, reportKinds } from '../../suites/reports/table.ts';
import type { TextChoice } from '../../suites/run.ts';
import { parseThreshold, type Threshold } from '../../suites/summary.ts';
import { connectionFlags, type ConnectionFlags } from '../shared/flags/connection.ts';
import { embeddedCheckFlags, embeddedFlags, type EmbeddedFlags } from '../shared/flags/embedded.ts';
import { type JsonFlags, jsonFlags } from '../shared/flags/options.ts';
import { noStdinToggle } from '../shared/prompt/flags.ts';
import {
  choice,
  file,
  type Flag,
  type FlagsOf,
  flags,
  number,
  repeatable,
  textFlag,
  toggle,
  value,
} from '../shared/flags/flags.ts';

const selectionFlags = flags(
  {
    tags: textFlag('--tags <expression>', "cases whose tags fit, like 'pii and not slow'"),
    ids: repeatable(textFlag('--id <id>', 'the case of this id')),
    lastFailed: toggle('--last-failed', 'what failed or was not verified in the last run'),
    shard: textFlag('--shard <part>', 'one part of several: i/n, auto or auto/n', {
      not: { prove: 'do not go together' },
    }),
    list: toggle('--list', 'show the cases instead of running them'),
    dryRun: toggle('--dry-run', 'say what would be sent, and send nothing'),
  },
  { heading: 'Which cases' },
);

const runFlags = flags(
  {
    concurrency: number('-j, --concurrency <n>', 'prompts at once (default 8)', { to: 1000 }),
    rpm: number('--rpm <n>', 'prompts a minute at most'),
    repeat: number('--repeat <n>', 'ask each case this many times, whatever its repeat', { to: 1000 }),
    bail: number('--bail <n>', 'stop after this many regressions'),
    watch: toggle('--watch', 'with --local: judge again whenever a file changes', {
      needs: ['local'],
      not: {
        live: 'do not go together: each change of a file would be paid for',
        reports: 'do not go together',
        json: 'do not go together',
        against: 'do not go together',
      },
    }),
    allowCommands: toggle('--allow-commands', 'run the programs that answer.command names'),
    prove: toggle('--prove', 'with --demo or --local: fail if no case notices that a policy is missing', {
      needs: ['demo', 'local'],
    }),
  },
  { heading: 'How they are run' },
);

const comparisonFlags = flags(
  {
    baseline: file('--baseline <file>', 'a result of an earlier run: its regressions are no failure'),
    replay: file('--replay <file>', 'judge the answers of an earlier run again; nothing is sent', {
      not: { prove: 'do not go together', against: 'do not go together' },
    }),
    against: textFlag('--against <profile>', 'ask this Motif too, and list where it differs', {
      complete: 'profiles',
      not: { prove: 'do not go together' },
    }),
    onlyNew: toggle('--only-new', 'with --against: what fails there as well is no failure', { needs: ['against'] }),
  },
  { heading: 'Compared with what' },
);

const verdictFlags = flags(
  {
    maxMissedBlocks: threshold('--max-missed-blocks <n>', 'missed blocks that are no failure: N or N%'),
    maxFalseBlocks: threshold('--max-false-blocks <n>', 'false blocks that are no failure: N or N%'),
    maxUnverified: threshold('--max-unverified <n>', 'unverified cases that are no failure: N or N%'),
    failOnFlaky: toggle('--fail-on-flaky', 'a case that passes only sometimes is a failure'),
    strict: toggle('--strict', 'warnings, and parts of policies that nobody tests, are failures'),
  },
  { heading: 'What is a failure' },
);

/** One `--report KIND[=FILE]`. */
export interface ReportTarget {
  readonly kind: ReportKind;
  readonly file: string | undefined;
}

const texts: readonly TextChoice[] = ['failed', 'all', 'none'];

const reportFlags = flags(
  {
    reports: repeatable(
      value(
        '--report <kind[=file]>',
        reportKinds.join(', '),
        readTarget,
        `${reportKinds.join(', ')}; on stdout or in a file`,
        {
          hint: 'with a file: --report junit=check.xml',
          complete: reportKinds,
        },
      ),
    ),
    reportText: choice(
      '--report-text <which>',
      texts,
      'prompts and answers in reports: failed (the default), all, none',
    ),
    verbose: toggle('-v, --verbose', 'show what was asked, too, where a case fails'),
  },
  { heading: jsonFlags.heading },
);

/** The flags of `check` itself, in the order of help. */
export const checkFlags = [
  embeddedCheckFlags,
  selectionFlags,
  runFlags,
  comparisonFlags,
  verdictFlags,
  reportFlags,
  jsonFlags,
  ...connectionFlags,
] as const;

export type CheckFlags = ConnectionFlags &
  EmbeddedFlags &
  FlagsOf<typeof selectionFlags> &
  FlagsOf<typeof runFlags> &
  FlagsOf<typeof comparisonFlags> &
  FlagsOf<typeof verdictFlags> &
  FlagsOf<typeof reportFlags> &
  JsonFlags;

function threshold(spelling: string, help: string): Flag<Threshold | undefined> {
  return value(spelling, 'a number or a share, like 3 or 0.5%', parseThreshold, help);
}

function readTarget(typed: string): ReportTarget | undefined {
  const at = typed.indexOf('=');
  const name = at === -1 ? typed : typed.slice(0, at);
  const kind = reportKinds.find((each) => each === name);
  const file = at === -1 ? '-' : typed.slice(at + 1);
  return kind ? { kind, file: file === '-' ? undefined : file } : undefined;
}

export const checkMergeFlags = [verdictFlags, reportFlags, jsonFlags] as const;

export type CheckMergeFlags = FlagsOf<typeof verdictFlags> & FlagsOf<typeof reportFlags> & JsonFlags;

/** A text of the answer, which a prompt that must be blocked does not have. */
function answerText(spelling: string, help: string): Flag<string | undefined> {
  return value(spelling, 'a text that is not empty', (typed) => (typed === '' ? undefined : typed), help, {
    not: {
      expect: {
        reason: 'blocked do not go together: a blocked prompt has no answer',
        when: ({ expect }) => expect === 'blocked',
      },
    },
  });
}

const caseFlags = flags(
  {
    suite: file('--suite <file>', 'the suite; default: the only one here, of several smoke.motif.yaml'),
    expect: choice('--expect <outcome>', ['answered', 'blocked'], 'default: what came back'),
    contains: repeatable(answerText('--contains <text>', 'the answer must hold this text')),
    notContains: repeatable(answerText('--not-contains <text>', 'the answer must not hold this text')),
    id: textFlag('--id <id>', 'the name of the case; default: the first words of the prompt'),
    tags: textFlag('--tags <tags>', 'its tags, with commas between them: pii,slow'),
    noStdin: noStdinToggle,
  },
  { heading: 'The case' },
);

export const addCaseFlags = [caseFlags, embeddedFlags, ...connectionFlags] as const;

export type AddFlags = FlagsOf<typeof caseFlags> & EmbeddedFlags & ConnectionFlags;
