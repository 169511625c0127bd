import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { ask, gatewayProcess, token } from '../support/servers/gateway-process.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const noisy = newToken();
const attackMs = 2000;

/** Milliseconds of work of the gateway's event loop so far. */
function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** A provider that answers once so many prompts have come, with what TLS alone hears of. */
async function hostileProvider(kind: string, prompts: number) {
  const folder = mkdtempSync(join(tmpdir(), 'motif-provider-'));
  const { cert, key } = certificates().good;
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key);
  const program = join(import.meta.dirname, 'tls-provider.mjs');
  const provider = spawn(process.execPath, [program, kind, String(prompts)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    provider.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const [port] = (await once(provider.stdout, 'data')) as [Buffer];
  return { port: Number(port), begins: once(provider.stdout, 'data') };
}

test.skipIf(tlsMissing).each([
  { name: 'a record for each byte', kind: 'records', prompts: 24 },
  { name: 'tickets, one after the other', kind: 'tickets', prompts: 8 },
  { name: 'new keys, one after the other', kind: 'newKeys', prompts: 8 },
])(
  'an open connection is answered meanwhile, whatever providers send below their answers: $name',
  async ({ kind, prompts }) => {
    const provider = await hostileProvider(kind, prompts);
    const { port, pid } = await gatewayProcess(
      `listen: { port: 0 }
providers: { mock: { kind: mock }, evil: { kind: openai, base_url: "https://localhost:${provider.port}", ca: ca.crt } }
motifs:
  bot: { provider: mock, tokens: [{ id: t1, sha256: ${token.sha256} }] }
  noisy: { provider: evil, model: m, tokens: [{ id: t2, sha256: ${noisy.sha256} }] }
`,
      { files: { 'ca.crt': certificates().ca } },
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await ask(port, 'hello', agent);
    for (let count = 0; count < prompts; count++) {
      ask(port, 'hello', undefined, { motif: 'noisy', token: noisy.text }).catch(() => undefined);
    }
    await provider.begins;
    const startedMs = processorMs(pid);
    const until = performance.now() + attackMs;
    const waits: number[] = [];
    while (performance.now() < until) {
      const before = processorMs(pid);
      expect((await ask(port, 'hello', agent)).status).toBe(200);
      waits.push(processorMs(pid) - before);
      await wait(10);
    }
    // All of it was sent to the gateway, which had work with it.
    expect(processorMs(pid) - startedMs).toBeGreaterThan(250);
    expect(Math.max(...waits)).toBeLessThan(250);
  },
  60_000,
);
