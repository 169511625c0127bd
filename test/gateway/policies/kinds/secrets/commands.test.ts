import { expect, test } from 'vitest';
import { found, policy } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets');
const passwords = [filled('{w10}7'), 'Otter!4417x', filled('{h32}')];

test.each([
  'sqlcmd -S db1 -U sa -P V',
  'bcp shop.orders in orders.csv -U sa -PV',
  'ipmitool -H bmc1 -U admin -P V power on',
  'mongo shop -u ana -pV',
  'zip -PV orders.zip orders.csv',
  'ldapsearch -x -wV',
  'openssl rsa -passin pass:V -in a.pem',
  "ssh-keygen -t ed25519 -N 'V' -f id",
  'schtasks /create /tn backup /ru ana /rp V',
  'wpa_passphrase Office V',
  'net user ana V /add',
  'C:\\> net user ana V',
  'CONNECT ana/V@orcl',
  'USER ana\r\n331 Password required\r\nPASS V\r\n',
  'smtp.login("ana@acme.example", "V")',
  "db.auth('ana', 'V')",
])('the password in %j is found', (text) => {
  for (const password of passwords)
    expect(found(secrets, text.replace(/\bV|(?<=-[Ppw])V/, password)), password).toEqual([
      expect.stringMatching(password.replace('!', '.') + '$'),
    ]);
});

test.each([
  'sqlcmd -S db1 -U sa -P $PASSWORD',
  'The net user growth was 12.5% in Q1-2024',
  'connect acme/tool2@v3 to the build',
  'PASS test/shop/cart2.test.ts',
  'login("user", "password")',
  'net user ana /active:no',
])('no password is found in %j', (text) => {
  expect(found(secrets, text)).toEqual([]);
});
