/** A long word looks like base64, and hardly any is: most can be told apart without decoding them into a text. */

const sextets = Uint8Array.from({ length: 128 }, (_, unit) => sextetOf(String.fromCharCode(unit)));

function sextetOf(character: string): number {
  const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character);
  return at === -1 ? ({ '-': 62, _: 63 }[character] ?? 0) : at;
}

interface NoiseLimits {
  /** Plain characters in a row that are read whatever stands around them. */
  readonly rowMin: number;
  /** True where bytes of that many can be text with so many oddities among them. */
  readonly mayBeText: (odd: number, bytes: number) => boolean;
}

/**
 * True where what follows the first `skip` characters is surely neither text nor has text in it. It counts no oddity
 * that a decoder would not count as well, so that nothing is lost that reading it would find.
 */
export function isNoise(run: string, skip: number, { rowMin, mayBeText }: NoiseLimits): boolean {
  const bytes = Math.floor(((run.length - skip) * 3) / 4);
  let odd = 0;
  let row = 0;
  let awaited = 0;
  let bits = 0;
  let at = skip;
  for (let index = 0; index < bytes; index++) {
    if (index % 3 === 0) bits = sextets[run.charCodeAt(at++)]! << 6;
    bits = ((bits << (index % 3 === 0 ? 0 : 6)) | sextets[run.charCodeAt(at++)]!) & 0xffff;
    const byte = (bits >> (4 - 2 * (index % 3))) & 0xff;
    // Two bytes for each character may have nothing but such between them.
    if (byte === 0 && index < 4) return false;
    const isPlain = (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
    row = isPlain ? row + 1 : 0;
    if (row === rowMin) return false;
    const isInside = byte >= 0x80 && byte < 0xc0;
    const isCutShort = awaited > 0 && !isInside;
    if (isCutShort) odd++;
    if ((byte < 0x80 && !isPlain) || (isInside && awaited === 0)) odd++;
    // Too much of it is odd already, what is left is too short to be worth reading, and two bytes make no character.
    if (odd > 0 && index > 2 && row + bytes - index <= rowMin && !mayBeText(odd, bytes)) return true;
    awaited = isInside ? Math.max(0, awaited - 1) : followersOf(byte);
  }
  return !mayBeText(odd, bytes);
}

function followersOf(lead: number): number {
  if (lead < 0xc0) return 0;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}
