import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ask, fileOf, gatewayProcess } from '../../support/servers/gateway-process.ts';

/** Longer than a file that is written in place takes to settle. */
const asleepMs = 3000;

test('a token that was revoked in place while the gateway stood still is refused from the first prompt on', async () => {
  const gateway = await gatewayProcess(fileOf());
  onTestFinished(() => gateway.kill('SIGCONT'));
  expect((await ask(gateway.port)).status).toBe(200);
  gateway.kill('SIGSTOP');
  const path = join(gateway.folder, 'gateway.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('id: t1', 'expires: 2020-01-01, id: t1'));
  await wait(asleepMs);
  gateway.kill('SIGCONT');
  expect((await ask(gateway.port)).status).toBe(401);
});
