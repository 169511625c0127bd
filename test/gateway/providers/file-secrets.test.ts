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
