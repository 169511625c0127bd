import { foreignKeyWord, foreignKeyWords, foreignLinks } from './password-words.ts';
import type { SecretRule } from './rule.ts';
import { randomFault, signedName } from './values.ts';

/** Keys and tokens that a sentence tells: "my api key is 3f2a...", "use token 3f2a...", "API key → 3f2a...". */

const kinds =
  '(?:api|access|secret|auth|private|encryption|decryption|signing|master|deploy|licen[cs]e|client|bearer|session|bot|app|service|account|consumer|webhook|refresh)';
const names = `(?:${kinds}[ _-]?(?:access[ _-]?)?(?:key|token|secret)|tokens?|secret(?![ _-]?(?:name|id)s?(?![a-z]))|(?<!(?:public|primary|foreign|host|sort|cache|partition|object|row|map|lookup|index|shared|key)[ _-])key|credential)(?![a-z])`;
/** Up to three words between a name and what says its value: "for the shop", "you need". */
const about = '(?:\\s(?:for|to|of|from|on|you)(?:\\s[\\w.-]{1,20}){1,3}?)?';
const links =
  "(?:\\s{1,3}(?:is|was|are|will be|has been)(?:\\s(?:now|currently|still|set|reset|changed|updated|rotated)){0,2}(?:\\sto)?:?\\s{1,3}|\\s{0,3}(?:->|=>|→|⇒|➜)\\s{0,3}|['’]s\\s)";
const value = '["\'`“«*]{0,3}([A-Za-z\\d+/_][^\\s"\'`”»<>|,;(){}[\\]\\\\]{6,254}[^\\s"\'`”»<>|,;:.!?*(){}[\\]\\\\])';

export const toldKeyRules: readonly SecretRule[] = [
  {
    name: 'told_secret',
    sample: 'my api key is {w14}7',
    lookAlike: 'my api key is user2settings',
    isNearKey: true,
    keys: ['key ', 'token ', 'secret ', 'tokens ', 'credential ', 'key→', 'token→', "key's ", "token's "],
    pattern: new RegExp(`(?<![A-Za-z\\d])${names}["'\`*)]{0,3}${about}${links}${value}`, 'giu'),
    fault: (found) => oddFault(found, 8),
  },
  {
    name: 'told_secret',
    sample: 'please use the token {w19}7',
    lookAlike: 'please use the token bucket2Limiter',
    isNearKey: true,
    keys: ['key ', 'token ', 'secret '],
    pattern: new RegExp(
      `(?:(?<=\\b(?:use|using|with|my|our|your|the|this|new|old|is|it['’]s)\\s(?:[\\w.-]{2,20}\\s)?)|(?=${kinds}[ _-])|(?<=(?:^|\\n)[ \\t]{0,20}[\\w.-]{0,24}))(?<![A-Za-z\\d])${names}\\s(?:[-–—]\\s)?${value}`,
      'giu',
    ),
    fault: (found) => bareFault(found, 12),
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
  return runs.length > 1 + part.length / 4;
}

/** Fault of a value that somebody could name something, where a sentence is around them. */
function oddFault(found: string, min: number): string | undefined {
  if (found.length < min) return 'too short';
  if (/^(?:0x|[a-z]+:\/\/|[a-z]+=)|@[\w-]+\.\w/i.test(found) || signedName.test(found)) return 'an address or a name';
  const isOdd = found.split(/[^A-Za-z\d]/).some(isOddPart);
  const isSigned = /[A-Za-z\d][!$^*~&#][A-Za-z\d]/.test(found) && /\d/.test(found) && /[A-Z]/.test(found);
  if (!isOdd && !isSigned) return 'a name';
  return randomFault(found);
}

/** Fault of a value behind a name and a blank alone, as UUIDs and hashes of commits stand there too. */
export function bareFault(found: string, min: number): string | undefined {
  return /^[\da-f-]{36}$|^[\da-f]{40}$/i.test(found) ? 'a UUID or the hash of a commit' : oddFault(found, min);
}
