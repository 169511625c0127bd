const quote = 0x22;
const backslash = 0x5c;
/** Characters of a string, and of what follows an escaped quote in it, that are sooner walked than searched. */
const walkedMax = 32;

/** The index after the quote that ends the string at `start`; behind an odd number of backslashes none does. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; ;) {
    for (const walkedTo = Math.min(at + walkedMax, text.length); at < walkedTo;) {
      const unit = text.charCodeAt(at);
      if (unit === quote) return at + 1;
      at += unit === backslash ? 2 : 1;
    }
    const found = text.indexOf('"', at);
    if (found === -1) return text.length;
    let before = found;
    while (before > at && text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((found - before) % 2 === 0) return found + 1;
    at = found + 1;
  }
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
