import { digitsOf, isLuhn, isMod1110 } from '../checksums.ts';
import { idLetters } from './passports.ts';
import { type Entity, between, groups, merged, standalone } from './entity.ts';
import { isFiscalCode, isHetu, isNhs, isPensionNumber, isPesel, isSwedishBirth, isTckn } from '../weighted-sums.ts';

/** Numbers that the states of Europe give to persons and firms. */

const ninoPrefix = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]/i;

/** Eleven digits: of the first ten, exactly one digit stands two or three times. */
function steuerIdFault(found: string, hasContext: boolean): string | undefined {
  const digits = digitsOf(found);
  const counts = Array.from({ length: 10 }, (_, value) => digits.slice(0, 10).filter((one) => one === value).length);
  const repeated = counts.filter((count) => count > 1);
  const isGiven = digits[0] !== 0 && repeated.length === 1 && repeated[0]! <= 3;
  // A made-up number beside its name, as in a form, repeats none.
  const isSample = hasContext && digits[0] !== 0 && repeated.length === 0;
  if (!isGiven && !isSample) return 'one digit has to be repeated, and no other';
  return isMod1110(digits) ? undefined : 'the mod 11,10 checksum fails';
}

/** Sex, year, month, place, order, key; the departments of Corsica have a letter. */
function nirFault(found: string): string | undefined {
  const bare = found.replace(/[^\dA-Z]/gi, '').toUpperCase();
  const body = Number(bare.slice(0, 13).replace('2A', '19').replace('2B', '18'));
  return 97 - (body % 97) === Number(bare.slice(13)) ? undefined : 'the mod 97 key fails';
}

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** A foreigner's number begins with a letter that stands for a digit. */
function isDni(found: string): boolean {
  const bare = found.replace(/[^\dA-Z]/gi, '').toUpperCase();
  const value = Number(bare.slice(0, -1).replace('X', '0').replace('Y', '1').replace('Z', '2'));
  return value > 0 && dniLetters[value % 23] === bare.at(-1);
}

const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const gap = `${between}?`;

