import { digitsOf } from './checksums.ts';
import { isMonthAndDay, weightedSum } from './weighted-sums.ts';

/** Arithmetic of the numbers that further states give to persons and firms. */

/** By digit sums with such weights: the rest by eleven is the last digit, ten counts as another. */
function rest11(digits: readonly number[], weights: readonly number[], often: number): number {
  const rest = weightedSum(digits, weights) % 11;
  return rest === 10 ? often : rest;
}

export function isDayIn(found: string, from: number, order: 'dm' | 'md'): boolean {
  const bare = found.replace(/\D/g, '');
  const [one, other] = [Number(bare.slice(from, from + 2)), Number(bare.slice(from + 2, from + 4))];
  return order === 'dm' ? isMonthAndDay(other, one) : isMonthAndDay(one, other);
}

export function isBsn(found: string): boolean {
  const digits = digitsOf(found.replace(/\D/g, '').padStart(9, '0'));
  return new Set(digits).size > 1 && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** A 2 stands before the number of those born from 2000 on. */
export function isBelgian(found: string): boolean {
  const bare = found.replace(/\D/g, '');
  const [body, check] = [bare.slice(0, 9), Number(bare.slice(9))];
  return Number(bare.slice(2, 4)) % 20 <= 12 && [body, `2${body}`].some((one) => 97 - (Number(one) % 97) === check);
}

/** A day of more than 40 is that of a foreigner, a month of more than 40 that of a hospital. */
export function isNorwegian(found: string): boolean {
  const digits = digitsOf(found);
  const [day, month] = [digits[0]! * 10 + digits[1]!, digits[2]! * 10 + digits[3]!];
  return (
    isMonthAndDay(month % 40, day % 40) &&
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

export function isAhv(found: string): boolean {
  return weightedSum(digitsOf(found), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

export function isAustrian(found: string): boolean {
  const digits = digitsOf(found);
  return digits[0] !== 0 && weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digits[3];
}

/** Women have 50 more in the month; 20 more stand there where a day has no numbers left. The oldest lack a check. */
export function isRodneCislo(found: string): boolean {
  const bare = found.replace(/\D/g, '');
  const isBorn = isMonthAndDay((Number(bare.slice(2, 4)) % 50) % 20, Number(bare.slice(4, 6)));
  return isBorn && (bare.length === 9 || (Number(bare.slice(0, 9)) % 11) % 10 === Number(bare[9]));
}

export function isNif(found: string): boolean {
  const digits = digitsOf(found);
  const rest = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[0] !== 0 && (rest < 2 ? 0 : 11 - rest) === digits[8];
}

export function isCnp(found: string): boolean {
  const digits = digitsOf(found);
  return (
    digits[0] !== 0 && isDayIn(found, 3, 'md') && rest11(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9], 1) === digits[12]
  );
}

/** The month also tells the century. */
export function isEgn(found: string): boolean {
  const digits = digitsOf(found);
  const [month, day] = [digits[2]! * 10 + digits[3]!, digits[4]! * 10 + digits[5]!];
  return isMonthAndDay(month % 20, day) && rest11(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6], 0) === digits[9];
}

export function isAfm(found: string): boolean {
  const digits = digitsOf(found);
  return new Set(digits).size > 1 && rest11(digits, [256, 128, 64, 32, 16, 8, 4, 2], 0) === digits[8];
}

/** A second letter counts as well, but for the W that wives had. */
export function isPps(found: string): boolean {
  const bare = found.toUpperCase().replace(/[^A-Z\d]/g, '');
  const second = Math.max(0, 'WABCDEFGHI'.indexOf(bare[8] ?? 'W'));
  return (weightedSum(digitsOf(bare), [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23 === (bare.charCodeAt(7) - 64) % 23;
}

export function isSpanishSecurity(found: string): boolean {
  const bare = found.replace(/\D/g, '');
  const number = bare.slice(2, 10).replace(/^0/, '');
  return Number(bare.slice(0, 2) + number) % 97 === Number(bare.slice(10));
}

export function isNip(found: string): boolean {
  const digits = digitsOf(found);
  return digits[0] !== 0 && weightedSum(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digits[9];
}

/** Estonia and Lithuania: where the rest is ten, other weights are taken. */
export function isBaltic(found: string): boolean {
  const digits = digitsOf(found);
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const rest = first < 10 ? first : rest11(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3], 0);
  return isDayIn(found, 3, 'md') && rest === digits[10];
}

/** The states of former Yugoslavia. */
export function isJmbg(found: string): boolean {
  const digits = digitsOf(found);
  return isDayIn(found, 0, 'dm') && weightedSum(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

export function isPolishCard(found: string): boolean {
  const signs = Array.from(found.replace(/[^A-Z\d]/gi, ''), (sign) => Number.parseInt(sign, 36));
  return weightedSum(signs, [7, 3, 1, 9, 7, 3, 1, 7, 3]) % 10 === 0;
}

export function isTaj(found: string): boolean {
  const digits = digitsOf(found);
  return weightedSum(digits, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === digits[8];
}

export function isSnils(found: string): boolean {
  const digits = digitsOf(found);
  return (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === digits[9]! * 10 + digits[10]!;
}

export function isInn(found: string): boolean {
  const digits = digitsOf(found);
  const isCheck = (weights: readonly number[]) => rest11(digits, weights, 0) === digits[weights.length];
  if (digits.length === 10) return isCheck([2, 4, 10, 3, 5, 9, 4, 6, 8]);
  return isCheck([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) && isCheck([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]);
}

function isLastTwo(digits: readonly number[], one: readonly number[], other: readonly number[]): boolean {
  const check = (weights: readonly number[]) => {
    const rest = weightedSum(digits, weights) % 11;
    return (rest < 2 ? 0 : 11 - rest) === digits[weights.length];
  };
  return check(one) && check(other);
}

export function isCnpj(found: string): boolean {
  const digits = digitsOf(found);
  const weights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  return new Set(digits).size > 1 && isLastTwo(digits, weights, [6, ...weights]);
}

const curpSigns = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

export function isCurp(found: string): boolean {
  const signs = Array.from(found.toUpperCase());
  const sum = signs.slice(0, 17).reduce((total, sign, index) => total + (18 - index) * curpSigns.indexOf(sign), 0);
  return (10 - (sum % 10)) % 10 === Number(signs[17]);
}

const rfcSigns = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

/** Mexico: many numbers in use have a wrong check digit, so that it counts for figures alone, as dated orders have. */
export function isRfc(found: string): boolean {
  const signs = found.toUpperCase().replace(/[ -]/g, '').padStart(13);
  if (/[A-Z]/.test(signs.slice(-3))) return true;
  const sum = Array.from(signs.slice(0, 12)).reduce((total, sign, at) => total + (13 - at) * rfcSigns.indexOf(sign), 0);
  return (11 - (sum % 11)) % 11 === Number(signs[12]);
}

/** Argentina: the first two digits tell a person from a firm. */
export function isCuit(found: string): boolean {
  const digits = digitsOf(found);
  const rest = weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return [2, 3].includes(digits[0]!) && (11 - rest) % 11 === digits[10];
}

/** Chile: weights from the right 2 to 7, again and again; K is ten. */
export function isRut(found: string): boolean {
  const bare = found.toUpperCase().replace(/[^\dK]/g, '');
  const sum = digitsOf(bare.slice(0, -1)).reduceRight(
    (total, digit, index, all) => total + digit * (2 + ((all.length - 1 - index) % 6)),
    0,
  );
  return '0K987654321'[sum % 11] === bare.at(-1);
}

/** China: ISO 7064 mod 11,2; X is ten. */
export function isChinese(found: string): boolean {
  const sum = weightedSum(digitsOf(found.slice(0, 17)), [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return '10X98765432'[sum % 11] === found.at(-1)!.toUpperCase();
}

export function isMyNumber(found: string): boolean {
  const digits = digitsOf(found);
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return new Set(digits).size > 1 && (rest < 2 ? 0 : 11 - rest) === digits[11];
}

/** The letter stands for two digits. */
export function isTaiwanese(found: string): boolean {
  const area = 10 + 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(found[0]!.toUpperCase());
  const digits = [Math.floor(area / 10), area % 10, ...digitsOf(found)];
  return weightedSum(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

/** A blank, which counts as 36, stands before a single letter; A is ten. */
export function isHongKong(found: string): boolean {
  const signs = Array.from(found.replace(/[^A-Z\d]/gi, ''), (sign) => Number.parseInt(sign, 36));
  return weightedSum(signs.length === 8 ? [36, ...signs] : signs, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}
