import { isSparse } from '../utf8.ts';
import { foldUnit } from './literal-table.ts';

/**
 * The last texts as bytes, because several lists are looked for in each of the few readings of a text. No bytes are
 * ever written over: a scan may begin inside another.
 */
const kept: ScannedText[] = [];
const keptMax = 3;
/** Bytes of longer texts are not kept. */
const keptCharactersMax = 1_048_576;
const noLetter = 0xff;

/** Forgets all texts that were scanned, for they may be private. */
export function forgetScannedTexts(): void {
  kept.length = 0;
}

interface ScannedText {
  readonly text: string;
  readonly isAscii: boolean;
  /** A byte for each unit: itself, or what it folds to; all beyond ASCII is one sign that no literal of ASCII has. */
  readonly bytes: Buffer;
  /** Places of the characters beyond ASCII, if they are few. */
  readonly beyond: readonly number[] | undefined;
}

/** A text made ready to be scanned for literals. */
export function scannedText(text: string): ScannedText {
  for (const one of kept) if (one.text === text) return one;
  const scanned = write(text, Buffer.allocUnsafe(text.length));
  if (text.length > keptCharactersMax) return scanned;
  if (kept.length === keptMax) kept.shift();
  kept.push(scanned);
  return scanned;
}

const beyondAscii = /[^\0-\x7f]/g;

function write(text: string, bytes: Buffer): ScannedText {
  const { length } = text;
  const utf8Length = Buffer.byteLength(text);
  const isAscii = utf8Length === length;
  if (isAscii || isSparse(text, utf8Length)) {
    bytes.write(text, 'latin1');
    const beyond: number[] = [];
    beyondAscii.lastIndex = 0;
    while (!isAscii && beyondAscii.test(text)) {
      const at = beyondAscii.lastIndex - 1;
      beyond.push(at);
      bytes[at] = Math.min(noLetter, foldUnit(text.charCodeAt(at)));
    }
    return { text, isAscii, bytes, beyond };
  }
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    bytes[at] = unit < 128 ? unit : Math.min(noLetter, foldUnit(unit));
  }
  return { text, isAscii, bytes, beyond: undefined };
}
