import type { WorkBudget } from './readings/work-budget.ts';
import type { SeenFinding } from './policy.ts';
import { type ReadingPlan, prepare, type PreparedText } from './readings/prepare.ts';

/** Characters of each message that are looked at where it meets the next: more than any secret of one line. */
const edgeCharactersMax = 256;

/** The ends of all messages joined, to find what was split over several. */
export interface JoinedMessages {
  readonly prepared: PreparedText;
  /** The parts of a finding in the messages that it is spread over; empty where it lies in one. */
  split(finding: SeenFinding): readonly PartFinding[];
}

interface PartFinding extends SeenFinding {
  readonly message: number;
}

interface Piece {
  readonly message: number;
  /** Start of the piece in its message, and in the joined text. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

/** `between` is what a joined message is followed by: nothing where a key may be cut in two, a blank between words. */
export function joinMessages(
  texts: readonly string[],
  between: string,
  plan: ReadingPlan,
  budget: WorkBudget,
): JoinedMessages {
  const pieces: Piece[] = [];
  let joined = '';
  const add = (message: number, from: number, until: number) => {
    pieces.push({ message, from, at: joined.length, length: until - from });
    joined += texts[message]!.slice(from, until);
  };
  texts.forEach((text, message) => {
    if (message > 0) joined += between;
    if (text.length <= 2 * edgeCharactersMax) return add(message, 0, text.length);
    add(message, 0, edgeCharactersMax);
    // No finding may reach over what was left out.
    joined += '\n\n';
    add(message, text.length - edgeCharactersMax, text.length);
  });

  function split(finding: SeenFinding): PartFinding[] {
    const end = finding.start + finding.length;
    const parts = pieces.flatMap(({ message, from, at, length }) => {
      const start = Math.max(finding.start, at);
      const partEnd = Math.min(end, at + length);
      return start < partEnd ? [{ ...finding, message, start: from + start - at, length: partEnd - start }] : [];
    });
    return parts.some(({ message }) => message !== parts[0]!.message) ? parts : [];
  }

  return { prepared: prepare(joined, plan, budget), split };
}
