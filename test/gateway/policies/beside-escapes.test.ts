import { expect, test } from 'vitest';
import { found, policy, verdict } from '../../support/rooms/policies.ts';
import { filled } from '../../support/rooms/samples.ts';

test.each([
  { text: "['ana@acme.example', N'bob@acme.example']", hits: ['email: ana@acme.example', 'email: bob@acme.example'] },
  {
    text: "from ‘ana@acme.example’ to n'golo@acme.example",
    hits: ['email: ana@acme.example', "email: n'golo@acme.example"],
  },
  {
    text: '"To:\\nana@acme.example\\u000abob (at) acme.example"',
    hits: ['email: ana@acme.example', 'email: bob (at) acme.example'],
  },
  { text: 'ACME\\uschi@acme.example', hits: ['email: uschi@acme.example'] },
  { text: '"passport no:\\nYB0191537\\n"', hits: ['passport: YB0191537'] },
])('what stands before a number or an address is none of it: $text', ({ text, hits }) => {
  expect(found(policy('pii'), text)).toEqual(hits);
});

const both = [policy('pii', {}, 'redact'), policy('secrets', {}, 'redact')];
const values = [
  'passport no:\nYB0191537',
  'write to\nana@acme.example',
  filled('password:\n{w8}#{w4}7'),
  filled('api_key:\n{h32}'),
  filled('<add connectionString="Data Source=db1;User ID=ana;Password={w8}_{w4}7" />'),
  filled('docker run --env "MYSQL_PASSWORD={w8}#{w4}7" mysql'),
  filled('Passwort: {w8}-{w4}7'),
  filled('Passwort={w8}*{w4}7'),
];
const carriers = [
  (text: string) => `${text}\nnext`,
  (text: string) => `Hello,\r\n\t${text}\r\n`,
  (text: string) => JSON.stringify({ text: `${text}\nnext` }),
  (text: string) => `${text}\\`,
];

test('JSON that something is redacted in is still JSON', () => {
  const texts = values.flatMap((value) => carriers.map((carrier) => JSON.stringify({ text: carrier(value), more: 1 })));
  const spoiled = texts.filter((text) => {
    const { texts: shown, hits } = verdict(both, text);
    return hits.length === 0 || (JSON.parse(shown[0]!) as { more: number }).more !== 1;
  });
  expect(spoiled).toEqual([]);
});
