import type { SecretRule } from './rule.ts';
import { chosenFault } from './values.ts';

/** Passwords that a statement of SQL gives to a user. */

/** Words of SQL as they are written: small, in capitals, or in capitals alone. */
function asWritten({ source }: RegExp, onlyCapitals = false): string {
  return source.replace(/\\[a-z]|[a-z]{2,}/g, (word) => {
    if (word.startsWith('\\')) return word;
    const capitals = word.toUpperCase();
    return onlyCapitals ? capitals : `(?:${word}|${capitals}|${capitals[0]}${word.slice(1)})`;
  });
}

const identifiedBy = /identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by(?:\s{1,4}password)?/;
const passwordOfUser = asWritten(/(?:create|alter)\s{1,4}(?:user|role|login)\b[^;\n]{0,160}?\bpassword/);
/** A statement of SQL: "the user was identified by" is prose. */
const statementBefore = asWritten(
  /(?:(?:create|alter)\s{1,4}user\s{1,4}(?:if\s{1,4}(?:not\s{1,4})?exists\s{1,4})?["'`]?[\w.$#%-]{1,64}["'`]?(?:\s?@\s?["'`]?[\w.%:/-]{1,64}["'`]?)?(?:\s{1,4}(?:account|on|profile|default|temporary|quota|with|require)\b[^;]{1,100}?)?|grant\s[^;]{1,120}?\bto\s[^;]{1,60}?)\s{1,8}/,
);
/** "Create user guide identified by version2" is prose: a small word and a figure, which no sign of SQL ends. */
const plainWord = '(?<!by\\s{1,4}(?=[a-z]{2,20}\\d{0,4}(?![\\w$#]|\\s?;)))';
/** Without a statement a value has to look random: figures among letters of both cases, or a sign. */
const random =
  '(?=[^\\s"\'`]{0,40}[a-z])(?=[^\\s"\'`]{0,40}[A-Z])(?=(?:[^\\s"\'`\\d]{0,20}\\d{1,4}[A-Za-z]){2}|[^\\s"\'`]{1,20}[!$^*~&])';
const sqlQuote = '\\s{0,4}=?\\s{0,4}["\'`]';
const sqlValue = '([^\\s"\'`;\\\\]{4,128})';
const bareSqlValue = '([A-Za-z][\\w$#]{3,127})';

export const sqlRules: readonly SecretRule[] = [
  {
    name: 'sql_password',
    sample: "CREATE USER app IDENTIFIED BY '{w12}';",
    lookAlike: "CREATE USER app IDENTIFIED BY '$PASSWORD';",
    keys: [
      'identified ',
      'grant ',
      'create user',
      'alter user',
      'create role',
      'alter role',
      'create login',
      'alter login',
    ],
    isNearKey: true,
    pattern: new RegExp(
      `\\b(?:(?:${statementBefore}${asWritten(identifiedBy)}|${passwordOfUser})${sqlQuote}${sqlValue}|${statementBefore}${asWritten(/identified\s{1,4}by/)}\\s{1,4}${plainWord}${bareSqlValue}(?![\\w$#-]|[.,:?!](?:\\s|$))|${passwordOfUser}\\s{1,4}${bareSqlValue}(?=\\s?;))`,
      'g',
    ),
    fault: sqlFault,
  },
  {
    // Without its statement: in capitals, as SQL is often written, or with a value that looks random.
    name: 'sql_password',
    sample: "IDENTIFIED BY '{w12}7'",
    lookAlike: 'the user was identified by "Ana-2026" on the site',
    isNearKey: true,
    keys: ['identified by', 'identified with'],
    pattern: new RegExp(
      `\\b(?:${asWritten(identifiedBy, true)}${sqlQuote}|${asWritten(identifiedBy)}${sqlQuote}${random})${sqlValue}`,
      'g',
    ),
    fault: sqlFault,
  },
];

function sqlFault(found: string): string | undefined {
  return chosenFault(found.replace(/[.,:!?]+$/, ''));
}
