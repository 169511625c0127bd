import { foreignKeyWord, foreignKeyWords, foreignLinks } from './password-words.ts';
import type { SecretRule } from './rule.ts';
import { randomFault, signedName } from './values.ts';

/** Keys and tokens that a sentence tells: "my api key is 3f2a...", "use token 3f2a...", "API key → 3f2a...". */

const kinds =
  '(?:api|access|secret|auth|private|encryption|decryption|signing|master|deploy|licen[cs]e|client|bearer|session|bot|app|service|account|consumer|webhook|refresh)';
/** Names that say that they are secret. */
const names = `(?:${kinds}[ _-]?(?:access[ _-]?)?(?:key|token|secret)|secret(?![ _-]?(?:name|id)s?(?![a-z]))|credential)(?![a-z])`;
/** The beginnings of those, for `beginsWith`. */
const beginnings =
  'api access secret auth private encrypt decrypt signing master deploy licen client bearer session bot app service account consumer webhook refresh credential'.split(
    ' ',
  );
/** Words that say what else a key or a token is for: to find a row, a page, a parcel, or to do a thing once. */
const harmless =
  'public|primary|foreign|host|sort|cache|partition|object|row|map|lookup|index|shared|key|idempotency|deduplication|dedup|tracking|confirmation|order|booking|page|paging|pagination|sync|continuation|resume|cursor|correlation|request|trace|message|chassis|vehicle|routing|translation|hash';
/** A key or a token of which nothing more is said. */
const plainNames = `(?<!(?:${harmless})[ _-])(?:tokens?|key)(?![a-z])`;
const plainBeginnings = ['token', 'key'];
/** Up to three words between a name and what says its value: "for the shop", "you need". */
const about = '(?:\\s(?:for|to|of|from|on|you)(?:\\s[\\w.-]{1,20}){1,3}?)?';
const links =
  "(?:\\s{1,3}(?:is|was|are|will be|has been)(?:\\s(?:now|currently|still|set|reset|changed|updated|rotated)){0,2}(?:\\sto)?:?\\s{1,3}|\\s{0,3}(?:->|=>|→|⇒|➜)\\s{0,3}|['’]s\\s)";
const value = '["\'`“«*]{0,3}([A-Za-z\\d+/_][^\\s"\'`”»<>|,;(){}[\\]\\\\]{6,254}[^\\s"\'`”»<>|,;:.!?*(){}[\\]\\\\])';

/** Before a name whose value follows it without a word between: whose it is, or nothing but the start of its line. */
const leads =
  "(?:\\b(?:use|using|with|my|our|your|the|this|new|old|is|it['’]s)\\s(?:[\\w.-]{2,20}\\s)?|(?:^|\\n)[ \\t]{0,20}[\\w.-]{0,24})";

function told(named: string): RegExp {
  return new RegExp(`(?<![A-Za-z\\d])${named}["'\`*)]{0,3}${about}${links}${value}`, 'giu');
}

