import { expect, test } from 'vitest';
import { isLoopback } from '../../src/wire/http.ts';

test.each([
  'http://localhost',
  'http://LOCALHOST:8080',
  'http://localhost.',
  'http://127.0.0.1',
  'http://127.1',
  'http://2130706433',
  'http://127.255.255.254',
  'http://[::1]',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7fff:1]',
])('%s is this machine', (url) => {
  expect(isLoopback(new URL(url).hostname)).toBe(true);
});

test.each([
  'http://x.localhost',
  'http://localhost.example',
  'http://127.0.0.1.example',
  'http://128.0.0.1',
  'http://0.0.0.0',
  'http://[::]',
  'http://[::2]',
  'http://[::ffff:128.0.0.1]',
  'http://[::ffff:7f:1]',
  'http://[64:ff9b::7f00:1]',
])('%s may be another', (url) => {
  expect(isLoopback(new URL(url).hostname)).toBe(false);
});
