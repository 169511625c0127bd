import { expect, test } from 'vitest';
import { judgeNow } from '../../../../../src/gateway/policies/judging.ts';
import { policy } from '../../../../support/rooms/policies.ts';
import { filled } from '../../../../support/rooms/samples.ts';

const policies = [policy('pii', { entities: 'all' }, 'redact'), policy('secrets', {}, 'redact')];

function redacted(text: string): string {
  return judgeNow(policies, 'prompt', [text]).texts[0]!;
}

const hidden = Buffer.from('passport number K52074503').toString('base64');

test.each([
  { name: 'an assignment in a value', text: '{"token": "pwd=G52JHj6y9$UD57;"}' },
  { name: 'an address in a value', text: String.raw`api_key="\"postgres://ana:zJoTEhXQK7gtp7@db/x\""` },
  { name: 'escapes in a value', text: '{"token": "https%3A%2F%2Fana%3AfohQVTQ4w7Du7U7%40db.acme.example%2Fx"}' },
  {
    name: 'letters written as codes',
    text: String.raw`{"token": "\u0070\u0077\u003a\u0020\u0041\u004b\u0049\u0041IOSFODNN7EXAMPLE"}`,
  },
  { name: 'a token before an at sign', text: `https://u:"pk.eyJ${filled('{w57}.{w22}')}"@h.acme.example/p` },
  { name: 'a number that another names in base64', text: `${hidden}, 897359441` },
])('what is redacted of $name is not found again', ({ text }) => {
  const first = judgeNow(policies, 'prompt', [text]);
  expect(first.hits).not.toEqual([]);
  expect(judgeNow(policies, 'prompt', first.texts).hits).toEqual([]);
});

test('a mark beside the rest of a secret does not hide it', () => {
  expect(redacted('token="Kx93zzQ7pL2mWq4v/[EMAIL]"')).toBe('token="[ASSIGNED_SECRET]"');
});

test.each([
  {
    name: 'the rest of a password goes with it',
    texts: ['use curl -u ana:TTAjDrr4', 'W4$cob7 https://acme.example'],
    left: ['use curl -u ana:[COMMAND_PASSWORD]', '[COMMAND_PASSWORD] https://acme.example'],
  },
  {
    name: 'a word of the next message stays',
    texts: ['use curl -u ana:TTAjDrr4', 'thanks a lot'],
    left: ['use curl -u ana:[COMMAND_PASSWORD]', 'thanks a lot'],
  },
])('over two messages, $name', ({ texts, left }) => {
  expect(judgeNow(policies, 'prompt', texts).texts).toEqual(left);
});

test.each([
  {
    name: 'a name with an at sign before a password',
    text: 'postgres://ana@firma.de:Otter-4417!@81.20.3.9/x',
    mark: 'postgres://[EMAIL]:[CONNECTION_STRING]@[IP]/x',
  },
  {
    name: 'the same in an address of the web',
    text: 'https://ana@firma.de:Otter-4417!@files.firma.de/x',
    mark: 'https://[EMAIL]:[URL_PASSWORD]@files.firma.de/x',
  },
  {
    name: 'an at sign and a colon in a password',
    text: 'https://ana:p@ss:w0rd@[::1]/x',
    mark: 'https://ana:[URL_PASSWORD]@[::1]/x',
  },
  {
    name: 'escaped quotation marks in a password',
    text: String.raw`password = "a\"Kx93!zz\"rest77"`,
    mark: 'password = "[ASSIGNED_PASSWORD]"',
  },
  {
    name: 'escaped quotation marks around a password',
    text: String.raw`{"body": "{\"password\": \"Kx93!zz\", \"user\": \"ana\"}"}`,
    mark: String.raw`{"body": "{\"password\": \"[ASSIGNED_PASSWORD]\", \"user\": \"ana\"}"}`,
  },
  {
    name: 'the private numbers of a JSON web key of RSA',
    text: filled(
      '{"kty":"RSA","n":"{v86}","d":"{v86}","p":"{v43}","q":"{v43}","dp":"{v43}","dq":"{v43}","qi":"{v43}"}',
    ),
    mark: `{"kty":"RSA","n":"${filled('{v86}')}",${['d', 'p', 'q', 'dp', 'dq', 'qi'].map((of) => `"${of}":"[PRIVATE_JWK]"`).join()}}`,
  },
])('nothing is left of $name', ({ text, mark }) => {
  expect(redacted(text)).toBe(mark);
});

const rows = [filled('{b64}'), filled('{b64}'), filled('{b64}'), filled('{b20}')];
const key = ['-----BEGIN RSA PRIVATE KEY-----', ...rows, '-----END RSA PRIVATE KEY-----'];

test.each([
  { name: 'behind moments', before: (line: number) => `2026-11-22 10:00:0${line} out: ` },
  { name: 'behind a name', before: () => 'ana: ' },
  { name: 'behind a name in brackets', before: (line: number) => `[10:0${line}] <ana> ` },
  { name: 'in a quotation', before: () => '> ' },
  { name: 'on lines of its own', before: () => '' },
])('of a private key $name nothing is left: whole, without its end, without its beginning', ({ before }) => {
  const lines = key.map((line, at) => before(at) + line);
  const first = before(0);
  expect(redacted(`Look:\n${lines.join('\n')}\nbye`)).toBe(`Look:\n${first}[PRIVATE_KEY]\nbye`);
  expect(redacted(`Look:\n${lines.slice(0, -1).join('\n')}\n- bye now`)).toBe(
    `Look:\n${first}[PRIVATE_KEY]\n- bye now`,
  );
  expect(redacted(`Look here\n${lines.slice(2).join('\n')}\nbye`)).toBe('Look here\n[PRIVATE_KEY]\nbye');
});

test.each([
  {
    name: 'on one line with escapes',
    text: `{"key":"${key.slice(2).join(String.raw`\n`)}"}`,
    left: '{"key":"[PRIVATE_KEY]"}',
  },
  { name: 'behind a label', text: `Rest: ${key.slice(3).join('\n')}`, left: 'Rest: [PRIVATE_KEY]' },
  { name: 'behind a word', text: `tail\n${key.slice(2).join('\n')}`, left: 'tail\n[PRIVATE_KEY]' },
])('the end of a private key is found $name', ({ text, left }) => {
  expect(redacted(text)).toBe(left);
});

test.each(['ends with\n-----END PRIVATE KEY-----', 'between BEGIN and -----END RSA PRIVATE KEY----- stand its rows'])(
  'no end of a private key: %s',
  (text) => {
    expect(redacted(text)).toBe(text);
  },
);
