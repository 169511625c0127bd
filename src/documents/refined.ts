import { isFields } from '../text/json/json.ts';
import { atOnce, type Piecework } from '../text/turns.ts';
import { readInPieces, type Shape } from './shape.ts';
import type { Spot } from './spot.ts';

/** The same shape with rules across its keys. `check` gets what has no faults; it tells the spot of those it finds. */
export function refined<T, U>(shape: Shape<T>, check: (value: T, spot: Spot) => U | undefined): Shape<U> {
  return refinedInPieces(shape, function* (value, spot) {
    yield;
    return check(value, spot);
  });
}

/** The same with a check that takes long. */
export function refinedInPieces<T, U>(
  shape: Shape<T>,
  check: (value: T, spot: Spot) => Piecework<U | undefined>,
): Shape<U> {
  const { schema, fields } = shape;
  function* readPieces(value: unknown, spot: Spot): Piecework<U | undefined> {
    const before = spot.faultsNoted;
    const read = yield* readInPieces(shape, value, spot);
    // Faults in a file that is named are told elsewhere; its value is just not there.
    const isWhole = (result: T): boolean =>
      !isFields(value) || !isFields(result) || Object.keys(value).every((name) => result[name] !== undefined);
    const isFaulty = read === undefined || spot.faultsNoted > before || !isWhole(read);
    return isFaulty ? undefined : yield* check(read, spot);
  }
  return { schema, ...(fields && { fields }), read: (value, spot) => atOnce(readPieces(value, spot)), readPieces };
}
