import { nestingMax } from '../limits.ts';
import { parseJson } from './json.ts';
import { shapeOfJson } from './shape.ts';
import { Shortcut } from './shortcut.ts';

/** The most keys of a text whose fault is looked for: two microseconds for each. */
const toldKeysMax = 10_000;

/**
 * Reads JSON as strictly as `parseJson`, for whom a fault of a text with many keys need not be told. Throws where it
 * would take longer to make the value than so many keys.
 */
export function parseSoundJson(text: string, costMax = Infinity): unknown {
  const shape = shapeOfJson(text, costMax);
  if (shape.cost > costMax) throw new Error('JSON of too many values');
  const sure = shape.keys > toldKeysMax ? new Shortcut(text, nestingMax, false, shape).value() : undefined;
  if (sure === undefined && shape.keys > toldKeysMax) throw new Error('no JSON, or a key that stands twice');
  return sure === undefined ? parseJson(text, { shape }) : sure.value;
}
