import { execFileSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { untilNoneComes } from '../../../../src/gateway/server/http/waiting-connections.ts';

it('accepts a connection that comes while the last round of the event loop is long', async () => {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connect = `require('net').connect(${port}, '127.0.0.1', function () { this.destroy(); })`;
  // Behind the reading of its round, and before the end of it is looked at.
  setImmediate(() => setImmediate(() => execFileSync(process.execPath, ['-e', connect])));

  await untilNoneComes(
    () => accepted,
    () => 0,
  );

  server.close();
  expect(accepted).toBe(1);
});

it('goes on for a second of a processor while more come, however long that takes by the clock', async () => {
  let [accepted, usedMs] = [0, 0];
  await untilNoneComes(
    () => (accepted += 1),
    () => (usedMs += accepted < 500 ? 0.001 : 600),
  );
  expect(accepted).toBeGreaterThanOrEqual(500);
});
