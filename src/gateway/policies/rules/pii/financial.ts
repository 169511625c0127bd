import { bech32Alphabet, bech32Check, digitsOf, isBase58Check, isLuhn, remainder97 } from '../checksums.ts';
import { signs } from '../../readings/character-scan.ts';
import { noEscape } from '../../readings/escapes.ts';
import { UnitSort, runsIn } from '../../readings/unit-sort.ts';
import { type Entity, between, groups, rightBefore, standalone } from './entity.ts';
import { isAba } from '../weighted-sums.ts';

/** Numbers that money moves by. */

/** Lengths of an IBAN by country, from the registry of SWIFT. */
const ibanLengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 ' +
    'TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    // The territories that it names beside France.
    'BL27 GF27 GP27 MF27 MQ27 NC27 PF27 PM27 RE27 TF27 WF27 YT27 ' +
    // Used there, and not in the registry.
    'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))] as const),
);

/** No letter or digit, or the word itself, which then runs into it. */
const ibanEdge = `(?<!${noEscape}[A-Za-z0-9](?<!(?<![A-Za-z0-9])IBAN))`;
const ibanGap = '(?:[ \\t]{1,2}|[-./_|+]|\\r?\\n)';

/** The countries of one length share a branch, for a word behind an IBAN must not be taken for its last letters. */
const ibanPattern = new RegExp(
  `${ibanEdge}(?:${[...new Set(ibanLengths.values())].map(ibanBranch).join('|')})(?:(?![A-Za-z0-9])|(?=[A-Z]{6}[A-Z\\d]{2}(?:[A-Z\\d]{3})?(?![A-Za-z\\d])))`,
  'gi',
);

const ibanStart = '[ \\t\\n./_|+-]{0,2}\\d\\d';
/** The letters of a country and two figures as at its beginning, and others soon. */
const ibanBegins = new RegExp(
  `[A-Z]{2}${ibanStart}(?<=${ibanEdge}(?:${[...ibanLengths.keys()].join('|')})${ibanStart})(?=(?:\\D{0,14}\\d){3})`,
  'i',
);

function ibanBranch(length: number): string {
  const countries = [...ibanLengths].filter(([, each]) => each === length).map(([country]) => country);
  return `(?:${countries.join('|')})${ibanGap}?\\d{2}(?:${ibanGap}?[A-Z0-9]){${length - 4}}`;
}

/** Fewer digits than the account of any bank has: one sentence in ninety-seven has the checksum by chance. */
const ibanDigitsMin = 6;

function ibanFault(found: string): string | undefined {
  const bare = found.replace(/[^A-Za-z0-9]/g, '');
  if (/[a-z]/.test(bare) && /[A-Z]/.test(bare)) return 'its letters are of both cases';
  if (bare.replace(/\D/g, '').length < ibanDigitsMin) return 'words with a figure or two';
  return remainder97(bare.slice(4) + bare.slice(0, 4)) === 1 ? undefined : 'the mod 97 checksum fails';
}

/** The ranges that card networks have given out, by their first digits, in the lengths that their cards have today. */
const cardRanges =
  /^(?:4\d{15}|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d*|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11}|6(?:011\d{12}|4[4-9]\d{13}|5\d{14})|62\d{14,17}|(?:50|5[6-8]|6[37])\d{14}|35(?:2[89]|[3-8]\d)\d{12}|220[0-4]\d{12}|9792\d{12})$/;

/** `20211016123456` */
const moment = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d\d{0,3}$/;

function cardFault(found: string, hasContext: boolean): string | undefined {
  const digits = found.replace(/\D/g, '');
  if (/^(\d)\1*$/.test(digits)) return 'one digit repeated';
  const isOfMastercard = /^(?:5[1-5]|2[2-7])/.test(digits) && !/^220[0-4]/.test(digits);
  const isGiven = cardRanges.test(digits) && (!isOfMastercard || digits.length === 16);
  // Beside a word for it, also one of an old length or a range given out since.
  if (!isGiven && !hasContext) return 'no card network gives out such a number';
  if (!isGiven && moment.test(digits)) return 'it is written like a moment';
  return isLuhn(digitsOf(digits)) ? undefined : 'the Luhn checksum fails';
}

function cryptoFault(found: string): string | undefined {
  if (/^0x/i.test(found) || /^[48]/.test(found))
    return new Set(found).size > 8 ? undefined : 'too few different characters';
  return hasChecksum(found) ? undefined : 'the checksum of the address fails';
}

function hasChecksum(found: string): boolean {
  const [, prefix, data] = /^(bc|ltc|tb)1(.*)$/i.exec(found) ?? [];
  if (prefix === undefined || data === undefined)
    return isBase58Check(found) || (found.startsWith('r') && isBase58Check(found, true));
  const values = Array.from(data.toLowerCase(), (character) => bech32Alphabet.indexOf(character));
  const isOneCase = found === found.toLowerCase() || found === found.toUpperCase();
  return isOneCase && !values.includes(-1) && [1, 0x2bc830a3].includes(bech32Check(prefix.toLowerCase(), values));
}

