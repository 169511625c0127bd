import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMotif } from '../../support/processes/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { faultServer, hang, readHead, send, type Step } from '../../support/servers/fault-server.ts';

const busy = send('HTTP/1.1 503 Busy\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
const silence: readonly Step[] = [readHead, hang];

test.each([
  { name: 'from the start', first: silence, attempts: 1 },
  { name: 'after a retry, which had less time', first: [readHead, busy], attempts: 2 },
])('a service that is silent is told with one limit, and -v has the timings: $name', async ({ first, attempts }) => {
  const server = await faultServer((connection) => (connection === 0 ? first : silence));
  onTestFinished(() => server.close());
  const env = { MOTIF_URL: `http://127.0.0.1:${server.port}/api/v1/apps/m`, MOTIF_TOKEN: 'abc', MOTIF_NO_HISTORY: '1' };
  const { code, stderr } = await startMotif(['prompt', '-v', '--timeout', '2', 'hi'], { env }).ended;
  expect(code).toBe(7);
  expect(stderr).toContain(`no first byte of an answer from 127.0.0.1:${server.port} within 2 s\n`);
  expect(stderr).toContain('the timeout is 2 s (--timeout)');
  expect(stderr).toMatch(
    new RegExp(
      `^connect [\\d.]+ m?s · total [\\d.]+ s · sent \\d+ bytes · received 0 bytes · attempts ${attempts}$`,
      'm',
    ),
  );
});

test('a gateway in this process that is too slow has its timings as well', async () => {
  const folder = temporaryFolder();
  const file = 'tenant: a\nproviders: { mock: { kind: mock, latency: 20s } }\nmotifs: { a: { provider: mock } }\n';
  writeFileSync(join(folder, 'gateway.yaml'), file);
  const argv = ['prompt', '--local', join(folder, 'gateway.yaml'), '-v', '--timeout', '1', 'hi'];
  const { code, stderr } = await startMotif(argv).ended;
  expect(code).toBe(7);
  expect(stderr).toMatch(/^total [\d.]+ s · sent \d+ bytes · received 0 bytes · attempts 1$/m);
});

test.each([{ where: ['--demo'] }, { where: ['--local', 'g.yaml'] }])(
  'the time for a prompt counts $where, too, where all is judged at once',
  async ({ where }) => {
    const file = join(temporaryFolder(), 'g.yaml');
    writeFileSync(file, 'providers: { m: { kind: mock } }\nmotifs: { a: { provider: m } }\n');
    const flags = where.map((word) => (word === 'g.yaml' ? file : word));
    const { code, stdout, stderr } = await startMotif(['prompt', ...flags, '-v', '--timeout', '1ms', 'hi']).ended;
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' });
    expect(stderr).toContain('the embedded gateway did not answer in time\n  the timeout is 1 ms (--timeout)');
    expect(stderr).toMatch(/^total [\d.]+ m?s · sent \d+ bytes · received 0 bytes · attempts 1$/m);
  },
);
