import { type SecretRule, entropy, sameness } from './rule.ts';
import { columnRules, oddValue, ordinary } from './columns.ts';
import { sqlRules } from './sql.ts';
import { commandRules } from './commands.ts';
import { toldRules } from './told.ts';
import { toldKeyRules } from './told-keys.ts';
import { elseEnds, kept, labelEnd, labelNote, valueMarks, wrapper, wrappingKeys, wrappingLinks } from './wrappers.ts';
import { chosenFault, commandFault, isArticle, notRandom, passwordFault, randomFault, signedName } from './values.ts';

/** Values that are given to a name which says that they are secret, wherever such assignments are written. */

/**
 * `token: string =`, `char token[] =`, `token =>`, `token ||` and `token <-`: a type, then a sign of a program. The
 * next setting of a file is no value, where this one has none.
 */
const sign =
  /(?:\s(?:string|str|char|const char)(?:\[\])?|:\s?(?:string|str|String|Optional\[str\]|&str))?(?:\s{0,6}|[ \t]{7,40})(?:=>|[:?.|+!]{0,3}={1,3}|\??:|\|\||<-)(?:\s{0,6}|[ \t]{7,40})(?!(?<=\n[ \t]{0,6})[A-Za-z_][\w.-]{0,60}(?:=|:(?!\S)))/;
/** `main-east-1` and `app-v2`, and of a password what is called like the place where it is kept: `app-secrets-2`. */
const anyName = '["\'`]?[a-z]{2,16}\\d?(?:-[a-z]{2,16}){0,3}-(?:[a-z]{2,16}-|v)\\d{1,2}(?![\\w-])';
const placeName =
  '["\'`]?(?:[a-z\\d]{1,16}-){0,4}(?:(?:secret|cred(?:ential)?|config|vault|store|ref|key|field|input|region|zone)s?(?![a-z])|v\\d{1,2}(?![\\w-]))';
