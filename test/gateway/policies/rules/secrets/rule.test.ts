import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretRules } from '../../../../../src/gateway/policies/kinds/secrets.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const names =
  'api access secret private encryption decryption signing master account client app auth service storage shared license licence consumer deploy publishable session integration bot pub hmac jwt ssh aws gpg pat key_pat token tokens key apikey credential credentials cred creds authorization bearer oauth login webhook refresh password passwd paswd pswd psswd passwrod passphrase passcode pass pwd pword pw authtok psk'.split(
    ' ',
  );
const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const aSign = oneOf('', '', ' ', '_', '-', '.');
const itsEnd = oneOf('', '', 's', 'key', 'token', 'secret', 'id', 'code', 'header', 'name', 'K', '\u212aey', '\u017f');
const aLink = oneOf(' = ', ': ', ' is ', '=', "'s ", ' -> ', ' ', ' => ', '("x", ', '") = ');
const aValue = oneOf('"', "'", '').map((quote) => `${quote}${filled('{w24}')}7!x${quote}`);
const aTold = fc
  .tuple(oneOf('', 'my ', 'use the ', 'set ', '\\n', 'é', '--'), oneOf(...names), aSign, itsEnd, aLink, aValue)
  .map(([lead, name, ...rest]) => `${lead}${rest[3].length % 2 === 0 ? name : name.toUpperCase()}${rest.join('')}`);

test('property: every match of a rule with such words begins with one of them', () => {
  const told = fc.array(fc.oneof(aTold, fc.constantFrom(...secretRules.map(({ sample }) => filled(sample)))), {
    minLength: 1,
    maxLength: 3,
  });
  const rules = secretRules.filter(({ beginsWith }) => beginsWith !== undefined);
  const matched = new Set<number>();
  fc.assert(
    fc.property(told, (texts) => {
      const text = texts.join('\n');
      for (const [index, { pattern, beginsWith }] of rules.entries())
        for (const { 0: match } of text.matchAll(pattern)) {
          matched.add(index);
          const folded = match.replaceAll('\u017f', 's').toLowerCase();
          expect(
            beginsWith?.some((word) => folded.startsWith(word)),
            match,
          ).toBe(true);
        }
    }),
    { numRuns: 2_000 },
  );
  expect(matched.size).toBe(rules.length);
});
