import { counted } from '../../../text/sizes.ts';
import type { AuditLine } from './reading.ts';
import { type Seal, SealChain } from './seals.ts';
import {
  headWords,
  type LinePlace,
  linesWords,
  type OpenHead,
  type Unproven,
  waitingWords,
  type WaitingLines,
} from './unproven.ts';

/** Something that seals and chains prove to be wrong. */
export interface AuditFault extends LinePlace {
  readonly kind: 'removed' | 'changed' | 'inserted' | 'reordered' | 'cut' | 'unknown';
  readonly message: string;
  /** The seal where it ends, if it may be in any line from the place to there. */
  readonly until?: LinePlace;
}

/** Facts of the line of a seal beside the seal. */
interface SealFacts {
  /** Its time as the line has it. */
  readonly time: string;
  /** True for the last one of a writer that ended. */
  readonly isFinal: boolean;
  /** The bytes that its SHA-256 is over; undefined for one of an earlier version. */
  readonly head: string | undefined;
}

/** The lines and seals of one writer. */
export class WriterCheck {
  readonly #chain: SealChain;
  readonly #report: (fault: AuditFault) => void;
  /** True where its first lines may stand in a file before those that were given. */
  readonly #mayHaveBegun: boolean;
  /** The number of the line that should come next; undefined before the first one. */
  #next: number | undefined;
  /** Numbers that were passed over since the last seal. */
  #missing: { readonly first: number; readonly last: number; readonly place: LinePlace }[] = [];
  #isDisturbed = false;
  #isFinal = false;
  #lostCount = 0;
  /** The last line that a seal covers. */
  #sealedTo: number | undefined;
  #lastSeal: string | undefined;
  #lastHead: string | undefined;
  /** The time and the place of the last seal, in words; undefined before the first one. */
  #lastSealWords: ((seenFrom: LinePlace) => string) | undefined;
  /** True where the last seal is of a version whose seals were not over their own time and end. */
  #isOld = false;
  #oldCount = 0;
  #firstPlace: LinePlace | undefined;
  lastPlace: LinePlace = { file: '', line: 0 };
  /** Its first places in the files behind its first one. */
  readonly #borders = new WeakSet<LinePlace>();
  firstSeen = Infinity;
  /** True where a seal is of a form that this version does not know: nothing from there on can be compared. */
  isUnknown = false;
  /** Undefined where its first seal names lines of these files alone. */
  openHead: OpenHead | undefined;
  seals = 0;
  /** Lines that a seal covers which could be compared. */
  sealed = 0;
  /** Lines since the last seal. */
  waiting = 0;
  /** The time of the first of those lines, as it says itself. */
  #waitingFrom: unknown;
  /** The time of the first seal of another writer behind those lines; undefined where none is. */
  passedAt: string | undefined;

  constructor(writer: string, mayHaveBegun: boolean, report: (fault: AuditFault) => void) {
    this.#chain = new SealChain(writer);
    this.#mayHaveBegun = mayHaveBegun;
    this.#report = report;
  }