export const toldKeyRules: readonly SecretRule[] = [
  {
    name: 'told_secret',
    sample: 'my api key is {w14}7',
    lookAlike: 'my api key is user2settings',
    isNearKey: true,
    keys: ['key ', 'token ', 'secret ', 'credential ', 'key→', 'token→', "key's ", "token's "],
    beginsWith: beginnings,
    pattern: told(names),
    fault: (found) => oddFault(found, 8),
  },
  {
    name: 'told_secret',
    sample: 'my token is {w14}7',
    lookAlike: 'my token is RX4D7K9P2',
    isNearKey: true,
    keys: ['key ', 'token ', 'tokens ', 'key→', 'token→', "key's ", "token's "],
    beginsWith: plainBeginnings,
    pattern: told(plainNames),
    fault: denseFault,
  },
  {
    name: 'told_secret',
    sample: 'please use the secret {w19}7',
    lookAlike: 'please use the secret bucket2Limiter',
    isNearKey: true,
    keys: ['key ', 'token ', 'secret '],
    beginsWith: beginnings,
    pattern: new RegExp(
      `(?<![A-Za-z\\d])(?=${names})(?:(?<=${leads})|(?=${kinds}[ _-]))${names}\\s(?:[-–—]\\s)?${value}`,
      'giu',
    ),
    fault: (found) => bareFault(found, 12),
  },
  {
    name: 'told_secret',
    sample: 'please use the token {w19}7',
    lookAlike: 'please use the token bucket2Limiter',
    isNearKey: true,
    keys: ['key ', 'token '],
    beginsWith: plainBeginnings,
    pattern: new RegExp(`(?<![A-Za-z\\d])${plainNames}(?<=${leads}${plainNames})\\s(?:[-–—]\\s)?${value}`, 'giu'),
    fault: (found) => bareFault(found, 12) ?? denseFault(found),
  },
  {
    name: 'told_secret',
    sample: 'Clé API : {w14}7',
    lookAlike: 'Clé API : paramètre2',
    isNearKey: true,
    keys: foreignKeyWords,
    pattern: new RegExp(
      `${foreignKeyWord}["'\`*)]{0,3}[ \\t\\u00a0]{0,3}(?:${foreignLinks}[ \\t\\u00a0]{0,3}){1,2}${value}`,
      'giu',
    ),
    fault: (found) => oddFault(found, 8),
  },
];

/** Letters and figures that change more often than in a name: `vKx9mmPq2z`, and not `user2settings` or `base64url`. */
function isOddPart(part: string): boolean {
  if (part.length < 6 || !/\d/.test(part)) return false;
  const runs = part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return runs.length > 1 + part.length / 4 && !isOfWords(runs);
}

/** True of words with a few figures among them: `v2beta1Endpoint`, `10x10years`. */
function isOfWords(runs: readonly string[]): boolean {
  const words = runs.filter((run) => /^[A-Za-z]{4}/.test(run) && /[aeiouy]/i.test(run) && !/[^aeiouy]{4}/i.test(run));
  return words.some(({ length }) => length > 4) && 2 * words.join('').length > runs.join('').length;
}

/** Fault of a value that somebody could name something, where a sentence is around them. */
function oddFault(found: string, min: number): string | undefined {
  if (found.length < min) return 'too short';
  if (/^(?:0x|[a-z]+:\/\/|[a-z]+=)|@[\w-]+\.\w/i.test(found) || signedName.test(found)) return 'an address or a name';
  const isOdd = found.split(/[^A-Za-z\d]/).some(isOddPart);
  if (!isOdd && !isSigned(found)) return 'a name';
  return randomFault(found);
}

/** Fault of what a plain name is told to be: a secret is long in one row, in three sorts of characters, or signed. */
function denseFault(found: string): string | undefined {
  const isDense = found.split(/[^A-Za-z\d]/).some(isDensePart) || isSigned(found);
  return oddFault(found, 8) ?? (isDense ? undefined : 'no more than the name of something');
}

function isDensePart(part: string): boolean {
  return part.length >= 20 || (part.length >= 12 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part));
}

/** True of letters and figures with a sign that no address, path or name has. */
function isSigned(found: string): boolean {
  return /[A-Za-z\d][!$^*~&#][A-Za-z\d]/.test(found) && /\d/.test(found) && /[A-Z]/.test(found);
}

/** Fault of a value behind a name and a blank alone, as UUIDs and hashes of commits stand there too. */
export function bareFault(found: string, min: number): string | undefined {
  if (/^(?:n?(?:var)?char|u?int|float|text|string|bytes?)\d{1,4}[a-z]{0,6}\d{0,2}$/i.test(found)) return 'a type';
  return /^[\da-f-]{36}$|^[\da-f]{40}$/i.test(found) ? 'a UUID or the hash of a commit' : oddFault(found, min);
}
