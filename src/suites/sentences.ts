import { formatDuration } from '../text/durations.ts';
import { counted } from '../text/sizes.ts';
import type { Allowed, CheckReport, Disallowed, Guard, Totals } from './result.ts';
import {
  areUnverifiedWithin,
  areWrongWithin,
  isNothingVerified,
  type Reckoning,
  type Threshold,
  type Tolerance,
  untestedOf,
} from './summary.ts';

/** One sentence fit for a chat message. */
export function sentenceOf(
  { name, elapsedMs, exitCode }: { readonly name: string; readonly elapsedMs: number; readonly exitCode: number },
  reckoning: Reckoning,
  { allowed, disallowed, tolerance }: Pick<CheckReport, 'allowed' | 'disallowed'> & { readonly tolerance: Tolerance },
): string {
  const { totals, guards, unverifiedThere, isUnproved } = reckoning;
  const counts = { ...totals, flaky: totals.flaky - disallowed.flaky };
  const parts = (['regressed', 'unverified', 'known', 'skipped', 'flaky', 'left'] as const).flatMap((part) =>
    counts[part] > 0 ? [`${counts[part]} ${part}${remarkOn(part, allowed)}`] : [],
  );
  const word = exitCode === 0 ? 'OK' : exitCode === 11 ? 'UNVERIFIED' : 'FAILED';
  const passed = isNothingVerified(totals)
    ? `none of ${totals.cases} verified${tolerance.maxUnverified === undefined ? '' : ' (which --max-unverified never allows)'}`
    : `${totals.pass} pass of ${totals.cases}`;
  const proof = isUnproved ? [unprovedText] : guards === null ? [] : [proofOf(guards, disallowed)];
  const there = unverifiedThere.size === 0 ? [] : [`${unverifiedThere.size} unverified on the other Motif`];
  return `${word} ${name}: ${[...proof, ...disallowedTexts(disallowed), ...parts, ...there, ...overTexts(reckoning, tolerance), passed].join(', ')} in ${formatDuration(elapsedMs)}`;
}

/** The limits of the run that are exceeded. */
function overTexts(reckoning: Reckoning, { maxUnverified, maxMissedBlocks, maxFalseBlocks }: Tolerance): string[] {
  const { must_block: mustBlock, must_answer: mustAnswer } = reckoning.matrix;
  const over = (limit: Threshold | undefined, flag: string, isMet: (limit: Threshold) => boolean): string[] =>
    limit === undefined || isMet(limit) ? [] : [`more than --${flag} ${limit.amount}${limit.isPercent ? '%' : ''}`];
  return [
    ...over(maxUnverified, 'max-unverified', (limit) => areUnverifiedWithin(reckoning, limit)),
    ...over(maxMissedBlocks, 'max-missed-blocks', (limit) => areWrongWithin(mustBlock, limit)),
    ...over(maxFalseBlocks, 'max-false-blocks', (limit) => areWrongWithin(mustAnswer, limit)),
  ];
}

const strictText = 'which --strict does not allow';

/** The words for what fails the run by a flag alone; those for untested parts of policies are in `proofOf`. */
export function disallowedTexts({ warnings, flaky }: Disallowed): readonly string[] {
  return [
    ...(warnings > 0 ? [`${counted(warnings, 'warning')} (${strictText})`] : []),
    ...(flaky > 0 ? [`${flaky} flaky (which --fail-on-flaky does not allow)`] : []),
  ];
}

/** Words behind a number of cases for what a flag makes of them; empty where none does. */
export function remarkOn(part: keyof Totals, allowed: Allowed): string {
  if (part === 'regressed') return allowedText(allowed);
  return part === 'unverified' && allowed.unverified > 0 ? ' (which --max-unverified allows)' : '';
}

/** Words behind a number of regressions for those that a flag allows; empty where there are none. */
export function allowedText(allowed: Allowed): string {
  const { missed_blocks: missed, false_blocks: falseBlocks, baseline, only_new: onBoth } = allowed;
  const parts = [
    ...(baseline > 0 ? [`${baseline} still failing, which --baseline allows`] : []),
    ...(onBoth > 0 ? [`${onBoth} ${onBoth === 1 ? 'fails' : 'fail'} there too, which --only-new allows`] : []),
    ...(missed > 0 ? [`${counted(missed, 'missed block')}, which --max-missed-blocks allows`] : []),
    ...(falseBlocks > 0 ? [`${counted(falseBlocks, 'false block')}, which --max-false-blocks allows`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** Words for a proof that could not be made. */
export const unprovedText = 'no policy proved';

/** The result of a proof in a few words. */
export function proofOf(guards: readonly Guard[], disallowed: Disallowed): string {
  const tried = guards.filter(({ state }) => state === 'guarded' || state === 'unguarded');
  const open = tried.filter(({ state }) => state === 'unguarded').length;
  const untested = untestedOf(tried);
  const why = disallowed.untested > 0 ? `, ${strictText}` : '';
  const parts = untested > 0 ? ` (${counted(untested, 'untested part')}${why})` : '';
  const state = open > 0 ? `${open} of ${tried.length} policies unguarded` : undefined;
  return `${state ?? `${tried.length} of ${tried.length} policies guarded`}${parts}`;
}