  takeLine(number: number, { bytes, record }: Pick<AuditLine, 'bytes' | 'record'>, place: LinePlace): void {
    const next = this.#next ?? number;
    if (this.waiting === 0) this.#waitingFrom = record.time;
    this.waiting += 1;
    if (this.isUnknown) return;
    if (this.#chain.isEmpty) this.#firstPlace = place;
    if (number < next) this.#takeLate(number, place);
    else if (this.#isFinal && !this.#isOld)
      this.#fault('inserted', `line ${number} of ${this.#name} stands behind the seal of its end`, place);
    else if (number > next && !this.#chain.isEmpty) this.#missing.push({ first: next, last: number - 1, place });
    this.#chain.add(bytes, number, Math.max(number, next - 1));
    this.#next = Math.max(number + 1, next);
    this.firstSeen = Math.min(this.firstSeen, number);
    this.#moveTo(place);
  }

  #moveTo(place: LinePlace): void {
    if (this.lastPlace.file !== place.file && this.lastPlace.line > 0) this.#borders.add(place);
    this.lastPlace = place;
  }

  #takeLate(number: number, place: LinePlace): void {
    this.#isDisturbed = true;
    const behind = `line ${number} of ${this.#name} stands behind later ones`;
    const { first: lowest } = this.#chain;
    if (number < lowest && number > (this.#sealedTo ?? 0)) {
      if (number + 1 < lowest) this.#missing.push({ first: number + 1, last: lowest - 1, place });
      this.#chain.first = number;
      return this.#fault('reordered', behind, place);
    }
    const gap = this.#missing.findIndex(({ first, last }) => first <= number && number <= last);
    if (gap === -1) return this.#fault('inserted', `line ${number} of ${this.#name} stands here again`, place);
    const { first, last, place: at } = this.#missing[gap]!;
    const rest = [
      { first, last: number - 1, place: at },
      { first: number + 1, last, place: at },
    ];
    this.#missing.splice(gap, 1, ...rest.filter((each) => each.first <= each.last));
    this.#fault('reordered', behind, place);
  }

  takeSeal(seal: Seal, line: SealFacts, place: LinePlace): void {
    if (this.isUnknown) return;
    this.#moveTo(place);
    this.#isFinal = line.isFinal;
    if (seal.sha256 === this.#lastSeal && this.#chain.isEmpty) return this.#takeAgain(line, place);
    this.#judgeSeal(seal, line, place);
    this.#lastHead = line.head;
    // Numbers between two seals are of lines that could not be written.
    if (this.#sealedTo !== undefined && seal.before === this.#lastSeal)
      this.#lostCount += Math.max(0, seal.first - this.#sealedTo - 1);
    this.#sealedTo = seal.last;
    this.#chain.follow(seal.sha256);
    this.#lastSeal = seal.sha256;
    this.#lastSealWords = (seenFrom) => `its seal of ${line.time} (${placeWords(place, seenFrom)})`;
    this.#next = seal.last + 1;
    this.#missing = [];
    this.#isDisturbed = false;
    this.seals += 1;
    if (this.openHead === undefined || this.seals > 1) this.sealed += this.waiting;
    this.waiting = 0;
    this.passedAt = undefined;
  }

  /** Ends the checks of this writer, and says why once. */
  takeLaterForm(form: number, place: LinePlace): void {
    this.seals += 1;
    if (this.isUnknown) return;
    this.isUnknown = true;
    this.#missing = [];
    const words = `a seal of a later form (${form}) than this version knows, of ${this.#name}`;
    this.#fault('unknown', `${words}: verify with a later version`, place);
  }

  /** An earlier version wrote a seal twice where the disk was full in between. */
  #takeAgain({ head }: SealFacts, place: LinePlace): void {
    if (!this.#isOld && head !== this.#lastHead)
      this.#fault('inserted', `a seal of ${this.#name} stands here again`, place);
  }

  #judgeSeal(seal: Seal, { head, time }: SealFacts, place: LinePlace): void {
    const chain = this.#chain;
    const isFollowing = this.#lastSeal === undefined || seal.before === this.#lastSeal;
    const isFirst = this.#lastSeal === undefined && chain.first < seal.first && !chain.isEmpty;
    if (!isFollowing || (isFirst && seal.before !== null)) this.#lackSeal(seal, time, place);
    const isHead = this.#lastSeal === undefined && this.#mayHaveBegun;
    if (chain.isEmpty && isHead) return this.#openHead(seal, seal.last, time, place);
    if (chain.isEmpty) return this.#lack(seal.first, seal.last, place);
    for (const { first, last, place: at } of this.#missing) this.#lack(first, last, at);
    const isOpen = isHead && seal.first < chain.first;
    if (isOpen) this.#openHead(seal, chain.first - 1, time, place);
    else if (seal.first < chain.first) this.#lack(seal.first, chain.first - 1, this.#firstPlace ?? place);
    if (seal.last > chain.last) this.#lack(chain.last + 1, seal.last, place);
    if (!this.#isDisturbed && (seal.first > chain.first || seal.last < chain.last)) {
      this.#faultUpTo(place, 'inserted', 'there are lines that the seal at the end does not name');
      this.#isDisturbed = true;
    }
    if (isOpen || this.#isDisturbed || this.#isOfLines(seal, head)) return;
    this.#faultUpTo(place, 'changed', 'one of these lines was changed, or the seal at their end');
  }

  #openHead({ first }: Seal, last: number, time: string, place: LinePlace): void {
    this.openHead = { first, last, behind: this.waiting, place, time };
    this.firstSeen = Math.min(this.firstSeen, last + 1);
  }

  /** Tells of the seals that must have stood between the last one here and this one. */
  #lackSeal({ first }: Seal, time: string, place: LinePlace): void {
    this.#isDisturbed = true;
    const since = this.#lastSealWords?.(place);
    const from = this.#sealedTo === undefined ? this.#chain.first : this.#sealedTo + 1;
    const lines = linesWords(from, first - 1);
    const where = `between ${since ?? placeWords(this.#firstPlace ?? place, place)} and this one of ${time}`;
    const areGone = this.#chain.isEmpty || this.#chain.first >= first;
    if (from >= first)
      return this.#fault('removed', `this seal of ${time} does not follow ${since}, of ${this.#name}`, place);
    const verb = from === first - 1 ? 'is' : 'are';
    const what = areGone ? `sealed ${lines} ${verb} missing` : `the seal of ${lines} is missing`;
    this.#fault('removed', `${what} ${where}, of ${this.#name}`, place);
  }

  /** True where the seal is that of the lines since the one before. */
  #isOfLines({ writer, first, before, sha256 }: Seal, head: string | undefined): boolean {
    this.#isOld = false;
    if (head !== undefined && this.#chain.hashWith(head) === sha256) return true;
    this.#isOld = this.#chain.hashWith(`${before ?? writer}\n${first}\n`) === sha256;
    if (this.#isOld) this.#oldCount += 1;
    return this.#isOld;
  }

  #lack(first: number, last: number, place: LinePlace): void {
    this.#isDisturbed = true;
    const lines = linesWords(first, last);
    const border = this.#borders.has(place) ? ', between two files, where copytruncate loses lines too' : '';
    const verb = first === last ? 'is' : 'are';
    this.#fault('removed', `${lines} of ${this.#name} ${verb} missing before this${border}`, place);
  }

  get #name(): string {
    return `writer ${this.#chain.writer}`;
  }

  #fault(kind: AuditFault['kind'], message: string, place: LinePlace): void {
    this.#report({ kind, message, ...place });
  }

  /** A fault somewhere in the lines that a seal covers; it is told at the first of them. */
  #faultUpTo(seal: LinePlace, kind: AuditFault['kind'], what: string): void {
    const from = this.#firstPlace ?? seal;
    this.#report({ kind, message: `${what}, of ${this.#name}`, ...from, until: seal });
  }

