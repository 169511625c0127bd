import { MotifError } from '../errors.ts';
import type { Message } from '../wire/request.ts';
import { type Case, expectedOutcome, type KnownFailure } from './case.ts';
import { isFailedPolicy } from './expectations/decision.ts';
import type { Miss, Observation } from './expectations/expectation.ts';
import { judgeExpectations } from './expectations/table.ts';
import { type CaseResult, type CaseVerdict, type DocumentError, unaskedResult } from './result.ts';
import { toDay } from '../text/durations.ts';
import { sumOfUsage } from './summary.ts';

/** Reply to one prompt, with what only reports are interested in. */
export interface CaseReply extends Observation {
  readonly promptId: string | null;
  readonly attempts: number;
  /** A block because a policy could not judge, by the word of the service. */
  readonly isPolicyFailure: boolean;
}

/** Sends the messages of a case; rejects with a MotifError where nothing could be verified. */
export type Ask = (messages: readonly Message[], of: Case) => Promise<CaseReply>;

/** Shows a result to a program of the person's own: its misses, or a MotifError where it could not tell. */
export type JudgeByCommand = (argv: readonly string[], of: Case, seen: CaseReply) => Promise<readonly Miss[]>;

export interface AskTools {
  readonly ask: Ask;
  readonly judgeByCommand?: JudgeByCommand | undefined;
  now(): number;
}

/** One of the repetitions of a case. */
interface Attempt {
  readonly verdict: 'pass' | 'regressed' | 'unverified' | 'skipped';
  readonly misses: readonly Miss[];
  readonly unjudged: readonly string[];
  readonly error: MotifError | undefined;
  readonly seen: CaseReply | undefined;
  readonly messages: readonly Message[];
}

/** Asks a case as often as it says, and judges it. Rejects only where the run as a whole cannot go on. */
export async function checkCase(of: Case, asking: AskTools): Promise<CaseResult> {
  const attempts: Attempt[] = [];
  const replies: CaseReply[] = [];
  const ask: Ask = async (messages) => {
    const reply = await asking.ask(messages, of);
    replies.push(reply);
    return reply;
  };
  while (attempts.length < of.repeat) attempts.push(await attemptOf(of, { ...asking, ask }));
  return {
    ...resultOf(of, attempts, asking.now()),
    all_elapsed_ms: replies.map(({ elapsedMs }) => elapsedMs),
    all_usage: replies.some(({ usage }) => usage !== null) ? sumOfUsage(replies.map(({ usage }) => usage)) : null,
  };
}

async function attemptOf(of: Case, asking: AskTools): Promise<Attempt> {
  let messages: readonly Message[] = [];
  let attempt: Attempt | undefined;
  for (const turn of of.turns) {
    messages = [...messages, ...turn.messages];
    const before = attempt;
    attempt = await attemptTurn(of, turn, messages, asking);
    if (before?.verdict === 'skipped' && attempt.verdict === 'pass')
      attempt = { ...attempt, verdict: 'skipped', unjudged: before.unjudged };
    if (attempt.verdict === 'regressed' || attempt.verdict === 'unverified') break;
    messages = [...messages, { role: 'assistant', content: attempt.seen?.answer ?? '' }];
  }
  return attempt!;
}

async function attemptTurn(
  of: Case,
  { expected }: Case['turns'][number],
  messages: readonly Message[],
  { ask, judgeByCommand }: AskTools,
): Promise<Attempt> {
  let seen: CaseReply | undefined;
  try {
    seen = await ask(messages, of);
    if (seen.isPolicyFailure || isFailedPolicy(seen))
      throw new MotifError('service', 'a policy could not judge, so it blocked');
    const judged = judgeExpectations(expected, seen);
    const command = expected.answer?.command;
    const isDue = command !== undefined && seen.outcome === 'answered' && judged.misses.length === 0;
    const byCommand = isDue ? await judgeByCommand?.(command, of, seen) : undefined;
    const misses = [...judged.misses, ...(byCommand ?? [])];
    if (misses.length > 0) return { verdict: 'regressed', misses, unjudged: [], error: undefined, seen, messages };
    if (judged.unjudged.some((each) => each.unjudged === 'not said'))
      throw new MotifError('service', 'the service does not say what is expected (usage or finish_reason)');
    const unjudged = judged.unjudged.map(({ expectation }) => expectation);
    if (isDue && byCommand === undefined) unjudged.push('answer.command');
    return { verdict: unjudged.length > 0 ? 'skipped' : 'pass', misses, unjudged, error: undefined, seen, messages };
  } catch (error) {
    if (!(error instanceof MotifError) || !isOfService(error)) throw error;
    return { verdict: 'unverified', misses: [], unjudged: [], error, seen, messages };
  }
}

