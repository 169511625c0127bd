import { describe, expect, test } from 'vitest';
import { faultLine } from '../../../src/documents/fault.ts';
import { parse } from './config-file.ts';

const whole = `
tenant: acme-7f3a
listen: { host: 127.0.0.1, port: 8080 }
limits: { body: 1MiB, messages: 256 }
audit: { file: audit.jsonl, text: false }
admin: { port: 9464 }
groups:
  staff: [ana]
providers:
  mock: { kind: mock, mode: echo }
  cloud: { kind: azure, base_url: "https://acme.example", deployment: chat, api_version: "1", key: "\${KEY}" }
policies:
  no-pii: { kind: pii, entities: [email] }
  words: { kind: words, words: [zebra], action: warn }
  long: { kind: length, max_chars: 100, on: prompt }
knowledge:
  book: { files: book.md, top: 4 }
motifs:
  one:
    provider: mock
    fallback: cloud
    policies: [no-pii, words, long]
    knowledge: [book]
    groups: [staff]
    users: [ana]
    limits: { rpm: 6 }
    tokens:
      - { id: t1, sha256: "${'ab'.repeat(32)}", user: ana }
      - { id: t2, sha256: "${'cd'.repeat(32)}", user: bo }
  two:
    provider: mock
    policies: [no-pii]
`;

/** Each replaces one place of the file and says what is then to be told of it. */
const breaks: readonly (readonly [name: string, place: string, broken: string, says: RegExp])[] = [
  ['tenant', 'acme-7f3a', '"a b"', /: tenant must be/],
  ['a port', 'port: 8080', 'port: x', /: lis(t)?en.port must be/],
  ['listen misspelt', 'listen: {', 'lisen: {', /^.*:3:1: lisen is not a known key; did you mean listen\?$/m],
  ['a key of limits', 'messages: 256', 'mesages: 256', /: limits.mesages is not a known key/],
  ['the audit without its file', 'file: audit.jsonl, ', '', /: audit needs file$/m],
  ['a flag of the audit', 'text: false', 'text: 5', /: audit.text must be/],
  ['the admin port', '9464', 'none', /: admin.port must be/],
  ['groups misspelt', 'groups:\n', 'group:\n', /: group is not a known key; did you mean groups\?/],
  ['providers misspelt', 'providers:', 'provider:', /: provider is not a known key; did you mean providers\?/],
  [
    'the kind of a provider misspelt',
    'kind: mock',
    'knd: mock',
    /^.*:10:16: providers?\.mock\.knd is not a known key; did you mean kind\?$/m,
  ],
  [
    'the kind of a policy misspelt',
    'kind: pii',
    'kid: pii',
    /: policies.no-pii.kid is not a known key; did you mean kind/,
  ],
  ['a mode', 'mode: echo', 'mode: ehco', /: providers?.mock.mode must be/],
  ['a provider without a part', 'deployment: chat, ', '', /: providers?.cloud needs deployment/],
  ['an address', 'https://acme.example', 'acme', /: providers?.cloud.base_url must be/],
  ['policies misspelt', 'policies:\n', 'polices:\n', /: polices is not a known key; did you mean policies\?/],
  ['an option of a policy', 'entities:', 'entitys:', /: policies.no-pii.entitys is not a known key/],
  ['an action', 'action: warn', 'action: wrn', /: policies.words.action must be/],
  ['an option without its value', 'max_chars: 100, ', '', /: policies.long needs max_chars/],
  ['a side', 'on: prompt', 'on: promt', /: policies.long.on must be/],
  ['knowledge without files', 'files: book.md, ', '', /: knowledge.book needs files/],
  ['a count of passages', 'top: 4', 'top: 0', /: knowledge.book.top must be/],
  ['motifs misspelt', 'motifs:', 'motfs:', /: motfs is not a known key; did you mean motifs\?/],
  ['a provider of a Motif', 'one:\n    provider: mock', 'one:\n    provider: mok', /: motifs.*one.provider names mok,/],
  ['a Motif without its provider', 'two:\n    provider: mock', 'two:\n    model: m', /: mot(if|f)s.two needs provider/],
  ['a fallback', 'fallback: cloud', 'fallback: clod', /one.fallback names clod/],
  ['a policy of a Motif', 'words, long]', 'wrds, long]', /one.policies\[1\] names wrds/],
  ['another policy of it', ', long]', ', lng]', /one.policies\[2\] names lng/],
  ['its knowledge', '[book]', '[bok]', /one.knowledge\[0\] names bok/],
  ['its group', '[staff]', '[stuff]', /one.groups\[0\] names stuff/],
  ['its limit', 'rpm: 6', 'rpm: 0', /one.limits.rpm must be/],
  ['its first token', `sha256: "${'ab'.repeat(32)}"`, 'sha256: x', /one.tokens\[0\].sha256 must be/],
  ['its second token', 'id: t2', 'id: t1', /one.tokens\[1\].id is the ID of an earlier/],
];

