import { describe, expect, test } from 'vitest';
import { faultLine } from '../../../src/documents/fault.ts';
import { fileOf, parse } from './config-file.ts';

describe('warnings', () => {
  test.each([
    [fileOf(), /motifs.bot has no policies/],
    [
      fileOf('', 'policies: { a: { kind: pii, except: [{ text: x, until: 2026-11-20 }] } }\n'),
      /:1:56: policies.a.except\[0\].until is over, so this exception no longer holds/,
    ],
    [
      fileOf('', 'policies: { a: { kind: pii, except: [{ text: x, until: 2026-12-01 }] } }\n'),
      /:1:56: policies.a.except\[0\].until ends on 2026-12-01, in \d+ days: from then on this counts again/,
    ],
    [
      'providers: { a: { kind: openai } }\nmotifs: { m: { provider: a, model: gpt-5-mini, params: { temperature: 0 } } }\n',
      /motifs.m.params.temperature is refused by models like gpt-5-mini/,
    ],
    [
      'providers: { a: { kind: openai } }\nmotifs: { m: { provider: a } }\n',
      /motifs.m names no model, and most providers of kind openai need one: model: NAME/,
    ],
    ['providers: { a: { kind: openai, key: plain-text } }\nmotifs: {}\n', /providers.a.key stands in the file itself/],
    [
      'providers: { a: { kind: openai, base_url: "http://vllm:8000/v1", key: "${K}" } }\nmotifs: {}\n',
      /base_url sends the key of this provider unencrypted/,
    ],
  ])('%#', async (text, words) => {
    const { config, warnings } = await parse(text, { env: { K: 'k' } });
    expect(config?.providers.size).toBe(1);
    expect(warnings.map(faultLine).join('\n')).toMatch(words);
  });
});

test.each([
  'policies: { "a b": { kind: pii } }\nproviders: { p: { kind: mock } }\nmotifs: { m: { provider: p, policies: [a b] } }\n',
  'policies: { a: { kind: pii } }\nproviders: { p: { kind: mock } }\nmotifs: { m: { provider: p, policies: a } }\n',
  'tenant: "a b"\nproviders: { p: { kind: mock } }\nmotifs: { m: { provider: p, policies: [], users: [ana] } }\n',
])('nothing is said to be missing that is there and has a fault: %#', async (text) => {
  const { faults, warnings } = await parse(text);
  expect(faults).not.toEqual([]);
  expect(warnings.map(faultLine)).toEqual([]);
});

describe('a fallback on timeout', () => {
  test.each([
    { first: '', limit: '120s', warns: true },
    { first: ', timeout: 120s', limit: '120s', warns: true },
    { first: ', timeout: 3m', limit: '120s', warns: true },
    { first: ', timeout: 60s', limit: '120s', warns: false },
    { first: ', timeout: 60s', limit: '20s', warns: true },
    { first: '', limit: '120s', on: '[failed, reset]', warns: false },
  ])('of a provider with "$first" and $limit: $warns', async ({ first, limit, on = '[timeout]', warns }) => {
    const { warnings } = await parse(
      `limits: { provider_timeout: ${limit} }\n` +
        `providers: { a: { kind: openai${first} }, b: { kind: mock } }\n` +
        `motifs: { m: { provider: a, model: x, fallback: { provider: b, on: ${on} } } }\n`,
    );
    const words = warnings.map(faultLine).filter((line) => line.includes('fallback'));
    expect(words).toEqual(warns ? [expect.stringMatching(/motifs\.m\.fallback\.on.* timeout/)] : []);
  });
});

test.each([
  { ports: 'listen: { port: 8080 }\nadmin: { port: 8080 }\n', isWarned: true },
  { ports: 'admin: { host: 0.0.0.0, port: 8080 }\n', isWarned: true },
  { ports: 'admin: { host: 127.0.0.2, port: 8080 }\n', isWarned: false },
  { ports: 'listen: { host: "::", allow_http: true }\nadmin: { port: 8080 }\n', isWarned: true },
  { ports: 'listen: { host: 0.0.0.0, allow_http: true }\nadmin: { host: "::1", port: 8080 }\n', isWarned: false },
  { ports: 'listen: { port: 0 }\nadmin: { port: 0 }\n', isWarned: false },
  { ports: 'admin: { port: 9464 }\n', isWarned: false },
])('one port for prompts and admin: $ports', async ({ ports, isWarned }) => {
  const { faults, warnings } = await parse(fileOf('', ports));
  expect(faults).toEqual([]);
  const told = warnings.map(faultLine).filter((line) => line.includes('admin.port is the port of listen too'));
  expect(told).toHaveLength(isWarned ? 1 : 0);
});

