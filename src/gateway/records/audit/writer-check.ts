import { counted } from '../../../text/sizes.ts';
import type { AuditLine } from './reading.ts';
import { type Seal, SealChain } from './seals.ts';

/** A place in the files that were given. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

/** Something that seals and chains prove to be wrong. */
export interface AuditFault extends LinePlace {
  readonly kind: 'removed' | 'changed' | 'inserted' | 'reordered' | 'cut' | 'unknown';
  readonly message: string;
  /** The seal where it ends, if it may be in any line from the place to there. */
  readonly until?: LinePlace;
}

/** Something that these files do not prove. */
export interface Unproven {
  /** Its name beside others, behind "not proven". */
  readonly name: string;
  /** A sentence that begins behind "cannot tell". */
  readonly sentence: string;
  /** True where it is so of every audit that is as it should be. */
  readonly isUsual: boolean;
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
  firstSeen = Infinity;
  /** True where a seal is of a form that this version does not know: nothing from there on can be compared. */
  isUnknown = false;
  seals = 0;
  sealed = 0;
  /** Lines since the last seal. */
  waiting = 0;
  /** The time of the first of those lines, as it says itself. */
  #waitingFrom: unknown;
  /** The time of the first seal of another writer behind those lines; undefined where none is. */
  passedAt: string | undefined;

  constructor(writer: string, report: (fault: AuditFault) => void) {
    this.#chain = new SealChain(writer);
    this.#report = report;
  }

  takeLine(number: number, { bytes, record }: Pick<AuditLine, 'bytes' | 'record'>, place: LinePlace): void {
    const next = this.#next ?? number;
    if (this.waiting === 0) this.#waitingFrom = record.time;
    this.waiting += 1;
    if (this.isUnknown) return;
    if (this.#chain.isEmpty) this.#firstPlace = place;
    if (number < next) this.#takeLate(number, place);
    else if (number > next && !this.#chain.isEmpty) this.#missing.push({ first: next, last: number - 1, place });
    this.#chain.add(bytes, number, Math.max(number, next - 1));
    this.#next = Math.max(number + 1, next);
    this.firstSeen = Math.min(this.firstSeen, number);
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
    this.lastPlace = place;
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
    this.sealed += this.waiting;
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
    if (chain.isEmpty) return this.#lack(seal.first, seal.last, place);
    for (const { first, last, place: at } of this.#missing) this.#lack(first, last, at);
    if (seal.first < chain.first) this.#lack(seal.first, chain.first - 1, this.#firstPlace ?? place);
    if (seal.last > chain.last) this.#lack(chain.last + 1, seal.last, place);
    if (!this.#isDisturbed && (seal.first > chain.first || seal.last < chain.last)) {
      this.#faultUpTo(place, 'inserted', 'there are lines that the seal at the end does not name');
      this.#isDisturbed = true;
    }
    if (this.#isDisturbed || this.#isOfLines(seal, head)) return;
    this.#faultUpTo(place, 'changed', 'one of these lines was changed, or the seal at their end');
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
    this.#fault('removed', `${lines} of ${this.#name} ${first === last ? 'is' : 'are'} missing before this`, place);
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
    if (this.firstSeen > 1)
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
    if (this.waiting > 0) found.push(this.#waitingWords(lastSealAt, nowMs));
    if (!this.#isFinal) {
      const sentence = `whether lines of ${this.#name} were cut off at its end: it still writes, or it was killed`;
      add('the end (lines cut off there leave no trace)', sentence);
    }
    return found;
  }

  /**
   * Words on lines that no seal covers. A writer that runs seals once a minute, at other seconds than others do, and
   * one that ends seals at once: a seal of another behind new lines tells nothing.
   */
  #waitingWords(lastSealAt: string | undefined, nowMs: number | undefined): Unproven {
    const [it, was] = this.waiting === 1 ? ['it', 'was'] : ['them', 'were'];
    const lines = counted(this.waiting, 'line');
    const isPassed = this.passedAt !== undefined && timeOf(lastSealAt) - timeOf(this.passedAt) > sealLateMs;
    const ageMs = nowMs === undefined ? undefined : nowMs - timeOf(this.#waitingFrom);
    const isOld = ageMs !== undefined && ageMs > sealLateMs;
    const isNew = ageMs !== undefined && Math.abs(ageMs) <= sealLateMs;
    if (this.passedAt === undefined ? !isOld : isNew && !isPassed) {
      const sentence = `whether the last ${lines} of ${this.#name} ${was} changed: no seal of its own is behind ${it} yet, as is usual of the last minute while the gateway runs`;
      return { name: 'the newest lines (no seal yet)', sentence, isUsual: true };
    }
    const { file, line } = this.#firstPlace ?? this.lastPlace;
    const what = `whether ${lines} of ${this.#name} (from ${file}:${line} on) ${was} written by the gateway, or changed`;
    const name = 'lines that no seal covers';
    if (!isOld && !isPassed) {
      const sentence = `${what}: others sealed behind ${it}, and it does so too within a minute if it runs; if not, it was killed, or somebody inserted ${it}`;
      return { name, sentence, isUsual: false };
    }
    const own = this.seals === 0 ? 'this writer never sealed' : 'this writer did not seal again';
    const since = isPassed ? ', though others did for longer than a minute' : '';
    const sentence = `${what}: ${own}${since}; it was killed, or somebody inserted ${it}`;
    return { name, sentence, isUsual: false };
  }
}

/** A writer that runs seals its lines within a minute, and somewhat later where the machine is busy. */
const sealLateMs = 90_000;

function timeOf(text: unknown): number {
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

function linesWords(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

/** A place as it is told beside another one. */
function placeWords({ file, line }: LinePlace, seenFrom: LinePlace): string {
  return file === seenFrom.file ? `line ${line} of this file` : `${file}:${line}`;
}
