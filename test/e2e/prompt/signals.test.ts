import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { start } from '../../support/processes/child.ts';
import { localService } from '../../support/servers/local-service.ts';
import { testedNode } from '../../support/processes/program.ts';

const motif = fileURLToPath(new URL('../../../bin/motif.js', import.meta.url));
const never = () => undefined;

describe('a signal while the service thinks', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends motif by that very signal, with nothing on stdout',
    async (signal) => {
      const service = await localService(never);
      const run = start(testedNode, [motif, 'prompt', 'hi'], { env: service.env, input: '' });
      await service.received(1);
      run.process.kill(signal);
      expect(await run.ended).toMatchObject({ code: null, signal, stdout: '' });
    },
  );

  test.each([
    { signal: 'INT', code: 130 },
    { signal: 'TERM', code: 143 },
    { signal: 'HUP', code: 129 },
  ])('a shell sees $code after SIG$signal', async ({ signal, code }) => {
    const service = await localService(never);
    const line = `"$1" "$2" prompt hi < /dev/null & echo started $!; wait $!; echo "code $?"`;
    const run = start('bash', ['-mc', line, 'bash', testedNode, motif], { env: service.env, input: '' });
    let said = '';
    run.process.stdout?.on('data', (part: Buffer) => (said += part.toString()));
    await service.received(1);
    if (!said.includes('\n')) await once(run.process.stdout!, 'data');
    process.kill(Number(/started (\d+)/.exec(said)?.[1]), `SIG${signal}`);
    const { stdout } = await run.ended;
    expect(stdout).toContain(`code ${code}\n`);
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s while a pipe is awaited', async (signal) => {
  const service = await localService();
  const run = start(testedNode, [motif, 'prompt', 'hi', '--timeout', '60s'], { env: service.env });
  // The notice, 3 s after the start, is the first sign that motif is waiting.
  await once(run.process.stderr!, 'data');
  run.process.kill(signal);
  expect(await run.ended).toMatchObject({ code: null, signal, stdout: '' });
  expect(service.requests).toEqual([]);
});

test('SIGINT between two attempts', async () => {
  const service = await localService((response) =>
    response.writeHead(429, { 'retry-after': '30' }).end('{"error":"slow"}'),
  );
  const run = start(testedNode, [motif, 'prompt', 'hi'], { env: service.env, input: '' });
  await once(run.process.stderr!, 'data');
  run.process.kill('SIGINT');
  expect(await run.ended).toMatchObject({ code: null, signal: 'SIGINT', stdout: '' });
  expect(service.requests).toHaveLength(1);
});

test.runIf(process.platform === 'linux')(
  'Ctrl-C on a terminal ends the wait and leaves the terminal as it was (script of util-linux, so on Linux)',
  async () => {
    const service = await localService(never);
    const line = `trap : INT; "${testedNode}" "${motif}" prompt hi; echo "code $?"; stty -a`;
    const env = { ...service.env, TERM: 'xterm', SHELL: '/bin/bash' };
    const run = start('script', ['-qec', line, '/dev/null'], { env });
    await run.says('waiting for the answer');
    run.process.stdin?.write('\u0003');
    await run.says('code 130');
    run.process.stdin?.end();
    const { stdout } = await run.ended;
    const after = stdout.slice(stdout.lastIndexOf('^C'));
    expect(after).not.toContain('waiting for the answer');
    expect(after).toMatch(/\sisig icanon\s/);
    expect(after).toMatch(/\secho\s/);
    expect(stdout.lastIndexOf('\u001b[?25l')).toBeLessThanOrEqual(stdout.lastIndexOf('\u001b[?25h'));
  },
);
