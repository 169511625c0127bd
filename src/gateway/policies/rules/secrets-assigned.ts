import { type SecretRule, entropy, isCounted, sameness, standsIn } from './secret-rule.ts';

/** Values that are given to a name which says that they are secret, wherever such assignments are written. */

export const notRandom = 'too little entropy: not random enough for a secret';

/** A stand-in says that it is one: a variable, dots or stars, or the word itself. */
const standIn =
  /^(?:\$|%\w+%|\{|<|\[|#\{|.{0,8}(?:…|\.\.\.)|\*+$|\.+$|x+$|-+$|env[.:(]|process\.|os\.|secrets?[.:/]|vault:|ref[+:]|var\.|local\.|data\.|module\.|!|@|&|(?:your|my|the|some|new|old|test|user|db|admin|insert|enter|put|a|an)?[_-]?(?:your|api|db|access|secret|auth|client|user|private|app)?[_-]?(?:pass(?:word|phrase|wd)?|pwd|secret|token|key|user(?:name)?|changeme|change[_-]me|redacted|hidden|null|nil|none|undefined|true|false|required|optional|example|placeholder|string|value|here|foo(?:bar)?|todo)s?(?:[_-]?(?:here|goes[_-]here|value|placeholder))?$)|\.\.\.|…|\*{4}|x{6}|_here\b|-here\b|\bhere_|your[_-]|<\w|\$\{|\{\{|insert[_-]|redacted|changeme|placeholder|example\.com|dummy|\bfake|_env\b/i;

/** Of a password that stands in its usual place, as in an address. */
export function passwordFault(found: string): string | undefined {
  if (standIn.test(found)) return standsIn;
  return new Set(found).size > 2 ? undefined : 'only two different characters';
}

const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/];

function classesOf(found: string): number {
  return classes.filter((one) => one.test(found)).length;
}

/** Names, paths, numbers of versions and calls as they stand in programs. */
const isName =
  /^(?!(?=.{30})(?:\D*\d){4})(?:[a-z]+(?:[A-Z][a-z]+)*$|^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+(?:\(.*)?$|^[A-Z_]+\d?$|^[a-z]+(?:[-_.][a-z]+)*\d?$|^(?:https?|file|ssh|git|s3|arn|urn|data):|^[./~][\w./@-]*$|^[\w-]+\/[\w./-]+$|^[\w-]+\.(?:js|ts|py|json|ya?ml|txt|pem|key|crt|cfg|env|md|html?|php)$|^(?:[A-Z][a-z]+)+\d?$|^v?\d+(?:\.\d+)+$|^[A-Z][a-z]+(?:[ _-][a-z]+)*$)/;
/** A name with the prefix of its namespace, as XML has it. */
const isQualifiedName = /^[a-z]\w{0,20}:(?:[A-Z][a-z]+){2,}$/;

/** Words and sentences are no secrets, and nor are names with dots in them as they stand in programs. */
export function randomFault(found: string): string | undefined {
  if (standIn.test(found)) return standsIn;
  if (isName.test(found) || isQualifiedName.test(found)) return 'a word, a name or a path';
  if (/^\d+$/.test(found)) return found.length >= 15 && new Set(found).size > 4 ? undefined : 'a plain number';
  if (classesOf(found) < 2 || !/\d/.test(found)) {
    const isDense =
      found.length >= 16 && classesOf(found) > 1 && entropy(found) > 3.8 && !/[ _-][a-z]{3,}[ _-]/.test(found);
    if (!isDense) return 'characters of one sort alone';
  }
  if (entropy(found) < (found.length >= 20 ? 3.0 : 2.5)) return sameness(found) ?? notRandom;
  return sameness(found) ?? (isCounted(found) ? standsIn : undefined);
}

/** A password is chosen by a person: short, and with a figure or a sign in it more often than not. */
function chosenFault(found: string): string | undefined {
  if (standIn.test(found)) return standsIn;
  // A word with a figure at its end is what many choose.
  if (isName.test(found) && (!/\d/.test(found) || /[./:(]/.test(found))) return 'a word, a name or a path';
  if (/[()[\]{}]|=>|->|^\W|::/.test(found) && !/\d/.test(found)) return 'a piece of a program';
  if (new Set(found).size < 4 || /(.)\1{5}/.test(found)) return 'too few different characters';
  return /\d/.test(found) || classesOf(found) > 2 ? undefined : 'a word';
}

/** Between a name and its value: signs of programs and files, a type, a closing tag, a second attribute. */
const assigns =
  '(?:["\'`\\])]{0,3}\\s{0,4}(?:(?:\\s(?:string|str|char|const char)(?:\\[\\])?|:\\s?(?:string|str|String|Optional\\[str\\]|&str))?\\s{0,6}(?:=>|[:?.|+]{0,3}={1,3}|:|\\|\\||<-)\\s{0,6}|["\'`]\\s{0,3},\\s{0,3}(?=["\'`])|>\\s{0,8}(?=[A-Za-z0-9_])|["\']\\s{1,3}(?:value|content)\\s{0,3}=\\s{0,3})|(?<=--[\\w-]{0,40})[ =])';
const value =
  '(?:[rbuf@]?"([^"\\s\\\\]{MIN,256})\\\\?"|\'([^\'\\s\\\\]{MIN,256})\\\\?\'|`([^`\\s]{MIN,256})`|\\\\?["\'`]?([^\\s"\'`,;:<>(){}\\[\\]\\\\][^\\s"\'`,;<>(){}\\[\\]\\\\]{LESS,255})(?![^\\s"\'`,;<>(){}\\[\\]\\\\]|[(\\[]))';

/**
 * The whole name of what is none, and of what a page gives to each of its forms. Only within that name: words before it are
 * of the sentence, and whoever writes "That one was invalid." may tell the valid one next.
 */
function unreal(names: string): string {
  return `(?<![A-Za-z])(?:(?:fake|dummy)[_-]?(?:${names})|(?:csrf(?:middleware)?|xsrf|authenticity|request_?verification)[_-]?tokens?)`;
}

function assignment(names: string, min: number): RegExp {
  return new RegExp(
    `(?:${names})(?<!${unreal(names)})(?![a-z])[\\w.-]{0,24}?${assigns}${value.replaceAll('MIN', String(min)).replaceAll('LESS', String(min - 1))}`,
    'gi',
  );
}

const strong =
  'tokens?|secrets?|(?:api|access|secret|private|encryption|signing|master|account|client|app|auth|service|storage|shared|license|consumer|deploy|publishable|session|license|integration|bot|pub|hmac|jwt|ssh|aws|gpg)[._ -]?key|apikey|credentials?|creds?|auth[._-]?(?:code|data|header|string)?|authorization|bearer|oauth|(?:client|access|app|key|consumer)[._-]?(?:id|secret)';

export const assignmentRules: readonly SecretRule[] = [
  {
    name: 'assigned_password',
    sample: 'db_password = "tr0ub4dor&3"',
    lookAlike: 'password = "your-password"',
    isNearKey: true,
    keys: ['passw', 'pwd', 'pass', 'passphrase', 'passcode', 'pword'],
    pattern: assignment('passwords?|passwd|passphrase|passcode|pwd|pword|(?<![a-z])pass', 4),
    fault: chosenFault,
  },
  {
    name: 'assigned_secret',
    sample: 'client_secret: {w24}',
    lookAlike: 'client_secret: insert_your_secret_here',
    isNearKey: true,
    keys: ['key', 'secret', 'token', 'credential', 'creds', 'auth', 'bearer', 'client', 'access', 'app_id', 'appid'],
    pattern: assignment(strong, 8),
    fault: randomFault,
  },
  {
    name: 'assigned_key',
    sample: 'signing key = {w32}',
    lookAlike: 'sort key = customer_name_ascending',
    isNearKey: true,
    keys: ['key', 'login'],
    pattern: assignment('(?<![A-Za-z])key|(?<=[_.-])key|(?<=[a-z])Key|login', 16),
    fault: (found) => randomFault(found) ?? (entropy(found) >= 3.5 && /[a-z]/i.test(found) ? undefined : notRandom),
  },
  {
    name: 'told_password',
    sample: 'my password is hunter2!x',
    lookAlike: 'my password is secret',
    keys: [
      'password',
      'passwort',
      'kennwort',
      'mot de passe',
      'contraseña',
      'clave',
      'senha',
      'wachtwoord',
      'lösenord',
      'hasło',
      'şifre',
      'пароль',
      '密码',
      '密碼',
      'パスワード',
      '비밀번호',
      'passcode',
      'passphrase',
    ],
    pattern:
      /(?:(?:passwords?|passcode|passphrase|pass\s?word)\s{1,3}(?:is|was|will be|to|—)\s{1,3}(?:is\s)?|(?:passwort|kennwort|mot de passe|contraseña|clave|senha|wachtwoord|lösenord|hasło|şifre|пароль|密码|密碼|パスワード|비밀번호)\s{0,3}(?:(?:ist|lautet|est|es|é|è|är|to|это|—|-|is|是|为|は|は、|은|는|:|：|=)\s{0,3}){1,2})["'`“«「]?([^\s"'`”»」<>]{4,64})/giu,
    fault: (found) => {
      if (/\.\.\.|…/.test(found)) return standsIn;
      const bare = found.replace(/[.,;:!?]+$/, '');
      return chosenFault(bare) ?? (/^\d{1,3}$|^https?:/.test(bare) ? 'a number or an address' : undefined);
    },
  },
  {
    name: 'command_password',
    sample: 'curl -u admin:{w12} https://acme.example',
    lookAlike: 'curl -u admin:$PASSWORD https://acme.example',
    keys: ['curl', 'sshpass', 'mysql', 'wget', 'psql', 'machine', 'login'],
    pattern:
      /\b(?:curl\b(?:[^\n\\]|\\\n|\\){0,300}?\s(?:-u|--user|--proxy-user)[ =]{0,2}["']?[^\s"':]{0,80}["']?:["']?([^\s"']{3,128})|sshpass\s+-p\s?["']?([^\s"']{3,128})|mysql(?:dump|admin)?\b[^\n]{0,120}?\s-p(?!\s)["']?([^\s"']{4,128})|machine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(\S{3,128}))/gi,
    fault: commandFault,
  },
  {
    name: 'pgpass_password',
    sample: 'db.acme.example:5432:shop:app:{w12}',
    lookAlike: 'db.acme.example:5432:shop:app:*',
    keys: [':5432:', ':3306:', ':5433:', ':*:'],
    pattern: /(?<![\w.*-])[\w.*-]{1,128}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s:"'\\]{4,128})/g,
    fault: passwordFault,
  },
  {
    name: 'kubernetes_secret',
    sample: 'kind: Secret\ndata:\n  token: {b24}',
    lookAlike: 'kind: ConfigMap\ndata:\n  token: {b24}',
    keys: ['kind:'],
    pattern:
      /\bkind:\s{0,3}["']?Secret\b["']?[^]{0,600}?\n\s{0,8}data:\s{0,3}\n(?:\s{0,12}#[^\n]{0,200}\n){0,3}\s{1,12}["']?[\w.-]{1,80}["']?:\s{0,3}["']?([A-Za-z0-9+/]{10,4000}={0,2})|(?<![\w-])data:\s{0,3}\n(?:\s{0,12}#[^\n]{0,200}\n){0,3}\s{1,12}["']?[\w.-]{1,80}["']?:\s{0,3}["']?([A-Za-z0-9+/]{10,4000}={0,2})["']?\s[^]{0,600}?\bkind:\s{0,3}["']?Secret\b/gi,
    fault: sameness,
  },
  {
    name: 'aws_secret_key',
    sample: 'AKIA{x16} and {w40}',
    lookAlike: 'AKIA{x16} and {h40}',
    keys: ['akia', 'asia'],
    pattern: /(?:AKIA|ASIA)[A-Z2-7]{16}[^]{0,200}?(?<![A-Za-z0-9+/=])([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    fault: (found) => (entropy(found) > 4 && /\d/.test(found) && /[A-Z]/.test(found) ? undefined : notRandom),
  },
];

/** Stand-ins that manuals write for a name and its password. */
const manualPassword =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|token|test|yyy+|bar|api[_-]?key|\$.*|\[.*|<.*|\{\{.*)[>)\]]?$/i;

function commandFault(found: string): string | undefined {
  const bare = found.replace(/^\{(.*)\}$/, '$1');
  if (manualPassword.test(bare) || standIn.test(bare)) return standsIn;
  return new Set(bare).size > 3 ? undefined : 'too few different characters';
}
