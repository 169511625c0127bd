import { expect, test } from 'vitest';
import { parsePromptBody } from '../../src/gateway/prompt-body.ts';
import { JudgingTurns } from '../../src/gateway/server/judging-turns.ts';
import { hostileBodies } from '../fixtures/hostile-bodies.ts';
import { gatewayFile, testGateway } from '../support/rooms/gateway.ts';

const messages = '"messages":[{"role":"user","content":"hi"}]';
const numbers = (count: number): string => Array.from({ length: count }, () => '100').join(',');
const body = (text: string): Uint8Array => new TextEncoder().encode(text);
const keysMax = 60_000 + 8 * 4;
/** Eighths of a key: the object, messages and its message, two lists and the 4 keys beside what the list holds. */
const others = 8 * 4 + 2 * 4 + 2;
const list = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join();
const message = '{"role":"user","content":"hi"}';
const probability = '{"token":" word","logprob":-0.123456,"bytes":[32,119,111,114,100],"top_logprobs":[]}';
const vector = `[${list(1536, (index) => `0.0${10_000 + index}`)}]`;
const counted = 'where 4 lists or objects, or 8 other values, count as one';

test.each([
  {
    name: 'as many values as there may be',
    body: `{${messages},"n":[${numbers(8 * keysMax - others)}]}`,
    says: undefined,
  },
  {
    name: 'one more',
    body: `{${messages},"n":[${numbers(8 * keysMax - others + 1)}]}`,
    says: `the body holds too many keys and values, most of them in n: more than ${keysMax} keys, ${counted}`,
  },
  {
    name: 'too many keys',
    body: `{${messages},${list(70_000, (index) => `"k${index}":1`)}}`,
    says: `the body holds too many keys and values: more than ${keysMax} keys, ${counted}`,
  },
  {
    name: 'too many keys in a field with a name of signs',
    body: `{${messages},"\u001b[31m":{${list(70_000, (index) => `"k${index}":1`)}}}`,
    says: String.raw`most of them in ["\u{1b}[31m"]`,
  },
  {
    name: 'probabilities of 10,000 tokens',
    body: `{${messages},"p":[${list(10_000, () => probability)}]}`,
    says: undefined,
  },
  { name: '60 vectors', body: `{${messages},"v":[${list(60, () => vector)}]}`, says: undefined },
  {
    name: 'too many messages',
    body: `{"messages":[${list(30_000, () => message)}]}`,
    says: 'messages must have at most 4 entries',
  },
])('a body with $name: $says', ({ body: text, says }) => {
  const read = (): unknown => parsePromptBody(body(text), 4);
  if (says === undefined) expect(read()).toHaveLength(1);
  else expect(read).toThrow(says);
});

test.each(hostileBodies(60_000))(
  'a body of $name is read or refused, with a reply that names a place',
  ({ body: text }) => {
    try {
      expect(parsePromptBody(body(text), 256).length).toBeLessThanOrEqual(256);
    } catch (refusal) {
      expect(refusal).toMatchObject({
        status: 400,
        code: expect.stringMatching(/^(malformed_json|invalid_body)$/) as string,
      });
    }
  },
);

test('large bodies are read in turn with what else is large, and small ones are not', async () => {
  let now = 0;
  const turns = new JudgingTurns(() => now);
  const holders: string[] = [];
  const noted: number[] = [];
  const gateway = await testGateway({
    file: gatewayFile.replace('    knowledge: [handbook]\n', ''),
    judging: {
      noteWork: (characters) => {
        noted.push(characters);
        turns.noteWork(characters);
      },
      inTurn: (asking, work) => {
        holders.push(asking.holder);
        return turns.take(asking, () => ((now += 30), work()));
      },
    },
  });
  const large = { body: `{${messages},"other":"${'x'.repeat(20_000)}"}` };
  await gateway.ask();
  expect(holders).toEqual([]);
  const order: string[] = [];
  const asked = [large, large, large].map(async (request, index) => {
    await gateway.ask(request);
    order.push(`large ${index + 1}`);
  });
  asked.push(gateway.ask().then(() => void order.push('small')));
  await Promise.all(asked);
  expect(holders).toEqual(['bot t1', 'bot t1', 'bot t1']);
  expect(order.indexOf('small')).toBeLessThan(2);
  expect(noted).toEqual([large, large, large].map(({ body: text }) => text.length));
});

test('a search for passages takes its turn, however short the question', async () => {
  const holders: string[] = [];
  const judging = {
    noteWork: () => undefined,
    inTurn: <T>({ holder }: { readonly holder: string }, work: () => T | Promise<T>) => (holders.push(holder), work()),
  };
  await (await testGateway({ judging })).ask();
  expect(holders).toEqual(['bot t1']);
});
