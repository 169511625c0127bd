import { type SecretRule, entropy, sameness, standsIn } from './secret-rule.ts';

/** Secrets that are known by their form, whoever gave them out. */
export const generalRules: readonly SecretRule[] = [
  {
    name: 'private_key',
    keys: ['private key'],
    // Half a key, without its end, is a secret too; the armour with no key in it is none.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){0,8}(?:[A-Za-z-]{2,20}: [^\n\\]{0,80}(?:\s|\\[nr]){1,8}){0,4}[A-Za-z0-9+/=]{16}(?:[^]{0,6000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=]{0,60}(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{16,76}){0,120})/g,
  },
  {
    name: 'putty_private_key',
    keys: ['putty-user-key-file'],
    pattern: /PuTTY-User-Key-File-[23]: [^]{0,3000}?Private-Lines: \d{1,3}(?:\s{1,4}[A-Za-z0-9+/=]{16,76}){1,120}/g,
  },
  {
    name: 'jwt',
    keys: ['eyj'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{20,1000}/g,
    fault: jwtFault,
  },
  {
    name: 'jwe',
    keys: ['eyj'],
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12,2000}\.[A-Za-z0-9_-]{0,1000}\.[A-Za-z0-9_-]{12,64}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{20,24}(?![A-Za-z0-9_-])/g,
    fault: jwtFault,
  },
  {
    name: 'connection_string',
    keys: ['://'],
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|cockroachdb|clickhouse|kafka|nats|ldaps?|smtps?|ftps?|sftp|ssh|jdbc:\w{2,12})(?:\+\w{2,12})?:\/\/[^\s:/@"'<>]{0,64}:([^\s@"'<>]{3,128})@[\w.[-]/gi,
    fault: passwordFault,
  },
  {
    name: 'url_password',
    keys: ['://'],
    pattern: /\bhttps?:\/\/[^\s:/@"'<>]{1,64}:([^\s@/"'<>]{3,128})@[\w.[-]/gi,
    fault: passwordFault,
  },
  {
    name: 'database_password',
    keys: ['pwd', 'password'],
    pattern:
      /(?:(?:server|data source|host|initial catalog|database|user id|uid)\s?=\s?[^;\n"']{1,80};\s{0,4}){1,8}(?:pwd|password)\s?=([^;\s"']{3,80})/gi,
    fault: passwordFault,
  },
  {
    name: 'authorization_header',
    keys: ['authorization', 'bearer'],
    pattern:
      /\b(?:authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|bearer|token)|bearer)\s{1,3}([A-Za-z0-9+/._~=-]{20,2000})/gi,
    fault: (found) => sameness(found) ?? (entropy(found) > 3.2 ? undefined : notRandom),
  },
  {
    name: 'assigned_secret',
    keys: ['key', 'secret', 'token', 'passw', 'passphrase', 'credential', 'auth'],
    pattern:
      /(?:api[_ -]?key|secret(?:[_ -]?key)?|access[_ -]?(?:key|token)|auth[_ -]?token|refresh[_ -]?token|private[_ -]?key|client[_ -]?secret|passw(?:or)?d|passphrase|credentials?|encryption[_ -]?key|signing[_ -]?key|bot[_ -]?token)["'`]?\s{0,4}(?:=>|:=|=|:)\s{0,4}["'`]?([^\s"'`,;<>(){}[\]]{8,256})/gi,
    fault: randomFault,
  },
];

const notRandom = 'too little entropy: not random enough for a secret';

function jwtFault(found: string): string | undefined {
  const header = Buffer.from(found.split('.')[0] ?? '', 'base64url').toString('utf8');
  const isHeader = header.startsWith('{"') && /"(?:alg|typ|enc|kid|cty)"/.test(header);
  return isHeader ? undefined : 'its first part is not the header of a token';
}

/** A stand-in says that it is one: a variable, dots or stars, or the word itself. */
const standIn =
  /^(?:\$|%|\{|<|.{0,8}(?:…|\.\.\.)$|\*+$|\.+$|x+$|env[.:]|process\.|os\.|secrets?[.:/]|vault:|ref[+:]|(?:your|my|the|some|new|old)?[_-]?(?:db)?[_-]?(?:pass(?:word)?|pwd|secret|token|key|user(?:name)?|changeme|redacted|hidden|null|none|undefined|true|false|required|optional|example|placeholder|string)s?(?:[_-]here)?$)/i;

function passwordFault(found: string): string | undefined {
  if (standIn.test(found)) return standsIn;
  return new Set(found).size > 2 ? undefined : 'only two different characters';
}

/** Words and sentences are no secrets, and nor are names with dots in them as they stand in programs. */
function randomFault(found: string): string | undefined {
  if (standIn.test(found)) return standsIn;
  const isName = /^[a-z]+(?:[A-Z][a-z]+)*$|^[\w]+(?:\.[A-Za-z_]\w*)+$|^[A-Z_]+$|^[a-z-]+$|^https?:|^[./~]/.test(found);
  if (isName) return 'a word, a name or a path';
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(found)).length;
  if (classes < 2) return 'characters of one sort alone';
  return sameness(found) ?? (entropy(found) >= (found.length >= 20 ? 3.3 : 2.7) ? undefined : notRandom);
}
