import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Listens, and then never accepts: its thread sleeps for good. */
const listener = `
const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** A port whose backlog is full, so that a connection to it is neither accepted nor refused. */
export async function blackhole(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(text.toString());
  const fillers: Socket[] = [];
  for (let count = 0; count < 8; count += 1) {
    fillers.push(connect({ port, host: '127.0.0.1' }).on('error', () => {}));
  }
  await once(fillers[0]!, 'connect');
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
