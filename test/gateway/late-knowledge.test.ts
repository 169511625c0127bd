import { expect, test } from 'vitest';
import { testGateway } from '../support/rooms/gateway.ts';

test('a prompt waits for the knowledge that came with a reload, and takes no place meanwhile', async () => {
  let finish = (): void => undefined;
  const knowledgeMade = new Promise<void>((resolve) => (finish = resolve));
  const gateway = await testGateway({ motif: { knowledgeMade } });
  const reply = gateway.ask();
  await new Promise((resolve) => setImmediate(resolve));
  expect([gateway.asked.length, gateway.load.inFlight]).toEqual([0, 0]);
  finish();
  expect((await reply).status).toBe(200);
});
