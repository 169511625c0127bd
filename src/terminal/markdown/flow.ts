import { wrap } from '../../text/width.ts';
import type { InlineSpan } from './inline.ts';
import type { Style } from '../style.ts';

export function paint(spans: readonly InlineSpan[], style: Style): string {
  return spans.map((span) => paintSpan(span, style)).join('');
}

/**
 * Breaks a line of spans between words. Code and addresses are never broken, for they are there to be copied: one that
 * is too long is left for the terminal to fold.
 */
export function flow(spans: readonly InlineSpan[], columns: number): InlineSpan[][] {
  const text = spans.map((span) => (span.kind === 'plain' ? span.text : span.text.replaceAll(' ', '\u00a0'))).join('');
  const tape = new Tape(spans);
  const rows: InlineSpan[][] = [];
  for (const line of wrap(text, columns)) {
    // `wrap` leaves out the blanks at a break, so all else can be taken off the spans in step.
    const isHeldTogether = tape.isInsideWord();
    if (!line.startsWith(' ')) tape.skipBlanks();
    const row = tape.take(line.length);
    if (isHeldTogether) rows.at(-1)!.push(...row);
    else rows.push(row);
  }
  return rows;
}

function paintSpan({ text, bold, italic, kind }: InlineSpan, style: Style): string {
  let painted = kind === 'code' ? style.cyan(text) : kind === 'address' ? style.underline(text) : text;
  if (italic) painted = style.italic(painted);
  return bold ? style.bold(painted) : painted;
}

/** Spans, taken off in stretches of any length. */
class Tape {
  readonly #spans: readonly InlineSpan[];
  #index = 0;
  #offset = 0;

  constructor(spans: readonly InlineSpan[]) {
    this.#spans = spans;
  }

  isInsideWord(): boolean {
    return this.#offset > 0 && this.#spans[this.#index]?.kind !== 'plain';
  }

  skipBlanks(): void {
    while (this.#spans[this.#index]?.kind === 'plain' && this.#spans[this.#index]!.text[this.#offset] === ' ')
      this.take(1);
  }

  take(length: number): InlineSpan[] {
    const taken: InlineSpan[] = [];
    for (let left = length; left > 0;) {
      const span = this.#spans[this.#index]!;
      const text = span.text.slice(this.#offset, this.#offset + left);
      taken.push({ ...span, text });
      left -= text.length;
      this.#offset += text.length;
      if (this.#offset === span.text.length) {
        this.#index += 1;
        this.#offset = 0;
      }
    }
    return taken;
  }
}
