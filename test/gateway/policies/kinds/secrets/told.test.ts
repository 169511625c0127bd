import { expect, test } from 'vitest';
import { found, policy } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const secrets = policy('secrets');
const keys = [filled('{w14}7'), filled('x{h31}'), filled('{w5}-{a12}4K')];
const passwords = ['Kestrel-91!', 'vKx9mmPq2z', 'sommer2019'];

function missedIn(carrier: string, values: readonly string[]): string[] {
  return values.map((value) => carrier.replace('V', () => value)).filter((text) => found(secrets, text).length === 0);
}

test.each([
  'my api key is V',
  'Our token is V.',
  'the client_secret is V, keep it',
  'The key for the shop is V',
  'the token you need is V',
  'our secret key is now V',
  'the token has been changed to V',
  'API key → V',
  'token -> V',
  'use token V to log in',
  'here is my api key "V"',
  'API Key - V',
  'API-Schlüssel: V',
  'Clave de API: V',
  "Token d'accès : V",
  'секретный ключ: V',
  'API密钥：V',
])('every key is found in %s', (carrier) => {
  expect(missedIn(carrier, keys)).toEqual([]);
});

test.each([
  'temp password → V',
  'the root password has been set to V',
  'your password was changed to V',
  "The password's V",
  'the pwd for the portal is now V',
  'la password è V',
  'Mot de passe provisoire : V',
  'Contraseña temporal: V',
  'Kennwort (initial): V',
  'Initialpasswort: V',
  'Adgangskoden er V',
  'Salasana: V',
  'heslo je V',
  'Jelszó: V',
  'parola este V',
  'Κωδικός πρόσβασης: V',
  'הסיסמה היא V',
  'كلمة المرور: V',
  'گذرواژه: V',
  'पासवर्ड है V',
  'รหัสผ่านคือ V',
  'mật khẩu là V',
  'kata sandi adalah V',
  'Şifreniz: V',
  '密码是V',
])('every password is found in %s', (carrier) => {
  expect(missedIn(carrier, passwords)).toEqual([]);
});

test.each(['user bob password V', 'мой пароль V', 'A jelszó V', 'with the passcode V'])(
  'an odd password is found without a sign before it in %s',
  (carrier) => {
    expect(missedIn(carrier, ['vKx9mmPq2z', 'ab7Kq!zz9x'])).toEqual([]);
  },
);

test.each([
  "she logged in with password 'AtomicBomb9', it seems",
  'the account with password "SSPortalAccess#" is closed',
  "it was found with password 'Loan24Access#'. This access level",
])('a password in quotation marks is found right behind the word: %s', (text) => {
  expect(found(secrets, text)).toHaveLength(1);
});

test.each([
  'the key is user2settings and the token is base64url',
  'our token is 2FA protected, the secret is sha256-hashed',
  'the public key is 3f2a9c1b7d5e8f60',
  'uint32 key = getU32LE',
  'Add new signing key 19882D92DDA4C400C22C0D56CC2AF4472167BE03',
  'use the token bucket4j, or token kid-2024',
  'key -> value2, token->type2',
  'the key for the row is order-2024-11',
  'the password was reset 3 times and is now argon2id-v19',
  'Votre mot de passe est : obligatoire',
  'ключ от двери 12',
  '密码是否安全可靠：请检查',
  'GNOME 密碼匙圈：PKCS#11',
  '_Passord:\n_Steder',
  'hesap:parola:UID:GID:GECOS:dizin:kabuk',
  'Heslo: ********',
  'La clave: una idea nueva',
  'Your tracking token is RX4D7K9P2',
  'Your confirmation key is X7K2M9Q4',
  'The idempotency key is 7f9c2ba4e88f827d',
  'My order token is 8f14e45fceea167a',
  'The next page token is CAoQAA2x9k',
  'the sync token was CPDAlvWDx70C',
  'Redis: using key sess_a1b2c3d4e5f6',
  'with key 5f4dcc3b5aa765d6',
  'key → k8s-node-1a2b3c',
  'The API key is v2beta1Endpoint',
  'The key to success is 10x10yearsOfWork',
  'Der API-Schlüssel: v2Endpunkt4a',
  'Chassis key is WVWZZZ1JZ3W386752',
  'Boarding pass is 22A/LH400',
  'The bus pass is Zone1-2valid',
  'pw is 3.5kW2h',
  'password CharField2x',
  "the field 'password' and the field 'user9'",
  "wrong password 'string' given",
  'password !important1',
  'passwd   char16utf8',
])('nothing is told by %s', (text) => {
  expect(found(secrets, text)).toEqual([]);
});
