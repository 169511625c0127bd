import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Exchange, type Inference, ProviderFailure, type ReadInTurn } from '../../../src/gateway/vocabulary.ts';
import { Secret } from '../../../src/text/secret.ts';
import { createSend } from '../../../src/transport/send.ts';
import { listen } from '../../support/servers/fault-server.ts';
import { toReply } from '../../support/service.ts';
import { keyText, onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

const ownHeaders = { 'x-auth': new Secret('Token canary-token-987'), 'x-title': new Secret('acme-assistant-2025-v2') };

interface AskedWith {
  readonly key?: Secret;
  readonly exchange?: Exchange;
  readonly reading?: ReadInTurn;
}

/** The inference of a provider with headers of its own that replies so. */
async function answered(
  reply: Parameters<typeof toReply>[0],
  { key = new Secret(keyText), ...more }: AskedWith = {},
): Promise<Inference> {
  const provider = onlyProvider(providerConfig({ key, headers: ownHeaders }), {
    send: () => Promise.resolve(toReply(reply)),
    now: () => 0,
    monotonic: () => 0,
    sleep: () => Promise.resolve(),
    random: () => 0,
  });
  return await provider.ask(smallRequest, { deadlineAt: 1000, ...more });
}

const wide = (sign: string) => (sign === '-' ? sign : String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

const escaped = (text: string) =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

const spellings = [
  { how: 'as it is', said: `It is ${keyText}!`, told: 'It is ••••!' },
  { how: 'in a URL', said: `?key=${keyText.replaceAll('-', '%2D')}&a`, told: '?key=••••&a' },
  { how: 'with letters escaped', said: `"${escaped(keyText).join('')}"`, told: '"••••"' },
  { how: 'in base64', said: Buffer.from(keyText).toString('base64'), told: expect.stringMatching(/^••••.{0,4}$/) },
  {
    how: 'in base64 of URLs, among other things',
    said: Buffer.from(`??:${keyText}>>`).toString('base64url'),
    told: expect.stringContaining('••••') as unknown,
  },
  { how: 'in capitals', said: `It is ${keyText.toUpperCase()}!`, told: 'It is ••••!' },
  { how: 'with blanks between its letters', said: `It is ${keyText.split('').join(' ')}!`, told: 'It is ••••!' },
  {
    how: 'in two texts of a list in JSON',
    said: `["${keyText.slice(0, 9)}",\\n "${keyText.slice(9)}"]`,
    told: '["••••"]',
  },
  { how: 'in hex', said: `It is ${Buffer.from(keyText).toString('hex')}!`, told: 'It is ••••!' },
  { how: 'in hex of capitals', said: Buffer.from(keyText).toString('hex').toUpperCase(), told: '••••' },
  { how: 'in bytes', said: (Buffer.from(keyText).toString('hex').match(/../g) ?? []).join(', 0x'), told: '••••' },
  { how: 'in base32', said: 'ONVS2Y3BNZQXE6JNNNSXSLJQGEZDGNBVGY3TQOI=', told: expect.stringMatching(/^••••.?=$/) },
  {
    how: 'in base32, among other things',
    said: 'PAQHG2ZNMNQW4YLSPEWWWZLZFUYDCMRTGQ2TMNZYHF4Q====',
    told: expect.stringMatching(/^PAQH.?••••.{0,3}====$/),
  },
  { how: 'backwards', said: keyText.split('').toReversed().join(''), told: '••••' },
  { how: 'in entities', said: Array.from(keyText, (sign) => `&#${sign.charCodeAt(0)};`).join(''), told: '••••' },
  { how: 'in full width', said: Array.from(keyText, wide).join(''), told: '••••' },
  { how: 'with another letter s', said: keyText.replace('s', '\u017f'), told: '••••' },
  {
    how: 'by its first 16 characters, of which two are a guess',
    said: keyText.slice(0, 16),
    told: keyText.slice(0, 16),
  },
  { how: 'by its last 16 characters, twice', said: `${keyText.slice(-16)} ${keyText.slice(-16)}`, told: '•••• ••••' },
  { how: 'by 15 of its characters', said: keyText.slice(-15), told: keyText.slice(-15) },
  { how: 'in a header, without the word before it', said: 'canary-token-987', told: '••••' },
  { how: 'by its first half alone', said: keyText.slice(0, 10), told: keyText.slice(0, 10) },
  { how: 'in a header that is a name, in other words', said: 'ACME Assistant 2025 V2', told: 'ACME Assistant 2025 V2' },
  { how: 'not at all', said: 'It is 30 % \\n of "it".', told: 'It is 30 % \\n of "it".' },
];

test.each(spellings)(
  'a key of ours that stands in an answer $how does not reach the caller',
  async ({ said, told }) => {
    const choices = [{ message: { content: said }, finish_reason: 'stop' }];
    expect((await answered({ body: { choices } })).text).toEqual(told);
  },
);

const saying = (content: string) => ({ body: { choices: [{ message: { content }, finish_reason: 'stop' }] } });

test.each(spellings)('nor does one $how in a large answer, wherever it stands, and all else does', async ({ said }) => {
  const { text: told } = await answered(saying(`. ${said} .`));
  const filler = '. '.repeat(70_000);
  // Pieces of an answer end at multiples of this.
  const pieceEnd = 128 * 1024;
  for (const start of [0, pieceEnd - said.length - 3, pieceEnd - (said.length >> 1), pieceEnd - 3, pieceEnd + 5_000]) {
    const before = filler.slice(0, start);
    const large = saying(`${before}. ${said} .${filler}. ${said} .`);
    const { text } = await answered(large, { reading: (_bytes, read) => read() });
    expect(text === `${before}${told}${filler}${told}`).toBe(true);
  }
});

describe.each(spellings.filter(({ said, told }) => told !== said))('a key of ours $how', ({ said }) => {
  // A name in the audit is of ASCII and without blanks.
  const name = said.replace(/[\n ]+/g, '/');

  test.skipIf(!/^[!-~]+$/.test(name))('names neither a model nor a request in the audit', async () => {
    const exchange: Exchange = { provider: 'primary', model: 'a-model' };
    const choices = [{ message: { content: 'Yes.' }, finish_reason: 'stop' }];
    await answered({ body: { model: name, choices }, headers: { 'x-request-id': name } }, { exchange });
    expect([exchange.modelAnswered, exchange.requestId]).toEqual([undefined, undefined]);
  });

  // The words are cut, here and within the key.
  test.each([0, 200, 240, 250])('stands in no words about a failure, after %i characters', async (before) => {
    const message = `${'Incorrect. '.repeat(before / 10).slice(0, before)}Your API key: ${said}`;
    const failed = answered({ status: 401, body: { error: { message } } });
    const failure = await failed.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderFailure);
    const { detail = '' } = failure as ProviderFailure;
    expect(detail).toMatch(/••••|in words that repeat/);
    expect(detail.length).toBeLessThanOrEqual(300);
  });
});

describe.each([
  { name: '64', width: 64, end: '\n' },
  { name: '76', width: 76, end: '\r\n' },
  { name: '76, in JSON', width: 76, end: '\\n' },
])('a long key of ours in lines of $name', ({ width, end }) => {
  const long = `sk-proj-${Array.from({ length: 12 }, (_, at) => `aB${at}cD${at}eF-`).join('')}Z9`;
  const lines = (text: string): string => (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);

  test.each([
    { how: 'in base64', encoded: Buffer.from(long).toString('base64') },
    { how: 'in base64 with a word before it', encoded: Buffer.from(`Bearer ${long}\n`).toString('base64') },
    { how: 'in base32', encoded: inBase32(long) },
  ])('$how does not reach the caller', async ({ encoded }) => {
    const choices = [{ message: { content: `Here:\n${lines(encoded)}` }, finish_reason: 'stop' }];
    const { text } = await answered({ body: { choices } }, { key: new Secret(long) });
    expect(text).toContain('••••');
    expect(text.replace(/^Here:/, '').replace(/[^A-Za-z0-9+/]/g, '').length).toBeLessThan(16);
  });
});

test.each([
  { name: 'of 64', width: 64, end: '\n' },
  { name: 'of 76', width: 76, end: '\r\n' },
  { name: 'of 76, in JSON', width: 76, end: '\\n' },
  { name: 'of 60, indented', width: 60, end: '\n        ' },
])('a key of ours among other things, in lines $name, does not reach the caller wherever it begins', async (lines) => {
  for (const form of ['base64', 'base32'] as const)
    for (let before = 0; before < 80; before += 1) {
      const whole = `${'.'.repeat(before)}${keyText}`;
      const encoded = form === 'base64' ? Buffer.from(whole).toString('base64') : inBase32(whole);
      const said = (encoded.match(new RegExp(`.{1,${lines.width}}`, 'g')) ?? []).join(lines.end);
      const { text } = await answered(saying(said));
      expect({ form, before, isHidden: text.includes('••••') }).toEqual({ form, before, isHidden: true });
    }
});

function inBase32(text: string): string {
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

describe('a long key of ours that is cut', () => {
  const long = `sk-proj-${Array.from({ length: 12 }, (_, at) => `aB${at}cD${at}eF-`).join('')}Z9`;
  const forms = [
    { how: 'in base64', said: Buffer.from(long).toString('base64') },
    { how: 'in hex', said: Buffer.from(long).toString('hex') },
    { how: 'in base32', said: inBase32(long) },
    { how: 'backwards', said: long.split('').toReversed().join('') },
  ];
  const detailOf = async (asked: Promise<unknown>): Promise<string> => {
    const failure = await asked.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProviderFailure);
    return (failure as ProviderFailure).detail ?? '';
  };

  test.each(forms)('$how at the end of many stands in no words about a failure', async ({ said }) => {
    const message = `${said} `.repeat(Math.ceil(9000 / said.length));
    const detail = await detailOf(answered({ status: 500, body: { error: { message } } }, { key: new Secret(long) }));
    expect(detail).toContain('••••');
    expect(detail).not.toContain(said.slice(0, 8));
  });

  test.each(forms.flatMap((form) => ['line', 'header', 'proxy'].map((place) => ({ ...form, place }))))(
    '$how in a $place stands in no words about it',
    async ({ said, place }) => {
      const [line, head] = [`${said}\r\n\r\n`, `HTTP/1.1 200 OK\r\nContent-Encoding: ${said}\r\n\r\n`];
      const server = createServer((socket) => socket.once('data', () => socket.end(place === 'header' ? head : line)));
      const url = `http://127.0.0.1:${await listen(server)}`;
      onTestFinished(() => void server.close());
      const credentials = new Secret(`ana:${long}`);
      const config = place === 'proxy' ? { proxy: { url, credentials, from: 'proxy' } } : { key: new Secret(long) };
      const monotonic = () => performance.now();
      const provider = onlyProvider(providerConfig({ baseUrl: url, ...config }), {
        send: createSend({ now: monotonic }),
        now: () => 0,
        monotonic,
        sleep: () => Promise.resolve(),
        random: () => 0,
      });
      const detail = await detailOf(provider.ask(smallRequest, { deadlineAt: monotonic() + 5000 }));
      expect(detail).toMatch(/(?:is encoded as|it said:) (?:…|••••)/);
      expect(detail).not.toContain(said.slice(0, 8));
    },
  );
});