/** Failures that may be gone for the next case or in the next run; all else is wrong for every case. */
function isOfService({ kind }: MotifError): boolean {
  return ['rejected', 'service', 'network', 'timeout', 'auth', 'limited', 'unverified'].includes(kind);
}

function resultOf(of: Case, attempts: readonly Attempt[], now: number): CaseResult {
  const count = (verdict: Attempt['verdict']) => attempts.filter((each) => each.verdict === verdict).length;
  const passes = count('pass');
  const plain = plainVerdict(of, { passes, skipped: count('skipped'), regressed: count('regressed') });
  const { verdict, note } = withKnown(plain, of.known, now);
  // The attempt that explains the verdict is the one to be shown.
  const telling = attempts.find((each) => each.verdict === plain) ?? attempts.at(-1)!;
  const { seen } = telling;
  return {
    ...skippedResult(of, []),
    verdict,
    outcome: telling.verdict === 'unverified' ? null : (seen?.outcome ?? null),
    misses: note === undefined ? telling.misses : [...telling.misses, note],
    unjudged: verdict === 'skipped' ? telling.unjudged : [],
    prompt_id: seen?.promptId ?? telling.error?.promptId ?? null,
    error: telling.error === undefined ? null : errorOf(telling.error),
    flaky: passes > 0 && count('regressed') > 0,
    passes,
    attempts: seen?.attempts ?? telling.error?.attempts ?? 0,
    elapsed_ms: seen?.elapsedMs ?? null,
    usage: seen?.usage ?? null,
    finish_reason: seen?.finishReason ?? null,
    messages: telling.messages,
    answer: seen === undefined || seen.outcome === 'blocked' ? null : seen.answer,
  };
}

/** The result of a case that was not asked; one that was replaces what came of it. */
export function skippedResult(of: Case, unjudged: readonly string[]): CaseResult {
  const { tags, repeat, digest, known } = of;
  const said = { tags, repeat, digest, known: known?.why ?? null, unjudged };
  return unaskedResult(of, { ...said, verdict: 'skipped', expect: expectedOutcome(of) });
}

interface Counts {
  readonly passes: number;
  readonly skipped: number;
  readonly regressed: number;
}

/** Regressed once too many repetitions have failed for the rest to make up for; else too few were verified. */
function plainVerdict({ repeat, minPass }: Case, { passes, skipped, regressed }: Counts): Attempt['verdict'] {
  if (passes >= minPass) return 'pass';
  if (regressed > repeat - minPass) return 'regressed';
  return passes + skipped >= minPass ? 'skipped' : 'unverified';
}

/** The verdict of a known failure, which counts once its day is over; one that passes is to leave the suite. */
function withKnown(
  verdict: Attempt['verdict'],
  known: KnownFailure | undefined,
  now: number,
): { readonly verdict: CaseVerdict; readonly note?: Miss } {
  if (known === undefined || verdict === 'unverified' || verdict === 'skipped') return { verdict };
  if (verdict === 'pass') {
    const message = 'is known to fail, but passes: take `known` out of the suite';
    return { verdict: 'regressed', note: { expectation: 'known', message } };
  }
  if (known.untilMs === undefined || now <= known.untilMs) return { verdict: 'known' };
  const day = toDay(known.untilMs);
  return { verdict, note: { expectation: 'known', message: `was known to fail until ${day}` } };
}

function errorOf(error: MotifError): DocumentError {
  return error.toDocument().error as DocumentError;
}
