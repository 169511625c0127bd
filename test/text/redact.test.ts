import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../src/text/redact.ts';
import { Secret } from '../../src/text/secret.ts';
import { anyText } from '../fixtures/any-text.ts';
import { runs } from '../support/runs.ts';

const token = 'mt_9f+C/a"b\\8Zq==~x';

function redact(text: string, ...secrets: string[]): string {
  const redactor = createRedactor();
  for (const secret of secrets.length === 0 ? [token] : secrets) redactor.add(new Secret(secret));
  return redactor.redact(text);
}

test.each([
  { name: 'raw', text: `authorization: Bearer ${token}.`, shown: 'authorization: Bearer ••••.' },
  { name: 'twice', text: `${token} ${token}`, shown: '•••• ••••' },
  { name: 'after a mistyped flag', text: `unknown option '--tokne=${token}'`, shown: "unknown option '--tokne=••••'" },
  { name: 'in JSON', text: JSON.stringify({ token }), shown: '{"token":"••••"}' },
  {
    name: 'in JSON with escaped slashes',
    text: JSON.stringify({ token }).replace('/', '\\/'),
    shown: '{"token":"••••"}',
  },
  { name: 'in a URL', text: `https://x/?t=${encodeURIComponent(token)}&u=1`, shown: 'https://x/?t=••••&u=1' },
  {
    name: 'in a URL with small letters',
    text: `t=${encodeURIComponent(token).replaceAll(/%../g, (hex) => hex.toLowerCase())}`,
    shown: 't=••••',
  },
  {
    name: 'in a URL with every character escaped',
    text: Buffer.from(token).toString('hex').replaceAll(/../g, '%$&'),
    shown: '••••',
  },
  { name: 'in a form', text: new URLSearchParams({ token }).toString(), shown: 'token=••••' },
  { name: 'beside other escapes', text: `%20\\n\\u0041${token}\\u0042`, shown: '%20\\n\\u0041••••\\u0042' },
])('a token $name is hidden', ({ text, shown }) => {
  expect(redact(text)).toBe(shown);
});

test.each(['base64', 'base64url'] as const)('a token inside %s is hidden wherever it begins', (encoding) => {
  for (const before of ['', 'u', 'us', 'user:', 'user name:']) {
    const text = Buffer.from(`${before}${token} and more`).toString(encoding);
    const shown = redact(`Basic ${text}`);
    expect(shown).toContain('••••');
    expect(Buffer.from(shown.replace('Basic ', ''), encoding).toString('latin1')).not.toContain(token.slice(2, 10));
  }
});

test.each([
  {
    name: 'a secret in a secret',
    secrets: ['abcdef', 'xxabcdefyy'],
    text: '-xxabcdefyy-abcdef-',
    shown: '-••••-••••-',
  },
  { name: 'overlapping secrets', secrets: ['abcdef', 'defghi'], text: '-abcdefghi-', shown: '-••••-' },
  { name: 'a secret overlapping itself', secrets: ['abab'], text: '-ababab-', shown: '-••••-' },
  {
    name: 'a PEM key in JSON',
    secrets: ['-----BEGIN\nabc\n'],
    text: '{"key":"-----BEGIN\\nabc\\n"}',
    shown: '{"key":"••••"}',
  },
  { name: 'a password with a blank in a form', secrets: ['pass word+1'], text: 'p=pass+word%2B1', shown: 'p=••••' },
  {
    name: 'a password that is not ASCII in a URL',
    secrets: ['pässwörd'],
    text: `p=${encodeURIComponent('pässwörd')}`,
    shown: 'p=••••',
  },
  { name: 'a percent sign of its own', secrets: ['ab%41cd'], text: 'ab%41cd', shown: '••••' },
  { name: 'nothing to hide', secrets: ['abcdef'], text: 'abcde f', shown: 'abcde f' },
  { name: 'too short to be a secret', secrets: ['', 'abc'], text: 'abcabc', shown: 'abcabc' },
])('$name', ({ secrets, text, shown }) => {
  expect(redact(text, ...secrets)).toBe(shown);
});

const secretText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 4,
  maxLength: 40,
});

const spellings: ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => encodeURIComponent(secret),
  (secret) => encodeURI(secret),
  (secret) => new URLSearchParams({ x: secret }).toString().slice(2),
  (secret) => Array.from(secret, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
];

test('a secret spelled in any way, anywhere, is gone, and so is each when there are two', () => {
  const around = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(
      secretText,
      secretText,
      around,
      around,
      fc.constantFrom(...spellings),
      (one, other, before, after, spell) => {
        const shown = redact(`${before}${spell(one)}${after}${spell(other)}${before}`, one, other);
        for (const secret of [one, other]) {
          expect(shown).not.toContain(secret);
          expect(shown).not.toContain(spell(secret));
        }
      },
    ),
    runs(5000),
  );
});

test('base64 of any text with a secret in it gives none of the secret away', () => {
  const encodings = fc.constantFrom('base64' as const, 'base64url' as const);
  fc.assert(
    fc.property(
      secretText,
      fc.string(),
      fc.string(),
      encodings,
      fc.boolean(),
      (secret, before, after, encoding, inUrl) => {
        const encoded = Buffer.from(before + secret + after).toString(encoding);
        const shown = redact(inUrl ? encodeURIComponent(encoded) : encoded, secret);
        expect(shown).toContain('••••');
        expect(Buffer.from(decodeURIComponent(shown).replaceAll('••••', ''), 'base64').includes(secret)).toBe(false);
      },
    ),
    runs(2000),
  );
});

test('a text without a secret is left exactly as it is', () => {
  fc.assert(
    fc.property(anyText(20), (text) => {
      expect(redact(text, 'a secret that no generator makes')).toBe(text);
    }),
  );
});

/** With a secret that may begin at every character the time limit of a test is enough for one pass and not for more. */
test.each([
  { name: 'percent signs', text: '%', mebibytes: 4 },
  { name: 'backslashes', text: '\\', mebibytes: 4 },
  { name: 'most of the token', text: token.slice(0, -1), mebibytes: 16 },
])('$mebibytes MiB of $name are looked through', ({ text, mebibytes }) => {
  const whole = text.repeat((mebibytes * 1024 * 1024) / text.length);
  expect(redact(whole)).toBe(whole);
});
