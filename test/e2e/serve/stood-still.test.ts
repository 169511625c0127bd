import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ask, fileOf, gatewayProcess } from '../../support/servers/gateway-process.ts';

/** Longer than a file that is written in place takes to settle. */
const asleepMs = 3000;

test.each([
  { name: 'in place', replace: false },
  { name: 'by a rename', replace: true },
])('a token that was revoked $name while the gateway stood still is refused from the first prompt on', async (row) => {
  const gateway = await gatewayProcess(fileOf());
  onTestFinished(() => gateway.kill('SIGCONT'));
  expect((await ask(gateway.port)).status).toBe(200);
  gateway.kill('SIGSTOP');
  const path = join(gateway.folder, 'gateway.yaml');
  const written = row.replace ? `${path}.new` : path;
  writeFileSync(written, readFileSync(path, 'utf8').replace('id: t1', 'expires: 2020-01-01, id: t1'));
  if (row.replace) renameSync(written, path);
  await wait(asleepMs);
  gateway.kill('SIGCONT');
  expect((await ask(gateway.port)).status).toBe(401);
});
