import { privateKeyFrom, privateKeyUpTo } from './private-keys.ts';
import { assignmentRules } from './assigned.ts';
import { notRandom, passwordFault } from './values.ts';
import { type SecretRule, entropy, sameness } from './rule.ts';

/** Secrets that are known by their form, whoever gave them out. */
export const generalRules: readonly SecretRule[] = [
  {
    name: 'private_key',
    sample: '-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n-----END RSA PRIVATE KEY-----',
    lookAlike: '-----BEGIN RSA PUBLIC KEY-----\n{b64}\n-----END RSA PUBLIC KEY-----',
    keys: ['private key'],
    pattern: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
    spanOf: privateKeyFrom,
  },
  {
    name: 'private_key',
    sample: '{b64}\n{b48}\n-----END PRIVATE KEY-----',
    lookAlike: '{b64}\n{b48}\n-----END PUBLIC KEY-----',
    keys: ['private key-----', 'private key block-----'],
    pattern: /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
    spanOf: privateKeyUpTo,
  },
  {
    // RFC 7518: private is the member d, k of a shared key, and of RSA also what d is made from.
    name: 'private_jwk',
    sample: '{"kty":"EC","crv":"P-256","x":"{v43}","d":"{v43}"}',
    lookAlike: '{"kty":"EC","crv":"P-256","x":"{v43}","y":"{v43}"}',
    keys: ['"kty"', 'kty\\"'],
    pattern: /\\{0,2}"(?:d|k|p|q|dp|dq|qi)\\{0,2}"\s{0,4}:\s{0,4}\\{0,2}"([A-Za-z0-9_-]{20,2000})/g,
    fault: sameness,
  },
  {
    name: 'putty_private_key',
    sample: 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n{b48}',
    lookAlike: 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 1\n{b48}',
    keys: ['putty-user-key-file'],
    pattern: /PuTTY-User-Key-File-[23]: [^]{0,3000}?Private-Lines: \d{1,3}(?:\s{1,4}[A-Za-z0-9+/=]{16,76}){1,120}/g,
  },
  {
    // The beginning of a key of RSA, as PKCS 1 and PKCS 8 write it, without lines of armour around it.
    name: 'bare_private_key',
    sample: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{b64}{b64}{b64}',
    lookAlike: 'MIIBIjANBgkqhkiG9w0BAQEFAAOC{b64}{b64}{b64}',
    keys: ['ibaak', 'baqefaasc'],
    pattern:
      /(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{2,4}IBA(?:AK|DANBgkqhkiG9w0BAQEFAASC)(?:[A-Za-z0-9+/]|\\?\s|\\n){120,8000}={0,2}/g,
  },
  {
    name: 'jwt',
    sample: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.{v43}',
    lookAlike: 'eyJhIjoxLCJiIjoyfQ.eyJzdWIiOiJhbmEifQ.{v43}',
    keys: ['eyj'],
    // One whose signature was cut off still tells whom it is for.
    pattern:
      /(?<![A-Za-z0-9_]|[^\n]-)eyJ[A-Za-z0-9_-]{12,2000}\.eyJ[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{20,1000})?(?![A-Za-z0-9_-]|\.(?:[<{[$]|[Ss]ig(?:nature)?(?![A-Za-z0-9])))/g,
    fault: jwtFault,
  },
  {
    name: 'jwe',
    sample: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..{v16}.{v40}.{v22}',
    lookAlike: 'eyJhIjoxLCJiIjoyfSAgICAg..{v16}.{v40}.{v22}',
    keys: ['eyj'],
    pattern:
      /(?<![A-Za-z0-9_]|[^\n]-)eyJ[A-Za-z0-9_-]{12,2000}\.[A-Za-z0-9_-]{0,1000}\.[A-Za-z0-9_-]{12,64}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{20,24}(?![A-Za-z0-9_-])/g,
    fault: jwtFault,
  },
  {
    name: 'connection_string',
    sample: 'postgres://app:{w12}@db.internal/shop',
    lookAlike: 'postgres://app:password@db.internal/shop',
    keys: ['://'],
    sign: '@',
    pattern:
      /:\/\/(?<=\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|oracle|cockroachdb|clickhouse|kafka|nats|ldaps?|smtps?|ftps?|sftp|ssh|jdbc:\w{2,12})(?:\+\w{2,12})?:\/\/)(?!(postgres|root|admin|test|user|guest|dev|demo|app|sa):\1@(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s:/@"'<>]{0,64}(?:@[\w.-]{1,64})?:((?:[^\s@"'<>]|@(?=[^\s/@"'<>,]{1,64}@)){3,128})@[\w.[-]/gi,
    fault: passwordFault,
  },
  {
    name: 'url_password',
    sample: 'https://ana:{w12}@files.acme.example/',
    lookAlike: 'https://ana:${PASSWORD}@files.acme.example/',
    keys: ['://'],
    sign: '@',
    pattern:
      /:\/\/(?<=[a-z][a-z\d+.-]{1,20}:\/\/)(?!(postgres|root|admin|test|user|guest|dev|demo|app|sa):\1@(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s:/@"'<>]{1,64}(?:@[\w.-]{1,64})?:((?:[^\s@/"'<>]|@(?=[^\s/@"'<>,]{1,64}@)){3,128})@[\w.[-]/gi,
    fault: passwordFault,
  },
  {
    name: 'database_password',
    sample: 'Server=db;Database=shop;User Id=app;Password={w12};',
    lookAlike: 'Server=db;Database=shop;User Id=app;Integrated Security=true;',
    keys: ['pwd', 'password'],
    pattern:
      /(?:(?:server|data source|host|initial catalog|database|user id|uid)\s?=\s?[^;\n"']{1,80};\s{0,4}){1,8}(?:pwd|password)\s?=((?:[^;\s"']|;(?<=[&;](?:amp|lt|gt|quot|apos);)(?!\s?[\w ]{1,30}=)){3,80})/gi,
    fault: passwordFault,
  },
  {
    name: 'authorization_header',
    sample: 'Authorization: Bearer {w32}',
    lookAlike: 'Authorization: Bearer xxxxxxxxxxxxxxxxxxxxxxxx',
    keys: ['authorization', 'bearer'],
    pattern:
      /\b(?:authorization(?:["']?\s{0,3}[:=]\s{0,3}["']?|\s{1,3}["'])(?:basic|bearer|ssws|(?:api-?)?token|api-?key)|bearer)\s{1,3}([A-Za-z0-9+/._~=-]{20,2000})/gi,
    fault: (found) => sameness(found) ?? (entropy(found) > 3.2 ? undefined : notRandom),
  },
  ...assignmentRules,
];

function jwtFault(found: string): string | undefined {
  const header = Buffer.from(found.split('.')[0] ?? '', 'base64url').toString('utf8');
  const isHeader = header.startsWith('{"') && /"(?:alg|typ|enc|kid|cty)"/.test(header);
  return isHeader ? undefined : 'its first part is not the header of a token';
}
