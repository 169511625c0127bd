import { atOnce, type Piecework } from '../text/turns.ts';
import type { Secret } from '../text/secret.ts';
import type { Shape } from './shape.ts';
import type { Spot } from './spot.ts';

/** The text of a file that a document names; faults in it are told to a spot of their own. */
export class FetchedText {
  readonly text: string;
  readonly spot: Spot;

  constructor(text: string, spot: Spot) {
    this.text = text;
    this.spot = spot;
  }
}

/** The path of a file, in place of which its text is put before the document is read; `parse` makes a value of that. */
export function fileText<T>(parse: (text: string, spot: Spot) => Piecework<T | undefined>): Shape<T> {
  function* readPieces(value: unknown, spot: Spot): Piecework<T | undefined> {
    if (value instanceof FetchedText) return yield* parse(value.text, value.spot);
    return spot.fault(`must be the path of a file${spot.foundAny(value)}`);
  }
  return {
    schema: { type: 'string', pattern: '\\S', description: 'a path, from the folder of this file' },
    source: 'file',
    read: (value, spot) => atOnce(readPieces(value, spot)),
    readPieces,
  };
}

/** The value of a secret that a document names; faults in it are told to a spot of their own. */
export class FetchedSecret {
  readonly secret: Secret;
  readonly spot: Spot;

  constructor(secret: Secret, spot: Spot) {
    this.secret = secret;
    this.spot = spot;
  }
}

/** A secret, in place of which its value is put before the document is read; `parse` makes a value of that. */
export function secretText<T>(parse: (secret: Secret, spot: Spot) => T | undefined): Shape<T> {
  return {
    schema: { type: 'string', pattern: '\\S', description: '"${VARIABLE}" or "${file:PATH}"' },
    source: 'secret',
    read(value, spot) {
      if (value instanceof FetchedSecret) return parse(value.secret, value.spot);
      return spot.fault('must be "${VARIABLE}" or "${file:PATH}"');
    },
  };
}
