import type { SecretRule } from './rule.ts';
import { chosenFault, commandFault } from './values.ts';

/** Passwords that are handed to commands, to functions of programs and to lines of configuration. */

/** Commands, each with what stands right before a password among its flags. */
const flagsOfCommands = [
  ['(?:docker|podman|nerdctl|buildah|skopeo|oras|helm registry|az|cf|oc) login', '-p '],
  ['redis-cli', '-a '],
  ['mongo(?:sh|dump|restore|export|import)?', '-p ?'],
  ['cqlsh', '-p '],
  ['(?:7z[ar]?|7za|rar|unrar)', '-p(?=\\S)'],
  ['(?:un)?zip(?= -)', '-P ?'],
  ['openssl', '(?:-k |(?:-pass(?:in|out)?[ =])pass:)'],
  ['(?:keytool|jarsigner)', '-(?:src|dest)?(?:store|key)pass '],
  ['ldap(?:search|modify|add|delete|whoami|passwd)', '-w ?'],
  ['(?:smbclient|rpcclient)', '-U ?["\']?[^\\s%"\']{1,64}%'],
  ['htpasswd', '-[A-Za-z]{0,4}b[A-Za-z]{0,4} \\S{1,120} \\S{1,64} '],
  ['mosquitto_(?:pub|sub)', '-P '],
  ['(?:mariadb(?:-dump|-admin)?|mysql(?:import|show|check))', '-p(?=\\S)'],
  ['(?:x|w)freerdp', '/p:'],
  ['net use', '/user:\\S{1,64} '],
  ['https?(?= -a)', '-a [^\\s:]{1,64}:'],
  ['lftp', '-u [^\\s,]{1,64},'],
  ['aws configure', 'set \\S{0,60}(?:secret_access_key|session_token) '],
  ['az keyvault secret set', '--value '],
  ['gh secret set', '(?:--body|-b) '],
  ['(?:sqlcmd|bcp|isql)', '-P(?: |(?=\\S))'],
  ['(?:ipmitool|racadm|rdesktop)', '-[Pp] '],
  ['ssh-keygen', '-[NP] '],
  ['(?:evil-winrm|crackmapexec|netexec|nxc)', '-p '],
  ['security (?:unlock-keychain|import)', '-[pP] '],
  ['signtool sign', '/p '],
  ['schtasks', '/(?:rp|RP) '],
] as const;

const value = '["\']?(?!-)([^\\s"\'`|;<>()]{4,128})';
const flagged = flagsOfCommands
  .map(
    ([command, flag]) =>
      `${command}(?![\\w.-])[^\\n|;]{0,160}? ${flag.replace(/(?<!\[) (\??)/g, (_, isOptional) => (isOptional ? '[ =]{0,2}' : '[ =]{1,2}'))}`,
  )
  .join('|');
const readers =
  '(?:sudo\\s{1,2})?(?:[^\\n|;]{1,120}\\s--(?:password-stdin|with-token|stdin)\\b|sudo\\s{1,2}-S\\b|-S\\b|passwd\\s{1,2}--stdin|kinit\\b)';
const printed = '(?:echo|printf)(?:\\s-[neE]{1,3})?\\s{1,2}["\']?';

/** Functions and headers of programs that take a name and a password in this order. */
const argument = '\\s{0,12}["\'][^"\'\\n]{1,80}["\'],\\s{0,12}["\']([^"\'\\s]{4,128})["\']';
const calls = [
  `\\bauth["']?\\s?=>?\\s?[(\\[]${argument}`,
  `(?:new PDO|DriverManager\\.getConnection|new mysqli|mysqli?_connect|ftp_login|imap_open|DBI->connect|new Sequelize|(?:pymysql|MySQLdb|psycopg2?)\\.connect)\\([^,\\n]{1,200},${argument}`,
  `(?:\\b(?:login|log_in|logIn|authenticate|signIn|sign_in)|\\.auth)\\(${argument}`,
  `\\.basic_auth\\s${argument}`,
  `ConvertTo-SecureString\\s(?:-\\w{1,16}\\s){0,4}["']([^"'\\s]{4,128})["']`,
];

/**
 * Each of these lines begins with a word, and asks behind it what stands before: a pattern that begins with a look back
 * asks at each character of a text, one that begins with a word only where the word stands.
 */
const directives = 'requirepass|masterauth|rootpw(?:\\s--plaintext)?';
const lines = [
  `(?:${directives})(?<=(?:^|\\n)\\s{0,12}(?:${directives}))\\s{1,8}${value}`,
  `\\bpsk\\s?=\\s?["']([^"'\\n]{8,63})["']`,
  `\\b(?:username\\s\\S{1,64}\\s(?:privilege\\s\\d{1,2}\\s)?(?:password|secret)|enable\\s(?:password|secret))\\s(?:0\\s)${value}`,
  `(?:SET PASSWORD|set password)\\s(?:FOR|for)\\s[^\\n=]{1,120}=\\s?(?:PASSWORD\\()?["']([^"'\\s]{4,128})["']`,
  `net user (?<=(?:^|\\n)[ \\t]{0,8}(?:[^\\n]{0,40}[>$#] ?)?net user )[^\\s/*]{1,64} (?=[^\\s]{0,64}[A-Za-z])(?!/)${value}(?=\\s{0,3}(?:/|\\r?\\n|$))`,
  `\\bKey Content\\s{1,16}: ${value}`,
  `\\bwpa_passphrase ["']?[^\\s"']{1,32}["']? ${value}`,
  `\\bPASS (?<=\\bUSER [^\\s]{1,64}\\s{1,4}(?:[^\\n]{0,120}\\n){0,2}[^\\n]{0,24}PASS )${value}`,
  `\\bjdbc:oracle:\\w{2,8}:[^\\s/:@"']{1,64}/([^\\s/@"']{4,64})@`,
];

