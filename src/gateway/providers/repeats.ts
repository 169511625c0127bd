/** The fewest letters in a row that count as quoted. */
const windowLetters = 12;
/** A short text is only looked for as a whole, and one of a word or two would be found in anything. */
const wholeLettersMin = 8;

/** True where words repeat a part of one of the texts, whatever their blanks, quotes, escapes and capitals. */
export function quotesAny(words: string, texts: readonly string[], window = windowLetters): boolean {
  const said = lettersOf(words);
  const windows: string[] = [];
  // Windows side by side: what is repeated at twice their length holds one of them whole.
  for (let at = 0; at + window <= said.length; at += window) windows.push(said.slice(at, at + window));
  return texts.some((text) => {
    const letters = lettersOf(text);
    if (letters.length < 2 * window) return letters.length >= wholeLettersMin && said.includes(letters);
    return windows.some((each) => letters.includes(each));
  });
}

function lettersOf(text: string): string {
  return text.replace(/\\[nrtbf]|[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
