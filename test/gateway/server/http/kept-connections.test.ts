import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { collectGarbage } from '../../../support/garbage.ts';
import { dial, echo, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';

/** Bytes of the heap that a hundred connections take that idle behind requests with so long a head, sent at once. */
async function bytesBehind(headBytes: number, requests: number): Promise<number> {
  let asked = 0;
  let answer = (): void => undefined;
  const areAsked = new Promise<void>((resolve) => (answer = resolve));
  const gateway: Gateway = async () => {
    asked += 1;
    if (asked === 100 * requests) answer();
    await areAsked;
    return reply(200, '{}');
  };
  const { port } = await listening({ gateway });
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const clients = Array.from({ length: 100 }, (_, at) =>
    dial(port, post(`X-Long: ${String(at).padStart(headBytes, 'x')}\r\nContent-Length: 0\r\n`).repeat(requests)),
  );
  await expect.poll(() => clients.flatMap(({ text }) => statusesOf(text())).length).toBe(100 * requests);
  await collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  expect(clients.filter(({ socket }) => socket.destroyed)).toEqual([]);
  return bytes;
}

describe('a connection that is kept', () => {
  test('holds nothing of a body that was read: a thousand that idle behind 1 MB each took 1.2 GB', async () => {
    const bodies: WeakRef<ArrayBufferLike>[] = [];
    const gateway: Gateway = async (request) => {
      bodies.push(new WeakRef((await request.readBody(400_000)).buffer));
      return reply(200, '{}');
    };
    const { port } = await listening({ gateway });
    const { socket, text } = dial(port, post('Content-Length: 300000\r\n', 'x'.repeat(300_000)));
    await expect.poll(() => statusesOf(text())).toEqual([200]);
    await collectGarbage();
    expect([bodies.map((each) => each.deref()), socket.destroyed]).toEqual([[undefined], false]);
  });

  test.each([1, 2, 3, 8])(
    'holds nothing of %i heads that were answered: ten thousand of 30 kB took 0.65 GB',
    async (count) => {
      await bytesBehind(10, count);
      const [short, long] = [await bytesBehind(10, count), await bytesBehind(30_000, count)];
      expect(long - short).toBeLessThan((100 * 30_000) / 4);
    },
  );

  test('leaves nothing of a request whose body was refused: each held its head until the gateway was ended', async () => {
    const heads: WeakRef<object>[] = [];
    const { port } = await listening({
      gateway(request) {
        heads.push(new WeakRef(request.headers));
        return echo(request);
      },
    });
    const refused = post('Transfer-Encoding: chunked\r\n', `3e8\r\n${'x'.repeat(1000)}\r\n1\r\nx`);
    for (const sent of [refused, refused]) expect(statusesOf(await dial(port, sent).closed)).toEqual([413]);
    // The first connection of all, and the one of which something was read last, are held meanwhile.
    await dial(port, post('Content-Length: 0\r\nConnection: close\r\n')).closed;
    await expect
      .poll(async () => {
        await collectGarbage();
        return heads.slice(1, 2).map((each) => each.deref());
      })
      .toEqual([undefined]);
  });

  test('ends though its client sends empty lines, which begin no request', async () => {
    const { port } = await listening({ limits: { keepAliveMs: 60, headersTimeoutMs: 60, checkIntervalMs: 20 } });
    const { socket, text, closed } = dial(port, post('Content-Length: 0\r\n'));
    const drip = setInterval(() => socket.write('\r\n'), 10);
    onTestFinished(() => clearInterval(drip));
    await closed;
    expect(statusesOf(text())).toEqual([200]);
  });

  test('stays while its client asks again, and while an answer takes its time', async () => {
    const gateway: Gateway = async (request) => {
      await wait(request.path === '/slow' ? 1500 : 0);
      return reply(200, 'ok');
    };
    // Node's own idle time is off.
    const { port } = await listening({ gateway, limits: { keepAliveMs: 0, headersTimeoutMs: 1000 } });
    const { socket, text } = dial(port);
    for (const path of [...Array<string>(8).fill('/soon'), '/slow', '/soon']) {
      const before = statusesOf(text()).length;
      socket.write(`\r\nGET ${path} HTTP/1.1\r\nHost: gw\r\n\r\n`);
      await expect.poll(() => statusesOf(text()).length, { timeout: 5000 }).toBe(before + 1);
      await wait(200);
    }
  });
});
