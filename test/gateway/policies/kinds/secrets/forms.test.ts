import { expect, test } from 'vitest';
import { found, policy } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets');
const letters = 'abcdefghkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';

/** The same numbers each time, below a limit. */
function createChance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
}

const chance = createChance(15);
const pick = (from: string) => from[chance(from.length)]!;
const several = (from: string, count: number) => Array.from({ length: count }, () => pick(from)).join('');

/** Passwords as people choose them: letters of both cases and figures, with a sign in them. */
const passwords = Array.from(
  { length: 12 },
  () => `${several(letters, 5)}${several('23456789', 2)}${pick('!$*^~')}${several(letters, 2)}`,
);
/** Words and a figure with hyphens between, as people choose them as well. */
const chosen = ['correct-horse-7', 'blue-lamp-42', 'green-tea-cup-9', 'winter-sun-2', 'river-stone-71'];
const keys = Array.from({ length: 6 }, () => several('0123456789abcdef', 32));

function tableOf(cell: (text: string) => string, heads: readonly string[], value: string): string {
  const row = (cells: readonly string[]) => `<tr>${cells.map(cell).join('')}</tr>`;
  return `<table>${row(heads)}${row(heads.map(() => 'ana'))}${row(heads.map((_, index) => (index === 1 ? value : 'db1')))}</table>`;
}

const plainCell = (text: string) => `<td>${text}</td>`;
const styledCell = (text: string) => `\n  <td class="mono"><code>${text}</code></td>\n`;
const headCell = (text: string) => (/^[A-Z]/.test(text) ? `<th scope="col"><b>${text}</b></th>` : `<td>${text}</td>`);

test.each<{ form: string; values: readonly string[]; text: (value: string) => string }>([
  { form: 'a table of HTML, plain', values: passwords, text: (v) => tableOf(plainCell, ['User', 'Password'], v) },
  { form: 'a table of HTML, styled', values: passwords, text: (v) => tableOf(styledCell, ['User', 'Passwort'], v) },
  {
    form: 'a table of HTML with heads of its own',
    values: passwords,
    text: (v) => tableOf(headCell, ['User', 'Password', 'Host'], v.toLowerCase()),
  },
  { form: 'a table of HTML with keys', values: keys, text: (v) => tableOf(plainCell, ['Shop', 'API key'], `x${v}`) },
  { form: 'a row of HTML', values: passwords, text: (v) => `<tr><th>Password:</th>\n<td><code>${v}</code></td></tr>` },
  { form: 'a row of HTML with a key', values: keys, text: (v) => `<tr><td>API token</td><td>${v}</td></tr>` },
  { form: 'a list of terms', values: passwords, text: (v) => `<dl><dt>Password</dt><dd>${v}</dd></dl>` },
  { form: 'a name and a password', values: passwords, text: (v) => `login ana / ${v}` },
  {
    form: 'a name and a password, told',
    values: passwords,
    text: (v) => `please log in with ana.lopez / ${v}, thanks`,
  },
  { form: 'credentials', values: passwords, text: (v) => `Credentials: ana@acme.example / ${v}.` },
  { form: 'credentials with a colon', values: passwords, text: (v) => `the credentials are ana:${v}\n` },
  { form: 'user and password named', values: passwords, text: (v) => `username/password: ana / ${v}` },
  { form: 'German', values: passwords, text: (v) => `Zugangsdaten: ana / ${v}` },
  { form: 'French', values: passwords, text: (v) => `Identifiants : ana / ${v}` },
  { form: 'a block of YAML', values: passwords, text: (v) => `db:\n  password: |\n    ${v}\n  user: ana\n` },
  { form: 'a folded block of YAML', values: passwords, text: (v) => `password: >-\r\n  ${v}\r\n` },
  { form: 'a block of YAML with a key', values: keys, text: (v) => `api_key: |-\n  ${v}\nhost: db1` },
  { form: 'a variable of a container', values: chosen, text: (v) => `env:\n  - name: DB_PASSWORD\n    value: ${v}\n` },
  { form: 'one in JSON', values: chosen, text: (v) => JSON.stringify({ name: 'ADMIN_PASSWD', value: v }) },
])('every secret in $form is found', ({ values, text }) => {
  const missed = values.map(text).filter((one) => !found(secrets, one).some((hit) => hit.length > 0));
  expect(missed).toEqual([]);
});

