import { expect, test } from 'vitest';
import { heldBytesMax } from '../../src/gateway/access/byte-budget.ts';
import { gatewayFile, testGateway } from '../support/rooms/gateway.ts';

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
