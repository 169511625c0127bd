import { digitsOf } from './checksums.ts';

/** The digits of a number by the weights of their places, added up. */
export function weightedSum(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** True where a day of the calendar has such a month and day; the year may lack its century. */
export function isMonthAndDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}

function numbers(found: string, ...places: readonly (readonly [number, number])[]): number[] {
  const bare = found.replace(/[^\p{L}\d]/gu, '');
  return places.map(([from, until]) => Number(bare.slice(from, until)));
}

/** Poland: the month also tells the century; weights 1, 3, 7, 9. */
export function isPesel(found: string): boolean {
  const digits = digitsOf(found);
  const [month = 0, day = 0] = numbers(found, [2, 4], [4, 6]);
  const sum = weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
  return month < 93 && isMonthAndDay(month % 20, day) && sum % 10 === 0;
}

/** Korea: residents and foreigners; those registered since October 2020 have no check digit. */
export function isKoreanBirth(found: string): boolean {
  const [month = 0, day = 0, sex = 0] = numbers(found, [2, 4], [4, 6], [6, 7]);
  return isMonthAndDay(month, day) && sex >= 1 && sex <= 8;
}

export function isKoreanCheck(found: string): boolean {
  const digits = digitsOf(found);
  const rest = weightedSum(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11;
  return [(11 - rest) % 10, (13 - rest) % 10].includes(digits[12]!);
}

const nricLetters: Readonly<Record<string, string>> = {
  S: 'JZIHGFEDCBA',
  T: 'JZIHGFEDCBA',
  F: 'XWUTRQPNMLK',
  G: 'XWUTRQPNMLK',
  M: 'XWUTRQPNJLK',
};

/** Singapore: weights 2, 7, 6, 5, 4, 3, 2, moved by the first letter. */
export function isNric(found: string): boolean {
  const bare = found.toUpperCase().replace(/[^A-Z\d]/g, '');
  const first = bare[0]!;
  const moved = first === 'T' || first === 'G' ? 4 : first === 'M' ? 3 : 0;
  const rest = (weightedSum(digitsOf(bare), [2, 7, 6, 5, 4, 3, 2]) + moved) % 11;
  return nricLetters[first]?.[rest] === bare.at(-1);
}

export function isTfn(found: string): boolean {
  return weightedSum(digitsOf(found), [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
}

export function isMedicare(found: string): boolean {
  const digits = digitsOf(found);
  return weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digits[8];
}

export function isAbn(found: string): boolean {
  const [first = 0, ...others] = digitsOf(found);
  // The two figures in front are 11 at least.
  if (first === 1 && others[0] === 0) return false;
  return weightedSum([first - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
}

const hetuLetters = '0123456789ABCDEFHJKLMNPRSTUVWXY';

/** Finland: day, month, year, century, serial, and a sign for the remainder by 31. */
export function isHetu(found: string): boolean {
  const bare = found.toUpperCase();
  const [day, month] = [Number(bare.slice(0, 2)), Number(bare.slice(2, 4))];
  const serial = bare.slice(7, 10);
  const check = hetuLetters[Number(bare.slice(0, 6) + serial) % 31];
  return isMonthAndDay(month, day) && Number(serial) > 1 && check === bare[10];
}

/** Sweden: the last ten digits satisfy Luhn; a coordination number adds 60 to the day. */
export function isSwedishBirth(found: string): boolean {
  const ten = digitsOf(found).slice(-10).join('');
  return isMonthAndDay(Number(ten.slice(2, 4)), Number(ten.slice(4, 6)) % 60);
}

/** Turkey: two check digits. */
export function isTckn(found: string): boolean {
  const digits = digitsOf(found);
  const odd = digits[0]! + digits[2]! + digits[4]! + digits[6]! + digits[8]!;
  const even = digits[1]! + digits[3]! + digits[5]! + digits[7]!;
  const sum = digits.slice(0, 10).reduce((total, digit) => total + digit, 0);
  return digits[0] !== 0 && (odd * 7 - even + 100) % 10 === digits[9] && sum % 10 === digits[10];
}

const noThaiProvince = /^.(?:0|28|29|59|68|69|78|79|87|88|89|97|98|99)/;

/** Thailand: a sort of person, a province, and a check digit by 11. */
export function isThai(found: string): boolean {
  const digits = digitsOf(found);
  const rest = weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[0] !== 0 && digits[0] !== 9 && !noThaiProvince.test(digits.join('')) && (11 - rest) % 10 === digits[12];
}

/** South Africa: birth, serial, citizenship 0 to 2, then 8 or 9, and a digit by Luhn. */
export function isSouthAfricanBirth(found: string): boolean {
  const digits = digitsOf(found);
  const [month = 0, day = 0] = numbers(found, [2, 4], [4, 6]);
  return isMonthAndDay(month, day) && digits[10]! <= 2 && digits[11]! >= 8;
}

/** Germany's pension insurance: area, birth, first letter of the name, serial, and a digit sum by 10. */
export function isPensionNumber(found: string): boolean {
  const bare = found.toUpperCase().replace(/[^A-Z\d]/g, '');
  const letter = String(bare.charCodeAt(8) - 64).padStart(2, '0');
  const digits = digitsOf(bare.slice(0, 8) + letter + bare.slice(9, 11));
  const products = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].map((weight, index) => weight * digits[index]!);
  const sum = products.reduce((total, product) => total + Math.floor(product / 10) + (product % 10), 0);
  const [day = 0, month = 0] = numbers(bare, [2, 4], [4, 6]);
  return isMonthAndDay(month, day % 50) && sum % 10 === Number(bare.at(-1));
}

export function isNhs(found: string): boolean {
  const digits = digitsOf(found);
  return (11 - (weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digits[9];
}

export function isAba(found: string): boolean {
  const digits = digitsOf(found);
  const district = digits[0]! * 10 + digits[1]!;
  const isDistrict = district <= 12 || (district >= 21 && district <= 32) || (district >= 61 && district <= 72);
  return (isDistrict || district === 80) && weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
}

const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const vinValues: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from('ABCDEFGHJKLMNPRSTUVWXYZ', (letter, index) => [letter, Number('12345678123457923456789'[index])]),
);

/** Vehicles: the ninth sign is the sum of all by 11, X for 10. */
export function isVin(found: string): boolean {
  const signs = Array.from(found.toUpperCase());
  const rest =
    weightedSum(
      signs.map((sign) => vinValues[sign] ?? Number(sign)),
      vinWeights,
    ) % 11;
  return signs[8] === (rest === 10 ? 'X' : String(rest));
}

const fiscalOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Italy: odd and even places have values of their own; the last letter is their sum by 26. */
export function isFiscalCode(found: string): boolean {
  const bare = found.toUpperCase();
  const sum = Array.from(bare.slice(0, 15)).reduce((total, sign, index) => {
    const value = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    return total + (index % 2 === 0 ? fiscalOdd[value]! : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === bare[15];
}
