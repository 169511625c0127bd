import { expect, test } from 'vitest';
import { gatewayFile, testGateway } from '../support/rooms/gateway.ts';

/** Three passages: a policy that only notes finds something in the second and in the title of the third. */
const handbook = '# Hours\nkettle from 9 to 18\n# Returns\nkettle noteworthy within 30 days\n# noteworthy\nkettle\n';
const base = { of: 'knowledge', base: 'handbook', file: 'handbook.md' };

async function placesOf(asked: string, { file = (text: string) => text, docs = '' } = {}): Promise<unknown[]> {
  const gateway = await testGateway({ file: file(gatewayFile), handbook: docs });
  const messages = [
    { role: 'user', content: 'first' },
    { role: 'user', content: asked },
  ];
  await gateway.ask({ messages });
  const [line] = gateway.audited();
  return (line!.rules as { readonly place: unknown }[]).map(({ place }) => place);
}

test.each([
  { name: 'with a system message', docs: '' },
  { name: 'with a system message and passages', docs: '# Hours\na noted kettle\n' },
])('messages of the client are counted as the client sent them, $name', async ({ docs }) => {
  expect(await placesOf('a noteworthy kettle', { docs })).toEqual([{ of: 'client', message: 1, start: 2 }]);
});

test("a finding in the Motif's own message has its place in the system message", async () => {
  const file = (text: string) => text.replace('You answer for Acme.', 'Be noteworthy.');
  expect(await placesOf('hello', { file })).toEqual([{ of: 'system', start: 3 }]);
});

test('a passage is named by its base, its file and its number there', async () => {
  const file = (text: string) => text.replace('top: 1', 'top: 3');
  expect(await placesOf('kettle', { file, docs: handbook })).toEqual(
    expect.arrayContaining([
      { ...base, passage: 2, part: 'text', start: 7 },
      { ...base, passage: 3, part: 'source', start: '[handbook: '.length },
    ]),
  );
  expect(await placesOf('30 days', { docs: handbook })).toEqual([{ ...base, passage: 2, part: 'text', start: 7 }]);
});

test('an answer is in no message', async () => {
  const gateway = await testGateway({
    provider: async () => ({
      text: 'a noteworthy kettle',
      finishReason: 'stop',
      usage: { prompt: 1, completion: 1, isEstimated: false },
    }),
  });
  await gateway.ask();
  expect(gateway.audited()[0]!.rules).toEqual([
    expect.objectContaining({ on: 'inference', message: null, place: null, start: 2 }),
  ]);
});
