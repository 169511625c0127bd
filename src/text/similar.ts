const charactersMax = 64;

/**
 * The candidate a person most likely meant: at most a third of its letters away, or else one is the beginning of the
 * other, as `block` of `blocked`.
 * Undefined if there is none.
 */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > charactersMax) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.min(word.length, candidate.length) / 3));
    if (distance <= allowed && distance < word.length && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  const begins = (one: string, other: string): boolean => one.length >= 3 && other.startsWith(one);
  return (
    best ??
    candidates.find((candidate) => begins(word, candidate)) ??
    candidates.find((candidate) => begins(candidate, word))
  );
}

/** Letters added, dropped, changed, or two neighbours swapped (the Damerau-Levenshtein distance of adjacent swaps). */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1;
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + changed);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, before[column - 2]! + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[to.length]!;
}
