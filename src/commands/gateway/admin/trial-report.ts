import type { FilePlace } from '../../../documents/fault.ts';
import { createPlacer } from '../../../documents/places.ts';
import type { ExceptedHit, Hit } from '../../../gateway/vocabulary.ts';
import { leetHow } from '../../../gateway/policies/readings/letters.ts';
import { checksumOf } from '../../../gateway/explanation/explain.ts';
import { defuse } from '../../../text/defuse.ts';
import { messageName, placeWords, withCharacters } from './places.ts';
import type { AdminFlags } from './flags.ts';
import type { TenantAdmission, Tried } from './trial.ts';
import { printLines } from '../../../terminal/output.ts';
import type { Run } from '../../shared/run.ts';
import { bold, type Column, dim, outcome, printTable } from '../../shared/table.ts';
import { toMoment } from '../../../text/durations.ts';
import { fold } from '../../../text/width.ts';

/** Findings stand out from readings and near misses, which are dim. */
const columns: readonly Column[] = [
  { paint: (style, cell) => (isAside(cell) ? style.dim(cell) : outcome(style, cell)) },
  { paint: (style, cell, row) => (isAside(row[0]) ? dim : bold)(style, cell) },
  { paint: (style, cell, row) => (isAside(row[0]) ? style.dim(cell) : cell) },
];

function isAside(word: string | undefined): boolean {
  return word === 'near' || word === 'looked' || word === 'read';
}

/** More than these say nothing that the first ones did not. */
const rowsShownMax = 10;

/** Prints the decision, near misses, what was looked for and how the text was read; never the text. */
export async function sayTrial(tried: Tried, run: Run<AdminFlags>): Promise<void> {
  const { world, notice } = run;
  const { trial, admission } = tried;
  const { side, decision, hits, looked, notAsked, looks } = trial;
  const isClean = hits.length === 0;
  if (isClean) {
    const line = `pass    ${looked.length === 0 ? 'no policy looks at this' : nothingFound(trial)}`;
    const width = world.stdout.isTerminal ? world.stdout.columns : Infinity;
    await printLines(fold(line, width, ' '.repeat('pass    '.length)), world);
  }
  const found = new Set(hits.map((hit) => hit.policy));
  const near = nearRows(tried, (policy) => found.has(policy));
  const nearOthers = nearRows(tried, (policy) => !found.has(policy), isClean ? '' : 'no finding: ');
  const readings = readingRows(tried);
  const rows = [
    ...hits.map((hit) => hitRow(hit, tried)),
    ...trial.excepted.slice(0, rowsShownMax).map((hit) => exceptedRow(hit, tried)),
    ...near.slice(0, rowsShownMax),
    ...(isClean ? [] : readings.slice(0, rowsShownMax)),
    ...nearOthers.slice(0, Math.max(0, rowsShownMax - near.length)),
    ...(isClean ? looks.filter((look) => look.near.length === 0).map((look) => lookRow(look, trial)) : []),
    ...(isClean ? readings.slice(0, rowsShownMax) : []),
    ...(admission === undefined ? [] : [['access', admission.user, admissionWords(admission)]]),
  ];
  await printTable(run, columns, rows);
  const left =
    Math.max(0, near.length + nearOthers.length - rowsShownMax) + Math.max(0, readings.length - rowsShownMax);
  if (left > 0) notice(`${left} more near misses and readings; --json has them`);
  const reader = side === 'inference' ? 'client' : 'provider';
  if (decision === 'redact') await printLines(`the ${reader} would see: ${defuse(trial.text)}`, world);
  if (notAsked.length > 0) notice(`not asked, since they ask outside: ${notAsked.join(', ')}; --live asks them`);
}

function hitRow(hit: Hit, tried: Tried): string[] {
  const { action, policy, rule, seen } = hit;
  const checksum = checksumIn(hit, tried) === undefined ? '' : ', checksum valid';
  const reason = tried.trial.failures.get(policy);
  const why = rule === 'policy_failed' && reason !== undefined ? `: ${reason}` : '';
  return [action, `${policy} / ${rule}`, `${placeOf(hit, tried)}${seenWords(seen)}${checksum}${why}`];
}

function exceptedRow(hit: ExceptedHit, tried: Tried): string[] {
  const { policy, rule, why, until } = hit;
  const end = until === null ? '' : `until ${toMoment(until)}`;
  const words = [why, end].filter(Boolean).join(', ');
  return ['excepted', `${policy} / ${rule}`, `${placeOf(hit, tried)}${words === '' ? '' : `: ${words}`}`];
}

/** Rows for what some policies looked at twice. Beside a finding of another one they could be taken for part of it. */
function nearRows(tried: Tried, isTold: (policy: string) => boolean, before = ''): string[][] {
  const { trial, role } = tried;
  const told = trial.looks.filter(({ policy }) => isTold(policy));
  return told.flatMap(({ policy, near }) =>
    near.map(({ rule, start, length, seen, why }) => {
      const own = createPlacer(trial.sent)(start);
      const place = withLine(withCharacters(ownName(trial, role), start, length), own, tried);
      return ['near', `${policy} / ${rule}`, `${place}${seenWords(seen)}: ${before}${why}`];
    }),
  );
}

