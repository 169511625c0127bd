interface Levels {
  bold: number;
  italic: number;
}

/** A run of `*` or `_` in a line. */
export interface Emphasis {
  readonly character: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Marks that end before the characters left over, and begin behind them. */
  readonly ends: Levels;
  readonly begins: Levels;
  left: number;
}

/** The run from `at` to `end`: CommonMark's rule of what it leans on decides whether it may open and close. */
export function readEmphasis(text: string, at: number, end: number): Emphasis {
  const character = text[at]!;
  const [before, after] = [sideOf(text[at - 1]), sideOf(text[end])];
  const leansRight = after === 'letter' || (after === 'sign' && before !== 'letter');
  const leansLeft = before === 'letter' || (before === 'sign' && after !== 'letter');
  // Inside a word, an underscore or a single star is part of it: snake_case, 2*3*4.
  const isFree = character === '*' && end - at > 1;
  return {
    character,
    canOpen: leansRight && (isFree || !leansLeft || before === 'sign'),
    canClose: leansLeft && (isFree || !leansRight || after === 'sign'),
    ends: { bold: 0, italic: 0 },
    begins: { bold: 0, italic: 0 },
    left: end - at,
  };
}

/** Each closing run takes the nearest opening one of its kind; what was opened in between stays as it is written. */
export function pairEmphasis(runs: readonly Emphasis[]): void {
  const stars: number[] = [];
  const underscores: number[] = [];
  for (const [index, run] of runs.entries()) {
    const [own, other] = run.character === '*' ? [stars, underscores] : [underscores, stars];
    while (run.canClose && run.left > 0 && own.length > 0) {
      const opener = runs[own.at(-1)!]!;
      pair(opener, run);
      while (other.length > 0 && other.at(-1)! > own.at(-1)!) other.pop();
      if (opener.left === 0) own.pop();
    }
    if (run.canOpen && run.left > 0) own.push(index);
  }
}

function pair(opener: Emphasis, closer: Emphasis): void {
  const isBold = opener.left >= 2 && closer.left >= 2;
  opener.begins[isBold ? 'bold' : 'italic'] += 1;
  closer.ends[isBold ? 'bold' : 'italic'] += 1;
  opener.left -= isBold ? 2 : 1;
  closer.left -= isBold ? 2 : 1;
}

/** A variation selector counts as blank: the star before it is a keycap, without which something invisible is left. */
function sideOf(character: string | undefined): 'blank' | 'sign' | 'letter' {
  if (character === undefined || /[\s\ufe0f]/.test(character)) return 'blank';
  return /[\p{P}\p{S}]/u.test(character) ? 'sign' : 'letter';
}
