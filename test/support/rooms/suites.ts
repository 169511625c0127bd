import { expect } from 'vitest';
import type { Suite } from '../../../src/suites/case.ts';
import { parseSuite } from '../../../src/suites/parse.ts';
import type { CaseRow, ParsedSuite, SuiteFiles } from '../../../src/suites/parsing.ts';
import type { CaseResult, CheckReport } from '../../../src/suites/result.ts';
import type { CaseReply } from '../../../src/suites/verdict.ts';
import { type ReportParts, toReport } from '../../../src/suites/whole.ts';

interface NamedFiles {
  readonly texts?: Readonly<Record<string, string>>;
  readonly rows?: Readonly<Record<string, readonly CaseRow[]>>;
}

export async function* rowsOf(rows: readonly CaseRow[]): AsyncGenerator<CaseRow> {
  yield* rows;
}

export function suiteFiles({ texts = {}, rows = {} }: NamedFiles = {}): SuiteFiles {
  return {
    shownName: (name) => name,
    readRows: (name) => rowsOf(rows[name] ?? []),
    async readText(name) {
      const text = texts[name];
      if (text === undefined) throw new Error('no such file');
      return text;
    },
  };
}

export async function parsed(text: string, files?: NamedFiles): Promise<ParsedSuite> {
  return await parseSuite(text, 's.motif.yaml', suiteFiles(files));
}

/** The suite of a text without faults. */
export async function suiteOf(text: string, files?: NamedFiles): Promise<Suite> {
  const { suite, faults } = await parsed(text, files);
  expect(faults).toEqual([]);
  return suite!;
}

export const answeredReply: CaseReply = {
  outcome: 'answered',
  answer: 'Hello there',
  hasLeaked: false,
  finishReason: 'stop',
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  elapsedMs: 100,
  sight: undefined,
  promptId: '01JD0000000000000000000000',
  attempts: 1,
  isPolicyFailure: false,
};

export const blockedReply: CaseReply = {
  ...answeredReply,
  outcome: 'blocked',
  answer: '',
  finishReason: 'blocked',
};

export function resultOf(parts: Partial<CaseResult> = {}): CaseResult {
  return {
    id: 'one',
    file: 's.motif.yaml',
    line: 3,
    tags: [],
    verdict: 'pass',
    expect: 'answered',
    outcome: 'answered',
    misses: [],
    unjudged: [],
    prompt_id: null,
    error: null,
    flaky: false,
    passes: 1,
    repeat: 1,
    attempts: 1,
    elapsed_ms: 100,
    usage: null,
    all_elapsed_ms: parts.elapsed_ms === null ? [] : [parts.elapsed_ms ?? 100],
    all_usage: parts.usage ?? null,
    finish_reason: null,
    known: null,
    replayed: false,
    messages: null,
    answer: null,
    digest: 'd1',
    ...parts,
  };
}

export function reportOf(results: readonly CaseResult[], parts: Partial<ReportParts> = {}): CheckReport {
  return toReport({
    results,
    left: 0,
    guards: null,
    names: ['Smoke'],
    subject: 'staging',
    profile: 'staging',
    motifId: 'support-bot',
    startedAt: Date.UTC(2026, 10, 22, 8),
    elapsedMs: 1200,
    isInterrupted: false,
    shard: null,
    suite: { digest: 'd', cases: results.length },
    tolerance: {},
    warnings: [],
    ...parts,
  });
}
