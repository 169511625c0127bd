import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { JudgingTurns } from '../../../../src/gateway/server/judging-turns.ts';
import { dial, listening, post, reply } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const workMs = 5;
const costly = 100;

test('a new connection does not wait for the work of each of those before it', async () => {
  const clock = (): number => performance.now();
  const judging = new JudgingTurns(clock);
  const { signal } = new AbortController();
  let done = 0;
  let doneBefore = Number.NaN;
  const work = (): void => {
    for (const endsAt = clock() + workMs; clock() < endsAt;);
    done += 1;
  };
  const gateway: Gateway = async ({ headers }) => {
    if (headers.traceparent === undefined) await judging.take({ holder: 'one', signal }, work);
    else doneBefore = done;
    return reply(200, '');
  };
  const { port } = await listening({ gateway, noteConnection: () => judging.noteConnection() });
  const request = 'Content-Length: 0\r\nConnection: close\r\n';
  const others = Array.from({ length: costly }, () => dial(port, post(request)).closed);
  expect(await dial(port, post(`${request}traceparent: 1\r\n`)).closed).toContain('200 OK');
  expect(doneBefore).toBeLessThan(costly / 2);
  await Promise.all(others);
  expect(done).toBe(costly);
});

const resets = 400;
/** In a thread of its own: what is sent in the server's own one would come in as slowly as that reads. */
const flooding = `
  const { parentPort, workerData: { port, connections, more } } = require('node:worker_threads');
  const open = (then) => require('node:net').connect(port, '127.0.0.1', then).on('error', () => undefined).resume();
  for (let count = 0; count < connections; count++) {
    const socket = open(() => send()).on('drain', () => send());
    const send = () => { while (!socket.destroyed && socket.write(more)); };
  }
  parentPort.on('message', (resets) => {
    let left = resets;
    for (let count = 0; count < resets; count++) {
      const socket = open(() => {
        socket.resetAndDestroy();
        if ((left -= 1) === 0) parentPort.postMessage('done');
      });
    }
  });`;

test('a new connection does not wait for a full round for each of those that were reset before it', async () => {
  let begun = 0;
  const gateway: Gateway = async ({ path }) => {
    begun += 1;
    return reply(path === '/known' ? 200 : 401, '{}');
  };
  const { port } = await listening({ gateway });
  const more = 'GET /nothing HTTP/1.1\r\nHost: gw\r\n\r\n'.repeat(2000);
  const worker = new Worker(flooding, { eval: true, workerData: { port, connections: 100, more } });
  onTestFinished(async () => void (await worker.terminate()));
  await expect.poll(() => begun, { timeout: 20_000 }).toBeGreaterThan(10_000);
  worker.postMessage(resets);
  await once(worker, 'message');
  const before = begun;
  const known = connect(port, '127.0.0.1');
  onTestFinished(() => void known.destroy());
  known.write('GET /known HTTP/1.1\r\nHost: gw\r\n\r\n');
  await once(known, 'data');
  expect(begun - before).toBeLessThan(resets * 10);
}, 60_000);

test('nothing is read of connections that were reset before their turn', async () => {
  const asked: string[] = [];
  const gateway: Gateway = async ({ path }) => {
    asked.push(path);
    return reply(200, '');
  };
  const { port, metrics } = await listening({ gateway });
  const whole = 'POST /reset HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
  // The server waits for this child, which sends and resets meanwhile.
  const resetting = `
    const { connect } = require('node:net');
    for (let count = 0; count < 20; count++) {
      const socket = connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(whole)}, () => socket.resetAndDestroy()));
    }`;
  execFileSync(process.execPath, ['-e', resetting]);
  expect(await dial(port, post('Content-Length: 0\r\nConnection: close\r\n')).closed).toContain('200 OK');
  expect(asked).toEqual(['/api/v1/apps/bot/prompts']);
  await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  expect(metrics.snapshot()[resetSample]).toBe(20);
});

const resetSample = 'motif_gateway_connections_dropped_total{reason="reset"}';

describe.each([false, true])('over TLS: %s', (isTls) => {
  test.skipIf(isTls && tlsMissing !== undefined)(
    'those are counted that were reset before they had a reply',
    async () => {
      let answer = (): void => undefined;
      const late = new Promise<void>((resolve) => (answer = resolve));
      let asked = 0;
      const gateway: Gateway = async ({ headers }) => {
        asked += 1;
        if (headers.traceparent !== undefined) await late;
        return reply(401, '{}');
      };
      const tls = isTls ? certificates().good : undefined;
      const { port, metrics } = await listening({ gateway, ...(tls && { tls }) });
      const open = async (): Promise<Socket> => {
        const raw = connect(port, '127.0.0.1');
        await once(raw, 'connect');
        const socket = isTls ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw;
        onTestFinished(() => void raw.destroy());
        if (isTls) await once(socket, 'secureConnect');
        reset.set(socket, () => raw.resetAndDestroy());
        return socket.on('error', () => undefined);
      };
      const reset = new Map<Socket, () => void>();
      const [replied, silent, waiting] = [await open(), await open(), await open()];
      replied.write(post('Content-Length: 0\r\n'));
      await once(replied, 'data');
      waiting.write(post('Content-Length: 0\r\ntraceparent: 1\r\n'));
      await expect.poll(() => asked).toBe(2);
      reset.get(replied)!();
      await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(2);
      expect(metrics.snapshot()[resetSample]).toBeUndefined();
      for (const socket of [silent, waiting]) reset.get(socket)!();
      await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
      expect(metrics.snapshot()[resetSample]).toBe(2);
      answer();
    },
  );
});
