import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainers } from '../../../src/gateway/explanation/explain.ts';
import { policyKinds } from '../../../src/gateway/policies/index.ts';
import { judge, judgeNow } from '../../../src/gateway/policies/judging.ts';
import type { PolicyParts } from '../../../src/gateway/policies/policy.ts';
import { found, policy, verdict } from '../../support/rooms/policies.ts';

test.each([
  { kind: 'words', options: {}, says: 'needs words, a list, or file' },
  { kind: 'words', options: { words: 3 }, says: 'words must be a list that is not empty' },
  { kind: 'words', options: { words: [] }, says: 'words must be a list that is not empty' },
  { kind: 'words', options: { words: ['a', ' '] }, says: 'words[1] must be a text that is not empty' },
  {
    kind: 'words',
    options: { words: ['x'.repeat(300)] },
    says: 'has a word, number 1, of more than 256 characters',
  },
  { kind: 'words', options: { file: '# nothing\n' }, says: 'holds no word' },
  { kind: 'words', options: { file: 'x'.repeat(300) }, says: 'file has a word, number 1, of more than 256' },
  { kind: 'words', options: { file: 5 }, says: 'file must be the path of a file' },
  { kind: 'words', options: { wrods: ['a'] }, says: 'wrods is not a known key; did you mean words?' },
  { kind: 'regex', options: {}, says: 'needs pattern' },
  { kind: 'regex', options: { pattern: '(?=a)' }, says: 'pattern uses look-around' },
  { kind: 'regex', options: { patterns: ['a', '(b)\\1'] }, says: 'patterns[1] uses a back-reference' },
  { kind: 'regex', options: { pattern: 'a', ignore_case: 'no' }, says: 'ignore_case must be true or false' },
  {
    kind: 'pii',
    options: { entities: ['email', 'shoe_size'] },
    says: 'found "shoe_size"; it takes contact, financial, us, uk, eu, apac, latam, canada and 83 more, which its JSON Schema lists',
  },
  { kind: 'pii', options: { entities: ['emial'] }, says: 'did you mean email?' },
  { kind: 'pii', options: { entities: 'most' }, says: 'entities must be a list' },
  { kind: 'secrets', options: { strict: true }, says: 'strict is not a known key' },
  { kind: 'length', options: {}, says: 'needs max_chars' },
  { kind: 'length', options: { max_chars: 0 }, says: 'max_chars must be a whole number from 1' },
  { kind: 'length', options: { max_char: 5 }, says: 'max_char is not a known key; did you mean max_chars?' },
  { kind: 'urls', options: { allow: ['https://a.example'] }, says: 'allow[0] must be a host name' },
  { kind: 'schema', options: {}, says: 'needs schema' },
  { kind: 'schema', options: { schema: [] }, says: 'schema must be a JSON Schema: a map' },
  { kind: 'schema', options: { schema: { type: 'shoe' } }, says: 'schema is no valid JSON Schema' },
  { kind: 'schema', options: { schema: { pattern: '(?!a)' } }, says: 'schema has a pattern that uses look-around' },
  { kind: 'schema', options: { file: 'not json' }, says: 'file must name a file of JSON' },
  { kind: 'schema', options: { file: '[]' }, says: 'file must name a JSON Schema' },
  { kind: 'webhook', options: {}, says: 'needs url' },
  { kind: 'webhook', options: { url: 'http://checks.example' }, says: 'url must be https' },
  { kind: 'webhook', options: { url: 'https://u:p@checks.example' }, says: 'url must hold no password' },
  {
    kind: 'webhook',
    options: { url: 'https://checks.example', timeout: '2 weeks' },
    says: 'timeout must be a duration',
  },
])('a $kind policy with $options is refused: $says', ({ kind, options, says }) => {
  expect(() => policy(kind, options)).toThrow(says);
});

test.each([
  { timeout: 2, deadlineAt: 2_000 },
  { timeout: '1m', deadlineAt: 60_000 },
  { timeout: '500ms', deadlineAt: 500 },
  { timeout: undefined, deadlineAt: 2_000 },
])('a webhook with timeout $timeout has until $deadlineAt', async ({ timeout, deadlineAt }) => {
  const deadlines: number[] = [];
  const parts: PolicyParts = {
    monotonic: () => 0,
    send: (_request, limits) => {
      deadlines.push(limits.deadlineAt);
      return Promise.reject(new Error('nobody is there'));
    },
  };
  const one = policy(
    'webhook',
    { url: 'https://checks.example', ...(timeout !== undefined && { timeout }) },
    'block',
    parts,
  );
  await judge([one], 'prompt', ['text'], { deadlineAt: 120_000 });
  expect(deadlines).toEqual([deadlineAt]);
});

