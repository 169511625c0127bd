/** The index after the quote that ends the string at `start`; behind an odd number of backslashes none does. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

const plain = /[\w.+-]*/y;
const mark = /["{}[\]]/g;

/** The index after the value that begins at `start` in a valid text. */
export function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    plain.lastIndex = start;
    plain.test(text);
    return plain.lastIndex;
  }
  let end = start + 1;
  for (let depth = 1; depth > 0;) {
    mark.lastIndex = end;
    if (!mark.test(text)) return text.length;
    end = mark.lastIndex;
    const sign = text[end - 1];
    if (sign === '"') end = endOfString(text, end - 1);
    else depth += sign === '{' || sign === '[' ? 1 : -1;
  }
  return end;
}