export const europeanEntities: readonly Entity[] = [
  {
    name: 'uk_nino',
    sets: ['uk'],
    authority: 'HM Revenue & Customs, NIM39110',
    place: 'digits',
    topic: 'nino',
    forms: [
      {
        isSure: true,
        shape: /[BZ](?:f|bd|db|bbb)[AZ]/,
        pattern: standalone(`[A-Z]{2}${gap}\\d{2}${gap}\\d{2}${gap}\\d{2}${gap}[A-D]`),
      },
    ],
    fault: (found, _hasContext, isLabelled = () => false) =>
      ninoPrefix.test(found) || (/^QQ/i.test(found) && isLabelled()) ? undefined : 'no such two letters are given out',
    sample: 'AB 12 34 56 C',
    lookAlike: 'QQ 12 34 56 C',
  },
  {
    name: 'uk_nhs',
    sets: ['uk'],
    authority: 'NHS Data Dictionary: NHS number',
    place: 'digits',
    topic: 'nhs',
    forms: [{ runs: /j|ccd/, pattern: standalone(`\\d{10}|${groups(3, 3, 4)}`) }],
    fault: (found) => (isNhs(found) ? undefined : 'the mod 11 checksum fails'),
    checksum: 'mod 11',
    hasCountedSample: true,
    sample: 'NHS number 401 023 2137',
    lookAlike: 'NHS number 401 023 2138',
  },
  {
    name: 'uk_driving_licence',
    sets: ['uk'],
    authority: 'Driver and Vehicle Licensing Agency, INS57P',
    place: 'digits',
    forms: [
      {
        isSure: true,
        shape: /[B-EZ][abc]?[f-l][ABCEZbc]/,
        pattern: standalone(
          `(?:[A-Z]{5}|[A-Z]{4}9|[A-Z]{3}99|[A-Z]{2}999)${gap}\\d[0156]\\d(?:0[1-9]|[12]\\d|3[01])\\d${gap}(?:[A-Z]{2}|[A-Z]9|99)[A-Z\\d]${gap}[A-Z]{2}`,
        ),
      },
    ],
    sample: 'MORGA657054SM9IJ',
    lookAlike: 'MORGA697054SM9IJ',
  },
  {
    name: 'de_steuer_id',
    sets: ['eu'],
    authority: 'Bundeszentralamt für Steuern, § 139b AO',
    place: 'digits',
    topic: 'steuer',
    forms: [
      { isSure: true, runs: /bccc/, pattern: standalone('[1-9]\\d \\d{3} \\d{3} \\d{3}') },
      { runs: /k|bccc/, pattern: standalone(`[1-9]\\d{10}|${groups(2, 3, 3, 3)}`) },
    ],
    fault: steuerIdFault,
    checksum: 'mod 11,10',
    hasCountedSample: true,
    sample: 'Steuer-ID: 86095742719',
    lookAlike: 'Steuer-ID: 86095742718',
  },
  {
    name: 'de_id_card',
    sets: ['eu'],
    authority: 'Bundesministerium des Innern, Personalausweisverordnung',
    place: 'digits',
    topic: 'ausweis',
    forms: [{ pattern: standalone(`[${idLetters}][${idLetters}\\d]{8}(?<=\\d[${idLetters}\\d]{0,7})\\d?D?`) }],
    sample: 'Personalausweis L01X00T47',
    lookAlike: 'Artikel L01X00T47',
  },
  {
    name: 'de_social_security',
    sets: ['eu'],
    authority: 'Deutsche Rentenversicherung, § 147 SGB VI',
    place: 'digits',
    topic: 'rentenversicherung',
    forms: [
      {
        isSure: true,
        shape: /(?:h|bf)[AZ]/,
        pattern: standalone(`\\d{2}${gap}\\d{6}${gap}[A-Z]${gap}\\d{3}(?!\\.\\d)`),
      },
    ],
    fault: (found) => (isPensionNumber(found) ? undefined : 'the date or the check digit fails'),
    checksum: 'digit sums by 10',
    hasCountedSample: true,
    sample: '15 070649 C 103',
    lookAlike: '15 070649 C 104',
  },
  {
    name: 'de_vat',
    sets: ['eu', 'financial'],
    authority: 'Bundeszentralamt für Steuern, § 27a UStG',
    place: 'digits',
    topic: 'vat',
    forms: [{ isSure: true, runs: /i|ccc/, pattern: standalone(`DE${gap}\\d{9}|DE${gap}${groups(3, 3, 3)}`) }],
    fault: (found, hasContext) =>
      hasContext || isMod1110(digitsOf(found)) ? undefined : 'the mod 11,10 checksum fails',
    checksum: 'mod 11,10',
    sample: 'DE136695976',
    lookAlike: 'DE136695977',
  },
  {
    name: 'fr_nir',
    sets: ['eu'],
    authority: 'INSEE: numéro d’inscription au répertoire',
    place: 'digits',
    topic: 'nir',
    forms: [
      {
        isSure: true,
        // The place may be `2A`, which parts the digits.
        runs: new RegExp(`${merged(1, 2, 2, 2, 3, 3, 2)}|${merged(1, 2, 2, 1)}${merged(3, 3, 2)}`),
        pattern: standalone(
          `[1278]${gap}\\d{2}${gap}(?:0[1-9]|1[0-2]|[2-9]\\d)${gap}(?:\\d{2}|2[AB])${gap}\\d{3}${gap}\\d{3}${gap}\\d{2}`,
        ),
      },
    ],
    fault: nirFault,
    checksum: 'mod 97',
    hasCountedSample: true,
    sample: '2 55 08 14 168 025 38',
    lookAlike: '2 55 08 14 168 025 39',
  },
  {
    name: 'es_dni',
    sets: ['eu'],
    authority: 'Ministerio del Interior: NIF y NIE',
    place: 'digits',
    topic: 'dni',
    forms: [
      {
        isSure: true,
        shape: /(?:[gh]|[ab]cc)[AZ]/,
        pattern: standalone(`(?:\\d{7,8}|\\d{1,2}\\.\\d{3}\\.\\d{3}|[XYZ]${gap}\\d{7})${gap}[A-HJ-NP-TV-Z]`),
      },
    ],
    fault: (found) => (isDni(found) ? undefined : 'the control letter is not that of the number'),
    // The first group of a UUID.
    notBefore: /^-[\dA-F]{4}-[\dA-F]{4}-/i,
    checksum: 'mod 23',
    hasCountedSample: true,
    sample: 'DNI 12345678Z',
    lookAlike: 'DNI 12345687A',
  },
  {
    name: 'it_fiscal_code',
    sets: ['eu'],
    authority: 'Agenzia delle Entrate, DM 345/2001',
    place: 'digits',
    topic: 'fiscal',
    forms: [
      {
        isSure: true,
        pattern: standalone(
          `[A-Z]{3}${gap}[A-Z]{3}${gap}[\\dLMNP-V]{2}[A-EHLMPRST](?:[04LQ][\\dLMNP-V]|[15MR][\\dLMNP-V]|[26NS][\\dLMNP-V]|[37PT][01LM])${gap}[A-Z][\\dLMNP-V]{3}[A-Z]`,
        ),
      },
    ],
    fault: (found, hasContext) =>
      hasContext || isFiscalCode(found.replace(/[^A-Z\d]/gi, '')) ? undefined : 'the control letter is another',
    checksum: 'odd and even places by 26',
    sample: 'RSSMRA85T10A562S',
    lookAlike: 'RSSMRA85T10A562T',
  },
  {
    name: 'pl_pesel',
    sets: ['eu'],
    authority: 'Ministerstwo Cyfryzacji: rejestr PESEL',
    place: 'digits',
    topic: 'pesel',
    forms: [
      { isSure: true, runs: /k/, pattern: standalone('\\d{11}') },
      { runs: /fe/, pattern: standalone(groups(6, 5)) },
    ],
    fault: (found) => (isPesel(found) ? undefined : 'the date or the check digit fails'),
    checksum: 'weights 1, 3, 7, 9',
    hasCountedSample: true,
    sample: 'PESEL 44051401458',
    lookAlike: 'PESEL 44051401459',
  },
  {
    name: 'fi_hetu',
    sets: ['eu'],
    authority: 'Digi- ja väestötietovirasto, asetus 690/2022',
    place: 'digits',
    topic: 'hetu',
    forms: [
      {
        isSure: true,
        runs: /f[cd]/,
        pattern: new RegExp(`(?<!\\d)${day}${month}\\d{2}[-+A-FU-Y]\\d{3}[0-9A-FHJ-NPR-Y](?![A-Za-z\\d])`, 'gi'),
      },
    ],
    fault: (found) => (isHetu(found) ? undefined : 'the check sign is another'),
    checksum: 'mod 31',
    hasCountedSample: true,
    sample: '131052-308T',
    lookAlike: '131052-308S',
  },
  {
    name: 'se_personnummer',
    sets: ['eu'],
    authority: 'Skatteverket, SKV 704',
    place: 'digits',
    topic: 'personnummer',
    forms: [
      {
        isSure: true,
        runs: /[fh]d/,
        pattern: new RegExp(
          `(?<!\\d)(?:19|20|18)?\\d{2}${month}(?:[0-2]\\d|3[01]|[678]\\d|9[01])[-+]\\d{4}(?![A-Za-z\\d])`,
          'gi',
        ),
      },
      {
        isSure: true,
        runs: /l/,
        pattern: new RegExp(
          `(?<!\\d|[a-z](?<!nummer|nr|no|id)_)(?:19|20|18)\\d{2}${month}(?:[0-2]\\d|3[01]|[678]\\d|9[01])\\d{4}(?![A-Za-z\\d])`,
          'gi',
        ),
      },
      {
        runs: /j|[fh]d/,
        pattern: standalone(`\\d{2}${month}(?:[0-2]\\d|3[01]|[678]\\d|9[01])\\d{4}|(?:19|20)?\\d{6} \\d{4}`),
      },
    ],
    fault: (found) =>
      isSwedishBirth(found) && isLuhn(digitsOf(found).slice(-10)) ? undefined : 'the date or the Luhn checksum fails',
    checksum: 'Luhn',
    hasCountedSample: true,
    sample: '871220-2384',
    lookAlike: '871220-2385',
  },
  {
    name: 'tr_tckn',
    sets: ['eu'],
    authority: 'Nüfus ve Vatandaşlık İşleri: law 5490',
    place: 'digits',
    topic: 'tckn',
    forms: [
      { isSure: true, runs: /k/, pattern: standalone('[1-9]\\d{10}') },
      { runs: /cccb/, pattern: standalone(groups(3, 3, 3, 2)) },
    ],
    fault: (found) => (isTckn(found) ? undefined : 'the two check digits fail'),
    checksum: 'two digits by 10',
    hasCountedSample: true,
    sample: 'TC kimlik no 10000000146',
    lookAlike: 'TC kimlik no 10000000145',
  },
];