test.each([
  '<table><tr><th>Name</th><th>Password</th></tr><tr><td>type</td><td>varchar(255)</td></tr></table>',
  '<table><tr><th>Field</th><th>Password</th></tr><tr><td>length</td><td>8-64</td></tr></table>',
  '<table><tr><th>Field</th><th>Password</th></tr><tr><td>rule</td><td>at least 8</td></tr></table>',
  '<table><tr><th>Field</th><th>Token</th></tr><tr><td>sample</td><td>access_token_2</td></tr></table>',
  '<tr><th>Password</th><td>String</td></tr> <tr><td>password</td><td>argon2id-v19</td></tr>',
  '<table><tr><td>a</td><td>b</td></tr><tr><td>Password</td><td>x</td></tr><tr><td>c</td><td>x9!mKq2p</td></tr></table>',
  '<dl><dt>Password</dt><dd>the word that opens it, 8 characters!</dd></dl>',
  'login form / step2! and login page / API2',
  'credentials: users / groups2, and login with OAuth2 / OpenID!',
  'sign in with Google / GitHub2, log in as root / admin1',
  'see login: https://acme.example/p4th!x',
  'password: |\n  The words to open it with, 12 at least.\n',
  'password: >\n  ${DB_PASSWORD}\n',
  'token: |\n  # see the vault\n',
  'security.oauth2.jwk.key-set-uri=http://localhost:8081/sso/.well-known/jwks.json',
  'auth-url=https://identity.foo.bar.com:5443/v2.0 username=user',
  'Sprintf("https://holidayapi.com/v1/holidays?key=%s&country=PH&year=2020")',
  '"input_cached_tokens": 0.175e-6,',
  'SEARCH_ADMIN_API_KEY=\nSEARCH_COLLECTION_NAME=vector_docs\nSEARCH_HOST=',
  '- name: DB_TOKEN\n  value: main-east-1',
  'api_key = "example-9f8a7b3c2d1e4f5a"',
  'token: mock_token_a8f3c2d19b7e',
  'secret: 7c1d9e3f5a2b8e4d_sample',
  'key_md5 = "d41d8cd98f00b204e9800998ecf8427e"',
  'api_key: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '- name: API_KEY\n  value: eu-central-v2',
  '- name: DB_PASSWORD\n  value: $(DB_PASSWORD_7)',
])('nothing is found in %s', (text) => {
  expect(found(secrets, text)).toEqual([]);
});

/** Names with a sign in them as workflows, logs and messages of commits have them, which are no passwords. */
const signedNames = [
  'docker/login-action@v3',
  'aws-actions/amazon-ecr-login@v2',
  'aws-actions/configure-aws-credentials@v4',
  'hashicorp/vault-action@v2.1',
  'actions/checkout@8f4b7f84864484a7bf31766abe9204da3cbe65b3',
  'acme/auth-service#482',
  'Microsoft/TypeScript#4821',
  'JIRA-123#comment-4',
  'google/oauth2#callback',
  'docs/login#step-2',
  'root:user1@host22',
  'ana:user1@web2',
  'web:app2@v10',
  'page:login2#form',
  'ana:HEAD~12',
  'ghcr.io/acme/app2@sha256:9f3c2a',
  'ana/$PASSWORD2',
];

test.each([
  'Please log in with V before the build step.',
  '# login: V',
  'Sign in using V in the workflow',
  'fix(login): see login V for details',
  'Jan 12 sshd: login V denied',
  'the logins are V',
  'sign in with V',
  'Zugangsdaten: V',
  'login failed:user1@corp2, see V',
  'login issue / V',
])('no name with a sign in it is a password in %s', (carrier) => {
  const taken = signedNames.map((name) => carrier.replace('V', () => name));
  expect(taken.filter((text) => found(secrets, text).length > 0)).toEqual([]);
});

test.each(['P@ssw0rd', 'p@ss1word', 'Tr0ub4dor&3', 'm0nkey@Home', 'Qw7%zzLp'])(
  'a password with a sign that names have as well is found: %s',
  (password) => {
    const told = ['login ana / V', 'the credentials are ana:V', 'login ana/V', 'log in with ana : V'];
    const texts = told.map((carrier) => carrier.replace('V', () => password));
    expect(texts.filter((text) => found(secrets, text).length === 0)).toEqual([]);
  },
);

const stoodIn = [
  '$PASSWORD',
  '${DB_PASSWORD}',
  '<password>',
  'password',
  'YOUR_PASSWORD',
  'changeme',
  '$(cat f)',
  '****',
];

