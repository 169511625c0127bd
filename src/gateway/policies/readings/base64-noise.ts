import { type NoiseLimits, NoiseTest } from './noise-test.ts';

/** A long word looks like base64, and hardly any is: most can be told apart without decoding them into a text. */

const sextets = Uint8Array.from({ length: 128 }, (_, unit) => sextetOf(String.fromCharCode(unit)));

function sextetOf(character: string): number {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character);
  return at === -1 ? ({ '-': 62, _: 63 }[character] ?? 0) : at;
}

/** True where what follows the first `skip` characters is surely neither text nor has text in it. */
export function isBase64Noise(run: string, skip: number, limits: NoiseLimits): boolean {
  const bytes = Math.floor(((run.length - skip) * 3) / 4);
  const test = new NoiseTest(bytes, limits);
  let bits = 0;
  let at = skip;
  for (let index = 0; index < bytes; index++) {
    if (index % 3 === 0) bits = sextets[run.charCodeAt(at++)]! << 6;
    bits = ((bits << (index % 3 === 0 ? 0 : 6)) | sextets[run.charCodeAt(at++)]!) & 0xffff;
    const known = test.add((bits >> (4 - 2 * (index % 3))) & 0xff);
    if (known !== undefined) return known;
  }
  return test.isNoise;
}