const passwordName = '(?:passw(?:or)?d|passphrase|passcode|pwd)';
const value = ',?\\s{0,40}["\'`]?value["\'`]?\\s{0,3}[:=]\\s{0,3}';
/** `name: TOKEN`, then `value: 3f2a`, as the variables of a container are written. */
const valueOfName = new RegExp(
  `(?<=(?:${passwordName}|pass|pat|token|secret|key|credentials?)(?:[_-]?\\d{1,2})?["'\`\\])]{0,3}\\s{0,4})${value}(?:(?!${anyName})|(?<=${passwordName}[^a-z]{0,8}${value})(?!${placeName}))`,
);
/** `token: |`, then `3f2a` alone on the next line, as YAML writes a block. */
const blockOfText = /:\s{0,3}[|>][+-]?[ \t]{0,3}\r?\n[ \t]{1,40}(?=[^\s#]{4,256}[ \t]{0,3}(?:[\r\n]|$))/;
/** `"token", "3f2a"`: the next argument or field; `CURLOPT_PASSWORD, "3f2a"`: the same of a library. */
const nextArgument = /(?:["'`]\s{0,3}|(?<=CURLOPT_\w{1,30})),\s{0,3}(?=["'`])/;
/** `<token>3f2a`: what stands in a tag. */
const inTag = />\s{0,8}(?=[A-Za-z0-9_])/;
/** `name="token" value="3f2a"`: the second attribute. */
const attribute = /["']\s{1,3}(?:value|content)\s{0,3}=\s{0,3}/;
/** `token - '3f2a'` in a note. */
const quotedNote = /\s[-–—]\s(?=["'`])/;
/** `--token 3f2a` and `-token=3f2a`: a switch, in quotes or brackets as well. */
const behindSwitch = /[ =](?<=(?<![A-Za-z\d-])--?[\w-]{0,40}[ =])/;
/** `- --token`, then `- 3f2a`: the next of a list of arguments, on a line of its own. */
const behindListedSwitch =
  /(?<=(?<![A-Za-z\d-])--?[\w-]{0,40})["'`]?,?[ \t]{0,3}\r?\n\s{0,40}(?:-[ \t]{1,3}(?=[^\s-])|(?=["'`][^\s"'`-]))/;
/** From the first cell of a row of HTML to the next, and from a term to what it means. */
const nextCell =
  ':?\\s{0,40}</(?:t[hd]|dt)>\\s{0,40}<(?:td|dd)\\b[^<>]{0,80}>\\s{0,20}(?:<(?:code|b|strong|span|kbd|tt|pre|p)\\b[^<>]{0,80}>)?';
/** `token - 3f2a` and `| token | 3f2a |`, as notes and tables of people have what is long and odd. */
const longNote = new RegExp(
  `(?:\\s{1,2}[-–—]\\s{1,2}|\\s{1,4}\\|\\s{0,4}|\\|\\s{1,4}|${nextCell})(?=["'\`]?[^\\s"'\`|]{16})(?!${ordinary.source})(?=${oddValue.source})`,
);

function anyOf(...pieces: readonly RegExp[]): string {
  return `(?:${pieces.map(({ source }) => source).join('|')})`;
}

/** Between a name and its value. */
const assigns = `(?:["'\`“”»\\])]{0,3}\\s{0,4}${anyOf(valueOfName, blockOfText, nextArgument, inTag, attribute, kept)}|["'\`“”»\\])]{0,3}${labelNote}${labelEnd}\\s{0,4}${sign.source}${valueMarks}${wrapper}|${anyOf(quotedNote, behindSwitch, behindListedSwitch)})`;
/** Between them in calls, tags with attributes and commands, which few texts have. */
const wraps = `(?!["'\`]?(?:[:=](?!\\*\\*)[ \\t]?\\S|[,.;]))${anyOf(...wrappingLinks)}`;

/** The longest value that a pattern reads; of a longer one it gives the beginning. */
export const valueCharactersMax = 256;

/** A value in quotes of one sort, which a program may have escaped. */
function inQuotes(quote: string, min: number): string {
  const character = `[^${quote}\\s\\\\]`;
  const escaped = `(?<!\\\\${quote} ?)(?=${character}{0,64}\\\\${quote})((?:${character}|\\\\[${quote}\\\\]){${min},256})(?=${quote})`;
  return `${quote} ?(?:${escaped}|(${character}{${min},256}(?= ?\\\\?${quote})|${character}{256}))`;
}

/** `p&lt;4` and `p&amp;4`, as XML writes a value: the entity ends it before a tag, a name or a sign alone. */
const endOfEntity =
  ';(?<=[&;](?:amp|lt|gt|quot|apos);)(?=[^\\s"\'`,;<>(){}\\[\\]\\\\/:])(?![\\w.-]{1,30}=)(?!(?<=lt;)[a-z]{1,10}\\d?(?:&|\\s))';

/** A value of so many characters or more: in quotes, else up to a sign that ends it. */
function valueOf(min: number): string {
  const character = `(?:[^\\s"'\`,;<>(){}\\[\\]\\\\&]|&(?!(?:amp;)?[\\w.-]{1,40}=(?!=))|${endOfEntity})`;
  const bare = `(?!:)${character}{${min},256}(?!${character}|\\(|\\[(?!\\[?[\\d;]{0,12}m))|[\\w+/][\\w+/=.~%-]{255}`;
  const inBackticks = '`([^`\\s]{MIN,256}(?=`)|[^`\\s]{256})'.replace('MIN', String(min));
  return `(?:(?:[buf@]|r(?=["'][^"'()[\\]*["']))?(?:(?:"")?${inQuotes('"', min)}|(?:'')?${inQuotes("'", min)})|${inBackticks}|\\\\?["'\`]?(${bare}))`;
}

/**
 * The whole name of what is none, and of what a page gives to each of its forms. Only within that name: words before it
 * are of the sentence, and whoever writes "That one was invalid." may tell the valid one next.
 */
function unreal(names: string): string {
  return `(?<![A-Za-z])(?:(?:fake|dummy|bogus|non[_-]?(?:matching|exist(?:ing|ent)))[_-]?(?:${names})|(?:csrf(?:middleware)?|xsrf|authenticity|request_?verification)[_-]?tokens?|public[_-]?key|sec-websocket-key)`;
}

/** The address of a secret, without a user or a query: `jwt.key-set-uri=https://...`. */
const addressOfKeys = '(?<=ur[il])["\'`]?\\s{0,3}[=:]\\s{0,3}["\'`]?https?://[^\\s?@"\'`]+(?![^\\s"\'`,;])';

/** The token of an assembly of .NET is a short hash of a key that is public. */
const assembly = '(?<=publicKeyToken)["\']?\\s?[=:]\\s?["\']?[0-9a-f]{16}(?![\\w+/=-])';

function assignment(names: string, min: number, link: string, ends = ''): RegExp {
  return new RegExp(
    `(?:${names})${ends}(?![a-z])(?<!${unreal(names)})(?!${assembly})[\\w.-]{0,24}?(?!\\w)(?!${addressOfKeys})(?:${link})${valueOf(min)}`,
    'gi',
  );
}

/** Several, where a list of them follows. */
const plural = '(?:s(?=["\'*]{0,3}\\s{0,3}[:=]|\\s(?:for|of|on|to|from|at|in)\\s))?';
const strong = `tokens?|secret[_-]?key[_-]?base|pat(?<=[_-]pat)(?![a-z])|secrets?|(?:api|access|secret|private|encryption|signing|master|account|client|app|auth|service|storage|shared|license|consumer|deploy|publishable|session|integration|bot|pub|hmac|jwt|ssh|aws|gpg)[._ -]?key${plural}|apikey${plural}|credentials?|creds?|auth[._-]?(?:code|data|header|string)?|authorization|bearer|oauth|(?:client|access|app|key|consumer)[._-]?(?:id|secret)`;
/** The beginnings of those, for `beginsWith`. */
const strongBeginnings =
  'token secret pat api access private encryption signing master account client app auth service storage shared license consumer deploy session integration bot pub hmac jwt ssh aws gpg cred bearer oauth key'.split(
    ' ',
  );

/** `xoxp-1234567890` begins a token of Slack in a page about it: its secret would stand behind the figures. */
const cutToken = /^xox[a-z]-[\d-]{0,11}$/;

function keyFault(found: string): string | undefined {
  return cutToken.test(found) ? 'the beginning of a key, without its rest' : randomFault(found);
}

const passwordNames =
  'passwords?|passwd|pa?s{1,2}w(?:r?d|o?rd)|passphrase|passcode|pwd|pword|pass(?<=(?:^|[^a-z]|user|db|sql|admin|root|login|ftp|smtp|mail|ldap|proxy|require|store|key|auth|bind|rpc|sudo|wifi|remote|ssh)pass)|pw(?<=(?:^|[^a-z])(?:(?:(?:olc)?root|bind|admin|user|db|login|smtp|mail|ldap|wifi)_?)?pw)|authtok|psk(?<=(?:^|[^a-z])psk)(?!["\']?\\s{0,4}[:=]{1,2}\\s{0,4}["\']?\\w{0,12}(?:qam|psk)(?!\\w))';
const passwordBeginnings = ['pas', 'pss', 'psw', 'psk', 'pw', 'authtok'];
const plainKey = 'key|login';
const plainKeyBeginnings = ['key', 'login'];

function plainKeyFault(found: string): string | undefined {
  if (isArticle(found) || signedName.test(found)) return 'the name of an article, a version or an issue';
  return keyFault(found) ?? (entropy(found) >= 3.5 && /[a-z]/i.test(found) ? undefined : notRandom);
}

/** The rules of wrapped values, apart because few texts have their keys. */
const wrappedRules: readonly SecretRule[] = [
  {
    name: 'assigned_password',
    sample: 'client.setPassword("{w12}7")',
    lookAlike: 'client.getPassword("{w12}7")',
    isNearKey: true,
    keys: wrappingKeys,
    beginsWith: passwordBeginnings,
    pattern: assignment(passwordNames, 4, wraps, elseEnds),
    fault: chosenFault,
  },
  {
    name: 'assigned_secret',
    sample: 'setx API_TOKEN {w24}',
    lookAlike: 'setx API_TOKEN insert_your_token_here',
    isNearKey: true,
    keys: wrappingKeys,
    beginsWith: strongBeginnings,
    pattern: assignment(strong, 8, wraps, elseEnds),
    fault: keyFault,
  },
  {
    name: 'assigned_key',
    sample: 'setenv SHOP_KEY {w32}',
    lookAlike: 'setenv SHOP_KEY customer_name_ascending',
    isNearKey: true,
    keys: wrappingKeys,
    beginsWith: plainKeyBeginnings,
    pattern: assignment(plainKey, 16, wraps, elseEnds),
    fault: plainKeyFault,
  },
];

export const assignmentRules: readonly SecretRule[] = [
  {
    name: 'assigned_secret',
    sample: `define('AUTH_KEY', '{w12} |{w20}>[{w14}(~{w10}')`,
    lookAlike: "define('AUTH_KEY', 'put a long phrase of sixty-four characters here, and keep it')",
    isNearKey: true,
    keys: ["_key',", "_salt',", '_key",', '_salt",'],
    pattern: /_(?:KEY|SALT)["'],\s{0,12}(?:'([^'\n\\]{60,70})'|"([^"\n\\]{60,70})")\s?\)/gi,
    fault: (found) => (/\d/.test(found) && entropy(found) > 4.5 ? undefined : notRandom),
  },
  {
    name: 'assigned_password',
    sample: 'db_password = "tr0ub4dor&3"',
    lookAlike: 'password = "your-password"',
    isNearKey: true,
    keys: [
      'pwd',
      'pass',
      'pasw',
      'pswd',
      'pswr',
      'psww',
      'pssw',
      'pword',
      'pw:',
      'pw=',
      'pw :',
      'pw =',
      'pw"',
      "pw'",
      'pw)',
      'psk',
      'authtok',
    ],
    beginsWith: passwordBeginnings,
    pattern: assignment(passwordNames, 4, assigns),
    fault: chosenFault,
  },
  {
    name: 'assigned_secret',
    sample: 'client_secret: {w24}',
    lookAlike: 'client_secret: insert_your_secret_here',
    isNearKey: true,
    keys: [
      'key',
      'secret',
      'token',
      'credential',
      'creds',
      'auth',
      'bearer',
      'client',
      'access',
      'app_id',
      'appid',
      '_pat=',
      '_pat =',
      '_pat:',
      '_pat"',
    ],
    beginsWith: strongBeginnings,
    pattern: assignment(strong, 8, `${assigns}|${longNote.source}`),
    fault: keyFault,
  },
  {
    name: 'assigned_key',
    sample: 'signing key = {w32}',
    lookAlike: 'sort key = customer_name_ascending',
    isNearKey: true,
    keys: ['key', 'login'],
    beginsWith: plainKeyBeginnings,
    pattern: assignment(plainKey, 16, assigns),
    fault: plainKeyFault,
  },
  ...wrappedRules,
  ...columnRules,
  ...toldRules,
  ...toldKeyRules,
  {
    name: 'command_password',
    sample: 'curl -u admin:{w12} https://acme.example',
    lookAlike: 'curl -u admin:$PASSWORD https://acme.example',
    keys: ['curl', 'sshpass', 'mysql', 'wget', 'psql', 'machine', 'login', 'psexec', 'plink', 'pscp'],
    pattern:
      /\b(?:curl\b(?:[^\n\\]|\\\n|\\){0,300}?\s(?:-u|--user|--proxy-user)[ =]{0,2}["']?[^\s"':]{0,80}["']?:["']?([^\s"']{3,128})|sshpass\s+-p\s?["']?([^\s"']{3,128})|mysql(?:dump|admin)?\b[^\n]{0,120}?\s-p(?!\s)["']?([^\s"']{4,128})|(?:psexec(?:64)?(?:\.exe)?\b[^\n]{0,200}?\s-p|(?:plink|pscp)(?:\.exe)?\b[^\n]{0,200}?\s-pw)\s{1,4}["']?([^\s"']{3,128})|machine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(\S{3,128}))/gi,
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
  ...sqlRules,
  {
    name: 'called_password',
    sample: 'new NetworkCredential("ana", "{w12}")',
    lookAlike: 'new NetworkCredential("ana", "password")',
    keys: ['networkcredential', 'basicauth', 'basic_auth', 'passwordcredential'],
    pattern:
      /(?:NetworkCredential|basic_?auth|PasswordCredentials?)\(\s{0,12}["'][^"'\n]{1,80}["'],\s{0,12}["']([^"'\s]{4,128})["']/gi,
    fault: commandFault,
  },
  ...commandRules,
  {
    name: 'kubernetes_secret',
    sample: 'kind: Secret\ndata:\n  token: {b24}',
    lookAlike: 'kind: ConfigMap\ndata:\n  token: {b24}',
    keys: ['kind:'],
    pattern:
      /\bkind:\s{0,3}["']?Secret\b["']?[^]{0,600}?\n\s{0,8}data:\s{0,3}\n(?:\s{0,12}#[^\n]{0,200}\n){0,3}\s{1,12}["']?[\w.-]{1,80}["']?:\s{0,3}(?:["']|[|>][+-]?\s{1,16})?([A-Za-z0-9+/]{10,4000}={0,2})|(?<![\w-])data:\s{0,3}\n(?:\s{0,12}#[^\n]{0,200}\n){0,3}\s{1,12}["']?[\w.-]{1,80}["']?:\s{0,3}(?:["']|[|>][+-]?\s{1,16})?([A-Za-z0-9+/]{10,4000}={0,2})["']?\s[^]{0,600}?\bkind:\s{0,3}["']?Secret\b/gi,
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
