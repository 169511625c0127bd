import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../support/processes/bundle.ts';
import { asNobody, start } from '../support/processes/child.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

const env = { PATH: process.env.PATH, HOME: '/home/ana', MOTIF_TOKEN: 'canary-token' };

test('only the World knows the token, no child and no later reader of the environment', async () => {
  const { stdout } = await start(process.execPath, [program, 'environment'], { env }).ended;
  const { own, copy, child, whole } = JSON.parse(stdout) as Record<string, string | null>;
  expect({ own, copy }).toEqual({ own: null, copy: 'canary-token' });
  expect(`${child}${whole}`).not.toContain('canary');
  expect(whole).toContain('HOME=/home/ana');
});

test.each([
  ['a whole path', { HOME: '/home/ana' }, '/home/ana'],
  ['an empty HOME is none', { HOME: '' }, '/root or another'],
  ['a relative HOME is none', { HOME: 'here' }, '/root or another'],
  ['no HOME', {}, '/root or another'],
])('home: %s', async (_, variables, expected) => {
  const { stdout } = await start(process.execPath, [program, 'describe'], { env: variables, input: '' }).ended;
  const { home } = JSON.parse(stdout) as { home: string };
  expect(home).toBe(expected.startsWith('/home') ? expected : homeInThePasswordFile());
});

test('a user whom the system does not know has no home', async () => {
  const unknown = asNobody.map((word) => word.replace('65534', '54321'));
  const [command, ...words] = [...unknown, process.execPath, program, 'describe'];
  const { stdout } = await start(command, words, { env: { PATH: process.env.PATH }, input: '' }).ended;
  expect(JSON.parse(stdout)).toMatchObject({ home: asNobody.length === 0 ? homeInThePasswordFile() : null });
});

test.each([
  ['a crash', '--report-uncaught-exception', ['crash']],
  ['a signal', '--report-on-signal', ['signalSelf', 'SIGUSR2']],
])('%s leaves no report with the environment in it', async (_, flag, act) => {
  const flags = [flag, `--report-directory=${folder}`];
  await start(process.execPath, [...flags, program, ...act], { env, input: '' }).ended;
  await start(process.execPath, [program, ...act], { env: { ...env, NODE_OPTIONS: flags.join(' ') }, input: '' }).ended;
  expect(readdirSync(folder)).toEqual([]);
});

function homeInThePasswordFile(): string | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.split(':')[2] === String(process.getuid?.()));
  return line?.split(':')[5];
}
