import { expect, test } from 'vitest';
import { found, policy } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets');
const keys = [filled('{w14}7'), filled('x{h31}'), filled('{w5}-{a12}4K')];

test.each([
  'api_key = b"V"',
  'api_key = ("V")',
  'api_key = ["V"]',
  "token = String('V')",
  'apiKey = new Key("V")',
  'token := []byte("V")',
  'password = SecretStr("V")',
  'let api_key = String::from("V");',
  'api_key = [[V]]',
  'api_key: !secret V',
  "apiKey = process.env.API_KEY || 'V'",
  'api_keys:\n  - V',
  '"tokens": [\n  "V"\n]',
  'public string ApiKey { get; set; } = "V";',
  'variable "API_KEY" {\n  default = "V"\n}',
  'ENV API_KEY V',
  'setenv API_KEY V',
  'setx API_KEY "V"',
  'set -x API_KEY V',
  '#define API_KEY "V"',
  "secretKey 'V'",
  '<wsse:Password Type="PasswordText">V</wsse:Password>',
  '<Key>Password</Key><Value>V</Value>',
  '<AdministratorPassword><Value>V</Value></AdministratorPassword>',
  'client.setPassword("V")',
  "page.find('#password').type('V')",
  'git config --global user.token V',
  "password = u'V'",
  'api_key = """V"""',
  'requirepass = V',
  '"bindpw": "V"',
  'secretKeyBase: V',
  '1,"{""user"":""bo"",""password"":""V""}",x',
  '1,"password=""V""",x',
  "note: 'api_key = ''V'''",
  '“password”: “V”',
  '„password“: „V“',
  'name,privateKey,host\nana,V+b4Zq9x,db1',
  '| User | userPass |\n| --- | --- |\n| ana | V |',
])('every key is found in %s', (carrier) => {
  const texts = keys.map((key) => carrier.replace(/(?<![A-Z])V(?![A-Za-z])/, () => key));
  expect(texts.filter((text) => found(secrets, text).length === 0)).toEqual([]);
});

test.each(['passwd = "V"', '<signingKey>V</signingKey>', 'client_secret: V'])(
  'letters alone that nobody can speak are found in %s',
  (carrier) => {
    const values = ['OZKxkfeyNHRJNj', 'eVTKmuJqFyjiTg', 'CKDWwIfVbthJazlwzJzl'];
    const texts = values.map((value) => carrier.replace('V', () => value));
    expect(texts.filter((text) => found(secrets, text).length === 0)).toEqual([]);
  },
);

test.each([
  'password = password.encode("latin1")',
  '_SSH_KEY_FORMATS = [\n    b"ssh-ed25519"',
  "preferred_auths = ['CRAM-MD5']",
  "token_prefix = r'(?:(?:ibm)?[-_]?cos[-_]?)'",
  '#define cmac_aes256_set_key nettle_cmac_aes256_set_key',
  'gpg --recv-keys DD792F5973C6DE52C432CBDAC77ABFA',
  "assert not should_exclude_secret('2b00042f7481c7b056c4b410d28f33cf')",
  "secret.value.startswith('c2VjcmV0IG1lc2')",
  'key = getKey("user_settings2")',
  'password = getPassword("db-primary-2")',
  'tokens:\n  - name: main',
  '<password type="string">forgotten</password>',
  'ENV TOKEN_FILE /run/secrets/token2',
  'password = HTTPSConnectionPool, token = ByteStreamLengthField',
  '"passwordHint": new Text("ask2")',
  'ENV PASSWORD_FILE /run/secrets/db2pw',
  'git config user.signingkey 3AA5C34371567BD2',
  'setx API_KEY_NAME Prod2East',
  '#define TOKEN_MAX "1024bytes2"',
  '#define AUTH_KEY_NAME "x_auth_2key"',
  '.setToken("user2name")',
  'parser.token("IDENT_2x")',
  'expect(token("NUMBER12"))',
  'form.password("Passwort2")',
  'page.locator("#password").fill("test1234")',
  'PSK = 4x8bitQPSK',
  'psk=16QAM',
  'psk: wpa2psk',
])('nothing is found in %s', (text) => {
  expect(found(secrets, text)).toEqual([]);
});