describe('of two faults at different places', () => {
  test.each(breaks)('%s hides none that comes later, and is hidden by none', async (name, place, broken, says) => {
    expect(whole).toContain(place);
    const once = whole.replace(place, broken);
    const missed: string[] = [];
    const later = breaks.slice(breaks.findIndex(([each]) => each === name) + 1);
    for (const [other, otherPlace, otherBroken, otherSays] of later) {
      if (otherPlace === place || !once.includes(otherPlace)) continue;
      const { faults } = await parse(once.replace(otherPlace, otherBroken), { env: { KEY: 'canary' } });
      const told = faults.map(faultLine).join('\n');
      if (!says.test(told) || !otherSays.test(told)) missed.push(`${other}: ${told}`);
    }
    expect(missed).toEqual([]);
  });

  test.each([
    [
      'pi',
      '{ kind: pi, entites: [email], action: blok }',
      ['"pi"; did you mean pii?', 'entites is not', 'action must'],
    ],
    ['word', '{ kind: word, file: words.txt, wrods: [a] }', ['"word"; did you mean words?', 'wrods is not']],
    ['webhok', '{ kind: webhok, url: "https://a.example", key: "${K}" }', ['"webhok"; did you mean webhook?']],
    ['under kid', '{ kid: pii, entites: [email] }', ['kid is not a known key; did you mean kind?', 'entites is not']],
    ['left out', '{ entities: [email] }', ['a needs kind: words, regex']],
    ['banana', '{ kind: banana, entites: [email] }', ['"banana"; there are ']],
  ])(
    'the mistyped policy kind %s: its options are judged as those of the one that was meant',
    async (_, policy, told) => {
      const motifs = 'motifs: { bot: { provider: m } }';
      const text = `providers: { m: { kind: mock } }\npolicies:\n  a: ${policy}\n${motifs}\n`;
      const { faults } = await parse(text, { env: { K: 'canary' }, files: { 'words.txt': 'heron' } });
      expect(faults.map(faultLine)).toEqual(told.map((words) => expect.stringContaining(words) as string));
    },
  );

  test('so it is of a provider', async () => {
    const text = 'providers: { m: { kind: opnai, base_ur: x } }\nmotifs: { bot: { provider: m } }\n';
    const { faults } = await parse(text, { env: {} });
    const told = ['"opnai"; did you mean openai?', 'base_ur is not a known key'];
    expect(faults.map(faultLine)).toEqual(told.map((words) => expect.stringContaining(words) as string));
  });

  test.each([
    ['providers misspelt', 'providers:', 'provider:', ['9:1: provider is not a known key; did you mean providers?']],
    ['no motifs', whole.slice(whole.indexOf('motifs:')), '', ['1:1: needs motifs']],
    ['no providers', /providers:[^]*(?=policies:\n)/, '', ['1:1: needs providers']],
    ['policies as a list', /policies:\n[^]*(?=knowledge:\n)/, 'policies: []\n', ['12:1: policies must be a map']],
  ])('%s: the one fault, and none that follows from it', async (_name, place, broken, told) => {
    const { faults } = await parse(whole.replace(place, broken), { env: { KEY: 'canary' } });
    expect(faults.map(faultLine)).toEqual(told.map((words) => expect.stringContaining(words) as string));
  });
});
