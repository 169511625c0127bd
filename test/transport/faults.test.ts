import { expect, test } from 'vitest';
import type { TransportError } from '../../src/errors.ts';
import { Secret } from '../../src/text/secret.ts';
import { connectFaults, toConnectFault } from '../../src/transport/connect-faults.ts';
import { toHttpFault } from '../../src/transport/http-faults.ts';
import { proxyNotUnderstood, proxyRefusal } from '../../src/transport/proxy-faults.ts';
import { tlsFaults } from '../../src/transport/tls-faults.ts';

const endpoint = { host: 'motif.test', port: 443, secure: true };
const proxy = { url: 'http://proxy.test:3128', from: 'HTTPS_PROXY' };
const failed = (code: string) => Object.assign(new Error(`raw ${code} canary`), { code });

test.each([
  ...Object.keys(connectFaults).map((code) => ({ code, layer: 'connect' as const })),
  ...Object.keys(tlsFaults).map((code) => ({ code, layer: 'tls' as const })),
  { code: 'ESOMETHING', layer: 'connect' as const },
  { code: 'ERR_SSL_SOMETHING', layer: 'tls' as const },
])('$layer $code has words of its own, a next step and nothing of the raw error', ({ code, layer }) => {
  const error = toConnectFault(failed(code), endpoint, layer) as TransportError;
  expect(error.message).toMatch(/^(?=.*motif\.test)[^\n]{20,160}$/);
  expect(error.hints.length).toBeGreaterThan(0);
  expect(error).toMatchObject({ layer, sent: false, cause: code });
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('canary');
});

test.each([
  { code: 'ENETUNREACH', says: 'there is no way from this machine to motif.test:443', transient: false },
  { code: 'EHOSTUNREACH', says: 'there is no way from this machine to motif.test:443', transient: false },
  { code: 'EACCES', says: 'this machine does not allow connections to motif.test:443', transient: false },
  { code: 'EMFILE', says: 'too many files and connections are open', transient: true },
  { code: 'ECONNREFUSED', says: 'connection refused by motif.test:443', transient: true },
  { code: 'ENOTFOUND', says: 'there is no host named motif.test', transient: false },
  { code: 'EAI_AGAIN', says: 'could not be looked up just now', transient: true },
])('$code', ({ code, says, transient }) => {
  const error = toConnectFault(failed(code), endpoint, 'connect') as TransportError;
  expect(error.message).toContain(says);
  expect(error.transient).toBe(transient);
});

test.each(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'])('%s where a CA file was named', (code) => {
  const { hints } = toConnectFault(failed(code), endpoint, 'tls', true);
  expect(hints.join()).toContain('does not hold the CA that signed it');
  expect(hints.join()).not.toContain('name its PEM file');
});

test('an address that does not answer is a timeout', () => {
  expect(toConnectFault(failed('ETIMEDOUT'), endpoint, 'connect')).toMatchObject({ kind: 'timeout', transient: false });
});

test('a failure on the way to a proxy is one of the proxy, and says how to go without it', () => {
  const error = toConnectFault(failed('ECONNREFUSED'), { ...endpoint, proxy }, 'connect') as TransportError;
  expect(error).toMatchObject({ layer: 'proxy', message: 'connection refused by the proxy http://proxy.test:3128' });
  expect(error.hints.join()).toContain('NO_PROXY');
});

test.each([
  { said: 'No' },
  { said: 'canary-password is wrong' },
  { said: `not ana:canary-password, ${'x'.repeat(200)}` },
  { said: `${'x'.repeat(115)}canary-password` },
  { said: Buffer.from('ana:canary-password').toString('base64') },
])('no failure holds the credentials of a proxy that says $said', ({ said }) => {
  const route = { ...proxy, credentials: new Secret('ana:canary-password') };
  for (const status of [407, 403, 502]) {
    for (const error of [proxyRefusal(route, 'motif.test:443', status, said), proxyNotUnderstood(route, said)]) {
      const told = JSON.stringify([error, error.message, error.hints, error.stack]);
      expect(told).not.toMatch(/cana|Y2FuYXJ5|FuYXJ5LXBhc3N3/);
    }
  }
});

test.each([
  { secure: false, says: 'a port that expects TLS hangs up like this' },
  { secure: true, says: '--cert FILE' },
])('a server that hangs up at once, TLS $secure: $says', ({ secure, says }) => {
  const progress = {
    endpoint: { ...endpoint, secure },
    certificateShown: false,
    written: true,
    unsentBytes: 0,
    peerEnded: true,
    started: false,
    bodyBytes: undefined,
    isQuiet: false,
  };
  for (const code of ['UND_ERR_SOCKET', 'ECONNRESET']) {
    expect(toHttpFault(failed(code), progress).hints.join()).toContain(says);
  }
});