test.each([
  'docker login registry.acme.example -u ana -p V',
  'echo V | docker login -u ana --password-stdin',
  'echo V | sudo -S apt update',
  'echo ana:V | sudo chpasswd',
  'redis-cli -h db1 -a V ping',
  'mongosh -u ana -p V',
  '7z a shop -pV',
  'zip -P V out.zip f',
  'openssl enc -aes-256-cbc -k V -in f',
  'openssl rsa -in f -passin pass:V',
  'keytool -list -storepass V',
  'ldapsearch -x -D cn=admin -w V',
  'sqlplus ana/V@db',
  'smbclient //srv/share -U ana%V',
  'htpasswd -cb .htpasswd ana V',
  'mariadb -u ana -pV',
  'net use Z: \\\\srv\\s /user:ana V',
  'http -a ana:V https://x.example',
  'lftp -u ana,V ftp.x.example',
  'aws configure set aws_secret_access_key V',
  'az keyvault secret set --vault-name v --name X --value V',
  'gh secret set X --body V',
  'requests.get(url, auth=("ana", "V"))',
  "new PDO($dsn, 'ana', 'V')",
  'DriverManager.getConnection(url, "ana", "V")',
  'mysqli_connect($host, "ana", "V", "db")',
  'ConvertTo-SecureString "V" -AsPlainText -Force',
  "SET PASSWORD FOR 'ana'@'%' = 'V'",
  'requirepass V',
  'psk="V"',
  'username ana privilege 15 secret 0 V',
  'enable secret 0 V',
  'variable "db_password" {\n  type = string\n  default = "V"\n}',
  'url = jdbc:oracle:thin:ana/V@db:1521/x',
  'rootpw V',
  '"userPass": "V"',
  'APP_PSWD=V',
  'PASWORD:=V',
  'MYSQLPASS: V',
  'easy_setopt(curl, CURLOPT_PASSWORD, "V");',
])('what is handed over by %s is found, and no stand-in', (form) => {
  const given = passwords.filter(
    (one) =>
      found(
        secrets,
        form.replace('V', () => one),
      ).length === 0,
  );
  expect(given).toEqual([]);
  expect(
    stoodIn.filter(
      (one) =>
        found(
          secrets,
          form.replace(/(?<![A-Z])V(?![A-Za-z])/, () => one),
        ).length > 0,
    ),
  ).toEqual([]);
});

test.each([
  'api_key=abcdef1234567890abcdef1234567890',
  'SONAR_TOKEN=12345678ABCDEFH1234567890ABCDEFH12345678',
  `gloas-${filled('{h64}')}`,
  String.raw`keys:\nghp_${filled('{w36}')}\n`,
  `glrtr-${filled('{v43}')}`,
  `"kty": "oct", "k": "${filled('{v22}')}"`,
  String.raw`{"key": "{\"kty\":\"RSA\",\"d\":\"${filled('{v43}')}\"}"}`,
])('a key is found in %s', (text) => {
  expect(found(secrets, text)).toHaveLength(1);
});

test.each(['SUMO_ACCESS_KEY: AbCeFG123', 'api_key=abcdefghijklmnopqrstuvwxyz', 'api_key=abcdef123456'])(
  'a short value that counts up is no key: %s',
  (text) => {
    expect(found(secrets, text)).toEqual([]);
  },
);

test.each([
  'docker run -p 127.0.0.1:8080:80 web2 and docker login -u ana first',
  'mkdir -p build2/out9 && zip -r out2.zip build2',
  'mongo db1/shop -p 27017',
  'openssl enc -aes-256-cbc -kfile key2.bin -in data9',
  'redis-cli -h cache2 -p 6379 --scan',
  'echo step2! | tee log2 && sudo apt install x9',
  'az login --service-principal, then az group list -o table2',
  'auth = ("basic", "digest")',
  'DriverManager.getConnection(url, user, password)',
  'variable "db_password_length" { default = "16chars9" }',
  'username ana role admin2',
])('nothing is handed over by %s', (text) => {
  expect(found(secrets, text)).toEqual([]);
});

test.each([
  { rule: 'jwt', sample: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbmEifQ.{v43}' },
  { rule: 'azure_client_secret', sample: '{w3}8Q~{w34}' },
])('$rule is found in a line that a diff takes out', ({ rule, sample }) => {
  const key = filled(sample);
  expect(found(secrets, `@@ -1,2 +1 @@\n-${key}\n end`)).toEqual([`${rule}: ${key}`]);
});
