import { expect, test } from 'vitest';
import { heldAnswersMax } from '../../src/gateway/access/byte-budget.ts';
import { gatewayFile, testGateway } from '../support/rooms/gateway.ts';
import { toReply } from '../support/service.ts';

test('an answer of a webhook has room among answers, with what it grows to, until the verdict is there', async () => {
  const webhook = 'note: { kind: webhook, url: "https://checks.example" }';
  let bytes = 1 << 20;
  const hasRoom = () => gateway.load.answers.hasRoom('bot t1', heldAnswersMax / 4 - 1000);
  const left: boolean[] = [];
  const gateway = await testGateway({
    file: gatewayFile.replace(/note: .*/, webhook),
    async send(_request, { received }) {
      const refusal = received?.(bytes);
      left.push(hasRoom());
      if (refusal !== undefined) throw refusal;
      return toReply({ body: { findings: [] } });
    },
  });
  expect((await gateway.ask({ messages: [{ role: 'user', content: 'hello' }] })).json).toMatchObject({
    blocked: false,
  });
  bytes = heldAnswersMax / 16;
  expect((await gateway.ask({ messages: [{ role: 'user', content: 'hello' }] })).json).toMatchObject({
    blocked: true,
    code: 'policy_failed',
  });
  expect(left).toEqual([false, false, true]);
  expect(hasRoom()).toBe(true);
});

test.each([
  { name: 'that answers no', send: async () => toReply({ status: 500, body: {} }), says: 'the webhook answered 500' },
  { name: 'of another form', send: async () => toReply({ body: [] }), says: 'findings must be an array' },
  { name: 'out of reach', send: () => Promise.reject(new Error('connect ECONNREFUSED')), says: 'connect ECONNREFUSED' },
])('of a webhook $name the log tells why it could not be asked', async ({ send, says }) => {
  const file = gatewayFile.replace(/note: .*/, 'note: { kind: webhook, url: "https://checks.example" }');
  const gateway = await testGateway({ file, send });
  await gateway.ask({ messages: [{ role: 'user', content: 'hello' }] });
  expect(gateway.logged.filter((line) => line.includes('could not be asked')).join()).toContain(says);
});