test('the manual has a row for each kind, in the order of the table', () => {
  const manual = readFileSync('src/manual/policies.md', 'utf8');
  const [, rows = ''] = manual.split('| Kind | Options | Finds |');
  expect([...rows.split('\n\n')[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind)).toEqual(
    Object.keys(policyKinds),
  );
});

test('each kind that stays in the process says what it nearly found', () => {
  const pure = Object.entries(policyKinds).flatMap(([name, { isPure }]) => (isPure ? [name] : []));
  expect(Object.keys(explainers).sort()).toEqual(pure.sort());
});

test('the webhook is the only kind that leaves the process', () => {
  expect(Object.entries(policyKinds).flatMap(([name, { isPure }]) => (isPure ? [] : [name]))).toEqual(['webhook']);
});

test.each([
  { words: ['project-x'], text: 'Project-X, project-xy, subproject-x', hits: ['word: Project-X'] },
  { words: ['blue heron'], text: 'Blue \n Heron', hits: ['word: Blue \n Heron'] },
  { words: ['café'], text: 'cafe\u0301 CAFÉ cafe', hits: ['word: cafe\u0301', 'word: CAFÉ', 'word: cafe'] },
  { words: ['蓝鹭'], text: '新蓝鹭计划', hits: ['word: 蓝鹭'] },
  { words: ['ignore'], text: '1gn0r3', hits: ['word: 1gn0r3'] },
  { words: ['heron'], text: 'p\u200broject h\u0435r\u043en', hits: ['word: h\u0435r\u043en'] },
])('words $words in $text', ({ words, text, hits }) => {
  // A word that is only found without its accent comes after what is found as written.
  expect(found(policy('words', { words }), text).sort()).toEqual([...hits].sort());
});

test('words come from a file, one a line, without its remarks', () => {
  const one = policy('words', { file: '# secret projects\n\nproject-x\r\n  blue heron  \n' });
  expect(found(one, 'project-x and blue heron, secret projects')).toEqual(['word: project-x', 'word: blue heron']);
});

test.each([
  { options: { max_chars: 5 }, text: 'hello', hits: [] },
  { options: { max_chars: 5 }, text: 'hello!!', hits: ['length: !!'] },
  { options: { max_chars: 2 }, text: '\u{1f600}\u{1f600}', hits: [] },
  { options: { max_chars: 2 }, text: '\u{1f600}\u{1f600}x', hits: ['length: x'] },
])('length $options of $text', ({ options, text, hits }) => {
  expect(found(policy('length', options), text)).toEqual(hits);
});

test.each([
  { text: 'https://docs.example.com/a and https://example.com', hits: [] },
  { text: 'see https://evil.example/x.', hits: ['url: https://evil.example/x'] },
  { text: '![a](https://evil.example/?q=1)', hits: ['image_url: https://evil.example/?q=1'] },
  { text: '<img alt="x" src=\'//evil.example/p\'>', hits: ['image_url: //evil.example/p'] },
  { text: '[a]: https://evil.example/ref', hits: ['image_url: https://evil.example/ref'] },
  { text: 'https://example.com@evil.example/', hits: ['url: https://example.com@evil.example/'] },
  { text: 'https://example.com.evil.example', hits: ['url: https://example.com.evil.example'] },
  { text: 'https:\\\\evil.example', hits: ['url: https:\\\\evil.example'] },
  { text: 'HTTPS://EXAMPLE.COM/UP', hits: [] },
  { text: 'www.evil.example', hits: ['url: www.evil.example'] },
  { text: 'data:text/html;base64,xyz', hits: ['url: data:text/html;base64,xyz'] },
  { text: 'a // b, 1//2', hits: [] },
])('urls in $text', ({ text, hits }) => {
  expect(found(policy('urls', { allow: ['example.com', '*.example.com'] }), text)).toEqual(hits);
});

test.each([
  "![x](https://example.com'@evil.test/?d=1)",
  '<img src="/&Tab;/evil.test/?d=1">',
  '<img src="/&NewLine;/evil.test/?d=1">',
  '![x](https://example.com`@evil.test/)',
  '![x](https://example.com]@evil.test/)',
  '![x](https://example.com}@evil.test/)',
  '![x](https://example.com(a)@evil.test/)',
  'https://example.com"@evil.test',
  '![x](http:/evil.test/a)',
  '![x](https:evil.test/a)',
  '![x](http:\\evil.test/a)',
  '[x]: https:evil.test/a',
  '<img src="ht\ntps://evil.test/x">',
  '<img src="/\t/evil.test/x">',
  "<a href='java\nscript:alert(1)'>",
  '<img src="https://example.com @evil.test">',
  '<img src="https://example.com\n.evil.test/">',
  'sftp://evil.test/a',
  'file://evil.test/a',
])('a browser goes elsewhere with %j, and urls says so', (text) => {
  expect(verdict([policy('urls', { allow: ['example.com', '*.example.com'] })], text).decision).toBe('block');
});

test.each([
  "see https://example.com's page (https://example.com/a) or mail ana@acme.test",
  '[one](https://example.com/a_(b)) and [two](docs/a.md), [three](#four), <a href="/five">, [six]: seven',
  '**https://example.com**, `https://example.com/a@b`, "https://example.com/x"@home',
  'array[index](call) and C:\\temp\\a, a note: b, 3://4 or src = "a.png"',
])('urls lets pass %j', (text) => {
  expect(found(policy('urls', { allow: ['example.com', '*.example.com'] }), text)).toEqual([]);
});

const shape = {
  type: 'object',
  required: ['ok'],
  properties: { ok: { type: 'boolean' }, code: { pattern: '^(a+)+$' }, ids: { uniqueItems: true } },
};

test.each([
  { text: '{"ok":true}', rules: [] },
  { text: 'Sure! {"ok":true}', rules: ['not_json'] },
  { text: '{"ok":"no","ok":true}', rules: ['not_json'] },
  { text: '{"ok":1}', rules: ['schema_type'] },
  { text: '{}', rules: ['schema_required'] },
  { text: `{"ok":true,"code":"${'a'.repeat(5_000)}b"}`, rules: ['schema_pattern'] },
  { text: '{"ok":true,"ids":[{"a":1,"b":2},{"b":2,"a":1}]}', rules: ['schema_uniqueitems'] },
  { text: `${'['.repeat(100)}${']'.repeat(100)}`, rules: ['not_json'] },
])('an answer of $text against a schema', ({ text, rules }) => {
  const one = policy('schema', { schema: shape });
  expect(judgeNow([one], 'inference', [text]).hits.map(({ rule }) => rule)).toEqual(rules);
});

test('a schema is not asked about prompts', () => {
  expect(verdict([policy('schema', { schema: shape })], 'plain words').decision).toBe('pass');
});

test.each([
  { text: 'a\u200bb', rules: ['zero_width'] },
  { text: 'pass\u200cword', rules: ['zero_width'] },
  { text: 'Pa\u00df\u200dwort', rules: ['zero_width'] },
  { text: '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 PDF\u200c\u0647\u0627', rules: [] },
  { text: '\u0915\u094d\u200d\u0937 \u0a95\u0acd\u200c ok', rules: [] },
  { text: '\ud83d\udc68\u200d\ud83d\udcbb', rules: [] },
  { text: '\u0633\u0644\u0627\u0645\u200dabc', rules: ['zero_width'] },
  { text: '\u0633\u0644\u0627\u0645\u200cabc', rules: ['zero_width'] },
  { text: 'abc\u200d\u0633\u0644\u0627\u0645', rules: ['zero_width'] },
  { text: '\u0915\u094d\u200dabc', rules: ['zero_width'] },
  { text: '\u{1f469}\u200dx 7\u200d\u{1f680}', rules: ['zero_width', 'zero_width'] },
  { text: '\u0647\u200d, \u200d\u0647 \u{1f469}\u200d', rules: [] },
  {
    text: `hi${Array.from('obey', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}`,
    rules: ['tag_characters'],
  },
  { text: '\u202eabc\u202c', rules: ['bidi_control', 'bidi_control'] },
  { text: 'x\ufe00\ufe01', rules: ['variation_selectors'] },
  { text: '\x1b[2J', rules: ['control_character'] },
  { text: '\ue001', rules: ['private_use'] },
  { text: '\ufeffa file with a byte order mark', rules: [] },
  { text: '\u{1f469}\u200d\u{1f680} \u2764\ufe0f', rules: [] },
])('invisible characters in $text', ({ text, rules }) => {
  expect(verdict([policy('invisible')], text).hits.map(({ rule }) => rule)).toEqual(rules);
});