  finish(): void {
    for (const { first, last, place } of this.#missing) this.#lack(first, last, place);
  }

  /** All that its lines and seals do not prove, at a time of the clock, where that is known. */
  unproven(lastSealAt: string | undefined, nowMs: number | undefined): Unproven[] {
    const found: Unproven[] = [];
    const add = (name: string, sentence: string, isUsual = true): unknown => found.push({ name, sentence, isUsual });
    if (this.openHead !== undefined) found.push(headWords(this.#name, this.openHead));
    else if (this.firstSeen > 1 && this.firstSeen < Infinity)
      add('earlier files', `what ${this.#name} wrote before line ${this.firstSeen}: earlier files are not here`);
    if (this.#lostCount > 0) {
      const lost = `what was in ${counted(this.#lostCount, 'line')} that ${this.#name} could not write`;
      add('lines that could not be written', lost, false);
    }
    if (this.#oldCount > 0) {
      const old = `${counted(this.#oldCount, 'seal')} of ${this.#name}`;
      const sentence = `when ${old} were made, and which is its last: an earlier version wrote them`;
      add('the age of seals of an earlier version', sentence);
    }
    if (this.isUnknown) return found;
    if (this.waiting > 0) found.push(waitingWords(this.#name, this.#waitingLines(), { lastSealAt, nowMs }));
    if (!this.#isFinal) {
      const sentence = `whether lines of ${this.#name} were cut off at its end: it still writes, or it was killed`;
      add('the end (lines cut off there leave no trace)', sentence);
    }
    return found;
  }

  #waitingLines(): WaitingLines {
    const place = this.#firstPlace ?? this.lastPlace;
    const { waiting: count, passedAt, seals } = this;
    return { count, place, firstAt: this.#waitingFrom, passedAt, hasSealed: seals > 0 };
  }
}

/** A place as it is told beside another one. */
function placeWords({ file, line }: LinePlace, seenFrom: LinePlace): string {
  return file === seenFrom.file ? `line ${line} of this file` : `${file}:${line}`;
}
