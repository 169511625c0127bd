import { nestingMax } from './limits.ts';

/** The size of a JSON text by its signs, each right where the text is valid. */
export interface JsonShape {
  /** Values of every kind, also inside others. */
  readonly values: number;
  readonly keys: number;
  /** Arrays and objects that stand inside each other. */
  readonly depth: number;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/**
 * Counts what a JSON text holds without making any of it, a nanosecond a character. It stops where the text holds more
 * than `valuesMax` values or is nested deeper than any reader goes.
 */
export function shapeOfJson(text: string, valuesMax = Infinity): JsonShape {
  let values = 1;
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let isAfterOpening = false;
  for (let at = 0; at < text.length && values <= valuesMax && deepest <= nestingMax; at++) {
    const unit = text.charCodeAt(at);
    if (isBlank(unit)) continue;
    if (unit === 0x22) at = endOfString(text, at);
    else if (unit === 0x3a) keys += 1;
    else if (unit === 0x2c) values += 1;
    else if (unit === 0x5b || unit === 0x7b) {
      values += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
      isAfterOpening = true;
      continue;
    } else if (unit === 0x5d || unit === 0x7d) {
      // It holds nothing, not even the one value that its opening stood for.
      if (isAfterOpening) values -= 1;
      depth -= 1;
    }
    isAfterOpening = false;
  }
  return { values, keys, depth: deepest };
}

/** Index of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return at;
    if (unit === 0x5c) at += 1;
  }
  return text.length;
}
