import { expect, test } from 'vitest';
import { toListenError } from '../../../src/commands/gateway/address.ts';
import { parsed } from '../../gateway/file/config-file.ts';

test.each([
  { code: 'EADDRINUSE', port: 8080, hint: 'choose another in the gateway file: listen.port; or for this run' },
  { code: 'EADDRINUSE', port: 9464, hint: 'choose another in the gateway file: admin.port' },
  { code: 'EADDRINUSE', port: 8080, typed: 8080, hint: 'choose another: --port N; --port 0 takes any free one' },
  { code: 'EACCES', port: 80, typed: 80, hint: 'choose another: --port N; --port 0 takes any free one' },
  { code: 'EADDRINUSE', port: 9464, typed: 8080, hint: 'choose another in the gateway file: admin.port' },
  { code: 'EMFILE', port: 8080, hint: 'allow more: ulimit -n' },
  { code: 'EADDRNOTAVAIL', port: 8080, hint: 'choose another in the gateway file: listen.host' },
])('$code of port $port names what to change: $hint', async ({ code, port, typed, hint }) => {
  const config = await parsed('admin: {}\nproviders: {}\nmotifs: {}\n');
  const failure = toListenError(Object.assign(new Error(code), { code, port }), config, { typedPort: typed });
  expect(failure).toMatchObject({ kind: 'io', hints: expect.arrayContaining([expect.stringContaining(hint)]) as [] });
});
