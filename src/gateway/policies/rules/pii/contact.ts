import { signs } from '../../readings/character-scan.ts';
import { noEscape } from '../../readings/escapes.ts';
import { type Entity, hasTwice, partsApart, rightBefore, standalone } from './entity.ts';
import { phone } from './phone.ts';

/** Ways to reach a person, and what is known of one by a label alone. */

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
/** A point, or one in brackets as people write it where programs must not read it. */
const spelledDot = '(?:\\.|\\s?[([{]\\s?(?:\\.|dot|punkt|punto|point)\\s?[)\\]}]\\s?)';
const bracketedAt = /[([{]\s?(?:[aA][tT]|@)\s?[)\]}]/;
const hostLabel = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
/** Without the quotation mark before it, nor that of `b'...'` and `N'...'`: what stays of a program is still one. */
const mailbox = "(?!'|[bnu]'[^'\\s]{4,200}')[\\p{L}\\p{N}._%+'-]{0,63}[\\p{L}\\p{N}_%+-]";
const brackets = ['(', '[', '{'];
/** Also the bit that tells a small letter from its capital. */
const blank = 0x20;
const letterA = 0x61;
const letterT = 0x74;

/** The engine finds a bracket much faster than a pattern does, and most of them have other letters behind them. */
function hasBracketedAt(text: string, bracket: string): boolean {
  for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
    const next = text.charCodeAt(at + 1) === blank ? at + 2 : at + 1;
    const isAt = (text.charCodeAt(next) | blank) === letterA && (text.charCodeAt(next + 1) | blank) === letterT;
    if (isAt && bracketedAt.test(text.slice(at, at + 6))) return true;
  }
  return false;
}

const ipv4 = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}';
/** Two zeros before single figures, as classes of goods have them. */
const padded = '(?:\\d{1,3}\\.){0,2}0\\d\\.(?:\\d{1,3}\\.){0,2}0\\d(?!\\d)';
/** Four figures near three, or near four, that begin as they do: sections of a document. */
const peerOfSection = '(?<![\\d.])\\1\\.(?:\\d{1,2}\\.\\d{1,2}(?!\\d|\\.\\d)|\\2\\.\\3\\.\\d(?![\\d.]*\\d))';
const figures = '(\\d)\\.(\\d)\\.(\\d)\\.\\d(?!\\d)';
const section = `${figures}(?:(?=[^]{0,99}?${peerOfSection})|(?<=${peerOfSection}[^]{0,99}?(?:\\d\\.){3}\\d))`;
const hex4 = '[0-9a-f]{1,4}';
/** With one `::` for a row of zeros, or all eight groups, or an IPv4 address at the end. */
const ipv6 = `(?:${hex4}:){7}${hex4}|(?:${hex4}:){6}${ipv4}|(?:${hex4}(?::${hex4}){0,6})?::(?:(?:${hex4}:){0,6}${ipv4}|${hex4}(?::${hex4}){0,6})?`;

const onlyIpv4 = new RegExp(`^${ipv4}$`);

/** Loopback, unspecified and broadcast addresses, and masks of networks: every machine has them, they name nobody. */
const sharedAddress = /^(?:127\.|0\.0\.0\.0$|255\.)/;

const sharedNames = '(?:localhost|loopback|broadcast|default|unspecified)';

const inBrackets = /[^\d.]/;

/** Names of what has an address: behind one of them four numbers are none of a version. */
const addressNames = 'ip|addr(?:ess)?|host|src|dst|source|client|peer|remote';
/** Parts of documents, in some languages, with their accents or without. */
const sections =
  '(?:(?:sub)?section|chapter|clause|paragraph|annex|table|figure)s?|appendix|(?:(?:unter|teil)?abschnitt|kapitel|anhang|artikel|absatz)(?:s|es|e|en)?|nummern?|ziffern?|nrn?|annexes?|alin[eé]as?|secci(?:[oó]n|ones)|se[cç][aãoõ][oe]s?|apartados?|art[ií]culos?|cap[ií]tul[oi]s?|sezion[ei]|bijlage|hoofdstuk|rozdzia[łl]u?';
/** Sections have no part of three figures, and none of a zero alone: a "table" may be one of routes. */
const unlessAddress = '(?![^\\d\\n]{0,9}[\\d.]*(?:\\d{3}|\\.0\\.))';
const programs =
  'chrome|chromium|edge?|opr|electron|[a-z]{2,12}browser|firefox|safari|vivaldi|whatsapp|nginx|apache|openssl|php|python|curl|okhttp';
