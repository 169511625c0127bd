import { expect, test } from 'vitest';
import { found, policy, verdict } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets');
const redacting = policy('secrets', {}, 'redact');
const keys = [filled('{w14}7'), filled('x{h31}'), filled('{w5}-{a12}4K')];

test.each([
  '\\e[32mDB_PASSWORD\\e[0m=\\e[33mV\\e[0m',
  '[32mDB_PASSWORD[0m=[33mV[0m',
  '^[[1mToken:^[[0m ^[[36mV^[[0m',
  'curl "https://acme.example" ^\n  --data-raw ^"^{^\\^"password^\\^":^\\^"V^\\^"^}^"',
  '<tr>\n  <td class="cell">password\n  </td>\n  <td class="cell">V\n  </td>\n</tr>',
  '<tr>\n  <td>token\n  </td>\n  <td><pre>V</pre>\n  </td>\n</tr>',
  'array(1) {\n  ["password"]=>\n  string(15) "V"\n}',
  'a:1:{s:8:"password";s:15:"V";}',
  '    DefaultPassword    REG_SZ    V',
  '    Security key           : Present\n    Key Content            : V',
  '<apiToken encrypted="false">V</apiToken>',
  "ConvertTo-SecureString -AsPlainText 'V' -Force",
  "ConvertTo-SecureString -AsPlainText -Force -String 'V'",
  'DBI->connect("dbi:mysql:shop", "ana", "V");',
  'remotepass = V',
  "SSHPASS='V' sshpass -e ssh srv",
  '  + password                     = "V"',
  '  ~ password                     = "V" -> "another1"',
  'password: !!str V',
  'password = <<EOF\nV\nEOF',
  "new Sequelize('shop', 'ana', 'V', {",
  "pymysql.connect('db', 'ana', 'V', 'shop')",
  "req.basic_auth 'ana', 'V'",
  "'auth' => ['ana', 'V'],",
  'Your API key has been created: V',
  'New token generated: V',
  'evil-winrm -i 10.0.0.9 -u ana -p V',
  'COPY public.users (id, email, password, note) FROM stdin;\n1\tana@acme.example\tV\t\\N\n\\.\n',
  'olcRootPW: V',
])('a key is found as it was pasted in %j', (carrier) => {
  const texts = keys.map((key) => carrier.replace(/\bV(?![a-z])/, () => key));
  const left = texts.filter((text, index) => verdict([redacting], text).texts[0]!.includes(keys[index]!.slice(0, 6)));
  expect(left).toEqual([]);
});

test.each(["define('AUTH_KEY', 'V');", 'define("SECURE_AUTH_SALT", "V");'])(
  'nothing is left of a salt in %s',
  (line) => {
    const salt = filled('{w9} |{w12}>[{w10}(~{w9};,{w8}+ =){w7}');
    expect(
      verdict(
        [redacting],
        line.replace('V', () => salt),
      ).texts[0],
    ).toBe(line.replace('V', '[ASSIGNED_SECRET]'));
  },
);

test.each([
  'array(1) {\n  ["password"]=>\n  string(0) ""\n  ["id"]=>\n  int(4)\n}',
  'a:1:{s:4:"name";s:10:"Ana Miller";}',
  'DefaultUserName    REG_SZ    ana4711x',
  "define('AUTH_SALT', 'put your unique phrase here');",
  '[0m[32mPASS[0m src/app.test.ts (5.123s)',
  '^[[32m✓^[[0m token: refreshed 3 times',
  'Key Content            : Absent',
  '  ~ password = (sensitive value) -> (known after apply)',
  'token                = var.token',
  "'auth' => ['token', 'session'],",
  'Token:           *scanSessionToken2,',
  '"getToken":       "/v2/tokens/%s",',
  'The password changed to comply with policy2024.',
])('nothing is found in %j', (text) => {
  expect(found(secrets, text)).toEqual([]);
});

test('the token of a bot is found in the address of its service', () => {
  const token = filled('{d9}:AA{w33}');
  expect(found(secrets, `https://api.telegram.org/bot${token}/getMe`)).toEqual([`telegram_token: ${token}`]);
});
