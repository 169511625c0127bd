import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { fileOf, gatewayProcess, processorMs, token } from '../support/servers/gateway-process.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const body = '{"messages":[{"role":"user","content":"hello"}]}';
const prompt =
  `POST /api/v1/apps/bot/prompts HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${token.text}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

async function ask(connection: TLSSocket): Promise<void> {
  connection.write(prompt);
  const [answer] = (await once(connection, 'data')) as [Buffer];
  expect(answer.toString('latin1', 0, 12)).toBe('HTTP/1.1 200');
}

/** The most work in which a handshake, a record or a key may keep others waiting. */
const patienceMs = 250;
const attackMs = 4000;

test.skipIf(tlsMissing).each([
  { name: '2,500 handshakes at once', kind: 'handshakes' },
  { name: 'a record for each byte', kind: 'records' },
  { name: 'new keys, one after the other', kind: 'newKeys' },
])(
  'an open connection is answered meanwhile, whatever those without a token send: $name',
  async ({ kind }) => {
    const { cert, key } = certificates().good;
    const tls = ', tls: { cert: tls.crt, key: tls.key }';
    const { port, pid } = await gatewayProcess(fileOf({ listen: tls }), { files: { 'tls.crt': cert, 'tls.key': key } });
    const attack = spawn(process.execPath, [join(import.meta.dirname, 'tls-attacks.mjs'), kind, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void attack.kill('SIGKILL'));
    const neighbour = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    onTestFinished(() => void neighbour.destroy());
    await once(neighbour, 'secureConnect');
    await ask(neighbour);
    await once(attack.stdout, 'data');
    const until = performance.now() + attackMs;
    const waits: number[] = [];
    while (performance.now() < until) {
      const before = processorMs(pid);
      await ask(neighbour);
      waits.push(processorMs(pid) - before);
      await wait(10);
    }
    // It is still at work.
    expect(attack.exitCode).toBeNull();
    expect(Math.max(...waits)).toBeLessThan(patienceMs);
  },
  60_000,
);