/** Right before what is a version in four parts. */
const versionLeads = [
  `(?<!(?:${addressNames})\\s?)(?:[<>~^]=\\s?["']?|(?<![^\\s"'\`(,;[])==)`,
  `(?:${[
    '\\b(?:v|ver)',
    'versions?',
    `(?<![\\w-])(?![\\w-]{0,30}(?:${addressNames})[!=])[a-z][\\w-]{0,30}[!=]=(?![ \\t]{0,3}\\r?\\n)`,
    `\\b(?:${programs})\\/`,
    '\\b(?:release|build|firmware|kernel|rev|revision|driver|(?:up|down)grade(?:d|s)? to)',
    `(?<!\\p{L})(?:${sections})${unlessAddress}`,
    '§',
  ].join('|')})\\.?["'\`]?(?:\\s{0,3}[:=|]?|\\(| ?>|\\s(?:is|was|(?<=versions?\\s)to))\\s{0,3}["'\`]?`,
  '\\b(?:bump|upgrad|downgrad)(?:s|e|ed|es|ing)?\\s[^\\n]{1,30}\\s(?:from|to)\\s',
];
const notAnAddress = rightBefore(
  new RegExp(`(?<![\\d.])\\d{1,4}\\.\\d{1,4}\\.\\d{1,4} to |(?:${versionLeads.join('|')})`, 'iu'),
);

function ipFault(found: string, _hasContext: boolean, isLabelled = () => false): string | undefined {
  if (!found.includes(':')) {
    const isShared = sharedAddress.test(inBrackets.test(found) ? found.replace(/[^\d.]/g, '') : found);
    return isShared && !isLabelled() ? 'an address that every machine has' : undefined;
  }
  const isLong = found.length > 4 && /\d/.test(found) && /[0-9a-f]{2}/i.test(found);
  if (!isLong && !isLabelled()) return 'an IPv6 address of very few digits';
  return URL.canParse(`http://[${found}]/`) ? undefined : 'no IPv6 address';
}

const signsOfMac = [
  { sign: ':', distance: 3, times: 5 },
  { sign: '-', distance: 3, times: 5 },
  { sign: '.', distance: 5, times: 2 },
];

const months =
  '(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|set|dic|janv|févr|mars|avr|juin|juil|août|déc)[a-zà-ÿ]{0,9}\\.?';
const day = '(?:0?[1-9]|[12]\\d|3[01])';
const year = '(?:(?:19|20)\\d\\d|\\d\\d)';

