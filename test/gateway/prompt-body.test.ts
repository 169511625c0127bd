import { expect, test } from 'vitest';
import { parsePromptBody } from '../../src/gateway/prompt-body.ts';
import { JudgingTurns } from '../../src/gateway/server/judging-turns.ts';
import { hostileBodies } from '../fixtures/hostile-bodies.ts';
import { testGateway } from '../support/rooms/gateway.ts';

const messages = '"messages":[{"role":"user","content":"hi"}]';
const numbers = (count: number): string => Array.from({ length: count }, () => '100').join(',');
const body = (text: string): Uint8Array => new TextEncoder().encode(text);
/** The object, its list, a message with its two texts, and the list of numbers. */
const others = 6;

test.each([
  { name: 'as many values as there may be', count: 50_000 + 8 * 4 - others, says: undefined },
  { name: 'one more', count: 50_000 + 8 * 4 - others + 1, says: 'the body holds more than 50032 values' },
])('$name, in a field that nobody reads: $says', ({ count, says }) => {
  const read = (): unknown => parsePromptBody(body(`{${messages},"n":[${numbers(count)}]}`), 4);
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
  const turns = new JudgingTurns(
    () => now,
    () => 0,
  );
  const holders: string[] = [];
  const noted: number[] = [];
  const gateway = await testGateway({
    judging: {
      noteWork: (characters) => {
        noted.push(characters);
        turns.noteWork(characters);
      },
      inTurn: (asking, work, isTimed) => {
        holders.push(asking.holder);
        return turns.take(asking, () => ((now += 30), work()), isTimed);
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
