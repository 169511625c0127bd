import { beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../support/bundle.ts';
import { start } from '../support/child.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/world-program.ts');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'fault 117, 118: %s ends the wait and the process dies by it',
  async (signal) => {
    const running = start(process.execPath, [program, 'wait']);
    await running.says('ready');
    running.process.kill(signal);
    expect(await running.ended).toMatchObject({ code: null, signal, stderr: '' });
  },
);

test('fault 117: a second signal ends a program that does not care about the first', async () => {
  const running = start(process.execPath, [program, 'stubborn']);
  await running.says('ready');
  running.process.kill('SIGTERM');
  await running.says('heard');
  running.process.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGINT' });
});

test('fault 72, 117: Ctrl-C works while the reader of a long answer has stopped', async () => {
  const running = start(process.execPath, [program, 'flood', '5000000']);
  await running.says('x');
  running.process.stdout?.pause();
  running.process.kill('SIGINT');
  await new Promise((resolve) => running.process.once('exit', resolve));
  running.process.stdout?.resume();
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGINT', stderr: '' });
});

test('what is on its way when a signal comes still arrives', async () => {
  const { stdout } = await start(process.execPath, [program, 'lastWords'], { input: '' }).ended;
  expect(stdout).toBe('last words');
});

test('fault 26: SIGUSR1 opens no debugger, which would say so on stderr', async () => {
  const running = start(process.execPath, ['--inspect-port=0', program, 'signalSelf', 'SIGUSR1']);
  expect(await running.ended).toMatchObject({ code: 0, stdout: 'alive', stderr: '' });
});
