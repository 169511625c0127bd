/** Lines beyond a different one in which the same ones are looked for again. */
const apartMax = 40;
/** Lines on each side of an edit that show its columns. */
const columnLines = 400;

/** For each printed line the one of the text that it stands for, where that is clear. */
type Places = readonly (number | undefined)[];

/**
 * An edited text where printing changes letters too, as of `"\\u00fc"` or `[a,]`: what the edit changed stands between
 * the nearest lines that printing left as they were, and all others are those of the text.
 */
export function keepAround(
  was: readonly string[],
  printed: readonly string[],
  edited: readonly string[],
): readonly string[] {
  const places = placesIn(was, printed);
  const most = Math.min(printed.length, edited.length);
  let head = 0;
  while (head < most && printed[head] === edited[head]) head++;
  let tail = 0;
  while (tail < most - head && printed.at(-1 - tail) === edited.at(-1 - tail)) tail++;
  while (head > 0 && places[head - 1] === undefined) head--;
  while (tail > 0 && places[printed.length - tail] === undefined) tail--;
  const isAdded = head + tail === printed.length;
  const from = head === 0 ? 0 : places[head - 1]! + 1;
  const to = isAdded ? from : tail === 0 ? was.length : places[printed.length - tail]!;
  const changed = edited.slice(head, edited.length - tail);
  const textWith = (lines: readonly string[]): string => [...was.slice(0, from), ...lines, ...was.slice(to)].join('\n');
  const columns = columnsAround(head, { was, printed, places });
  return [textWith(changed.map((line) => moved(line, columns))), textWith(changed)];
}

function placesIn(was: readonly string[], printed: readonly string[]): Places {
  const [ours, theirs] = [was.map(squeezed), printed.map(squeezed)];
  const places: (number | undefined)[] = printed.map(() => undefined);
  let [our, their] = [0, 0];
  while (our < ours.length && their < theirs.length) {
    if (ours[our] === theirs[their]) {
      places[their++] = our++;
      continue;
    }
    const next = nextAlike(ours, theirs, [our, their]);
    const [ourNext, theirNext] = next ?? [our + 1, their + 1];
    // As many lines in both are the same ones in other letters.
    const isPaired = next !== undefined && ourNext - our === theirNext - their;
    while (isPaired && their < theirNext) places[their++] = our++;
    [our, their] = [ourNext, theirNext];
  }
  return places;
}

/** The nearest two lines that are alike in both, or the last one of each. */
function nextAlike(
  ours: readonly string[],
  theirs: readonly string[],
  [our, their]: readonly [number, number],
): readonly [number, number] | undefined {
  for (let apart = 1; apart <= apartMax; apart++) {
    for (let more = 0; more <= apart; more++) {
      const [a, b] = [our + more, their + apart - more];
      if (a >= ours.length || b >= theirs.length || ours[a] === '' || ours[a] !== theirs[b]) continue;
      if (ours[a + 1] === theirs[b + 1]) return [a, b];
    }
  }
  return undefined;
}

function indentOf(line: string): number {
  return line.search(/[^ ]|$/);
}

/** The columns of the text for those of the printed lines around one; the nearest line of each counts, above first. */
function columnsAround(
  at: number,
  { was, printed, places }: { readonly places: Places } & Readonly<Record<'was' | 'printed', readonly string[]>>,
): ReadonlyMap<number, number> {
  const columns = new Map<number, number>();
  const note = (column: number, own: number): void => void (columns.has(column) || columns.set(column, own));
  const noteLine = (index: number): void => {
    const place = places[index];
    if (place === undefined || printed[index]!.trim() === '') return;
    const lines = [printed[index]!, was[place]!] as const;
    note(indentOf(lines[0]), indentOf(lines[1]));
    // Keys of an item stand behind its hyphen.
    const [within, ownWithin] = lines.map((line) => /^ *- */.exec(line)?.[0].length);
    if (within !== undefined && ownWithin !== undefined) note(within, ownWithin);
  };
  for (let index = at - 1; index >= Math.max(0, at - columnLines); index--) noteLine(index);
  for (let index = at; index < Math.min(printed.length, at + columnLines); index++) noteLine(index);
  return columns;
}

/** A printed line in the columns of the text. */
function moved(line: string, columns: ReadonlyMap<number, number>): string {
  const indent = indentOf(line);
  for (let column = indent; column >= 0; column--) {
    const own = columns.get(column);
    if (own !== undefined) return ' '.repeat(own + indent - column) + line.slice(indent);
  }
  return line;
}

export function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
