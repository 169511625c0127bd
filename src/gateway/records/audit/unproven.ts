import { counted } from '../../../text/sizes.ts';

/** A place in the files that were given. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
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

/** The lines that the first seal of a writer names and that may stand in a file before these. */
export interface OpenHead {
  readonly first: number;
  readonly last: number;
  /** The number of the lines here that it names too: without the others its SHA-256 cannot be compared. */
  readonly behind: number;
  /** The place of the seal, and its time as it says itself. */
  readonly place: LinePlace;
  readonly time: string;
}

export function headWords(writer: string, { first, last, behind, place, time }: OpenHead): Unproven {
  const [it, they, were] = first === last ? ['it', 'it', 'was'] : ['them', 'they', 'were'];
  const changed = `${counted(behind, 'line')} behind ${it} ${behind === 1 ? 'was' : 'were'} changed`;
  const what = `what was in ${linesWords(first, last)} of ${writer}${behind === 0 ? '' : `, and whether ${changed}`}`;
  const seal = `the seal of ${time} (${place.file}:${place.line}) names ${it}`;
  const where = `${they} stood in the file before these, as after copytruncate, or ${were} removed`;
  const sentence = `${what}: ${seal}; ${where}: name that file as well`;
  return { name: 'the beginning (lines that its seal names are not here)', sentence, isUsual: false };
}

/** Lines behind which no seal of their writer stands. */
export interface WaitingLines {
  readonly count: number;
  /** The place of the first of them, and its time as it says itself. */
  readonly place: LinePlace;
  readonly firstAt: unknown;
  /** The time of the first seal of another writer behind them; undefined where none is. */
  readonly passedAt: string | undefined;
  /** True where a seal of their writer stands before them. */
  readonly hasSealed: boolean;
}

/** The times by which a writer that runs is told from one that was killed. */
interface VerificationTimes {
  readonly lastSealAt: string | undefined;
  readonly nowMs: number | undefined;
}

/**
 * Words on lines that no seal covers. A writer that runs seals once a minute, at other seconds than others do, and one
 * that ends seals at once: a seal of another behind new lines tells nothing.
 */
export function waitingWords(
  writer: string,
  { count, place, firstAt, passedAt, hasSealed }: WaitingLines,
  { lastSealAt, nowMs }: VerificationTimes,
): Unproven {
  const [it, was] = count === 1 ? ['it', 'was'] : ['them', 'were'];
  const lines = counted(count, 'line');
  const isPassed = passedAt !== undefined && timeOf(lastSealAt) - timeOf(passedAt) > sealLateMs;
  const ageMs = nowMs === undefined ? undefined : nowMs - timeOf(firstAt);
  const isOld = ageMs !== undefined && ageMs > sealLateMs;
  const isNew = ageMs !== undefined && Math.abs(ageMs) <= sealLateMs;
  if (passedAt === undefined ? !isOld : isNew && !isPassed) {
    const sentence = `whether the last ${count === 1 ? 'line' : lines} of ${writer} ${was} changed: no seal of its own is behind ${it} yet, as is usual of the last minute while the gateway runs`;
    return { name: 'the newest lines (no seal yet)', sentence, isUsual: true };
  }
  const what = `whether ${lines} of ${writer} (from ${place.file}:${place.line} on) ${was} written by the gateway, or changed`;
  const name = 'lines that no seal covers';
  if (!isOld && !isPassed) {
    const sentence = `${what}: others sealed behind ${it}, and it does so too within a minute if it runs; if not, it was killed, or somebody inserted ${it}`;
    return { name, sentence, isUsual: false };
  }
  const own = hasSealed ? 'this writer did not seal again' : 'this writer never sealed';
  const since = isPassed ? ', though others did for longer than a minute' : '';
  const sentence = `${what}: ${own}${since}; it was killed, or somebody inserted ${it}`;
  return { name, sentence, isUsual: false };
}

/** A writer that runs seals its lines within a minute, and somewhat later where the machine is busy. */
const sealLateMs = 90_000;

function timeOf(text: unknown): number {
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

export function linesWords(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}
