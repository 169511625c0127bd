import { cpfDigit, digitsOf, isLuhn } from '../checksums.ts';
import { type Entity, between, groups, rightBefore, standalone } from './entity.ts';
import { isVin } from '../weighted-sums.ts';

/** Numbers of the United States, Canada and Latin America. */

/** Printed on sample cards, and in advertisements that thousands took for their own number. */
const samples = new Set(['078051120', '219099999', '123456789', '987654321']);

function ssnFault(found: string, hasContext: boolean): string | undefined {
  const digits = found.replace(/\D/g, '');
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)];
  const isGiven = area !== '000' && area !== '666' && area < '900' && group !== '00' && serial !== '0000';
  if (!isGiven) return 'such a number is never given out';
  if (new Set(digits).size === 1) return 'one digit repeated';
  return samples.has(digits) && !hasContext ? 'a sample number that is in print' : undefined;
}

/** The second pair of digits says that it is for a taxpayer without a social security number. */
function isItin(found: string): boolean {
  const group = Number(found.replace(/\D/g, '').slice(3, 5));
  return (group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group <= 99 && group !== 93);
}

function isCpf(found: string): boolean {
  const digits = digitsOf(found);
  return (
    new Set(digits).size > 1 &&
    cpfDigit(digits.slice(0, 9)) === digits[9] &&
    cpfDigit(digits.slice(0, 10)) === digits[10]
  );
}