function lookRow({ policy, sought, absent }: Tried['trial']['looks'][number], { excepted }: Tried['trial']): string[] {
  const hasFreed = excepted.some((hit) => hit.policy === policy);
  return ['looked', policy, `${sought}: ${hasFreed ? 'nothing but what is excepted' : absent}`];
}

function nothingFound({ excepted, looked }: Tried['trial']): string {
  const names = looked.join(', ');
  return excepted.length === 0 ? `nothing found by ${names}` : `${names} found nothing but what is excepted`;
}

/** The readings of a text; that it was read as sent is only said where nothing was found. */
function readingRows({ trial, role }: Tried): string[][] {
  const { hits, looked } = trial;
  const readings = trial.readings.filter((reading) => isTelling(reading, trial));
  const name = ownName(trial, role);
  if (readings.length > 0)
    return readings.map(({ how, start, end }) => ['read', withCharacters(name, start, end - start), how]);
  if (hits.length > 0 || looked.length === 0) return [];
  return [['read', name, 'as sent, in capitals or not: nothing hidden or encoded was found in it']];
}

/** False of a guess that nothing came of: almost any text with a figure in it is read so. */
function isTelling({ how }: Tried['trial']['readings'][number], { hits, looks }: Tried['trial']): boolean {
  if (how !== leetHow) return true;
  return [...hits, ...looks.flatMap(({ near }) => near)].some(({ seen }) => seen?.endsWith(leetHow));
}

function ownName({ side }: Tried['trial'], role: string): string {
  return side === 'inference' ? 'answer' : messageName(0, role);
}

function seenWords(seen: string | undefined): string {
  return seen === undefined || seen === '' ? '' : `, seen ${seen.replace(/^seen /, '')}`;
}

function admissionWords({ by, needsTenant }: TenantAdmission): string {
  if (needsTenant) return 'is refused with 403 unless the tenant ID is sent';
  if (by === null) return 'is let in: the file sets no tenant';
  return `is let in without a tenant ID, by ${by === 'users' ? 'users' : `the group ${by}`}`;
}

function placeOf(hit: Hit, tried: Tried): string {
  const { on, message, place, start, length } = hit;
  return withLine(placeWords({ on, message, place, start, length }, tried.role), ownPlace(hit, tried), tried);
}

/** The line and column of what was found in the text that was tried; undefined for what was found elsewhere. */
function ownPlace({ on, message, place, start }: Hit, { trial }: Tried): FilePlace | undefined {
  if (on === 'inference') return createPlacer(trial.sent)(start);
  const isOwn = place?.of === 'client' || (place === undefined && message === 0);
  return isOwn ? createPlacer(trial.sent)(place?.start ?? start) : undefined;
}

/** In a text of one line the column is the first of the characters. */
function withLine(words: string, place: FilePlace | undefined, { trial }: Tried): string {
  if (place === undefined || !trial.sent.trimEnd().includes('\n')) return words;
  return `${words} (line ${place.line}, column ${place.column})`;
}

function checksumIn(hit: Hit, { config, trial }: Tried): string | undefined {
  const { policy, rule, place, start, length } = hit;
  const from = place?.start ?? start;
  return checksumOf(config.policies.get(policy)?.kind, rule, trial.sent.slice(from, from + length));
}

/** The facts of a trial for its JSON document. */
export function trialFacts(tried: Tried): Record<string, unknown> {
  const { trial, motif, admission = null } = tried;
  const { side, decision, notAsked, looks, readings, failures } = trial;
  const hits = trial.hits.map((hit) => {
    const { policy, rule, on, action, message, start, length, place = null, seen = null } = hit;
    const checksum = checksumIn(hit, tried) ?? null;
    const reason = rule === 'policy_failed' ? (failures.get(policy) ?? null) : null;
    const own = ownPlace(hit, tried) ?? { line: null, column: null };
    return { policy, rule, on, action, message, start, length, ...own, place, seen, checksum, reason };
  });
  return {
    motif_id: motif.id,
    on: side,
    decision,
    hits,
    excepted: trial.excepted.map(({ policy, rule, on, message, start, length, place = null, why, until }) => {
      return { policy, rule, on, message, start, length, place, why, until: until === null ? null : toMoment(until) };
    }),
    text: decision === 'block' ? null : trial.text,
    not_asked: notAsked,
    near: looks.flatMap(({ policy, near }) => near.map((miss) => ({ policy, ...miss, seen: miss.seen || null }))),
    looked: looks.map(({ policy, kind, sought }) => ({ policy, kind, sought })),
    readings: readings.map(({ how, start, end }) => ({ how, start, length: end - start })),
    access: admission && { user: admission.user, by: admission.by, needs_tenant: admission.needsTenant },
  };
}
