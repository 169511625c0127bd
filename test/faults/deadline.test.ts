import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, type Running, start } from '../support/processes/child.ts';
import { faultServer, hang, readRequest } from '../support/servers/fault-server.ts';
import { type ProgramSetup, startMotif } from '../support/processes/program.ts';
import { addresses, missingNetwork, privateNetwork } from '../support/servers/network.ts';
import { missingPrograms } from '../support/processes/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A prompt to a service that reads it and never answers; resolves once the service has read it. */
async function unanswered(timeout: string, how: ProgramSetup = {}): Promise<Running> {
  let arrived = () => {};
  const read = new Promise<void>((resolve) => (arrived = resolve));
  const server = await faultServer([readRequest, () => arrived(), hang]);
  onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${server.port}/api/v1/apps/silent`;
  const run = startMotif(['prompt', '--url', url, '--timeout', timeout, 'hi'], {
    ...how,
    env: { MOTIF_TOKEN: 'canary-token-012345', ...how.env },
  });
  onTestFinished(() => void run.process.kill('SIGKILL'));
  await read;
  return run;
}

/** The end of the program, if it comes soon; a program that waits on is killed by the end of the test. */
async function within(seconds: number, { ended }: Running): Promise<Ended | string> {
  return await Promise.race([ended, sleep(seconds * 1000, `it still waits after ${seconds} s`)]);
}

test('the time that a stopped process lost counts', async () => {
  const run = await unanswered('8s');
  run.process.kill('SIGSTOP');
  await sleep(8000);
  run.process.kill('SIGCONT');
  // A clock that stops with the program would leave nearly all of the eight seconds.
  const ended = await within(4, run);
  expect(ended).toMatchObject({ code: 7, stdout: '' });
  expect((ended as Ended).stderr).toContain('--timeout');
});

test('a clock that is set forward by hours ends no prompt', async ({ skip }) => {
  const missing = missingPrograms('faketime');
  skip(missing !== undefined, missing);
  const folder = temporaryFolder();
  const clock = join(folder, 'offset');
  writeFileSync(clock, '+0\n');
  const run = await unanswered('1h', {
    // The wrapper sets the library up, and the offset comes from the file alone.
    within: ['faketime', '-f', '+0', 'env', '-u', 'FAKETIME'],
    env: { FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  });
  writeFileSync(clock, '+2h\n');
  expect(await within(3, run)).toBe('it still waits after 3 s');
});

test('a resolver that never answers holds the process hardly longer than its deadline', async ({ skip }) => {
  const missing = missingNetwork();
  skip(missing !== undefined, missing);
  const network = await privateNetwork({ 'resolv.conf': `nameserver ${addresses.service}\n` });
  onTestFinished(() => network.close());
  const listen = `require('node:dgram').createSocket('udp4').bind(53, '${addresses.service}', () => console.log('up'))`;
  const [command, ...words] = [...network.insideForGood, process.execPath, '-e', listen];
  await start(command, words).says('up');
  const run = startMotif(
    ['prompt', '--url', 'https://gw.example/api/v1/apps/x', '--connect-timeout', '1s', '--retries', '0', 'hi'],
    { within: network.inside, env: { MOTIF_TOKEN: 'canary-token-012345' } },
  );
  // Left to itself the resolver asks for ten seconds, and the process cannot end before it.
  expect(await within(4, run)).toMatchObject({ code: 7, stdout: '' });
});
