import { bech32Alphabet, bech32Check, digitsOf, isBase58Check, isLuhn, remainder97 } from './checksums.ts';
import { UnitSort, hasRun } from '../readings/unit-sort.ts';
import { type Entity, digit } from './pii-entity.ts';
import { nationalEntities } from './pii-national.ts';

/** Lengths of an IBAN by country, from the registry of SWIFT. */
const ibanLengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 ' +
    'TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))] as const),
);

/** The countries of one length share a branch, for a word behind an IBAN must not be taken for its last letters. */
const ibanPattern = new RegExp(
  `(?<![A-Za-z0-9])(?:${[...new Set(ibanLengths.values())].map(ibanBranch).join('|')})(?![A-Za-z0-9])`,
  'gi',
);

function ibanBranch(length: number): string {
  const countries = [...ibanLengths].filter(([, each]) => each === length).map(([country]) => country);
  return `(?:${countries.join('|')})[ -]?\\d{2}(?:[ -]?[A-Z0-9]){${length - 4}}`;
}

function ibanFault(found: string): string | undefined {
  const bare = found.replace(/[ -]/g, '');
  return remainder97(bare.slice(4) + bare.slice(0, 4)) === 1 ? undefined : 'the mod 97 checksum fails';
}

/** The ranges that card networks have given out, by their first digits, and the lengths of their numbers. */
const cardRanges =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d*|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,16}|6(?:011|4[4-9]|5|2|7)\d{10,17}|(?:50|5[6-8]|6[37])\d{10,17}|35(?:2[89]|[3-8]\d)\d{12}|220[0-4]\d{12}|9792\d{12})$/;

function cardFault(found: string): string | undefined {
  const digits = found.replace(/\D/g, '');
  const isFull = !/^[25]/.test(digits) || digits.length === 16 || /^5[06-8]/.test(digits);
  if (!isFull || !cardRanges.test(digits)) return 'no card network gives out such a number';
  if (new Set(digits).size === 1) return 'one digit repeated';
  return isLuhn(digitsOf(digits)) ? undefined : 'the Luhn checksum fails';
}

const ipv4 = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}';

/** An address that every machine has is nobody's. */
const sharedAddress = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/;

function ipFault(found: string): string | undefined {
  if (!found.includes(':')) return sharedAddress.test(found) ? 'an address that every machine has' : undefined;
  const isLong = found.length > 4 && /\d/.test(found) && /[0-9a-f]{2}/i.test(found);
  return isLong && URL.canParse(`http://[${found}]/`) ? undefined : 'no IPv6 address, or one of very few digits';
}

/** Numbers of seven digits upwards; one written without a country needs a word that says what it is. */
function phoneFault(found: string): string | undefined {
  const digits = found.replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 15) return 'a phone number has 7 to 15 digits';
  if (new Set(digits).size <= 2) return 'only two different digits';
  return /^\d{4}[-/.]\d\d[-/.]\d\d$/.test(found) ? 'it is written like a date' : undefined;
}

function isNorthAmerican(found: string): boolean {
  return /^(?:\+?1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])[2-9]\d\d[.-]\d{4}$/.test(found);
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

export const entities: readonly Entity[] = [
  {
    name: 'email',
    pattern:
      /@(?=[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.)(?<=([\p{L}\p{N}._%+'-]{0,63}[\p{L}\p{N}_%+-]|"[^"\n]{1,62}")@)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,5}(?!(?:png|jpe?g|gif|svg|webp)(?![\p{L}\p{N}]))(?:xn--[a-z0-9-]{2,50}|\p{L}{2,24})(?![\p{L}\p{N}])/giu,
    needs: /@/,
  },
  {
    name: 'card',
    pattern: /(?<![\d.,$€£-]|\d[ ])\d(?:[ .-]?\d){11,18}(?![.,]?\d|[ -]\d)/g,
    needs: digit,
    fault: cardFault,
    checksum: 'Luhn',
    notAfter:
      /\b(?:imei|isbn|ean|gtin|upc|order|tracking|invoice|serial|ticket|timestamp)(?:\s?(?:no\.?|number|id|nr\.?|#))?\s{0,3}[:#=]?\s{0,3}$/i,
  },
  {
    name: 'iban',
    pattern: ibanPattern,
    needs: /[a-z]{2}\d\d/i,
    fault: ibanFault,
    checksum: 'mod 97',
  },
  {
    name: 'phone',
    pattern:
      /(?<![\w.,/+@#$€£-]|\d[ ])(?:\+|00|\(\+?)?\d(?:(?:[ ./-]|\)[ .-]?|[ -]?\()?\d){6,15}(?![\d\w@%]|[.,:/-]\d)/g,
    needs: digit,
    fault: phoneFault,
    withoutContext: 'no word like phone stands near it',
    context:
      /\b(?:tel(?:ephone|efon|éfono|efono|efoon)?|phone|mobile?|cell(?:ular)?|fax|call|ring|dial|text|sms|whatsapp|signal|handy|ruf(?:nummer)?|anruf|appele[rz]?|portable|llam[ae]r?|m[oó]vil|hotline|contact|reach)\b/i,
    needsContext: (found) => !isNorthAmerican(found) && !/^\(?(?:\+|00[1-9])/.test(found),
  },
  {
    name: 'ip',
    pattern: new RegExp(
      `(?<![\\w.:-])(?:${ipv4}(?![\\w:]{0,1}\\.?\\d)|(?:[0-9a-f]{1,4}:){1,7}(?::?${ipv4}|[0-9a-f]{1,4})(?![\\w:])|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}(?![\\w:])|::(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4}(?![\\w:]))`,
      'gi',
    ),
    needs: /\d\.\d{1,3}\.\d|:[0-9a-f]{0,4}:/i,
    fault: ipFault,
    notAfter:
      /\b(?:v|ver|version|release|build|section|chapter|firmware|clause|kernel|rev|revision|driver|upgrade to|paragraph)\.?\s{0,3}[:=]?\s{0,3}$/i,
  },
  {
    name: 'mac',
    pattern:
      /(?<![\w:.-])(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})(?![\w:-]|\.\w)/gi,
    needs: /[:-][0-9a-f]{2}[:-][0-9a-f]{2}[:-]|\.[0-9a-f]{4}\./i,
    fault: (found) => (new Set(found.toLowerCase()).size > 3 ? undefined : 'too few different characters'),
  },
  {
    name: 'crypto',
    pattern:
      /(?<![\w/])(?:0x[0-9a-f]{40}|(?:bc|ltc|tb)1[02-9ac-hj-np-z]{11,71}|[13LMDTr][1-9A-HJ-NP-Za-km-z]{25,34}|[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93})(?!\w)/gi,
    needs: { test: (text) => hasRun(text, addressMin, ofWords) },
    fault: cryptoFault,
  },
  ...nationalEntities,
];
