import { expect, test } from 'vitest';
import { motif, testEnv } from '../../support/motif.ts';

const plain = ['--url', 'http://gw.example/api/v1/apps/m', '--allow-http'];

test.each([
  { env: { HTTPS_PROXY: 'http://p.example:3128' }, argv: [], has: "--proxy 'http://p.example:3128'" },
  { env: { HTTPS_PROXY: 'http://p.example' }, argv: ['--proxy', 'o.example'], has: "--proxy 'http://o.example'" },
  { env: { HTTP_PROXY: 'http://p.example' }, argv: plain, has: "--proxytunnel --proxy 'http://p.example'" },
  { env: {}, argv: ['--proxy', 'http://ana:HUSHHUSH@p.example'], has: "--proxy 'http://p.example'" },
])('--curl goes by the same proxy, unread: $env $argv', async ({ env, argv, has }) => {
  const run = await motif(['prompt', '--curl', ...argv, 'hi'], { env: { ...testEnv, ...env } });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain(`  ${has} \\\n`);
  expect(run.stdout).not.toContain('HUSHHUSH');
});

test.each([
  { env: { HTTPS_PROXY: 'p.example', NO_PROXY: 'gw.example' }, argv: [] },
  { env: {}, argv: ['--proxy', 'p.example', '--url', 'http://127.0.0.1:1/api/v1/apps/m'] },
])('--curl names no proxy where none is used: $env $argv', async ({ env, argv }) => {
  const run = await motif(['prompt', '--curl', ...argv, 'hi'], { env: { ...testEnv, ...env } });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).not.toContain('p.example');
});

test('--curl keeps curl from a proxy that motif passes by', async () => {
  const words = ['prompt', '--curl', '--url', 'http://127.0.0.1:1/api/v1/apps/m', 'hi'];
  const through = await motif(words, { env: { ...testEnv, http_proxy: 'p.example' } });
  expect(through.stdout).toContain("--noproxy '*'");
  expect((await motif(words)).stdout).not.toContain('noproxy');
});
