import { createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createSend } from '../../src/transport/send.ts';
import { listen } from '../support/servers/fault-server.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const record = (kind: number, bytes: readonly number[]) => Buffer.from([kind, 3, 3, 0, bytes.length, ...bytes]);

test.skipIf(tlsMissing).each([
  { what: 'that nobody can read', sent: record(23, Array<number>(32).fill(0)), code: /BAD_RECORD_MAC/ },
  { what: 'of a kind that does not exist', sent: record(99, [1]), code: /ERR_SSL/ },
])('a record $what, in the place of an answer, ends the wait for it', async ({ sent, code }) => {
  const { good, ca } = certificates();
  const server = createServer((below) => {
    const socket = new TLSSocket(below, { isServer: true, ...good }).on('error', () => undefined);
    onTestFinished(() => void below.destroy());
    socket.once('data', () => below.on('error', () => undefined).write(sent));
  });
  onTestFinished(() => void server.close());
  const url = `https://localhost:${await listen(server)}/`;
  const send = createSend({ now: () => performance.now() });
  const limits = { connection: { connectTimeoutMs: 3000, ca: [ca] }, bodyBytesMax: 2 ** 20 };
  const answer = send(
    { method: 'POST', url, headers: {}, body: '{}' },
    { ...limits, deadlineAt: performance.now() + 4000 },
  );
  await expect(answer).rejects.toMatchObject({
    layer: 'tls',
    sent: true,
    cause: expect.stringMatching(code) as string,
  });
});
