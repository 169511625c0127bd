import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { FileSecrets, type Hide } from '../../../src/gateway/providers/file-secrets.ts';
import { Secret } from '../../../src/text/secret.ts';
import { providerConfig } from './provider-config.ts';

/** Hides the keys of a file in answers of the provider with the first one. */
function hiderOf(keys: readonly string[]): Hide {
  const configs = keys.map((key, at) => providerConfig({ name: `p${at}`, key: new Secret(key) }));
  const providers = new Map(configs.map((config) => [config.name, config]));
  return new FileSecrets({ providers, policies: new Map() }).of(configs[0]!).inAnswer;
}

const hex = 'c146cbf7c22cc0380b4fa02e85e44b0c';
const inUrl = (text: string): string =>
  Array.from(text, (sign, at) => (at % 2 === 1 ? `%${sign.charCodeAt(0).toString(16)}` : sign)).join('');

test.each([
  { name: 'behind the start of an escape', key: hex, said: `%4${inUrl(hex)}!`, told: '%4••••!' },
  { name: 'of few letters', key: 'aB3dE6gH', said: 'It is aB3dE6gH!', told: 'It is ••••!' },
  {
    name: 'of few letters, in base64',
    key: 'aB3dE6gH',
    said: 'YUIzZEU2Z0g=',
    told: expect.stringMatching(/^••••.?=$/),
  },
  { name: 'of almost no letters', key: '<><><><>1', said: 'It is <><><><>1!', told: 'It is ••••!' },
  { name: 'with a sign that begins an escape', key: 'pa%55w0rd', said: 'It is pa%55w0rd!', told: 'It is ••••!' },
  {
    name: 'with pieces of few letters, by one of them',
    key: '12345678-<>-<>-<>-<>-<>-12345678',
    said: 'It is 5678-<>-<>-<>-<>!',
    told: 'It is ••••!',
  },
  {
    name: 'whose word is a key as well',
    key: `Bearer ${hex}`,
    said: Array.from(`Bearer ${hex}`).toReversed().join(''),
    told: '••••',
  },
])('a key $name is hidden', ({ key, said, told }) => {
  expect(hiderOf([key, 'another-key-1234567890'])(said)).toEqual(told);
});

/** Of a private key in PEM, all that stands between its first and its last line, in one. */
function bodyOf(pem: string): string {
  return pem.split('\n').slice(1, -2).join('');
}

test.each([
  { name: 'RSA of 2048 bits', make: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
  { name: 'RSA of 3072 bits', make: () => generateKeyPairSync('rsa', { modulusLength: 3072 }) },
  { name: 'P-256', make: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }) },
  { name: 'P-384', make: () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }) },
  { name: 'P-521', make: () => generateKeyPairSync('ec', { namedCurve: 'secp521r1' }) },
  { name: 'Ed25519', make: () => generateKeyPairSync('ed25519') },
])('of a private key of $name nothing is hidden that all others have', ({ make }) => {
  const [own, other] = [make(), make()].map(({ privateKey, publicKey }) => ({
    secret: bodyOf(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
    known: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  }));
  const hide = new FileSecrets({ providers: new Map(), policies: new Map() }, [own!.secret]).inAnyWords;
  expect(hide(other!.secret)).toBe(other!.secret);
  expect(hide(other!.known)).toBe(other!.known);
  expect(hide(`It is ${own!.secret.slice(0, 64)}!`)).toBe('It is \u2022\u2022\u2022\u2022!');
});

test.each([
  { form: 'as it is', write: (text: string) => text },
  { form: 'with signs between', write: (text: string) => text.split('').join(' ') },
  { form: 'in hex', write: (text: string) => Buffer.from(text).toString('hex') },
  {
    form: 'in lines of base64',
    write: (text: string) => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\n'),
  },
])('a key of thousands of letters is hidden $form', ({ write }) => {
  const key = Array.from({ length: 300 }, (_, at) => createHash('sha1').update(String(at)).digest('base64url')).join(
    '',
  );
  const told = hiderOf([key])(`It is ${write(key)}!`);
  expect(told).toMatch(/^It is [\u2022 \n=a-z0-9]+!$/i);
  expect(told.replaceAll(/[^a-z0-9]/gi, '').length).toBeLessThan(16);
});

const random = 'qZ7rTgW2nXvB8mKpLs4J';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const claims = `${base64('{"alg":"HS256","typ":"JWT"}').replace(/=+$/, '')}.${base64('{"sub":"gateway"}').replace(/=+$/, '')}.`;

test.each([
  { of: 'a vendor', known: 'sk-ant-api03-', rest: random },
  { of: 'a vendor, as a header has it', known: 'Bearer sk-svcacct-', rest: random },
  { of: 'a vendor whose keys are hex', known: 'sk-or-v1-', rest: '0f3c5a7e9b1d2468ace0' },
  { of: 'a JWT', known: claims, rest: random },
  { of: 'a user with a long name', known: 'gateway-service-7:', rest: random },
  { of: 'a user with a long name in base64', known: 'Basic Z2F0ZXdheS1zZXJ2aWNlLTc6', rest: base64(random) },
])('a guess of the next seven characters of a key of $of is not told by a mark, and its own 16 are hidden', (key) => {
  const hide = new FileSecrets({ providers: new Map(), policies: new Map() }, [key.known + key.rest]).inAnyWords;
  const guess = `It is ${key.known}${key.rest.slice(0, 7)}.`;
  expect(hide(guess)).toBe(guess);
  expect(hide(`It is ${key.rest.slice(0, 16)}.`)).toBe('It is ••••.');
  expect(hide(`It is ${key.known}${key.rest.slice(0, 16)}.`)).toBe('It is ••••.');
});
