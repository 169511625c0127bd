import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startAdminServer } from '../../../src/gateway/server/admin-server.ts';

test('idle connections cannot hold the admin port', async () => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
  onTestFinished(() => server.close());
  const idle: Socket[] = [];
  onTestFinished(() => idle.forEach((socket) => socket.destroy()));
  for (let count = 0; count < 200; count++) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    idle.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  for (const path of ['livez', 'readyz', 'metrics']) {
    expect((await fetch(`http://127.0.0.1:${server.port}/${path}`)).status).toBe(200);
  }
  await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(100);
});
