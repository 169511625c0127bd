import { cpfDigit, digitsOf, isMod1110, isVerhoeff } from './checksums.ts';
import { type Entity, digit } from './pii-entity.ts';

/** Numbers that a state gives to a person. */

/** Printed on sample cards, and in advertisements that thousands took for their own number. */
const samples = new Set(['078051120', '219099999', '123456789', '987654321']);

function ssnFault(found: string): string | undefined {
  const digits = found.replace(/\D/g, '');
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)];
  const isGiven = area !== '000' && area !== '666' && area < '900' && group !== '00' && serial !== '0000';
  if (!isGiven) return 'such a number is never given out';
  return samples.has(digits) || new Set(digits).size === 1 ? 'a sample number that is in print' : undefined;
}

const ninoPrefix = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]/i;

/** Eleven digits: of the first ten, exactly one digit stands two or three times. */
function steuerIdFault(found: string): string | undefined {
  const digits = digitsOf(found);
  const counts = Array.from({ length: 10 }, (_, value) => digits.slice(0, 10).filter((one) => one === value).length);
  const repeated = counts.filter((count) => count > 1);
  const isGiven = digits[0] !== 0 && repeated.length === 1 && repeated[0]! <= 3;
  if (!isGiven) return 'one digit has to be repeated, and no other';
  return isMod1110(digits) ? undefined : 'the mod 11,10 checksum fails';
}

/** Sex, year, month, place, order, key; the departments of Corsica have a letter. */
function nirFault(found: string): string | undefined {
  const bare = found.replace(/[ .-]/g, '').toUpperCase();
  const body = Number(bare.slice(0, 13).replace('2A', '19').replace('2B', '18'));
  return 97 - (body % 97) === Number(bare.slice(13)) ? undefined : 'the mod 97 key fails';
}

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** A foreigner's number begins with a letter that stands for a digit. */
function isDni(found: string): boolean {
  const bare = found.replace(/[ .-]/g, '').toUpperCase();
  const value = Number(bare.slice(0, -1).replace('X', '0').replace('Y', '1').replace('Z', '2'));
  return value > 0 && dniLetters[value % 23] === bare.at(-1);
}

function isCpf(found: string): boolean {
  const digits = digitsOf(found);
  return (
    new Set(digits).size > 1 &&
    cpfDigit(digits.slice(0, 9)) === digits[9] &&
    cpfDigit(digits.slice(0, 10)) === digits[10]
  );
}

export const nationalEntities: readonly Entity[] = [
  {
    name: 'us_ssn',
    pattern: /(?<![\w-]|[\d][ .])\d{3}(?:-\d{2}-|\u0020\d{2}\u0020|\d{2})\d{4}(?![\w-]|[ .]\d)/g,
    needs: digit,
    fault: ssnFault,
    context: /\b(?:ssn|s\.s\.n\.|social[ -]sec(?:urity)?|social\b.{0,20}\bnumber)/i,
    withoutContext: 'no word like SSN stands near it',
    needsContext: (found) => !found.includes('-'),
    notAfter:
      /\b(?:order|part|invoice|ticket|case|ref(?:erence)?|model|serial|item|sku|tracking)(?:\s?(?:no\.?|number|id|#))?\s{0,3}[:#=]?\s{0,3}$/i,
  },
  {
    name: 'uk_nino',
    pattern: /(?<![A-Z0-9])[A-Z]{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?[A-D](?![A-Z0-9])/gi,
    needs: /[a-z]{2}[ -]?\d\d/i,
    fault: (found) => (ninoPrefix.test(found) ? undefined : 'no such two letters are given out'),
  },
  {
    name: 'de_steuer_id',
    pattern: /(?<![\w.,+-]|\d )[1-9]\d(?: ?\d{3}){3}(?![\w-]|[.,]\d| \d)/g,
    needs: digit,
    fault: steuerIdFault,
    checksum: 'mod 11,10',
    withoutContext: 'no word like Steuer stands near it',
    context: /steuer|\bst\.?-?id|\bidnr|\btax[ -]?(?:id|number|no)|\btin\b|finanzamt/i,
    needsContext: (found) => !/^\d\d \d{3} \d{3} \d{3}$/.test(found),
  },
  {
    name: 'fr_nir',
    pattern:
      /(?<![\w+.-]|\d )[12378][ .-]?\d{2}[ .-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .-]?(?:\d{2}|2[AB])[ .-]?\d{3}[ .-]?\d{3}[ .-]?\d{2}(?!\w|[ .-]\d)/gi,
    needs: digit,
    fault: nirFault,
    checksum: 'mod 97',
  },
  {
    name: 'es_dni',
    pattern: /(?<![\w.-])(?:\d{8}|\d{1,2}\.\d{3}\.\d{3}|[XYZ][ -]?\d{7})[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi,
    needs: digit,
    fault: (found) => (isDni(found) ? undefined : 'the control letter is not that of the number'),
    checksum: 'mod 23',
  },
  {
    name: 'in_aadhaar',
    pattern: /(?<![\w+.-]|\d )[2-9]\d{3}(?: \d{4} |-\d{4}-|\d{4})\d{4}(?![\w-]|[.,]\d| \d)/g,
    needs: digit,
    fault: (found) => (isVerhoeff(digitsOf(found)) ? undefined : 'the Verhoeff checksum fails'),
    checksum: 'Verhoeff',
    withoutContext: 'no word like Aadhaar stands near it',
    context: /aadha?ar|\buidai?\b|आधार/i,
    needsContext: (found) => !found.includes(' '),
  },
  {
    name: 'br_cpf',
    pattern: /(?<![\w.-]|\d )\d{3}(?:\.\d{3}\.\d{3}-|\d{6})\d{2}(?![\w-]|[.,]\d| \d)/g,
    needs: digit,
    fault: (found) => (isCpf(found) ? undefined : 'the two check digits fail'),
    checksum: 'mod 11',
    withoutContext: 'no word like CPF stands near it',
    context: /\bcpf\b|contribuinte|cadastro de pessoa/i,
    needsContext: (found) => !found.includes('.'),
  },
  {
    name: 'passport',
    pattern:
      /(?<![\w-])(?:[A-Z]{1,2}[ ]?\d{6,8}|\d{8,9}|\d{2}[A-Z]{2}\d{5}|[A-Z]\d{2}[A-Z0-9]{6}|[A-Z]{3}\d{6}|[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8})(?![\w-])/gi,
    needs: digit,
    fault: (found) => (/\d/.test(found) ? undefined : 'no digit in it'),
    withoutContext: 'no word like passport stands near it',
    context:
      /\bpass(?:port)?\b|\bpassnummer|\breisepass|\bpasseport|\bpasaporte|\bpassaport[eo]|\bpaspoort|护照|旅券|паспорт/i,
  },
];
