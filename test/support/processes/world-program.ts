/** A small program over the real World, for tests that need a process. Its first argument says what it does. */
import { truncateSync } from 'node:fs';
import { Interrupted, StdoutClosed } from '../../../src/errors.ts';
import { createProgress } from '../../../src/terminal/progress.ts';
import { endBySignal, realWorld } from '../../../src/world/real.ts';
import { FileFault, type World } from '../../../src/world/world.ts';

type Act = (world: World, ...words: string[]) => Promise<void>;

const acts: Readonly<Record<string, Act>> = {
  write: async ({ stdout }, text = '') => await stdout.write(text),
  flood: async ({ stdout }, bytes) => await stdout.write(Buffer.alloc(Number(bytes), 'x')),
  many: async ({ stdout }, count) => {
    const writes = Array.from({ length: Number(count) }, (_, index) => stdout.write(`${index}\n`));
    await Promise.all(writes);
  },
  complain: async ({ stdout, stderr }, text = '') => {
    await stderr.write(text);
    await stdout.write('went on');
  },
  /** The second line does not fit where files are limited to one block; the file is emptied before the third. */
  complainOn: async ({ stderr }, path = '') => {
    await stderr.write('fits\n');
    await stderr.write(`${'x'.repeat(2000)}\n`);
    truncateSync(path);
    await stderr.write('later\n');
  },
  describe: async ({ stdin, stdout, stderr, home }) => {
    const streams = {
      stdin: stdin.kind,
      stdout: stdout.isTerminal,
      columns: stdout.columns,
      stderr: stderr.isTerminal,
    };
    await stdout.write(JSON.stringify({ ...streams, home: home ?? null }));
  },
  /** The second line does not fit where files are limited to one block. */
  appendTwice: async ({ files, stdout }, path = '') => {
    const file = await files.openAppend(path);
    file.write('fits\n');
    try {
      file.write(`${'x'.repeat(2000)}\n`);
      await stdout.write('no fault');
    } catch (fault) {
      await stdout.write(fault instanceof FileFault ? fault.code : 'another fault');
    }
  },
  hearHangups: async (world) => {
    world.onHangup(() => void world.stdout.write('again\n'));
    await world.stdout.write('ready\n');
    await world.sleep(20_000);
  },
  accompany: async (world, line = '') => {
    const { code, signal } = await world.run({ command: '/bin/sh', args: ['-c', line], sharesStreams: true });
    await world.stdout.write(`ended ${code} ${signal}`);
  },
  read: async ({ stdin, stdout }) => {
    let total = 0;
    for await (const chunk of stdin.chunks()) total += chunk.length;
    await stdout.write(`${total}`);
  },
  first: async ({ stdin, stdout }) => {
    for await (const chunk of stdin.chunks()) {
      await stdout.write(Buffer.from(chunk).toString());
      break;
    }
  },
  /** Leaves stdin while it waits for a byte that never comes. */
  giveUp: async ({ stdin, stdout }) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('gave up')), 50);
    for await (const chunk of stdin.chunks(controller.signal)) await stdout.write(chunk);
  },
  /** As `giveUp`, but by ending the iteration instead of aborting it, and without taking the answer. */
  walkAway: async ({ stdin, stdout }) => {
    const chunks = stdin.chunks()[Symbol.asyncIterator]();
    const pending = chunks.next();
    await chunks.return?.();
    await stdout.write(JSON.stringify(await pending));
  },
  wait: async ({ stdout, ...world }) => {
    await stdout.write('ready\n');
    await world.sleep(60_000);
  },
  /** Is told of the first signal and goes on. */
  stubborn: async ({ stdout, interrupted }) => {
    interrupted.addEventListener('abort', () => void stdout.write('heard\n'));
    await stdout.write('ready\n');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  signalSelf: async ({ stdout, ...world }, signal = '') => {
    process.kill(process.pid, signal);
    await world.sleep(50);
    await stdout.write('alive');
  },
  lastWords: async ({ stdout, ...world }) => {
    process.kill(process.pid, 'SIGTERM');
    await world.sleep(1_000).catch(() => stdout.write('last words'));
    world.interrupted.throwIfAborted();
  },
  raw: async ({ stdin, ...world }, end = '') => {
    stdin.setRaw(true);
    await world.run({ command: 'stty', args: ['-a'], takesTerminal: true });
    if (end === 'throw') throw new Error('unforeseen');
    if (end === 'return') return;
    process.kill(process.pid, end);
    await world.sleep(60_000);
  },
  rawTwice: async ({ stdin }, signal = '') => {
    stdin.setRaw(true);
    process.kill(process.pid, signal);
    setTimeout(() => process.kill(process.pid, signal), 50);
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  environment: async ({ stdout, env, ...world }) => {
    const child = await world.run({ command: 'env', args: [] });
    const whole = await world.run({ command: 'env', args: [], inheritsEnv: true });
    const values = {
      own: process.env.MOTIF_TOKEN ?? null,
      copy: env.MOTIF_TOKEN,
      child: child.stdout,
      whole: whole.stdout,
    };
    await stdout.write(JSON.stringify(values));
  },
  crash: async () => {
    setTimeout(() => {
      throw new Error('unforeseen');
    });
  },
  save: async ({ files, stderr }, path = '', content = '') => {
    await files.writeAtomic(path, content);
    for (const { code } of files.unsynced.values()) await stderr.write(`unsynced: ${code}`);
  },
  saveUsual: async ({ files, stdout }, path = '', content = '') => {
    const done = files.writeAtomic(path, content, { mode: 'usual' }).then(() => 'saved');
    await stdout.write(await done.catch((fault: unknown) => (fault instanceof FileFault ? fault.code : String(fault))));
  },
  /** Puts an escape in front, which every shell spells in another way. */
  writeThrough: async ({ files }, path = '', text = '') => await files.writeThrough(path, `\u001b${text}`),
  append: async ({ files }, path = '', line = '') => await files.append(path, line),
  makeFolder: async ({ files }, path = '') => await files.makeFolder(path),
  show: async ({ files, stdout }, path = '') => {
    await stdout.write((await files.read(path, { bytesMax: 1024 })).bytes);
  },
  list: async ({ files, stdout }, folder = '') => await stdout.write((await files.list(folder)).join()),
  /** Runs a spinner a hundred times as fast as people see it; each round ends at another moment of a frame. */
  spin: async ({ stdout, stderr, ...world }, count) => {
    for (let round = 1; round <= Number(count); round += 1) {
      const progress = createProgress(stderr, {
        env: { TERM: 'xterm' },
        accessible: false,
        quiet: false,
        colour: false,
        monotonic: () => world.monotonic(),
        sleep: (ms, signal) => world.sleep(ms / 100, signal),
      });
      progress.start('waiting');
      await world.sleep(5 + Math.random() * 5);
      progress.stop();
      await stdout.write(`answer ${round}\n`);
    }
  },
  probe: async ({ keyring, stdout }) => await stdout.write(JSON.stringify((await keyring.probe()) ?? null)),
  get: async ({ keyring, stdout }, account = '') => {
    await stdout.write(JSON.stringify((await keyring.get(account)) ?? null));
  },
  set: async ({ keyring }, account = '', secret = '') => await keyring.set(account, secret),
  delete: async ({ keyring }, account = '') => await keyring.delete(account),
};

async function start(): Promise<void> {
  const [name = '', ...words] = process.argv.slice(2);
  const world = realWorld();
  try {
    await acts[name]?.(world, ...words);
  } catch (error) {
    if (error instanceof Interrupted) return endBySignal(error.signal);
    process.exitCode = error instanceof StdoutClosed ? 9 : 12;
    const code = error instanceof FileFault ? `${error.code}: ` : '';
    await world.stderr.write(`${error instanceof Error ? `${error.name}: ${code}${error.message}` : String(error)}\n`);
  }
}

void start();
