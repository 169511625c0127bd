import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startMotif } from '../support/processes/program.ts';
import { freePort } from '../support/servers/free-port.ts';
import { ask, fileOf } from '../support/servers/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const patient = { timeout: 15_000 };

/** A pipe that is full and that nobody reads, until the result is called: then the bytes that were put in are taken. */
function fullPipe(path: string): void {
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  for (const size of [4096, 1]) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size, '\n'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

test.each([
  { name: 'the log', stream: '2', audit: 'audit.jsonl', workers: 1, status: 200 },
  {
    name: 'the log of several workers',
    stream: '2',
    audit: 'audit.jsonl',
    workers: 2,
    status: 200,
  },
  { name: 'the audit', stream: '1', audit: '"-"', workers: 1, status: 503 },
  { name: 'the audit of several workers', stream: '1', audit: '"-"', workers: 2, status: 503 },
])(
  'a gateway ends with 0 when it is told to although nobody reads $name',
  async ({ stream, audit, workers, status }) => {
    const folder = temporaryFolder();
    const path = join(folder, 'gateway.yaml');
    const port = await freePort();
    fullPipe(join(folder, 'unread'));
    const text = fileOf({ top: `audit: { file: ${audit} }`, listen: `, workers: ${workers}` });
    writeFileSync(path, text.replace('port: 0', `port: ${port}`));
    const within = ['sh', '-c', `exec "$0" "$@" ${stream}>"${join(folder, 'unread')}"`];
    const running = startMotif(['serve', '-c', path, '--log-level', 'debug'], { within });
    const answer = () =>
      ask(port).then(
        (reply) => reply.status,
        () => 0,
      );
    await expect.poll(answer, patient).toBe(status);
    running.process.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, signal: null });
  },
  40_000,
);

test('the demo ends when it is told to although nobody reads its address', async () => {
  const folder = temporaryFolder();
  const port = await freePort();
  fullPipe(join(folder, 'unread'));
  const within = ['sh', '-c', `exec "$0" "$@" >"${join(folder, 'unread')}"`];
  const running = startMotif(['serve', '--port', String(port)], { within });
  const answer = () =>
    ask(port).then(
      (reply) => reply.status,
      () => 0,
    );
  await expect.poll(answer, { timeout: 40_000 }).toBe(401);
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
}, 80_000);

test('long lines of several workers to a slow reader of stdout stay apart, each there before its answer', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'gateway.yaml');
  const port = await freePort();
  const text = fileOf({ top: 'audit: { file: "-", text: true }', listen: ', workers: 3' });
  writeFileSync(path, text.replace('port: 0', `port: ${port}`));
  execFileSync('mkfifo', [join(folder, 'slow')]);
  const within = ['sh', '-c', `exec "$0" "$@" >"${join(folder, 'slow')}"`];
  const running = startMotif(['serve', '-c', path, '--log-level', 'warn'], { within });
  let read = '';
  const reading = (async () => {
    for await (const piece of createReadStream(join(folder, 'slow'), { highWaterMark: 3000 })) {
      read += String(piece);
      await new Promise((wake) => setTimeout(wake, 1));
    }
  })();
  const answer = () =>
    ask(port, 'first').then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answer, patient).toBe(200);
  const contents = Array.from({ length: 60 }, (_, at) => `${at} ${'long text '.repeat(900)}`);
  const answers = await Promise.all(contents.map((content) => ask(port, content)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, signal: null });
  await reading;
  const lines = read
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { readonly prompt_id?: string });
  const ids = new Set(lines.flatMap(({ prompt_id: id }) => id ?? []));
  expect(answers.filter(({ json }) => !ids.has(String(json.prompt_id)))).toEqual([]);
}, 40_000);

test.each([1, 2])(
  'a reader that pauses while a gateway with workers: %i ends gets all lines, sealed, and each prompt its answer',
  async (workers) => {
    const folder = temporaryFolder();
    const path = join(folder, 'gateway.yaml');
    const port = await freePort();
    const text = fileOf({
      top: 'audit: { file: "-", text: true }',
      listen: `, workers: ${workers}`,
      mock: ', latency: 2s',
    });
    writeFileSync(path, text.replace('port: 0', `port: ${port}`));
    execFileSync('mkfifo', [join(folder, 'paused')]);
    const within = ['sh', '-c', `exec "$0" "$@" >"${join(folder, 'paused')}"`];
    const running = startMotif(['serve', '-c', path, '--log-level', 'warn'], { within });
    const reader = createReadStream(join(folder, 'paused'));
    let read = '';
    reader.on('data', (piece) => (read += String(piece)));
    const readToEnd = once(reader, 'end');
    const status = () =>
      ask(port, 'first').then(
        (reply) => reply.status,
        () => 0,
      );
    await expect.poll(status, patient).toBe(200);
    reader.pause();
    const asked = Promise.all(Array.from({ length: 10 }, () => ask(port, 'long text '.repeat(3000))));
    await wait(1000);
    running.process.kill('SIGTERM');
    // As much longer than what a program has after Ctrl-C as the answers take.
    await wait(2500);
    reader.resume();
    expect(new Set((await asked).map((reply) => reply.status))).toEqual(new Set([200]));
    expect(await running.ended).toMatchObject({ code: 0, signal: null });
    await readToEnd;
    writeFileSync(join(folder, 'audit.jsonl'), read);
    const verifying = startMotif(['admin', 'audit', 'verify', join(folder, 'audit.jsonl')]);
    expect(await verifying.ended).toMatchObject({ code: 0 });
  },
  40_000,
);