export const contactEntities: readonly Entity[] = [
  {
    name: 'email',
    sets: ['contact'],
    authority: 'RFC 5321, RFC 6531',
    signs: signs.mail,
    place: { test: (text) => text.includes('@') || brackets.some((sign) => hasBracketedAt(text, sign)) },
    forms: [
      {
        isSure: true,
        pattern: new RegExp(
          `@(?=[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,62}\\.)(?<=(?<lead>${mailbox}|"[^"\\n[\\]]{1,62}")@)(?:${hostLabel}\\.){1,5}(?!(?:png|jpe?g|gif|svg|webp)(?![\\p{L}\\p{N}]))(?:xn--[a-z0-9-]{2,50}|\\p{L}{2,24})(?![\\p{L}\\p{N}])`,
          'giu',
        ),
      },
      {
        isSure: true,
        needs: bracketedAt,
        pattern: new RegExp(
          `${bracketedAt.source}(?<=(?<lead>${mailbox}\\s?)${bracketedAt.source})\\s?(?:${hostLabel}${spelledDot}){1,5}\\p{L}{2,24}(?![\\p{L}\\p{N}])`,
          'giu',
        ),
      },
    ],
    sample: 'write to ana.lopez@acme.example',
    lookAlike: 'icon@2x.png',
  },
  phone,
  {
    name: 'ip',
    sets: ['contact'],
    authority: 'RFC 791, RFC 4291',
    signs: signs.digit | signs.link,
    place: {
      test: (text, digits) =>
        (digits !== undefined && /\.\d{1,3}\.\d|[([{]\s?(?:\.|dot)/.test(digits)) ||
        (hasTwice(text, ':', 5) && /:[0-9a-f]{0,4}:/i.test(text)),
    },
    forms: [
      {
        isSure: true,
        pattern: new RegExp(
          `(?<!${noEscape}[A-Za-z\\d.-]|(?<!(?<![A-Za-z])(?:ip|addr|host|src|dst|client))_)(?<!\\d[.:])(?!${section}|${padded})${ipv4}(?![\\w-]|\\.\\d)`,
          'g',
        ),
      },
      {
        isSure: true,
        // From the bracket, which is rarer than a digit.
        needs: /[([{]\s?(?:\.|dot)(?<=\d\s?[([{]\s?(?:\.|dot))/i,
        pattern: new RegExp(`(?<![\\w.-])${octet}(?:${spelledDot}${octet}){3}(?![\\w-]|\\.\\d)`, 'gi'),
      },
      {
        isSure: true,
        topics: ['caller_ip', 'ip'],
        needs: /::(?:[0-9a-f:]{0,36}\d|(?<=\d[0-9a-f:]{0,36}::))|:(?:[0-9a-f]{1,4}:){4}/i,
        pattern: new RegExp(
          `(?=[0-9a-f]{0,4}:[0-9a-f]{0,4}:)(?<![\\w.]|(?<!\\b\\w{0,12}(?:ip|ipv6|inet6?|src|dst|source|client|peer|remote|host|addr|address|text|from|to|via|server|gateway)):)(?:${ipv6})(?![\\w:]|\\.\\d)`,
          'gi',
        ),
      },
    ],
    fault: ipFault,
    notAfter: notAnAddress,
    notBefore:
      /^ to \d{1,4}\.\d{1,4}\.\d{1,4}(?:\.\d{4,})?(?![.\d])|^ (?:(?:has been|is|was|got) )?(?:released|deprecated|yanked)\b|^ (?:changelog|release notes)\b/i,
    topic: 'caller_ip',
    sample: 'login from 10.1.2.3:443 failed',
    lookAlike: 'version 10.1.2.3',
  },
  {
    name: 'ip',
    sets: ['contact'],
    authority: 'RFC 791, RFC 4291: a message that is nothing else, loopback included, or its name before it',
    signs: signs.digit,
    place: { test: (text) => text.length < 60 },
    forms: [
      {
        isSure: true,
        pattern: new RegExp(
          `(?=[\\da-f:])(?=\\D{0,44}\\d)(?<=^\\s{0,9}(?:${sharedNames}[:=]?\\s)?)[\\da-f.:]{2,45}(?=(?:\\/\\d{1,3})?\\s{0,9}$)`,
          'gi',
        ),
      },
    ],
    fault: (found) =>
      (found.includes(':') ? URL.canParse(`http://[${found}]/`) : onlyIpv4.test(found)) ? undefined : 'no address',
    sample: '::1/128',
    lookAlike: '10:30:05',
  },
  {
    name: 'mac',
    sets: ['contact'],
    authority: 'IEEE 802',
    // It takes fourteen characters and more, with no letter beside them: as long as the shortest run of hex.
    signs: signs.hex,
    place: { partsOf: (text) => partsApart(text, signsOfMac) },
    forms: [
      {
        isSure: true,
        pattern:
          /(?<![\w:.-])(?:[0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})(?![\w:-]|\.\w)/gi,
      },
    ],
    fault: (found) => (new Set(found.toLowerCase()).size > 3 ? undefined : 'too few different characters'),
    sample: 'device 3c:22:fb:4a:90:1e',
    lookAlike: '10:30:05, lap 7',
  },
  {
    name: 'date_of_birth',
    sets: ['contact'],
    authority: 'ISO 8601, and how people write days',
    place: 'digits',
    topic: 'birth',
    reach: 40,
    forms: [
      {
        pattern: standalone(
          `${day}(?:st|nd|rd|th)?\\.?[ -](?:of )?(?:de )?${months}[ ,-]{1,2}(?:de )?${year}|${months} ${day}(?:st|nd|rd|th)?,? ${year}|\\d{4}[-/.]\\d\\d?[-/.]${day}|${day}[-/.]\\d\\d?[-/.]${year}|(?:0[1-9]|1[0-2])/${day}/${year}|(?:19|20)\\d\\d ?年 ?\\d{1,2} ?月 ?\\d{1,2} ?日|(?:19|20)\\d{6}`,
        ),
      },
    ],
    sample: 'date of birth: 12.03.1980',
    lookAlike: 'the meeting is on 12.03.2026',
  },
  {
    name: 'username',
    sets: ['credentials'],
    authority: 'by its label alone',
    signs: signs.digit,
    place: 'label',
    topic: 'username',
    hints: ['user', 'User', 'login', 'Login', 'Benutzername', 'Anmeldename', 'Usuario', 'Identifiant'],
    reach: 6,
    forms: [
      {
        pattern:
          /(?=[A-Za-z])(?<=^["'`]?\s{0,2}(?:[:=]|is)\s{0,2}["'`]?)(?=[\w.@-]{0,39}\d)(?!B2[BCEG](?!\w))[A-Za-z][\w.@-]{2,39}(?![\w(])/g,
      },
    ],
    sample: 'username: jdoe42',
    lookAlike: 'username: string',
  },
  {
    name: 'pin',
    sets: ['credentials'],
    authority: 'ISO 9564: four to twelve digits',
    signs: signs.digit,
    place: 'label',
    topic: 'pin',
    reach: 20,
    forms: [
      {
        pattern:
          /(?=\d{4})(?<=^(?: code| number| no\.?| kód| kod)?(?: for [\p{L} ]{1,20})?["'`]?\s{0,2}(?:[:=]|is|was|ist|lautet|es|est|è|é|är|er|to|—|-|,)?\s{0,2}["'`]?)\d{4,6}(?![\p{L}\d])(?![.,]\d)(?!\s(?:edition|version|release|pins?|pieces|units|items|users)(?!\p{L}))/giu,
      },
    ],
    sample: 'my PIN is 4821',
    lookAlike: 'drop a pin at 48.2, 16.3',
  },
];
