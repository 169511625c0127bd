import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { collectGarbage } from '../../../support/garbage.ts';
import { dial, echo, follow, listening, path, post, reply, statusesOf } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

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
  const answered = (): number => clients.flatMap(({ text }) => statusesOf(text())).length;
  await expect.poll(answered, { timeout: 20_000 }).toBe(100 * requests);
  await collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  expect(clients.filter(({ socket }) => socket.destroyed)).toEqual([]);
  return bytes;
}

/** The number of those that are held; what a test is told of them would hold them. */
async function countHeld(heads: readonly WeakRef<object>[]): Promise<number> {
  await collectGarbage();
  return heads.filter((each) => each.deref() !== undefined).length;
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
    await expect.poll(() => countHeld(heads)).toBe(0);
  });

  test('holds nothing of a request whose body was refused and came whole', async () => {
    const heads: WeakRef<object>[] = [];
    const { port } = await listening({
      async gateway(request) {
        heads.push(new WeakRef(request.headers));
        const refused = await echo(request);
        // For its line in the audit.
        await wait(10);
        return refused;
      },
    });
    const tooLarge = post('Transfer-Encoding: chunked\r\n', `7d0\r\n${'x'.repeat(2000)}\r\n0\r\n\r\n`);
    const { socket, text } = dial(port, tooLarge);
    await expect.poll(() => statusesOf(text())).toEqual([413]);
    await expect.poll(() => countHeld(heads)).toBe(0);
    expect(socket.destroyed).toBe(false);
  });

  test('is not held once it is closed, though it was the first or the last of all and others are open', async () => {
    const heads: WeakRef<object>[] = [];
    let openOther = (): void => undefined;
    const isOtherOpen = new Promise<void>((resolve) => (openOther = resolve));
    const { port } = await listening({
      async gateway(request) {
        await request.readBody(10);
        if (request.path === path) openOther();
        else heads.push(new WeakRef(request.headers));
        await isOtherOpen;
        return reply(200, '{}');
      },
    });
    const closing = 'GET /closing HTTP/1.1\r\nHost: gw\r\nConnection: close\r\n\r\n';
    const first = dial(port, closing);
    await expect.poll(() => heads.length).toBe(1);
    dial(port, post('Content-Length: 0\r\n'));
    await first.closed;
    await dial(port, closing).closed;
    await expect.poll(() => countHeld(heads)).toBe(0);
    expect(heads).toHaveLength(2);
  });

  test.skipIf(tlsMissing)('is not held once it is closed, though what was left of its body was decrypted', async () => {
    const heads: WeakRef<object>[] = [];
    const { port } = await listening({
      tls: certificates().good,
      async gateway(request) {
        heads.push(new WeakRef(request.headers));
        await wait(60);
        await request.readBody(20_000);
        return reply(200, '{}');
      },
    });
    const length = 17_000;
    const sent = post(`Content-Length: ${length}\r\nConnection: close\r\n`, 'x'.repeat(length));
    for (let count = 0; count < 10; count++)
      await follow(connect({ port, host: '127.0.0.1', rejectUnauthorized: false }), sent).closed;
    await expect.poll(() => countHeld(heads)).toBe(0);
    expect(heads).toHaveLength(10);
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
