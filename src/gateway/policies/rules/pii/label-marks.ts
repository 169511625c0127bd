/** Marks of Markdown and HTML between a label and its value: `**PIN:** 4821`, `<b>PIN</b>: 4821`. */
const marks =
  /(?:(?<!\s)\*{1,3}|\*{1,3}(?!\s)|~~|__|<\/?(?:b|strong|i|em|u|p|span|font|mark|label|code|kbd|tt|br)\b[^<>]{0,80}>)+/gi;
/** From one cell of a row of HTML to the next. */
const nextCell = /\s{0,20}<\/t[hd]>\s{0,40}<td\b[^<>]{0,80}>\s{0,20}/gi;

/** A text without such marks, and where each character of it stands in the text as given. */
interface Unmarked {
  readonly text: string;
  /** The place of the character at `index`. */
  placeOf(index: number): number;
}

/** Undefined where there are none. */
export function unmarked(behind: string): Unmarked | undefined {
  if (!/[*<~_]/.test(behind)) return undefined;
  const places: number[] = [];
  let text = '';
  let done = 0;
  const keep = (end: number) => {
    for (let at = done; at < end; at++) places.push(at);
    text += behind.slice(done, end);
  };
  const all = [...behind.matchAll(nextCell), ...behind.matchAll(marks)];
  for (const { index, 0: mark } of all.toSorted((one, other) => one.index - other.index)) {
    keep(index);
    if (/<td/i.test(mark)) {
      places.push(index);
      text += ':';
    }
    done = index + mark.length;
  }
  if (done === 0) return undefined;
  keep(behind.length);
  return { text, placeOf: (index) => places[index] ?? behind.length };
}
