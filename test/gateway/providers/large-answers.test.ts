import { expect, test } from 'vitest';
import { statusFailure } from '../../../src/gateway/providers/failures.ts';
import { createFakeClock, monotonicStartMs } from '../../support/fake-clock.ts';
import type { HttpReply } from '../../../src/wire/http.ts';
import { answering, gatewayFile, testGateway } from '../../support/rooms/gateway.ts';
import { keyText, onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

const answerOf = (content: string): string =>
  JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] });

/** The text that a provider gives to a caller who has its answers read in steps, or its failure, and their number. */
async function readInSteps(body: Buffer): Promise<{ readonly read: unknown; readonly steps: number }> {
  const clock = createFakeClock({}, new AbortController().signal);
  const { now, monotonic, sleep } = clock;
  const send = async () => ({ status: 200, headers: {}, body, timings: {} as HttpReply['timings'] });
  const provider = onlyProvider(providerConfig({}), { send, now, monotonic, sleep, random: () => 0.5 });
  let steps = 0;
  const reading = async <T>(_bytes: number, read: () => T): Promise<T> => {
    steps += 1;
    return read();
  };
  const asked = provider.ask(smallRequest, { deadlineAt: monotonicStartMs + 120_000, reading });
  const read = await asked.then(
    ({ text }) => text,
    (error: unknown) => error,
  );
  return { read, steps };
}

test.each([
  { name: 'a small one at once', text: 'Yes.', steps: 0 },
  { name: 'a large one in four steps', text: 'Yes. '.repeat(10_000), steps: 4 },
  { name: 'one with other letters piece by piece', text: '\u00e4\u6cb8\u{1f600}a'.repeat(200_000), steps: 21 + 8 },
  { name: 'with a character across the end of a piece', text: `ab${'\u{1f600}'.repeat(400_000)}`, steps: 18 + 7 },
])('an answer is read where its caller has it read: $name', async ({ text, steps }) => {
  const { read, steps: taken } = await readInSteps(Buffer.from(answerOf(text)));
  expect(read === text).toBe(true);
  expect(taken).toBe(steps);
});

test.each([
  { name: 'an answer with', body: '{"choices":[{"message":{"content":"Yes."}}],' },
  { name: 'no answer but', body: '{' },
])('$name members by the hundred thousand that nobody reads is read in steps', async ({ body }) => {
  const bytes = Buffer.from(`${body}${'"a":1,'.repeat(200_000)}"b":1}`);
  const { read, steps } = await readInSteps(bytes);
  expect(read).toEqual(body === '{' ? expect.objectContaining({ status: 502 }) : 'Yes.');
  // Ten times as many took half a second as one step.
  expect(steps).toBeGreaterThan(bytes.length / (512 * 1024));
});

test('an answer of megabytes of its key is looked through in steps, and goes as one mark', async () => {
  const { read, steps } = await readInSteps(Buffer.from(answerOf(`Yes: ${keyText.repeat(100_000)}`)));
  expect(read).toBe('••••');
  expect(steps).toBeGreaterThan((keyText.length * 100_000) / (128 * 1024));
});

test('a byte order mark is passed over, and a large answer that is no text cannot be read', async () => {
  const bytes = Buffer.from(answerOf('\u00e4'.repeat(600_000)));
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  expect((await readInSteps(Buffer.concat([mark, bytes]))).read).toHaveLength(600_000);
  bytes[1_000_000] = 0xff;
  expect((await readInSteps(bytes)).read).toMatchObject({ status: 502, reason: 'provider reply unreadable' });
});

test.each(['', 'a'])(
  'a large answer goes to the client whole, whichever pairs stand at the ends of pieces: %j',
  async (first) => {
    const text = `${first}${'\u{1f600}'.repeat(400_000)}"\\\n`;
    const gateway = await testGateway({ provider: answering(text) });
    const { json, status } = await gateway.ask();
    expect(status).toBe(200);
    expect(json.response === text).toBe(true);
  },
);

test('of a large answer that the audit keeps the line has a round of the event loop, and the reply the next', async () => {
  const text = '\u0436 "'.repeat(400_000);
  const noted: number[] = [];
  let [rounds, writtenIn] = [0, 0];
  const gateway = await testGateway({
    file: gatewayFile.replace('audit: { file: audit.jsonl }', 'audit: { file: audit.jsonl, text: true }'),
    provider: answering(text),
    judging: { inTurn: (_, work) => work(), noteWork: (characters) => void noted.push(characters) },
    write: async () => void (writtenIn = rounds),
  });
  let counter = setImmediate(function count() {
    rounds += 1;
    counter = setImmediate(count);
  });
  const { json } = await gateway.ask();
  clearImmediate(counter);
  expect(json.response === text).toBe(true);
  expect(rounds).toBeGreaterThan(writtenIn);
  // Each takes as long as all of the text does, so that no other answer has the same round.
  expect(noted.filter((characters) => characters >= text.length)).toHaveLength(2);
});

test('of a large failure its beginning alone is read', async () => {
  const failed = (blanks: number) => {
    const body = Buffer.from(`{"more":"${' '.repeat(blanks)}","error":{"message":"no such model"}}`);
    return statusFailure({ status: 500, body }, { retryAfterMs: undefined, didRun: false, params: [] }).detail;
  };
  expect(failed(10)).toContain('no such model');
  expect(failed(70_000)).not.toContain('no such model');
});
