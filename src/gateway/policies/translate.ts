/** By UTF-16 unit: the unit to write for it, or `unsure`. */
export interface Translation {
  readonly ascii: Uint16Array;
  readonly beyond: (unit: number) => number;
}

/** No unit for this one: it becomes several, none, or what depends on its neighbours. */
export const unsure = -1;

const asciiMax = 0x7f;
const latinMax = 0xff;

export function createTranslation(
  unitOf: (unit: number) => number,
  beyond: Translation['beyond'] = (unit) => unit,
): Translation {
  return { ascii: Uint16Array.from({ length: asciiMax + 1 }, (_, unit) => unitOf(unit)), beyond };
}

/** The text unit by unit, as long as it was; undefined where that cannot be. Patterns would take ten times as long. */
export function translated(text: string, { ascii, beyond }: Translation): string | undefined {
  const units = new Uint16Array(text.length);
  let all = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const written = unit <= asciiMax ? ascii[unit]! : beyond(unit);
    if (written === unsure) return undefined;
    units[at] = written;
    all |= written;
  }
  // The engine searches a text with a byte for each character in half the time.
  if (all <= latinMax) return Buffer.from(units).toString('latin1');
  return Buffer.from(units.buffer).toString('utf16le');
}