/** Addresses of money are long words. */
const addressMin = 26;
const ofWords = new UnitSort((character) => /\w/.test(character));

/** Four of four figures in a list with one of these between them satisfy the arithmetic of a card now and then. */
const signsOfLists = ',;"\'[\\](){}<>=';

function apartBy(sign: string): RegExp {
  return standalone(`(?<!\\d[^A-Za-z\\d]{1,6})\\d{4}(${sign})\\d{4}(?:\\1\\d{4}){2}(?!\\1\\d)`);
}

/** Digits as cards have them on their face, and one by one. */
const cardForms = [
  { isSure: true, runs: /dddd/, pattern: standalone(groups(4, 4, 4, 4)) },
  { isSure: true, runs: /dfe/, pattern: standalone(groups(4, 6, 5)) },
  { isSure: true, runs: /dfd/, pattern: standalone(groups(4, 6, 4)) },
  { isSure: true, runs: /hh/, pattern: standalone(groups(8, 8)) },
  { isSure: true, runs: /[n-s]/, pattern: standalone('\\d{14,19}') },
  // The first track of a magnetic stripe: ISO/IEC 7813.
  { isSure: true, runs: /[n-s]/, pattern: /(?=\d{14})(?<=%B)\d{14,19}(?=\^)/gi },
  // A currency, or a word for a card or a number, that runs into it, and its month and year behind it.
  {
    isSure: true,
    runs: /[n-s]/,
    pattern:
      /(?=\d{14})(?<=(?<![A-Za-z\d])(?:EUR|USD|GBP|CHF|AUD|CAD|id|cc|ccn|card|karte|pan|visa|mc|amex|no|nr|num))\d{14,19}(?![A-Za-z\d])/gi,
  },
  { isSure: true, runs: /r/, pattern: /(?<![A-Za-z\d]|\d\.)\d{16}(?=(?:0[1-9]|1[0-2])\/\d\d(?:\d\d)?(?!\d))/g },
  // Alone, and the same each time between its groups, but not what stands between the figures of a list.
  { isSure: true, runs: /dddd/, pattern: apartBy(`(?!\\s{3})[^A-Za-z\\d${signsOfLists}]{1,5}|\\r?\\n> ?|<br\\/?>`) },
  { runs: /dddd/, pattern: apartBy('[^A-Za-z\\d]{1,5}') },
  {
    needs: /\d{4}(?:[^A-Za-z\d]{5,6}|(?:\s{0,4}<[^<>]{1,6}>){1,2}\s{0,4})\d{4}/,
    pattern: apartBy('\\s{0,4}(?:</?[a-z]{1,4}\\s?/?>\\s{0,4}){1,2}|[^A-Za-z\\d]{5,6}'),
  },
  { runs: /dddd[abc]/, pattern: standalone(groups(4, 4, 4, 4, '1,3')) },
  { runs: /fm/, pattern: standalone(groups(6, 13)) },
  { runs: /ddd/, pattern: standalone(groups(4, 4, 4)) },
  { runs: /[lm]/, pattern: standalone('\\d{12,13}') },
  { runs: /def/, pattern: standalone(groups(4, 5, 6)) },
  { runs: /a{12}/, pattern: standalone(`\\d(?:${between}\\d){11,18}`) },
];

/** The codes of ISO 3166 for the countries that have no IBAN. */
const countriesWithoutIban =
  'AF AG AI AM AQ AR AS AU AW AX BB BD BM BN BO BQ BS BT BV BW BZ CA CC CD CK CL CN CO CU CW CX DM EC EH ER ET FJ' +
  ' FM GD GG GH GM GN GS GU GY HK HM HT ID IM IN IO JE JM JP KE KG KH KI KN KP KR KY LA LK LR LS MH MM MO MP MS MV' +
  ' MW MX MY NA NF NG NP NR NU NZ PA PE PG PH PN PR PW PY RW SB SG SH SJ SL SR SS SX SY SZ TC TH TJ TK TM TO TT TV' +
  ' TW TZ UG UM US UY UZ VC VE VI VN VU WS ZA ZM ZW';

const countries = [...ibanLengths.keys(), ...countriesWithoutIban.split(' ')].join('|');

