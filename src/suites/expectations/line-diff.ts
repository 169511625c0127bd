const linesMax = 400;
const shownMax = 40;

/**
 * Lines that differ, as `- expected` and `+ seen`, with what is equal left out. By the longest common subsequence;
 * texts of more lines than that is quick for are shown as they are, one under the other.
 */
export function lineDiff(expected: string, seen: string): readonly string[] {
  const before = expected.split('\n');
  const after = seen.split('\n');
  const isHuge = before.length > linesMax || after.length > linesMax;
  const lines = isHuge ? [...before.map(gone), ...after.map(come)] : diffOf(before, after);
  if (lines.length <= shownMax) return lines;
  return [...lines.slice(0, shownMax), `  ${lines.length - shownMax} more lines differ`];
}

const gone = (line: string): string => `- ${line}`;
const come = (line: string): string => `+ ${line}`;

function diffOf(before: readonly string[], after: readonly string[]): string[] {
  const lengths = commonLengths(before, after);
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      row += 1;
      column += 1;
    } else if (
      column >= after.length ||
      (row < before.length && lengths[row + 1]![column]! >= lengths[row]![column + 1]!)
    ) {
      lines.push(gone(before[row++]!));
    } else lines.push(come(after[column++]!));
  }
  return lines;
}

/** For each pair of places, how many lines the rests have in common, in order. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row]![column] =
        before[row] === after[column]
          ? lengths[row + 1]![column + 1]! + 1
          : Math.max(lengths[row + 1]![column]!, lengths[row]![column + 1]!);
    }
  }
  return lengths;
}
