import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../../support/processes/bundle.ts';
import { answerEach, deafen, faultServer, hang, readHead, send } from '../../support/servers/fault-server.ts';
import { certificates, tlsMissing } from '../../support/servers/tls.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

/** Facts that only a process of its own shows: its environment, and that it ends. */
const canary = 'canary-token-0123456789';
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
const folder = sharedFolder();
let program: string;

beforeAll(async () => {
  program = await bundleProgram('test/support/processes/send-program.ts', { external: [] });
});

async function run(
  url: string,
  env: Record<string, string> = {},
  bodyBytes = 2,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [program, url, canary, String(bodyBytes)], { env, timeout: 20_000 });
}

test('a connection that is kept does not keep the process', async () => {
  const server = await faultServer([answerEach(answer.replace('\r\n\r\n', '\r\nkeep-alive: timeout=600\r\n\r\n'))]);
  const startedAt = Date.now();
  const { stdout } = await run(`http://127.0.0.1:${server.port}/`);
  expect(stdout).toBe('200\n');
  // An idle connection would hold it for the four seconds of the client library, or the 600 that the server offers.
  expect(Date.now() - startedAt).toBeLessThan(3500);
  await server.close();
});

test('a request that the server answered without taking it whole does not keep the process', async () => {
  const early = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\nkeep-alive: timeout=60\r\n\r\n';
  const server = await faultServer([readHead, deafen, send(early), hang]);
  const { stdout } = await run(`http://127.0.0.1:${server.port}/`, {}, 15_000_000);
  expect(stdout).toBe('413\n');
  await server.close();
});

test('no debugging switch of Node prints the token', async () => {
  const server = await faultServer([answerEach(answer)]);
  const { stdout, stderr } = await run(`http://127.0.0.1:${server.port}/`, {
    NODE_DEBUG: 'http,https,net,tls,stream,undici,fetch,module,timer',
  });
  expect(stdout).toBe('200\n');
  expect(stderr).toContain('NET');
  expect(stderr).not.toContain(canary);
  await server.close();
});

test.skipIf(tlsMissing !== undefined).each([
  {
    name: 'NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing',
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    says: 'not trusted here',
  },
  {
    name: 'a CA in NODE_EXTRA_CA_CERTS is trusted',
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    says: '200',
  },
])('$name', async ({ env, says }) => {
  const { ca, good } = certificates();
  writeFileSync(join(folder, 'ca.pem'), ca);
  const server = await faultServer([answerEach(answer)], { tls: good });
  const { stdout } = await run(`https://127.0.0.1:${server.port}/`, env);
  expect(stdout).toContain(says);
  expect(server.received().includes(canary)).toBe(says === '200');
  await server.close();
});
