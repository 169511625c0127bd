import { beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../support/processes/bundle.ts';
import { start } from '../support/processes/child.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends the wait and the process dies by it', async (signal) => {
  const running = start(process.execPath, [program, 'wait']);
  await running.says('ready');
  running.process.kill(signal);
  expect(await running.ended).toMatchObject({ code: null, signal, stderr: '' });
});

test('a second signal ends a program that does not care about the first', async () => {
  const running = start(process.execPath, [program, 'stubborn']);
  await running.says('ready');
  running.process.kill('SIGTERM');
  await running.says('heard');
  running.process.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: null, signal: 'SIGINT' });
});

test('Ctrl-C works while the reader of a long answer has stopped', async () => {
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

test('SIGUSR1 opens no debugger, which would say so on stderr', async () => {
  const running = start(process.execPath, ['--inspect-port=0', program, 'signalSelf', 'SIGUSR1']);
  expect(await running.ended).toMatchObject({ code: 0, stdout: 'alive', stderr: '' });
});

test('SIGHUP only calls the one who listens to it, and the other signals end the program as before', async () => {
  const running = start(process.execPath, [program, 'hearHangups']);
  await running.says('ready');
  for (const times of [1, 2]) {
    running.process.kill('SIGHUP');
    await running.says('again\n'.repeat(times));
  }
  running.process.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ signal: 'SIGTERM', stderr: '' });
});

test('a child that shares our streams is passed the signal that was meant for us, and decides about it', async () => {
  const line = 'trap "echo heard; exit 7" TERM; echo up; while :; do sleep 0.05; done';
  const running = start(process.execPath, [program, 'accompany', line]);
  await running.says('up');
  running.process.kill('SIGTERM');
  const { stdout } = await running.ended;
  expect(stdout).toBe('up\nheard\nended 7 undefined');
});

test.each([
  ['reads our stdin, and its code is told', 'cat; exit 3', 'hello', 'helloended 3 undefined'],
  ['is told of by its signal', 'kill -9 $$', '', 'ended null SIGKILL'],
])('a child that shares our streams %s', async (_, line, input, stdout) => {
  expect(await start(process.execPath, [program, 'accompany', line], { input }).ended).toMatchObject({ stdout });
});
