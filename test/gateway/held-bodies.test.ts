import { expect, test } from 'vitest';
import { heldBytesMax } from '../../src/gateway/access/byte-budget.ts';
import { collectGarbage } from '../support/garbage.ts';
import { answering, gatewayFile, testGateway } from '../support/rooms/gateway.ts';

test.each([{ text: true }, { text: false }])(
  'a body is held until its prompt stands in the audit where that keeps texts: $text',
  async ({ text }) => {
    let written = (): void => undefined;
    const write = (): Promise<void> => new Promise((resolve) => (written = resolve));
    const file = gatewayFile.replace('audit.jsonl }', `audit.jsonl, text: ${text} }`);
    const gateway = await testGateway({ file, write });
    const quarter = heldBytesMax / 4;
    const asking = gateway.ask();
    await expect.poll(() => gateway.load.inFlight === 0 && gateway.asked.length).toBe(1);
    expect(gateway.load.bodies.hasRoom('bot t1', quarter)).toBe(!text);
    await new Promise(setImmediate);
    written();
    await asking;
    expect(gateway.load.bodies.hasRoom('bot t1', quarter)).toBe(true);
  },
);

/** Its text is named by no function that waits, which would hold it. */
function bodyOf(characters: number): Uint8Array {
  return Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(characters) }] }));
}

test('of a prompt that policies redacted the text is held that the provider was sent, and not the one before', async () => {
  const characters = 4_000_000;
  let heldBefore = 0;
  let held = 0;
  const copyOf = (text: string): string => Buffer.from(text).toString();
  const gateway = await testGateway({
    motif: { judge: async (_side, texts) => ({ decision: 'pass', hits: [], texts: texts.map(copyOf) }) },
    file: gatewayFile.replace('body: 64KiB', 'body: 8MiB'),
    async provider(request, limits) {
      await new Promise(setImmediate);
      // The language keeps the last text that a pattern matched, for RegExp.input.
      /x/.exec('x');
      await collectGarbage();
      held = process.memoryUsage().heapUsed - heldBefore;
      return answering('fine')(request, limits);
    },
  });
  await collectGarbage();
  heldBefore = process.memoryUsage().heapUsed;
  expect((await gateway.ask({ body: bodyOf(characters) })).status).toBe(200);
  expect(held).toBeLessThan(1.5 * characters);
});

test('the bytes of a body that was read are let go while the provider is asked: its messages are text by then', async () => {
  let bytes: WeakRef<Uint8Array> | undefined;
  let held: Uint8Array | undefined;
  const gateway = await testGateway({
    async provider(request, limits) {
      await collectGarbage();
      held = bytes?.deref();
      return answering('fine')(request, limits);
    },
  });
  await gateway.ask({ given: (body) => (bytes = new WeakRef(body)) });
  expect([bytes, held]).toEqual([expect.any(WeakRef), undefined]);
});
