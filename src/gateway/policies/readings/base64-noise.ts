import { type NoiseLimits, NoiseTest } from './noise-test.ts';

/** A long word looks like base64, and hardly any is: most can be told apart without decoding them into a text. */

const sextets = Uint8Array.from({ length: 128 }, (_, unit) => sextetOf(String.fromCharCode(unit)));

function sextetOf(character: string): number {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character);
  return at === -1 ? ({ '-': 62, _: 63 }[character] ?? 0) : at;
}

/** True where what a part of a text holds in base64 is surely neither text nor has text in it. */
export function isBase64Noise(text: string, start: number, end: number, limits: NoiseLimits): boolean {
  const bytes = Math.floor(((end - start) * 3) / 4);
  const test = new NoiseTest(bytes, limits);
  let bits = 0;
  let at = start;
  /** Bits of the last character that the next byte begins with. */
  let spare = 0;
  for (let index = 0; index < bytes; index++) {
    if (spare === 0) bits = sextets[text.charCodeAt(at++)]!;
    bits = ((bits << 6) | sextets[text.charCodeAt(at++)]!) & 0xffff;
    spare = spare === 0 ? 4 : spare - 2;
    const known = test.add((bits >> spare) & 0xff);
    if (known !== undefined) return known;
  }
  return test.isNoise;
}

/** Something may stand right before the first group of four, so each of the four beginnings is read. */
export const base64Group = 4;

/** The same from each beginning. */
export function isNoiseThroughout(text: string, start: number, end: number, limits: NoiseLimits): boolean {
  for (let skip = 0; skip < base64Group; skip++) if (!isBase64Noise(text, start + skip, end, limits)) return false;
  return true;
}
