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
