import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMotif, testedNode } from '../../support/processes/program.ts';
import { fileOf } from '../../support/servers/gateway-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Runs a program as its worker, as pm2 does in its cluster mode, and ends with its code. */
const manager = `const cluster = require('cluster');
  const [, , exec, ...args] = process.argv;
  cluster.setupPrimary({ exec, args, execArgv: [] });
  cluster.fork().on('exit', (code) => (process.exitCode = code));`;

test.each([
  { how: 'another program made its worker', setup: { within: [testedNode, '-e', manager] } },
  { how: 'has a variable of workers and no program above it', setup: { env: { NODE_UNIQUE_ID: '1' } } },
])('a gateway that $how says how to start it, and waits for nothing', async ({ setup }) => {
  const path = join(temporaryFolder(), 'gateway.yaml');
  writeFileSync(path, fileOf({ listen: ', workers: 2' }));
  const ended = await startMotif(['serve', '-c', path], setup).ended;
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('exec_mode fork') });
});