export const financialEntities: readonly Entity[] = [
  {
    name: 'card',
    sets: ['financial'],
    authority: 'ISO/IEC 7812, and the ranges that the card networks publish',
    place: 'digits',
    topic: 'card',
    forms: cardForms,
    fault: cardFault,
    checksum: 'Luhn',
    notAfter: rightBefore(
      /\b(?:imei|isbn|ean|gtin|upc|tracking|timestamp)(?:\s?(?:no\.?|number|id|nr\.?|#))?\s{0,3}[:#=]?\s{0,3}/i,
    ),
    hasCountedSample: true,
    sample: '4539148803436467,1227,123',
    lookAlike: 'order 4539148803436468 was sent',
  },
  {
    name: 'card_cvv',
    sets: ['financial', 'credentials'],
    authority: 'the card networks: three digits, or four',
    signs: signs.digit,
    place: 'label',
    topic: 'cvv',
    reach: 20,
    forms: [
      {
        pattern:
          /(?=\d{3})(?<=^(?: code| number| no\.?| of (?:my|the|your) card)?\)?["'`]?\s{0,2}(?:[:=|,;]|is|ist|lautet|est|es)?\s{0,2}["'`]?)(?!^\d{4})\d{3,4}(?![\p{L}\d])(?![.,]\d)/giu,
      },
    ],
    sample: 'cvv: 123',
    lookAlike: 'the cvv field has 3 digits at most',
  },
  {
    name: 'card_expiry',
    sets: ['financial'],
    authority: 'ISO/IEC 7813: month and year',
    signs: signs.digit,
    place: 'label',
    topic: 'expiry',
    reach: 16,
    forms: [
      {
        pattern:
          /(?=[01]\d)(?<=^(?:\p{L}{0,6}\.?)(?: date)?["'`]?\s{0,2}(?:[:=|,;]|is)?\s{0,2}["'`]?)(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?[2-4]\d(?![\p{L}\d/-])/giu,
      },
    ],
    sample: 'exp 12/27',
    lookAlike: 'the offer expires on 12/27/2026',
  },
  {
    name: 'iban',
    sets: ['financial', 'eu'],
    authority: 'ISO 13616, the registry of SWIFT',
    topic: 'iban',
    signs: signs.digit,
    place: { test: (_, digits = '', hasMany) => hasMany && ibanBegins.test(digits) },
    // Two letters, behind the word itself or not.
    forms: [{ isSure: true, shape: /[BFZ][b-z]/, pattern: ibanPattern }],
    fault: ibanFault,
    checksum: 'mod 97',
    hasCountedSample: true,
    sample: 'DE89 3704 0044 0532 0130 00',
    lookAlike: 'DE88 3704 0044 0532 0130 00',
  },
  {
    name: 'bic',
    sets: ['financial', 'eu'],
    authority: 'ISO 9362',
    place: 'label',
    topic: 'bic',
    hints: ['BIC', 'bic', 'SWIFT', 'swift', 'Swift'],
    reach: 24,
    forms: [
      {
        pattern: new RegExp(
          `(?<![A-Za-z\\d])[A-Z]{4}(?:${countries})[A-Z2-9][A-NP-Z\\d](?:[A-Z\\d]{3})?(?![A-Za-z\\d])`,
          'g',
        ),
      },
    ],
    sample: 'BIC: COBADEFFXXX',
    lookAlike: 'use SWIFT for all of this',
  },
  {
    name: 'crypto',
    sets: ['financial'],
    authority: 'BIP 13, BIP 173, BIP 350, EIP 55',
    signs: signs.base64,
    place: {
      partsOf: (text) =>
        runsIn(text, addressMin, ofWords).map(({ start, end }) => ({ start: Math.max(0, start - 1), end })),
    },
    forms: [
      {
        isSure: true,
        // At the beginning of its word, or behind the letter of an escape.
        needs: /^[^]{0,2}(?:0x|(?:bc|ltc|tb)1|[13LMDTr][1-9A-HJ-NP-Za-km-z]{5}|[48][0-9AB])/i,
        pattern: new RegExp(
          `(?<!${noEscape}[\\w/])(?:0x[0-9a-f]{40}|(?:bc|ltc|tb)1[02-9ac-hj-np-z]{11,71}|[13LMDTr][1-9A-HJ-NP-Za-km-z]{25,34}|[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93})(?!\\w)`,
          'gi',
        ),
      },
    ],
    fault: cryptoFault,
    sample: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    lookAlike: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp',
  },
  {
    name: 'us_aba',
    sets: ['financial', 'us'],
    authority: 'American Bankers Association: routing numbers',
    place: 'digits',
    topic: 'aba',
    forms: [{ runs: /i|dda/, pattern: standalone(`\\d{9}|${groups(4, 4, 1)}`) }],
    fault: (found) => (isAba(found) ? undefined : 'the weighted checksum fails'),
    checksum: 'weights 3, 7, 1',
    hasCountedSample: true,
    sample: 'routing number 121000358',
    lookAlike: 'routing number 121000359',
  },
  {
    name: 'bank_account',
    sets: ['financial'],
    authority: 'by a word beside it',
    place: 'digits',
    topic: 'account',
    reach: 36,
    forms: [
      {
        runs: /[h-n]|[b-d][c-f][b-g]/,
        // A second and its date, as logs have them, are none.
        pattern: standalone(`(?!1\\d{9} (?:19|20)\\d\\d\\.\\d\\d\\.)\\d{8,14}|${groups('2,4', '3,6', '2,7')}`),
      },
    ],
    fault: (found) => {
      if (new Set(found.replace(/\D/g, '')).size < 3) return 'too few different digits';
      return /^(?:19|20)\d\d\D?(?:0\d|1[0-2])\D?[0-3]\d/.test(found) ? 'it is written like a date' : undefined;
    },
    sample: 'bank account number 945456787654',
    lookAlike: 'the account was opened on 2026-03-01',
  },
];
