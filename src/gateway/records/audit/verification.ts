import { counted, grouped } from '../../../text/sizes.ts';
import { type AuditLine, type AuditRecord, isoTime } from './reading.ts';
import { type Seal, sealedBytes, sealForm } from './seals.ts';
import type { LinePlace, Unproven } from './unproven.ts';
import { type AuditFault, WriterCheck } from './writer-check.ts';

export interface VerificationResult {
  readonly faults: readonly AuditFault[];
  /** The number of all faults, named or not. */
  readonly faultCount: number;
  /** Sentences that name what cannot be proven from these files. */
  readonly unproven: readonly string[];
  /** The same in short, each once. */
  readonly gaps: readonly string[];
  /** Those of the sentences that an audit which is as it should be does not call for. */
  readonly concerns: readonly string[];
  readonly seals: number;
  readonly writers: number;
  /** Lines that a seal covers, and those that none does. */
  readonly sealed: number;
  readonly unsealed: number;
  /** Lines that the first seals name and that may stand in a file before these; nothing proves that they do. */
  readonly absent: number;
  /** Lines here that those seals name too, and that cannot be compared without the others. */
  readonly uncompared: number;
}

/** A seal as the log of the gateway names it. */
export type LoggedSeal = Pick<Seal, 'writer' | 'first' | 'last' | 'sha256'> & {
  /** ISO; undefined where the log does not tell. */
  readonly time?: string | undefined;
  /** The machine and path of the audit; undefined in the log of an earlier version. */
  readonly place?: string | undefined;
};

const withoutLog =
  'whether somebody who can write these files made new seals, or removed all lines of a process: compare with ' +
  'the log of the gateway (--log FILE)';

const faultsMax = 100;
/**
 * The most seals of one process while another one writes lines and none: each seals once a minute, and all at a reload.
 */
const sealsOfOneMinute = 2;
/** Processes may write to a file for so long after another one began the next. */
const rotationMs = 5000;
/** The most of a seal's time that is told. */
const timeCharactersMax = 30;

/** Checks the seals of lines that come in the order of their files; its memory does not grow with them. */
export class AuditVerification {
  readonly #writers = new Map<string, WriterCheck>();
  readonly #faults: AuditFault[] = [];
  readonly #logged: ReadonlyMap<string, LoggedSeal> | undefined;
  /** ISO; the files end there, so that later seals of the log may be in none of them. */
  readonly #until: string | undefined;
  /** The seals of the log that these files have. */
  readonly #found = new Set<string>();
  /** The number of seals here that the log lacks. */
  #unlogged = 0;
  #faultCount = 0;
  #unsigned = 0;
  /** Those of them that stand in a file behind one with seals. */
  #unsignedLater = 0;
  /** The file in which the last line of a writer stood. */
  #chainedFile: string | undefined;
  /** The files with their lines' times, in the order in which they were read. */
  readonly #spans = new Map<string, FileSpan>();
  /** The time of the last seal, as it says itself. */
  #lastSealAt: string | undefined;
  /** The number of seals of each writer in the file that is read. */
  readonly #sealsHere = new Map<WriterCheck, number>();
  /** Writers with lines behind which no seal stands so far. */
  readonly #unpassed = new Set<WriterCheck>();

  /** With the seals of the gateway's log, where there are any: then a tail that was cut off is found too. */
  constructor(logged?: readonly LoggedSeal[], until?: string) {
    this.#until = until;
    this.#logged = logged && new Map(logged.map((seal) => [seal.sha256, seal]));
  }