const letter = '[AC-HJKMNP-RT-Y]';
const sign = '[AC-HJKMNP-RT-Y\\d]';
const notAfterNames = rightBefore(
  /\b(?:order|part|invoice|ticket|case|ref(?:erence)?|model|serial|item|sku|tracking)(?:\s?(?:no\.?|number|id|#))?\s{0,3}[:#=]?\s{0,3}/i,
);

export const americanEntities: readonly Entity[] = [
  {
    name: 'us_ssn',
    sets: ['us'],
    authority: 'Social Security Administration, RM 10201',
    place: 'digits',
    topic: 'ssn',
    forms: [
      { isSure: true, runs: /cbd/, pattern: standalone('\\d{3}([-. ])\\d{2}\\1\\d{4}') },
      { runs: /i|cbd|ed|cf/, pattern: standalone(`\\d{9}|${groups(3, 2, 4)}|\\d{5}-\\d{4}|\\d{3}-\\d{6}`) },
    ],
    fault: ssnFault,
    notAfter: notAfterNames,
    sample: 'SSN: 123-45-6789',
    lookAlike: '666-45-6789',
  },
  {
    name: 'us_itin',
    sets: ['us'],
    authority: 'Internal Revenue Service, publication 1915',
    place: 'digits',
    topic: 'itin',
    forms: [
      { isSure: true, runs: /cbd/, pattern: standalone('9\\d\\d([-. ])\\d{2}\\1\\d{4}') },
      { runs: /i|cf|ed/, pattern: standalone(`9\\d{8}|9\\d\\d-\\d{6}|9\\d{4}-\\d{4}`) },
    ],
    fault: (found) => (isItin(found) ? undefined : 'such a number is never given out'),
    notAfter: notAfterNames,
    hasCountedSample: true,
    sample: '911-70-1234',
    lookAlike: '911-69-1234',
  },
  {
    name: 'us_npi',
    sets: ['us'],
    authority: 'Centers for Medicare & Medicaid Services: 45 CFR 162.406',
    place: 'digits',
    topic: 'npi',
    forms: [{ runs: /j|dcc/, pattern: standalone(`[12]\\d{9}|[12]\\d{3}${between}\\d{3}${between}\\d{3}`) }],
    fault: (found) => (isLuhn(digitsOf(`80840${found}`)) ? undefined : 'the Luhn checksum fails'),
    checksum: 'Luhn over 80840 and the number',
    hasCountedSample: true,
    sample: 'NPI: 1234567893',
    lookAlike: 'NPI: 1234567894',
  },
  {
    name: 'us_mbi',
    sets: ['us'],
    authority: 'Centers for Medicare & Medicaid Services: MBI format',
    place: 'digits',
    topic: 'mbi',
    forms: [
      {
        isSure: true,
        shape: /a(?:Ba|Ab){2}Bb/,
        pattern: standalone(`[1-9]${letter}${sign}\\d-?${letter}${sign}\\d-?${letter}{2}\\d{2}`),
      },
    ],
    sample: '1EG4-TE5-MK73',
    lookAlike: '1SG4-TE5-MK73',
  },
  {
    name: 'driver_licence',
    sets: ['us', 'eu'],
    authority: 'by a word beside it; the forms of AAMVA and of directive 2006/126/EC',
    place: 'digits',
    topic: 'licence',
    reach: 50,
    forms: [
      {
        pattern: standalone(
          '[A-Z]{1,3}-?\\d{5,14}[A-Z]?|[A-Z] \\d{5,14}|\\d{2}-\\d{2}-\\d{6}-\\d{2}|\\d{7,12}|[A-Z]\\d{2,4}-\\d{3,4}-\\d{2,6}(?:-\\d{1,4})?|[A-Z]{2}\\d{7}[A-Z]|\\d{2}[A-Z]{2}\\d{5}|U1[A-Z\\d]{7}[A-Z]|\\d{3} ?\\d{3} ?\\d{3}|[A-Z\\d]{2}\\d{2}[A-Z\\d]{6}\\d',
        ),
      },
    ],
    sample: "driver's license H12234567",
    lookAlike: 'model H12234567',
  },
  {
    name: 'vin',
    sets: ['us', 'eu'],
    authority: 'ISO 3779; 49 CFR 565 for the check digit',
    place: 'digits',
    topic: 'vin',
    forms: [
      {
        isSure: true,
        needs: /[A-HJ-NPR-Z]{2}[A-HJ-NPR-Z\d]{0,11}\d{4}/,
        pattern: standalone(
          '(?:[A-HJ-NPR-Z][A-HJ-NPR-Z\\d]|\\d[A-HJ-NPR-Z])[A-HJ-NPR-Z\\d]{11}\\d{4}(?<=(?=[A-Z\\d]{0,16}[A-Z]{2})[A-Z\\d]{17})',
          'g',
        ),
      },
      { pattern: standalone('[A-HJ-NPR-Z\\d]{17}(?<=[A-Z][A-Z\\d]{0,16})') },
    ],
    fault: (found, hasContext) => (isVin(found) || hasContext ? undefined : 'the check digit is another'),
    checksum: 'weights by 11',
    sample: '1HGBH41JXMN109186',
    lookAlike: '1HGBH41J0MN109186',
  },
  {
    name: 'ca_sin',
    sets: ['canada'],
    authority: 'Employment and Social Development Canada',
    place: 'digits',
    topic: 'sin',
    forms: [{ runs: /i|ccc/, pattern: standalone(`[1-79]\\d{8}|[1-79]\\d{2}([- .+])\\d{3}\\1\\d{3}`) }],
    fault: (found) =>
      isLuhn(digitsOf(found)) && new Set(digitsOf(found)).size > 1 ? undefined : 'the Luhn checksum fails',
    checksum: 'Luhn',
    hasCountedSample: true,
    sample: 'my SIN is 130-692-544',
    lookAlike: 'my SIN is 130-692-545',
  },
  {
    name: 'br_cpf',
    sets: ['latam'],
    authority: 'Receita Federal: instrução normativa 2172/2024',
    place: 'digits',
    topic: 'cpf',
    forms: [
      { isSure: true, runs: /cccb/, pattern: standalone('\\d{3}\\.\\d{3}\\.\\d{3}[-/]\\d{2}') },
      { isSure: true, runs: /cccb/, pattern: standalone(`\\d{3}([ ._/-])\\d{3}\\1\\d{3}[-/ .]\\d{2}`) },
      { runs: /k|ib|cccb/, pattern: standalone(`\\d{11}|${groups(9, 2)}|${groups(3, 3, 3, 2)}`) },
    ],
    fault: (found) => (isCpf(found) ? undefined : 'the two check digits fail'),
    checksum: 'mod 11',
    hasCountedSample: true,
    sample: '529.982.247-25',
    lookAlike: '529.982.247-26',
  },
];
