import type { SecretRule } from './rule.ts';
import { chosenFault } from './values.ts';

/** Passwords that a statement of SQL gives to a user. */

/** A pattern that takes its words in small letters and in capitals, where the case of values beside them tells. */
function anyCase({ source }: RegExp): string {
  return source.replace(/\\[a-z]|[a-z]/g, (letter) =>
    letter.startsWith('\\') ? letter : `[${letter}${letter.toUpperCase()}]`,
  );
}

const identified = anyCase(/identified\s{1,4}/);
const by = anyCase(/(?:with\s{1,4}\S{1,40}\s{1,4})?by(?:\s{1,4}password)?/);
const onlyOfSql = anyCase(/(?:with\s{1,4}\w{1,30}_\w{1,30}\s{1,4}by|by\s{1,4}password)/);
const passwordOfUser = anyCase(/(?:create|alter)\s{1,4}(?:user|role|login)\b[^;\n]{0,160}?\bpassword/);
/** A statement that gives passwords to one user or to several; names of any form, but no end of a sentence. */
const statement = anyCase(
  /\b(?:(?:create|alter)\s{1,20}(?:or\s{1,4}replace\s{1,4})?(?:user|role|profile)|grant|connect\s{1,20}to)\s(?:[^;.]|\.(?!\s)){0,240}/,
);
/** Words right before it in prose: "was uniquely identified by", "each row identified by", "samples identified by". */
const prose = anyCase(
  /\b(?:(?:is|are|was|were|be|been|being|gets?|got)\s{1,4}(?:\w{2,20}\s{1,4})?|(?:and|or|then|as|if|when|where|not|uniquely|people|anyone|those)\s{1,4}|(?:an?|the|each|every|any|one|this|that)\s{1,4}\w{2,20}\s{1,4}|(?<!\b(?:user|role|exists|to)\s{1,4})(?:row|record|item|sample|patient|protein|gene|object|file|account|entit(?:y|ie)|bug|issue|model|user|group|role|device)s\s{1,4})/,
);
/** Names of things, where no statement stands before: `Ana-2026`, `ENSG00000139618`, `id_2024`, a UUID, a hash. */
const nameOfThing =
  '(?:[A-Z][a-z]{1,20}-[A-Z]?\\d{1,5}|[A-Z]{2,8}(?:-?[A-Z]?\\d{1,12}){1,3}|[a-z]{1,12}[_-]\\d{1,6}|[\\dA-Fa-f]{8}(?:-[\\dA-Fa-f]{4}){3}-[\\dA-Fa-f]{12}|[\\da-f]{7,64})["\'`.]';
/** "Create user guide identified by version2" is prose: no user, or the number of a thing, without a sign of SQL. */
const numbered = `(?=${anyCase(/(?:version|release|revision|rev|draft|step|part|phase|chapter|section|option|model|level|tier|team|group|role|row|column|field|item|id|email|ticket|story)s?/)}_?\\d{0,4}(?![\\w$#]|\\s?;))`;
const noUser = `(?<!\\b${anyCase(/(?:guides?|manuals?|docs|documentation|stor(?:y|ies)|accounts|profiles|records|groups|roles|users|sessions|personas?|segments?|types|entries|objects|ids|journeys?|flows?|interfaces?)/)}\\s{1,4})`;
const plainWord = '(?=[a-z]{2,20}\\d{0,4}(?![\\w$#]|\\s?;))';
/** In prose a value has to look random: figures among letters of both cases, or a sign. */
const random =
  '(?=[^\\s"\'`]{0,40}[a-z])(?=[^\\s"\'`]{0,40}[A-Z])(?=(?:[^\\s"\'`\\d]{0,20}\\d{1,4}[A-Za-z]){2}|[^\\s"\'`]{1,20}[!$^*~&])';
const sqlQuote = '\\s{0,4}=?\\s{0,4}["\'`]';
const sqlValue = '([^\\s"\'`;\\\\]{4,128})';
const upToQuote = `${identified}${by}${sqlQuote}`;
const upToBare = `${identified}${by}\\s{1,4}`;
const bareSqlValue = '([A-Za-z][\\w$#]{3,127})';

export const sqlRules: readonly SecretRule[] = [
  {
    name: 'sql_password',
    sample: "CREATE USER app IDENTIFIED BY '{w12}';",
    lookAlike: 'the user was identified by "Ana-2026" on the site',
    keys: [
      'identified ',
      'grant ',
      'connect to ',
      'create user',
      'replace user',
      'alter user',
      'create role',
      'replace role',
      'alter role',
      'create login',
      'alter login',
    ],
    isNearKey: true,
    pattern: new RegExp(
      `\\b(?:(?=[iI][dD][eE])(?:${[
        `(?:IDENTIFIED\\s{1,4}${by}|${identified}${onlyOfSql})${sqlQuote}${sqlValue}`,
        `(?=${upToQuote})(?:(?<!${prose})(?:(?!${upToQuote}${nameOfThing})|(?<=${statement}))|(?=${upToQuote}${random}))${upToQuote}${sqlValue}`,
        `(?=${upToBare}(?!${numbered})[A-Za-z])(?<!${prose})(?:${noUser}|(?!${upToBare}${plainWord}))(?<=${statement})${upToBare}${bareSqlValue}(?![\\w$#-]|[.,:?!](?:\\s|$))`,
      ].join('|')})|${passwordOfUser}(?:${sqlQuote}${sqlValue}|\\s{1,4}${bareSqlValue}(?=\\s?;)))`,
      'g',
    ),
    fault: (found) => chosenFault(found.replace(/[.,:!?]+$/, '')),
  },
];
