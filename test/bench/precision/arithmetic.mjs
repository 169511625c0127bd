/** Chance that is the same at every run, and the arithmetic of the standards, written anew from their texts. */

export function createChance(seed) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0 || 1;
  const below = (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * count);
  };
  const pick = (from) => from[below(from.length)];
  const of = (alphabet, count) => Array.from({ length: count }, () => pick(Array.from(alphabet))).join('');
  return {
    below,
    pick,
    of,
    digits: (count) => of('0123456789', count),
    two: (from, to) => String(from + below(to - from + 1)).padStart(2, '0'),
  };
}

export const digitsOf = (text) =>
  Array.from(text)
    .filter((sign) => sign >= '0' && sign <= '9')
    .map(Number);
export const weigh = (text, weights) => digitsOf(text).reduce((sum, digit, at) => sum + digit * (weights[at] ?? 0), 0);

/** ISO/IEC 7812, annex B. */
export function luhnDigit(body) {
  let sum = 0;
  digitsOf(body)
    .reverse()
    .forEach((digit, at) => (sum += at % 2 === 0 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit));
  return String((10 - (sum % 10)) % 10);
}

/** ISO 7064: MOD 97-10, of letters as two digits. */
export function rest97(text) {
  const figures = Array.from(text)
    .map((sign) => parseInt(sign, 36))
    .join('');
  return Number(BigInt(figures) % 97n);
}

/** ISO 7064: MOD 11,10. */
export function digit1110(body) {
  let product = 10;
  for (const digit of digitsOf(body)) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return String((11 - product) % 10);
}

export const grouped = (text, ...sizes) => {
  let at = 0;
  return sizes.map((size) => text.slice(at, (at += size)));
};

export const day = (chance) => chance.two(1, 28);
export const month = (chance) => chance.two(1, 12);
export const again = (make) => {
  for (let turn = 0; turn < 5_000; turn++) {
    const made = make();
    if (made !== undefined) return made;
  }
  throw new Error('no number was made');
};

const aadhaarTimes = (one, other) => {
  const [a, b] = [one % 5, other % 5];
  if (one < 5) return other < 5 ? (a + b) % 5 : ((a + b) % 5) + 5;
  return other < 5 ? ((a - b + 5) % 5) + 5 : (a - b + 5) % 5;
};
const aadhaarTurns = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]];
for (let row = 1; row < 8; row++)
  aadhaarTurns.push([1, 5, 7, 6, 2, 8, 3, 0, 9, 4].map((to) => aadhaarTurns[row - 1][to]));
export const verhoeff = (text) =>
  digitsOf(text)
    .reverse()
    .reduce((check, digit, at) => aadhaarTimes(check, aadhaarTurns[at % 8][digit]), 0) === 0;
