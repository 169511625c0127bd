import { expect, test } from 'vitest';
import { found, policy, verdict } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets');
const redacting = policy('secrets', {}, 'redact');
const redact = (text: string) => verdict([redacting], text).texts[0];
const keys = [filled('{w14}7'), filled('x{h31}'), filled('{w5}-{a12}4K')];

test.each([
  '**Password:** V',
  '**Password**: `V`',
  '- **API key:** `V`',
  '__Token:__ V',
  '***Client secret:*** V',
  '*Password:* V',
  'Password:\n```\nV\n```',
  '<b>Password:</b> V',
  '<p><strong>API key</strong>: <code>V</code></p>',
  '<li>Password: <span style="color:red">V</span></li>',
  'Password:<br />\nV',
  'Your temporary password is: <b>V</b>',
  'password for ana: V',
  'password (prod): V',
  'API key [staging] = V',
  'token for the build server: V',
  'the password (temporary) is V',
  'пароль от базы: V',
  '비번: V',
  '口令：V',
  'mdp: V',
])('a key is found behind the label in %s', (carrier) => {
  const texts = keys.map((key) => carrier.replace('V', () => key));
  expect(texts.filter((text) => found(secrets, text).length === 0)).toEqual([]);
});

test.each([
  'API_KEYS=V,W',
  'TOKENS=V;W',
  'api_keys: [V, W]',
  'api_keys: [V]',
  '{"tokens": ["V", "W"]}',
  '"passwords": [\n  "V",\n  "W"\n]',
  'secrets:\n- V\n- W',
  'tokens:\n  - "V"\n  - "W"',
  'API keys:\nV\nW',
  'API keys:\n1. V\n2. W',
  '**Passwords:**\n* V\n* W',
  'API keys for the build server:\n- V\n- W',
  'Passwords of the two hosts:\n1. V\n2. W',
  'tokens := []string{"V", "W"}',
  '$tokens = @("V", "W")',
])('all values of a list go in %s', (carrier) => {
  const [one, other] = [filled('{w14}7'), filled('x{h31}')];
  const text = carrier.replace(/\b[VW]\b/g, (place) => (place === 'V' ? one : other));
  const left = redact(text);
  expect(left).not.toContain(one);
  expect(left).not.toContain(other);
});

test.each(['<password>V</password>', 'password=V', '"Server=db;Uid=sa;Pwd=V;Timeout=5"'])(
  'nothing is left of a password with signs as XML writes them in %s',
  (carrier) => {
    for (const value of ['Kx7&lt;vq92&amp;ZR', 'Kx7&amp;vq92&quot;ZR', 'Kx7&amp;lt;vq92ZR'])
      expect(redact(carrier.replace('V', () => value))).not.toMatch(/vq92|ZR/);
  },
);

test.each([
  'Parameters:\n  DBPassword:\n    NoEcho: true\n    Description: Password of the database\n',
  'MasterUserPassword:\n  AllowedPattern: "[a-z]*"\n',
  '**Password:** required, and of a safe length',
  '**Token**: what is sent with each request',
  'password for ana: see the vault',
  'tokens: [START, END2, IDENT]',
  'keys:\n  - name\n  - iso8601\n',
  'const keys = ["ArrowUp", "ArrowDown", "F12"];',
  '<p><strong>Password:</strong> must not be empty</p>',
  'SessionToken:  *scanSessionToken,',
])('nothing is found in %j', (text) => {
  expect(found(secrets, text)).toEqual([]);
});

test('the end of an element that was escaped stays', () => {
  const text = `&lt;password&gt;${filled('{w32}')}&lt;/password&gt;&lt;b&gt;`;
  expect(redact(text)).toMatch(/\]&lt;\/password&gt;/);
});
