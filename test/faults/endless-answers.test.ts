import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createSend } from '../../src/transport/send.ts';
import { answerBytesMax } from '../../src/text/limits.ts';

/** In a process of its own, which sends while this one stands still. */
const provider = `
  const [start, part] = process.argv.slice(1).map((text) => Buffer.from(JSON.parse(text)));
  require('node:net').createServer((socket) => {
    const pump = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on('error', () => undefined).on('drain', pump);
    socket.once('data', () => {
      socket.write(start);
      pump();
      console.log('asked');
    });
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;
const together = 48;
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const monotonic = () => performance.now();

/** Milliseconds of work until the event loop comes round. */
async function workOfRound(): Promise<number> {
  const before = process.cpuUsage();
  await new Promise((resolve) => setImmediate(resolve));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each([
  { what: 'chunks of a byte', start: chunked, part: '1\r\na\r\n' },
  { what: 'chunks with extensions', start: chunked, part: '1;a="b";c=d\r\na\r\n' },
  { what: 'one extension', start: `${chunked}1;`, part: 'a' },
])(
  'answers of $what without end, from many connections at once, are read a little in each round',
  async ({ start, part }) => {
    const texts = [start, part.repeat(4000)].map((text) => JSON.stringify(text));
    const child = spawn(process.execPath, ['-e', provider, ...texts], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const send = createSend({ now: monotonic });
    const request = { method: 'POST', url: `http://127.0.0.1:${Number(port)}/`, headers: {}, body: '{}' } as const;
    const ended = new AbortController();
    const options = { connection: { connectTimeoutMs: 5000 }, bodyBytesMax: answerBytesMax, signal: ended.signal };
    const asked = Array.from({ length: together }, () =>
      send(request, { ...options, deadlineAt: monotonic() + 60_000 }).catch((error: unknown) => error),
    );
    let told = '';
    child.stdout.on('data', (bytes: Buffer) => (told += bytes.toString()));
    await expect.poll(() => told.match(/asked/g)?.length, { timeout: 10_000 }).toBe(together);
    const rounds: number[] = [];
    for (let count = 0; count < 30; count++) {
      // Until the system holds all that it takes for each of them.
      if (count % 10 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      rounds.push(await workOfRound());
    }
    ended.abort(new Error('over'));
    await Promise.all(asked);
    // A round read as much of each, and took as long as there were connections.
    expect(rounds.reduce((sum, ms) => sum + ms, 0) / rounds.length).toBeLessThan(60);
  },
  60_000,
);
