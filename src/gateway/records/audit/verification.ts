import { counted } from '../../../text/sizes.ts';
import type { AuditLine, AuditRecord } from './reading.ts';
import { type Seal, sealedBytes, sealForm } from './seals.ts';
import { type AuditFault, type LinePlace, WriterCheck } from './writer-check.ts';

export interface VerificationResult {
  readonly faults: readonly AuditFault[];
  /** The number of all faults, named or not. */
  readonly faultCount: number;
  /** Sentences that name what cannot be proven from these files. */
  readonly unproven: readonly string[];
  readonly seals: number;
  readonly writers: number;
  /** Lines that a seal covers, and those that none does. */
  readonly sealed: number;
  readonly unsealed: number;
}

/** A seal as the log of the gateway names it. */
export type LoggedSeal = Pick<Seal, 'writer' | 'first' | 'last' | 'sha256'>;

/** The sentence about every audit that is not compared with the log. */
export const withoutLog =
  'whether somebody who can write these files made new seals, or removed all lines of a process: compare with ' +
  'the log of the gateway (--log FILE)';

const faultsMax = 100;
/** The most of a seal's time that is told. */
const timeCharactersMax = 30;

/** Checks the seals of lines that come in the order of their files; its memory does not grow with them. */
export class AuditVerification {
  readonly #writers = new Map<string, WriterCheck>();
  readonly #faults: AuditFault[] = [];
  readonly #logged: ReadonlyMap<string, LoggedSeal> | undefined;
  /** The seals of the log that these files have. */
  readonly #found = new Set<string>();
  /** The number of seals here that the log lacks. */
  #unlogged = 0;
  #faultCount = 0;
  #unsigned = 0;
  /** The file in which the last line of a writer stood. */
  #chainedFile: string | undefined;

  /** With the seals of the gateway's log, where there are any: then a tail that was cut off is found too. */
  constructor(logged?: readonly LoggedSeal[]) {
    this.#logged = logged && new Map(logged.map((seal) => [seal.sha256, seal]));
  }

  take(file: string, { kind, number, record, bytes }: AuditLine): void {
    if (kind === 'torn' || kind === 'foreign') return;
    const place = { file, line: number };
    const { writer, line } = record;
    if (typeof writer !== 'string' || (kind !== 'seal' && !Number.isSafeInteger(line))) {
      return this.#takeUnsigned(place);
    }
    this.#chainedFile = file;
    const check = this.#checkOf(writer);
    if (kind !== 'seal') return check.takeLine(Number(line), bytes, place);
    if (Number(record.form) > sealForm) return check.takeLaterForm(Number(record.form), place);
    const seal = toSeal(writer, record);
    if (seal === undefined) return this.#fault({ ...place, kind: 'changed', message: 'a seal that cannot be read' });
    if (this.#logged?.has(seal.sha256) === true) this.#found.add(seal.sha256);
    else if (this.#logged !== undefined) this.#unlogged += 1;
    const time = String(record.time).slice(0, timeCharactersMax);
    check.takeSeal(seal, { time, isFinal: record.final === true, head: sealedBytes(bytes) }, place);
  }

  /** A version before seals wrote such lines, but none does once a writer with seals has begun. */
  #takeUnsigned(place: LinePlace): void {
    if (this.#chainedFile !== place.file) this.#unsigned += 1;
    else this.#fault({ ...place, kind: 'inserted', message: 'a line that no writer of this file numbered' });
  }

  #checkOf(writer: string): WriterCheck {
    let check = this.#writers.get(writer);
    if (check === undefined) {
      check = new WriterCheck(writer, (fault) => this.#fault(fault));
      this.#writers.set(writer, check);
    }
    return check;
  }

  #fault(fault: AuditFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < faultsMax) this.#faults.push(fault);
  }

  finish(): VerificationResult {
    const checks = [...this.#writers.values()];
    for (const check of checks) check.finish();
    const strangers = this.#compareLog();
    const unproven = checks.flatMap((check) => check.unproven());
    if (strangers > 0)
      unproven.push(
        `what became of ${counted(strangers, 'seal')} in the log: these files have no line of their writers`,
      );
    if (this.#unlogged > 0) {
      const seals = counted(this.#unlogged, 'seal');
      unproven.push(`whether ${seals} of these files were made anew: the log lacks them, or is of other days`);
    }
    if (this.#unsigned > 0) {
      unproven.push(
        `whether ${counted(this.#unsigned, 'line')} of a version without seals ${this.#unsigned === 1 ? 'was' : 'were'} changed`,
      );
    }
    if (this.#logged === undefined) {
      unproven.push(withoutLog);
    }
    return {
      faults: this.#faults,
      faultCount: this.#faultCount,
      unproven,
      seals: sum(checks, ({ seals }) => seals),
      writers: checks.length,
      sealed: sum(checks, ({ sealed }) => sealed),
      unsealed: this.#unsigned + sum(checks, ({ waiting }) => waiting),
    };
  }

  /** Logged seals of known writers that the files lack are faults; returns the number of those of other writers. */
  #compareLog(): number {
    let strangers = 0;
    for (const { writer, first, last, sha256 } of this.#logged?.values() ?? []) {
      if (this.#found.has(sha256)) continue;
      const check = this.#writers.get(writer);
      if (check === undefined) strangers += 1;
      else if (!check.isUnknown && last >= check.firstSeen) {
        const message = `the log names a seal of lines ${first}-${last} of writer ${writer}, which is not here`;
        this.#fault({ ...check.lastPlace, kind: 'cut', message });
      }
    }
    return strangers;
  }
}

function toSeal(writer: string, { first, last, before, sha256 }: AuditRecord): Seal | undefined {
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || typeof sha256 !== 'string') return undefined;
  if (before !== null && typeof before !== 'string') return undefined;
  return { writer, first: Number(first), last: Number(last), before, sha256 };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