function handedFault(found: string): string | undefined {
  return /^\d{1,5}$/.test(found) ? 'a port' : (commandFault(found) ?? chosenFault(found));
}

export const commandRules: readonly SecretRule[] = [
  {
    name: 'command_password',
    sample: 'docker login -u ana -p {w12}7',
    lookAlike: 'docker login -u ana -p $PASSWORD',
    isNearKey: true,
    keys: [
      'docker login ',
      'podman login ',
      'nerdctl login ',
      'buildah login ',
      'skopeo login ',
      'oras login ',
      'helm registry login',
      'az login ',
      'oc login ',
      'cf login ',
      'redis-cli',
      'mongo',
      'cqlsh',
      '7z',
      'rar ',
      'zip -',
      'openssl',
      'keytool',
      'jarsigner',
      'ldap',
      'smbclient',
      'rpcclient',
      'htpasswd',
      'mosquitto_',
      'mariadb',
      'mysqlimport',
      'freerdp',
      'net use',
      'http -a',
      'https -a',
      'lftp',
      'aws configure',
      'keyvault secret',
      'gh secret set',
      'sqlcmd',
      'bcp ',
      'isql',
      'ipmitool',
      'racadm',
      'rdesktop',
      'ssh-keygen',
      'schtasks',
      'evil-winrm',
      'crackmapexec',
      'netexec',
      'nxc ',
      'security unlock-keychain',
      'security import',
      'signtool sign',
    ],
    pattern: new RegExp(`(?<![\\w./-])(?:${flagged})${value}`, 'g'),
    fault: handedFault,
  },
  {
    name: 'command_password',
    sample: 'echo {w12}7 | docker login -u ana --password-stdin',
    lookAlike: 'echo $PASSWORD | docker login -u ana --password-stdin',
    isNearKey: true,
    keys: ['password-stdin', 'with-token', 'sudo -s', 'passwd --stdin', 'kinit', 'chpasswd'],
    pattern: new RegExp(
      `(?<![\\w-])${printed}(?:([^\\s"'\`|;<>]{4,128})["']?\\s{0,2}\\|\\s{0,2}${readers}|[\\w.-]{1,64}:([^\\s"'\`|;<>]{4,128})["']?\\s{0,2}\\|\\s{0,2}(?:sudo\\s{1,2})?chpasswd)`,
      'g',
    ),
    fault: handedFault,
  },
  {
    name: 'command_password',
    sample: 'sqlplus ana/{w12}7@shop',
    lookAlike: 'sqlplus ana/password@shop',
    isNearKey: true,
    keys: ['sqlplus', 'expdp', 'impdp', 'sqlldr', 'connect ', 'conn '],
    pattern:
      /(?<![\w./-])(?:sqlplus|expdp|impdp|sqlldr|(?:CONNECT|connect|CONN|conn)(?=\s[^\s@]{3,140}@(?!v?\d)))\s(?:-\w{1,8}\s){0,3}["']?\w{1,64}\/["']?([^\s"'@/]{4,64})["']?@/g,
    fault: handedFault,
  },
  {
    name: 'called_password',
    sample: 'requests.get(url, auth=("ana", "{w12}7"))',
    lookAlike: 'requests.get(url, auth=("user", "password"))',
    isNearKey: true,
    keys: [
      'auth=',
      'auth =',
      'pdo(',
      'getconnection(',
      'mysqli',
      'mysql_connect',
      'ftp_login',
      'imap_open',
      'dbi->connect(',
      'sequelize(',
      'mysql.connect(',
      'mysqldb.connect(',
      'psycopg2.connect(',
      'basic_auth',
      "auth' =>",
      'auth" =>',
      'securestring',
      'login(',
      'log_in(',
      'authenticate(',
      'signin(',
      'sign_in(',
      '.auth(',
    ],
    pattern: new RegExp(calls.join('|'), 'g'),
    fault: handedFault,
  },
  {
    name: 'assigned_password',
    sample: 'username ana privilege 15 password 0 {w12}7',
    lookAlike: 'username ana privilege 15 password 0 <password>',
    isNearKey: true,
    keys: [
      'requirepass',
      'masterauth',
      'rootpw',
      'psk=',
      'psk =',
      'username ',
      'enable secret',
      'enable password',
      'set password',
      'jdbc:oracle',
      'net user ',
      'wpa_passphrase',
      'key content',
      'pass ',
    ],
    pattern: new RegExp(lines.join('|'), 'g'),
    fault: handedFault,
  },
];
