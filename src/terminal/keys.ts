import { controlName, sequenceName, withAlt } from './key-names.ts';
import { createPaste, type Paste, pasteStart } from './paste.ts';

/**
 * A key, or several, as a person pressed them. A press is named by its modifiers and its key, in this order:
 * `ctrl-alt-shift-left`; a letter stands for itself (`ctrl-a`, `alt-b`), and the keys without a character are enter,
 * tab, backspace, delete, escape, space, left, right, up, down, home, end, page-up, page-down, insert and f1 to f20.
 */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  /** One paste, however long; its line breaks are LF. One that is too long is dropped whole, its text is empty. */
  | { readonly kind: 'paste'; readonly text: string; readonly isTooLong: boolean }
  | { readonly kind: 'press'; readonly name: string };

const sequenceUnitsMax = 64;
const answerUnitsMax = 4096;
const escapes = /^\u001b+/;
/** CSI and SS3 up to their final, and the kernel console's own form of F1 to F5. */
const keySequence = /^\u001b+(?:\[\[[A-E]|\[[0-?]*[ -/]*[@-Z\\-~]|O[0-9;]*[@-~])$/;
const unfinished = /^\u001b+(?:\[(?:\[|[0-?]*[ -/]*)|O[0-9;]*)?$/;
/** An answer of the terminal to a question of somebody else's, up to BEL or ST; no key sends one. */
const answer = /^\u001b[\]P^_X]/;
const answerEnd = /(?:\u0007|\u001b\\)$/;
const breaks = '\r\n\t';
const interrupt = '\u0003';

/** Terminals that put no markers around a paste: the console, what descends from DEC's, and GNU screen. */
const unmarking = /^(?:$|ansi|cons|cygwin|dumb|eterm|linux|screen|sun|unknown|vt\d)/;

/** True where the terminal tells a paste from typed keys. tmux does so under the name of screen, too. */
export function marksPastes({
  TERM: name = '',
  TMUX: tmux = '',
}: Readonly<Record<string, string | undefined>>): boolean {
  return tmux !== '' || !unmarking.test(name);
}

/**
 * Reads keys out of what a terminal sends. Wherever a read cuts a character, a sequence or a paste, the keys are the
 * same, but for an escape character with nothing behind it, which is the key. Only where the terminal marks no pastes
 * does more depend on what comes together: Enter, Tab and LF with text behind them are part of a pasted text there.
 */
export class KeyReader {
  #isMarking: boolean;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #keys: Key[] = [];
  /** An escape character and what followed it so far. */
  #sequence = '';
  #paste: Paste | undefined;
  /** Text with the breaks in it that came together with it, not yet given out. */
  #run = '';
  #runHasText = false;

  constructor({ isMarking = true }: { readonly isMarking?: boolean } = {}) {
    this.#isMarking = isMarking;
  }

  /** Something is held back whose meaning the next read may change. */
  get isUnsettled(): boolean {
    return this.#sequence !== '' || this.#run !== '';
  }

  /** Between the markers of a paste nothing is a key. */
  get isPasting(): boolean {
    return this.#paste !== undefined;
  }

  /** The keys of one read. */
  feed(bytes: Uint8Array): Key[] {
    let rest: string | undefined = this.#decoder.decode(bytes, { stream: true });
    while (rest !== undefined && rest !== '')
      rest = this.#paste === undefined ? this.#take(rest) : this.#takePaste(rest);
    if (!this.#runHasText) this.#endRun();
    else this.#giveText();
    return this.#given();
  }

  /** Gives the keys that were held back, when nothing has followed for a moment. */
  settle(): Key[] {
    const sequence = this.#sequence;
    this.#sequence = '';
    if (sequence.replace(escapes, '') === '') {
      if (sequence !== '') this.#press('escape');
    } else if (sequence.length === 2) this.#press(withAlt(sequence[1]!));
    this.#endRun();
    return this.#given();
  }

  /** Ends a paste whose end never came, with what there is of it. */
  endPaste(): Key[] {
    this.#finishPaste();
    return this.#given();
  }

  /** Takes keys up to the start of a paste, and returns what is behind that. */
  #take(text: string): string | undefined {
    for (let at = 0; at < text.length;) {
      const character = String.fromCodePoint(text.codePointAt(at)!);
      at += character.length;
      if (this.#sequence === '') this.#begin(character);
      else this.#follow(character);
      if (this.#paste !== undefined) return text.slice(at);
    }
    return undefined;
  }

  #takePaste(text: string): string | undefined {
    const rest = this.#paste!.feed(text);
    if (rest !== undefined) this.#finishPaste();
    return rest;
  }

  #finishPaste(): void {
    if (this.#paste !== undefined) this.#keys.push({ kind: 'paste', ...this.#paste.result() });
    this.#paste = undefined;
  }

  #begin(character: string): void {
    const isBreak = !this.#isMarking && breaks.includes(character);
    if (isBreak || (character >= ' ' && character !== '\u007f')) {
      this.#run += character;
      this.#runHasText ||= !isBreak;
      return;
    }
    this.#endRun();
    if (character === '\u001b') this.#sequence = character;
    else this.#press(controlName(character));
  }

  #follow(character: string): void {
    const before = this.#sequence;
    this.#sequence += character;
    const isAnswer = answer.test(this.#sequence);
    if (character === interrupt || (character < ' ' && !isAnswer && before.replace(escapes, '') !== '')) {
      this.#sequence = '';
      this.#begin(character);
    } else if (isAnswer) {
      if (answerEnd.test(this.#sequence) || this.#sequence.length > answerUnitsMax) this.#sequence = '';
    } else if (keySequence.test(this.#sequence)) this.#endSequence();
    else if (!unfinished.test(this.#sequence) || this.#sequence.length > sequenceUnitsMax) {
      this.#sequence = '';
      // Escape and one character is that character with Alt; anything else is no key.
      if (before.replace(escapes, '') === '')
        this.#press(withAlt(isControl(character) ? controlName(character) : character));
    }
  }

  #endSequence(): void {
    const body = this.#sequence.replace(escapes, '');
    const hasAlt = this.#sequence.length - body.length > 1;
    this.#sequence = '';
    if (body === pasteStart) {
      this.#paste = createPaste();
      this.#isMarking = true;
    } else if (body.startsWith('[[')) this.#press(`f${body.charCodeAt(2) - 0x40}`);
    else {
      const found = sequenceName(body.slice(1, -1), body.at(-1)!);
      if (found?.text !== undefined) this.#keys.push({ kind: 'text', text: found.text });
      if (found?.press !== undefined) this.#press(hasAlt ? withAlt(found.press) : found.press);
    }
  }

  #endRun(): void {
    this.#giveText();
    for (const character of this.#run) this.#press(controlName(character));
    this.#run = '';
    this.#runHasText = false;
  }

  /** All that surely is text: the breaks at its end may be keys. */
  #giveText(): void {
    const text = this.#runHasText ? (/^[^]*[^\r\n\t]/.exec(this.#run)?.[0] ?? '') : '';
    if (text === '') return;
    this.#keys.push({ kind: 'text', text: text.replace(/\r\n?/g, '\n') });
    this.#run = this.#run.slice(text.length);
    this.#runHasText = this.#run !== '';
  }

  #press(name: string): void {
    this.#keys.push({ kind: 'press', name });
  }

  #given(): Key[] {
    const keys = this.#keys;
    this.#keys = [];
    return keys;
  }
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007f';
}
