import { describe, expect, test } from 'vitest';
import { faultLine } from '../../../src/documents/fault.ts';
import { policyKinds } from '../../../src/gateway/policies/index.ts';
import { fileOf, parse } from './config-file.ts';

const listIt = 'list this text among the words too, so that it is found as a whole';
const around = `frees nothing: a word of the list is found alone, without the text around it; ${listIt}`;
const switchedOff = 'is a word of the list, which no longer counts wherever it is written like this';
const unmatched =
  'frees nothing: it matches no word of the list as a whole; list the text that it should free among the words too';

async function warningsOf(except: string, kind = 'kind: words, words: [nightingale, blue heron]'): Promise<string[]> {
  const { warnings } = await parse(fileOf('policies: [a]', `policies: { a: { ${kind}, except: [{ ${except} }] } }\n`));
  return warnings.map((fault) => faultLine(fault).replace(/^\S+ policies\.a\.except\[0\]\./, ''));
}

describe('an exception of words', () => {
  test.each([
    {
      name: 'a text around a listed word',
      except: 'text: nightingale-free menu',
      says: [`text ${around}`],
    },
    {
      name: 'a text without any',
      except: 'text: sparrow',
      says: ['text frees nothing: no word of the list is this text'],
    },
    {
      name: 'a listed phrase around a listed word',
      except: 'text: nightingale-free menu',
      words: 'nightingale, nightingale-free menu',
      says: [],
    },
    { name: 'the very word', except: 'text: nightingale', says: [`text ${switchedOff}`] },
    { name: 'the word in another case', except: 'text: NIGHTINGALE', says: [] },
    { name: 'the word in disguise', except: 'text: n1ghtingale', says: [] },
    { name: 'the phrase with more blanks', except: 'text: "blue  heron"', says: [] },
    { name: 'a pattern around a listed word', except: 'pattern: nightingale.+menu', says: [`pattern ${unmatched}`] },
    { name: 'a pattern of a word', except: 'pattern: Nightingales?', says: [] },
    { name: 'a pattern of a part of it', except: 'pattern: nightin', says: [`pattern ${unmatched}`] },
    {
      name: 'a pattern of all words',
      except: 'pattern: "[a-z ]+"',
      says: ['pattern frees each word of the list, none of which counts any more where it is written like there'],
    },
    { name: 'a pattern of all words in another case', except: 'pattern: "[A-Z ]+"', says: [] },
  ])('$name', async ({ except, words, says }) => {
    const kind = words === undefined ? undefined : `kind: words, words: [${words}]`;
    expect(await warningsOf(except, kind)).toEqual(says);
  });
});

test.each(['.+', '.{5,}', '\\S+', '[^ ]+', '(?i)[a-z0-9:/.@?=#_+-]+'])(
  'a pattern that frees whatever another kind finds is warned of: %s',
  async (pattern) => {
    for (const kind of ['pii', 'secrets', 'injection', 'urls, allow: [acme.dev]', 'regex, pattern: heron']) {
      expect(await warningsOf(`pattern: '${pattern}'`, `kind: ${kind}`)).toEqual(['pattern frees whatever is found']);
    }
  },
);

test.each(['.+@acme\\.dev', '\\d+', '[a-z]+', 'https://.+', '.*example.*'])(
  'a pattern that frees some findings is not: %s',
  async (pattern) => {
    expect(await warningsOf(`pattern: '${pattern}'`, 'kind: pii')).toEqual([]);
  },
);

test('of other kinds nothing is said, for what they find is not known', async () => {
  expect(await warningsOf('text: hello', 'kind: pii')).toEqual([]);
});

const allSecrets = (policyKinds.secrets!.rules as readonly string[]).join(', ');
const allButJwt = allSecrets.replace(/\bjwt, /, '');
const nothingLeft = ['policies.a.without leaves nothing of what it looks for, so this policy finds nothing'];

test.each([
  { policy: 'kind: pii, entities: [card], without: [card]', says: nothingLeft },
  { policy: 'kind: pii, entities: [card, iban], without: [card]', says: [] },
  { policy: 'kind: pii, entities: [canada], without: [ca_sin]', says: nothingLeft },
  { policy: 'kind: pii, without: [card]', says: [] },
  { policy: `kind: secrets, without: [${allSecrets}]`, says: nothingLeft },
  { policy: `kind: secrets, without: [${allButJwt}]`, says: [] },
])('$policy: $says', async ({ policy, says }) => {
  const { warnings } = await parse(fileOf('policies: [a]', `policies: { a: { ${policy} } }\n`));
  expect(warnings.map((fault) => faultLine(fault).replace(/^\S+ /, ''))).toEqual(says);
});
