import { digitsOf, isLuhn, isVerhoeff } from '../checksums.ts';
import { type Entity, between, groups, standalone } from './entity.ts';
import {
  isAbn,
  isKoreanBirth,
  isKoreanCheck,
  isMedicare,
  isNric,
  isSouthAfricanBirth,
  isTfn,
  isThai,
} from '../weighted-sums.ts';

/** Numbers of Asia, Australia and Africa. */

const gap = `${between}?`;
/** Milliseconds since 1970, from 2001 to 2033. */
const epoch = /^1\d{12}$/;

export const asiaPacificEntities: readonly Entity[] = [
  {
    name: 'in_aadhaar',
    sets: ['apac'],
    authority: 'Unique Identification Authority of India',
    place: 'digits',
    topic: 'aadhaar',
    forms: [
      // Alone in its groups: four groups of four are something else, of which a part may satisfy one check digit.
      {
        isSure: true,
        runs: /ddd/,
        pattern: standalone('(?<!\\d{4}[ -])[2-9]\\d{3}([ :-])\\d{4}\\1\\d{4}(?![ -]\\d{4}(?!\\d))'),
      },
      { runs: /l|ddd/, pattern: standalone(`\\d{12}|${groups(4, 4, 4)}`) },
    ],
    fault: (found) => (/^[2-9]/.test(found) && isVerhoeff(digitsOf(found)) ? undefined : 'the Verhoeff checksum fails'),
    checksum: 'Verhoeff',
    hasCountedSample: true,
    sample: 'Aadhaar 3123 4567 8909',
    lookAlike: 'Aadhaar 3123 4567 8908',
  },
  {
    name: 'in_pan',
    sets: ['apac'],
    authority: 'Income Tax Department of India, rule 114',
    place: 'digits',
    topic: 'pan',
    forms: [
      { isSure: true, shape: /[EZ]dA/, pattern: standalone('[A-Z]{3}[ABCFGHLJPT][A-Z]\\d{4}[A-Z]', 'g') },
      { shape: /[EZ]dA/, pattern: standalone('[A-Z]{5}\\d{4}[A-Z]') },
    ],
    sample: 'ABCPD1234Z',
    lookAlike: 'ABCQD1234Z',
  },
  {
    name: 'in_gstin',
    sets: ['apac'],
    authority: 'Goods and Services Tax Network of India',
    place: 'digits',
    topic: 'gstin',
    forms: [
      {
        isSure: true,
        shape: /bEd/,
        pattern: standalone('(?:0[1-9]|[12]\\d|3[0-7]|97|99)[A-Z]{5}\\d{4}[A-Z][1-9A-Z]Z[\\dA-Z]'),
      },
    ],
    // Its form is rare enough; forms and manuals have samples whose last character is not that of the number.
    sample: '27ABCDE1234F1Z5',
    lookAlike: '38ABCDE1234F1Z5',
  },
  {
    name: 'kr_rrn',
    sets: ['apac'],
    authority: 'Ministry of the Interior and Safety of Korea',
    place: 'digits',
    topic: 'rrn',
    forms: [
      { isSure: true, runs: /fg/, pattern: standalone('\\d{6} ?- ?[1-8]\\d{6}') },
      { isSure: true, runs: /m/, pattern: standalone('\\d{6}[1-8]\\d{6}') },
    ],
    fault: (found, hasContext) => {
      if (!isKoreanBirth(found)) return 'no such date of birth';
      if (!hasContext && epoch.test(found)) return 'a point in time, in milliseconds';
      return /\D/.test(found) || hasContext || isKoreanCheck(found) ? undefined : 'the mod 11 checksum fails';
    },
    checksum: 'mod 11',
    sample: '960121-1021413',
    lookAlike: '961321-1021413',
  },
  {
    name: 'sg_nric',
    sets: ['apac'],
    authority: 'Immigration & Checkpoints Authority of Singapore',
    place: 'digits',
    topic: 'nric',
    forms: [{ isSure: true, shape: /[AZ]gA/, pattern: standalone('[STFGM]\\d{7}[A-Z]') }],
    fault: (found, hasContext) => (hasContext || isNric(found) ? undefined : 'the check letter is another'),
    checksum: 'weights 2, 7, 6, 5, 4, 3, 2',
    sample: 'S2740116C',
    lookAlike: 'S2740116D',
  },
  {
    name: 'au_tfn',
    sets: ['apac'],
    authority: 'Australian Taxation Office',
    place: 'digits',
    topic: 'tfn',
    forms: [{ runs: /i|ccc/, pattern: standalone(`\\d{9}|${groups(3, 3, 3)}`) }],
    fault: (found) => (isTfn(found) ? undefined : 'the mod 11 checksum fails'),
    checksum: 'mod 11',
    hasCountedSample: true,
    sample: 'TFN 876 543 210',
    lookAlike: 'TFN 876 543 211',
  },
  {
    name: 'au_medicare',
    sets: ['apac'],
    authority: 'Services Australia',
    place: 'digits',
    topic: 'medicare',
    forms: [
      { isSure: true, runs: /dea/, pattern: standalone('[2-6]\\d{3} \\d{5} \\d(?: ?[/-] ?\\d)?') },
      { runs: /[jk]|dea/, pattern: standalone(`\\d{10}\\d?|${groups(4, 5, 1)}`) },
    ],
    fault: (found) => (/^[2-6]/.test(found) && isMedicare(found) ? undefined : 'the check digit is another'),
    checksum: 'weights 1, 3, 7, 9',
    hasCountedSample: true,
    sample: 'Medicare 2123 45670 1',
    lookAlike: 'Medicare 2123 45671 1',
  },
  {
    name: 'au_abn',
    sets: ['apac'],
    authority: 'Australian Business Register',
    place: 'digits',
    topic: 'abn',
    forms: [{ isSure: true, runs: /k|bccc/, pattern: standalone(`[1-9]\\d{10}|[1-9]\\d${between}${groups(3, 3, 3)}`) }],
    fault: (found) => (isAbn(found) ? undefined : 'the mod 89 checksum fails'),
    checksum: 'mod 89',
    hasCountedSample: true,
    sample: 'ABN 51 824 753 556',
    lookAlike: 'ABN 51 824 753 557',
  },
  {
    name: 'th_nid',
    sets: ['apac'],
    authority: 'Department of Provincial Administration of Thailand',
    place: 'digits',
    topic: 'thai',
    forms: [
      { isSure: true, runs: /adeba/, pattern: standalone('[1-8][ -]\\d{4}[ -]\\d{5}[ -]\\d{2}[ -]\\d') },
      { pattern: standalone(`[1-8]\\d{12}|[1-8]${gap}\\d{4}${gap}\\d{5}${gap}\\d{2}${gap}\\d`) },
    ],
    fault: (found) => (isThai(found) ? undefined : 'the province or the mod 11 checksum fails'),
    checksum: 'mod 11',
    hasCountedSample: true,
    sample: 'Thai ID 1-2345-67890-12-1',
    lookAlike: 'Thai ID 1-2345-67890-12-2',
  },
  {
    name: 'za_id',
    sets: ['africa'],
    authority: 'Department of Home Affairs of South Africa',
    place: 'digits',
    topic: 'za',
    forms: [
      { isSure: true, runs: /m|fdc|fdba/, pattern: standalone(`\\d{13}|${groups(6, 4, 3)}|${groups(6, 4, 2, 1)}`) },
    ],
    fault: (found) =>
      isSouthAfricanBirth(found) && isLuhn(digitsOf(found)) ? undefined : 'the date or the Luhn checksum fails',
    checksum: 'Luhn',
    hasCountedSample: true,
    sample: 'ID 8001015009087',
    lookAlike: 'ID 8001015009086',
  },
];