  take(file: string, auditLine: AuditLine): void {
    const { kind, number, record, bytes } = auditLine;
    if (kind === 'torn' || kind === 'foreign') return;
    const place = { file, line: number };
    const { writer, line } = record;
    if (typeof writer !== 'string' || (kind !== 'seal' && !Number.isSafeInteger(line))) {
      return this.#takeUnsigned(place);
    }
    // A clock that was set back may have files of other writers come in another order than they were written in.
    if (this.#chainedFile !== file) this.#sealsHere.clear();
    this.#chainedFile = file;
    this.#takeTime(place, record.time);
    const check = this.#checkOf(writer);
    if (kind !== 'seal') {
      if (check.waiting === 0) this.#unpassed.add(check);
      return check.takeLine(Number(line), auditLine, place);
    }
    this.#passBy(check, record.time);
    if (Number.isSafeInteger(record.form) && Number(record.form) > sealForm)
      return check.takeLaterForm(Number(record.form), place);
    const seal = toSeal(writer, record);
    if (seal === undefined) return this.#fault({ ...place, kind: 'changed', message: 'a seal that cannot be read' });
    if (this.#isLogged(seal)) this.#found.add(seal.sha256);
    else if (this.#logged !== undefined) this.#unlogged += 1;
    const time = String(record.time).slice(0, timeCharactersMax);
    check.takeSeal(seal, { time, isFinal: record.final === true, head: sealedBytes(bytes) }, place);
    this.#sealsHere.set(check, (this.#sealsHere.get(check) ?? 0) + 1);
  }

  /** A SHA-256 alone says nothing: it may have been copied into a seal of other lines, or of none. */
  #isLogged({ writer, first, last, sha256 }: Seal): boolean {
    const logged = this.#logged?.get(sha256);
    return logged !== undefined && logged.writer === writer && logged.first === first && logged.last === last;
  }

  /** Notes the time of a seal in all other writers that have none behind their lines yet. */
  #passBy(sealing: WriterCheck, time: unknown): void {
    this.#unpassed.delete(sealing);
    if (typeof time !== 'string') return;
    this.#lastSealAt = time;
    for (const check of this.#unpassed) check.passedAt = time;
    this.#unpassed.clear();
  }

  #takeTime({ file, line }: LinePlace, time: unknown): void {
    let span = this.#spans.get(file);
    if (span === undefined) this.#spans.set(file, (span = { first: undefined, last: undefined, line }));
    span.line = line;
    if (typeof time !== 'string' || !isoTime.test(time)) return;
    if (span.first === undefined || time < span.first) span.first = time;
    if (span.last === undefined || time > span.last) span.last = time;
  }

  /** A version before seals wrote such lines, but none does once a writer with seals has begun. */
  #takeUnsigned(place: LinePlace): void {
    if (this.#chainedFile !== place.file) {
      this.#unsigned += 1;
      if (this.#writers.size > 0) this.#unsignedLater += 1;
    } else this.#fault({ ...place, kind: 'inserted', message: 'a line that no writer of this file numbered' });
  }

  #checkOf(writer: string): WriterCheck {
    let check = this.#writers.get(writer);
    if (check === undefined) {
      const mayHaveBegun = [...this.#sealsHere.values()].every((seals) => seals <= sealsOfOneMinute);
      check = new WriterCheck(writer, mayHaveBegun, (fault) => this.#fault(fault));
      this.#writers.set(writer, check);
    }
    return check;
  }

  #fault(fault: AuditFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }

  /** With the time of the clock a writer that still runs is told from one that must have sealed long ago. */
  finish(nowMs?: number): VerificationResult {
    const checks = [...this.#writers.values()];
    for (const check of checks) check.finish();
    const elsewhere = this.#compareLog();
    const unproven: Unproven[] = checks.flatMap((check) => check.unproven(this.#lastSealAt, nowMs));
    const add = (name: string, sentence: string, isUsual = true): unknown => unproven.push({ name, sentence, isUsual });
    if (elsewhere.length > 0) add('seals that only the log has', elsewhereWords(elsewhere), false);
    if (this.#unlogged > 0) {
      const [seals, were] = [counted(this.#unlogged, 'seal'), this.#unlogged === 1 ? 'was' : 'were'];
      const sentence = `whether ${seals} of these files ${were} forged: the log lacks them, or is of other days`;
      add('seals that the log lacks', sentence, false);
    }
    const before = this.#unsigned - this.#unsignedLater;
    if (before > 0) {
      const [lines, were] = [counted(before, 'line'), before === 1 ? 'was' : 'were'];
      add('lines of a version without seals', `whether ${lines} of a version without seals ${were} changed`);
    }
    if (this.#unsignedLater > 0) {
      const [lines, were] = [counted(this.#unsignedLater, 'line'), this.#unsignedLater === 1 ? 'was' : 'were'];
      const sentence = `whether ${lines} ${were} inserted: no process numbered them, and files with seals come first`;
      add('lines without a number', sentence, false);
    }
    if (checks.length > 1)
      add('the order between writers', 'the order of lines of different writers: a seal is of one writer alone');
    if (this.#logged === undefined) add('who made the seals', withoutLog);
    const heads = checks.flatMap(({ openHead }) => openHead ?? []);
    return {
      faults: this.#faults,
      faultCount: this.#faultCount,
      unproven: unproven.map(({ sentence }) => sentence),
      gaps: [...new Set(unproven.map(({ name }) => name))],
      concerns: unproven.filter(({ isUsual }) => !isUsual).map(({ sentence }) => sentence),
      seals: sum(checks, ({ seals }) => seals),
      writers: checks.length,
      sealed: sum(checks, ({ sealed }) => sealed),
      unsealed: this.#unsigned + sum(checks, ({ waiting }) => waiting),
      absent: sum(heads, ({ first, last }) => last - first + 1),
      uncompared: sum(heads, ({ behind }) => behind),
    };
  }

  /** Logged seals that the files lack are faults; returns those that may stand in files that were not given. */
  #compareLog(): readonly LoggedSeal[] {
    const isAskedFor = ({ sha256, time }: LoggedSeal): boolean =>
      !this.#found.has(sha256) && (time === undefined || this.#until === undefined || time < this.#until);
    const logged = [...(this.#logged?.values() ?? [])];
    const missing = logged.filter(isAskedFor);
    // A clock is set back, but a log keeps its order. Where no seal here was forged, those that stand in front of them
    // there may be in files that were not given, whatever their times say.
    const firstFound = logged.findIndex(({ sha256 }) => this.#found.has(sha256));
    const inFront = new Set(this.#unlogged > 0 || firstFound < 0 ? [] : logged.slice(0, firstFound));
    const cut = new Map<WriterCheck, LoggedSeal[]>();
    const ownPlaces = new Set([...this.#found].map((sha256) => this.#logged?.get(sha256)?.place));
    const areAllForged = this.#unlogged > 0 && this.#found.size === 0;
    const elsewhere = missing.filter((seal) => {
      const { writer, first, last, time } = seal;
      const check = this.#writers.get(writer);
      if (check?.isUnknown === true) return false;
      if (check !== undefined && last >= check.firstSeen) {
        cut.set(check, [...(cut.get(check) ?? []), seal]);
        return false;
      }
      // A log may be that of several gateways with an audit each, all of one name. Where it has none of the seals here,
      // nothing tells whose audit this is.
      const isOwn = seal.place !== undefined && (areAllForged || ownPlaces.has(seal.place));
      const place = isOwn && !inFront.has(seal) ? this.#placeOf(time) : undefined;
      if (place === undefined) return true;
      const words = `the log names a seal of lines ${first}-${last} of writer ${writer}`;
      this.#fault({ ...place, kind: 'removed', message: `${words}, of ${time}, which is not here` });
      return false;
    });
    for (const [{ lastPlace }, seals] of cut) this.#fault({ ...lastPlace, kind: 'cut', message: cutWords(seals) });
    return elsewhere;
  }

  /** The end of the file that must hold what was written at a time; undefined for times outside of the files. */
  #placeOf(time: string | undefined): LinePlace | undefined {
    const spans = [...this.#spans].flatMap(([file, { first, last, line }]) =>
      first === undefined || last === undefined ? [] : [{ file, first, last, line }],
    );
    const begin = spans.reduce((least, { first }) => (first < least ? first : least), '~');
    if (time === undefined || Date.parse(time) <= Date.parse(begin) + rotationMs) return undefined;
    const found = spans.find(({ last }) => time <= last);
    return found && { file: found.file, line: found.line };
  }
}

/** The times of the lines of one file, and its last line. */
interface FileSpan {
  first: string | undefined;
  last: string | undefined;
  line: number;
}

/** Words for seals of one writer, in the order of the log, that should stand in its files. */
function cutWords(seals: readonly LoggedSeal[]): string {
  const lines = `lines ${seals[0]?.first}-${seals.at(-1)?.last} of writer ${seals[0]?.writer}`;
  if (seals.length === 1) return `the log names a seal of ${lines}, which is not here`;
  return `the log names ${grouped(seals.length)} seals of ${lines}${spanWords(seals)}, which are not here`;
}

/** The first and the last time of seals, in brackets. */
function spanWords(seals: readonly LoggedSeal[]): string {
  const times = seals.flatMap(({ time }) => time ?? []).sort();
  return times.length === 0 ? '' : ` (${times[0]} to ${times.at(-1)})`;
}

function elsewhereWords(seals: readonly LoggedSeal[]): string {
  const [they, are] = seals.length === 1 ? ['it', 'is'] : ['they', 'are'];
  const where = `${they} ${are} in a file that was not given or is gone, or in another audit`;
  return `what became of ${counted(seals.length, 'seal')} in the log${spanWords(seals)}: ${where}`;
}

function toSeal(writer: string, { first, last, before, sha256 }: AuditRecord): Seal | undefined {
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || typeof sha256 !== 'string') return undefined;
  if (before !== null && typeof before !== 'string') return undefined;
  // Lines are counted from 1, and no seal is of none.
  if (Number(first) < 1 || Number(last) < Number(first)) return undefined;
  return { writer, first: Number(first), last: Number(last), before, sha256 };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
