import { createHash } from 'node:crypto';

/** Arithmetic by which numbers of the world can be told from figures that only look like them. */

export function digitsOf(text: string): number[] {
  const digits: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit >= 0 && digit <= 9) digits.push(digit);
  }
  return digits;
}

const zero = 0x30;

/** Payment cards. */
export function isLuhn(digits: readonly number[]): boolean {
  const sum = digits.reduce((total, digit, index) => {
    const isDoubled = (digits.length - index) % 2 === 0;
    return total + (isDoubled ? ((digit * 2) % 10) + (digit > 4 ? 1 : 0) : digit);
  }, 0);
  return digits.length > 0 && sum % 10 === 0;
}

/** ISO 7064 mod 97-10 over letters and digits, as an IBAN has it once its first four characters stand at the end. */
export function remainder97(text: string): number {
  return Array.from(text.toUpperCase()).reduce((rest, character) => {
    const value = Number.parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
}

/** ISO 7064 mod 11,10: the German tax number. */
export function isMod1110(digits: readonly number[]): boolean {
  const product = digits.slice(0, -1).reduce((rest, digit) => (((rest + digit) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === digits.at(-1);
}

/** The permutation of Verhoeff's check, repeated for each place; India's Aadhaar. */
const verhoeffTurn = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

export function isVerhoeff(digits: readonly number[]): boolean {
  const check = digits.toReversed().reduce((sum, digit, place) => {
    let turned = digit;
    for (let times = place % 8; times > 0; times--) turned = verhoeffTurn[turned]!;
    return multiplyInD5(sum, turned);
  }, 0);
  return digits.length > 0 && check === 0;
}

/** The group of the symmetries of a pentagon: 0 to 4 turn it, 5 to 9 also flip it. */
function multiplyInD5(one: number, other: number): number {
  const turn = one < 5 ? (one + other) % 5 : (one - other + 10) % 5;
  return one < 5 === other < 5 ? turn : turn + 5;
}

/** Weighted sum mod 11 as Brazil's CPF has it: the check digit for the digits before. */
export function cpfDigit(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, index) => total + digit * (digits.length + 1 - index), 0);
  return ((sum * 10) % 11) % 10;
}

const bitcoinAlphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const rippleAlphabet = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

/** Base58Check: 21 bytes and the first four of their double SHA-256. */
export function isBase58Check(text: string, isRipple = false): boolean {
  const alphabet = isRipple ? rippleAlphabet : bitcoinAlphabet;
  let value = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return false;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16).padStart(50, '0');
  if (hex.length > 50) return false;
  const bytes = Buffer.from(hex, 'hex');
  return doubleSha256(bytes.subarray(0, 21)).subarray(0, 4).equals(bytes.subarray(21));
}

export function doubleSha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

export const bech32Alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const bech32Generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The check of a Bech32 (1) or Bech32m (0x2bc830a3) address over its prefix and data. */
export function bech32Check(prefix: string, data: readonly number[]): number {
  const low = Array.from(prefix, (character) => character.charCodeAt(0) & 31);
  const high = Array.from(prefix, (character) => character.charCodeAt(0) >> 5);
  return [...high, 0, ...low, ...data].reduce((check, value) => {
    const mixed = ((check & 0x1ffffff) << 5) ^ value;
    return bech32Generator.reduce((sum, term, bit) => (((check >>> 25) >> bit) & 1 ? sum ^ term : sum), mixed);
  }, 1);
}