test.each([
  ['users: [ana]', ['motifs.m.users counts for nothing in a file without tenant']],
  ['groups: [g]', ['motifs.m.groups counts for nothing in a file without tenant']],
  ['users: []', []],
  ['fallback: { provider: b, on: [] }', ['motifs.m.fallback.on names no cause, so that the fallback is never asked']],
])('a Motif with %s, in a file without tenant', async (key, says) => {
  const motif = `{ provider: a, policies: [p], ${key} }`;
  const others = 'groups: { g: [ana] }\npolicies: { p: { kind: pii } }\n';
  const { faults, warnings } = await parse(
    `${others}providers: { a: { kind: mock }, b: { kind: mock } }\nmotifs: { m: ${motif} }\n`,
  );
  expect(faults).toEqual([]);
  expect(warnings.map(faultLine)).toEqual(says.map((words) => expect.stringContaining(words)));
});

describe('words and patterns that are written as for another tool', () => {
  const bare = (policy: string) => fileOf('policies: [a]', `policies: { a: { ${policy} } }\n`);
  test.each([
    ['kind: regex, pattern: "\\bacme\\b"', ['policies.a.pattern holds a control character']],
    ["kind: regex, pattern: '\\bacme\\b'", []],
    ['kind: regex, patterns: [acme, /zebra/i]', ['policies.a.patterns[1] is found between slashes alone']],
    ['kind: regex, patterns: [/etc/passwd, "a/b/", /usr/bin/, "/home/\\w+/", "a\\tb", "a\\nb"]', []],
    ['kind: regex, pattern: "acme\\n"', ['policies.a.pattern holds a control character']],
    ['kind: words, words: [acme, zebra*]', ['policies.a.words[1] is found with its asterisk alone']],
    ['kind: words, words: ["f***", "5 * 7", "C++", "what?", "[internal]", "e.g.", "(c)"]', []],
    ["kind: words, words: ['\\bzebra', 'zebra.*', 'zeb[a-z]+']", Array(3).fill('looks like a pattern')],
    ["kind: words, words: ['acme\\.com', 'acme\\s+x', 'acme\\d']", Array(3).fill('looks like a pattern')],
    ["kind: words, words: ['ACME\\bob', 'ACME\\svc', 'C:\\Windows\\System32', '\\\\srv\\share', 'rm /*', '*/']", []],
    ['kind: words, words: ["N,N-dimethyltryptamine", "{{user}}", "[[x]]", "&lt;script&gt;", "&nbsp;", ";"]', []],
    ['kind: words, words: ["acme\\tzebra"]', ['is found with its dash, quotes, commas, semicolons, tabs']],
    ['kind: words, file: list.txt', ['policies.a.file names a file whose word 2 is found with its asterisk alone']],
    ['kind: words, words: [one], file: list.txt', ['policies.a.file names a file whose word 2 is found']],
    [`kind: words, words: ["'acme'", 'zebra,', 'acme;zebra']`, Array(3).fill('is found with its dash, quotes, commas')],
    [`kind: words, words: ["rock 'n' roll", 'Smith, John', "'til", '<script>', '-1', '{x}', '3,50']`, []],
    [
      "kind: regex, patterns: ['${PROJECT}-\\d', '\\\\bacme\\\\b', '\\d{1, 4}', 'x{,3}', '\\d{ 4 }']",
      ['is a variable in', 'has two backslashes', 'a count is one', 'a count is one', 'a count is one'],
    ],
    [
      "kind: regex, patterns: ['\\$\\{NAME\\}', 'C:\\\\windows', '\\d{1,4}x{2}y{3,}', '\\{ 1, 2 \\}', '{\"a\"', 'f {}{ }']",
      [],
    ],
    [
      "kind: words, words: ['${PROJECT}', 'acme|zebra', '/acme/i']",
      ['is a variable in', ...Array(2).fill('a pattern')],
    ],
    ["kind: words, words: ['a | b', '||', '/etc/passwd', '$5', '{x}', '${jndi:ldap}', '{{user}}']", []],
    ['kind: regex, pattern: cafe\u0301', ['policies.a.pattern has an accent apart from its letter']],
    ['kind: regex, patterns: [caf\u00e9, "[\u0300-\u036f]", \u0958]', []],
    [
      String.raw`kind: regex, patterns: ['\bété\b', '\bcafé\b', '\b(?:secret|ключ)', '\b[А-Я]\d', '[a-zé]{2,}\b', '(ключ|key)\b', '\b\p{Cyrillic}']`,
      Array(7).fill('has \\b beside a letter that is none of a to z'),
    ],
    [String.raw`kind: regex, patterns: ['\bcafés\b', '\b\p{Latin}+\b', 'é \bx', '\b(?:a|b) é', '\bmünchen\b']`, []],
    [String.raw`kind: regex, patterns: ['US$100', 'x^2', '$ACME']`, Array(3).fill('has $ or ^ within')],
    [String.raw`kind: regex, patterns: ['^a$', '(^|\s)a($|\s)', '\$5', '[$^]5', 'a$|b', '(?m)a$\n^b', '[]$]5']`, []],
    ['kind: words, words: ["acme, zebra, yak"]', ['is found with its dash, quotes, commas']],
    [
      'kind: schema, on: inference, schema: { type: object, properties: { to: { type: string, format: email } } }',
      ['policies.a.schema has format, which no answer is held against: pattern says what a text looks like'],
    ],
    [
      'kind: schema, on: inference, schema: { type: object, properties: { format: { enum: [{ format: a }] } }, default: { format: a } }',
      [],
    ],
    [
      'kind: schema, on: inference, schema: { type: object }, file: schema.json',
      ['policies.a.schema counts for nothing beside file', 'policies.a.file has contentEncoding, format, which'],
    ],
    ['kind: schema, on: inference, schema: { properties: { ok: { type: boolean } } }', ['has no type: object, so']],
    ['kind: schema, on: inference, schema: { items: { type: string }, minItems: 1 }', ['has no type: array, so']],
    ['kind: schema, on: inference, schema: { $ref: "#/$defs/a", $defs: { a: { type: object } } }', []],
    ['kind: schema, on: inference, schema: {}', []],
    ['kind: pii, entities: [card]', []],
  ])('%s', async (policy, says) => {
    const schema = '{ "type": "array", "items": { "contentEncoding": "base64", "anyOf": [{ "format": "uri" }] } }';
    const files = { 'list.txt': '# ours\nacme\nzebra*\n', 'schema.json': schema };
    const { warnings } = await parse(bare(policy), { files });
    expect(warnings.map(faultLine)).toEqual(says.map((words) => expect.stringContaining(words)));
  });

  test.each([
    ['YAML', '- acme\n- zebra\n'],
    ['JSON', '["acme", "zebra"]\n'],
    ['JSON on lines', '[\n  "acme",\n  "zebra"\n]\n'],
    ['JSON with a key', '{ "words": ["acme"] }\n'],
    ['CSV', 'word;why\nacme;ours\nzebra;theirs\n'],
    ['CSV with tabs', 'acme\tours\nzebra\ttheirs\n'],
    ['CSV with quotes', '"acme","ours"\n'],
    ['a page of HTML', '<!DOCTYPE html>\n<p>Sign in\n'],
    ['a pointer of Git LFS', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n'],
  ])('a file of words that is %s is warned of once', async (_, content) => {
    const { warnings } = await parse(bare('kind: words, file: list.txt'), { files: { 'list.txt': content } });
    expect(warnings.map(faultLine)).toEqual([expect.stringContaining('policies.a.file names a file whose word 1 is')]);
  });

  test('a long list takes little time, whatever stands in it', async () => {
    const content = Array.from({ length: 10_000 }, (_, index) => `${'['.repeat(240)}${index}`).join('\n');
    const startedAt = process.cpuUsage();
    const { warnings } = await parse(bare('kind: words, file: list.txt'), { files: { 'list.txt': content } });
    const { user, system } = process.cpuUsage(startedAt);
    expect(warnings).toEqual([]);
    // In microseconds.
    expect(user + system).toBeLessThan(2_500_000);
  });
});
