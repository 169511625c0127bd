import { TransportError } from '../../../src/errors.ts';
import {
  afterWay,
  brokenAt,
  certificate,
  emptyRefused,
  nothingSeen,
  type Situation,
  way,
} from '../../support/rooms/doctor.ts';
import { type MotifSetup, testEnv } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const proxied = { ...testEnv, HTTPS_PROXY: 'http://me:HUSHHUSH@proxy.example:3128' };

/** Faults between this machine and the service. */
export const waySituations: readonly Situation[] = [
  {
    name: 'a proxy variable that is no address',
    setup: async () => ({ env: { ...testEnv, HTTPS_PROXY: 'socks5://p:1' } }),
    exitCode: 2,
    layer: 'proxy',
    says: 'HTTPS_PROXY names a SOCKS proxy',
    ok: ['settings', 'files'],
    skipped: ['dns', 'connect', 'tls', ...afterWay],
  },
  {
    name: 'a proxy that refuses',
    setup: async () => ({
      env: proxied,
      probe: way({ tls: null, failure: brokenAt('proxy', 'the proxy asks for a name: 407') }),
    }),
    exitCode: 6,
    layer: 'proxy',
    says: '407',
    ok: ['dns', 'connect'],
    skipped: ['tls', ...afterWay],
  },
  {
    name: 'a proxy that is not there',
    setup: async () => ({
      env: proxied,
      probe: way({ ...nothingSeen, failure: brokenAt('proxy', 'there is no host named proxy.example') }),
    }),
    exitCode: 6,
    layer: 'proxy',
    says: 'no host named proxy.example',
    skipped: ['dns', 'connect', 'tls', ...afterWay],
  },
  {
    name: 'an unknown name',
    setup: async () => broken('dns', 'there is no host named gw.example'),
    exitCode: 6,
    layer: 'dns',
    says: 'no host named',
    ok: ['proxy'],
    skipped: ['connect', 'tls', ...afterWay],
  },
  {
    name: 'a refused connection',
    setup: async () => ({
      probe: way({ address: null, tls: null, failure: brokenAt('connect', 'connection refused by gw.example:443') }),
    }),
    exitCode: 6,
    layer: 'connect',
    says: 'connection refused',
    ok: ['dns'],
    skipped: ['tls', ...afterWay],
  },
  {
    name: 'an address that does not answer',
    setup: async () => ({
      probe: way({
        address: null,
        tls: null,
        failure: new TransportError('timeout', 'did not accept a connection within 10 s', {
          layer: 'connect',
          sent: false,
          hint: '--connect-timeout',
        }),
      }),
    }),
    exitCode: 7,
    layer: 'connect',
    says: 'within 10 s',
    ok: ['dns'],
    skipped: ['tls', ...afterWay],
  },
  {
    name: 'a certificate that has expired',
    setup: async () => ({
      probe: way({
        tls: { protocol: 'TLSv1.3', chain: [{ ...certificate, validTo: Date.UTC(2026, 10, 18) }] },
        failure: brokenAt('tls', 'has expired', "check this machine's clock first"),
      }),
    }),
    exitCode: 6,
    layer: 'tls',
    says: 'has expired',
    hint: 'clock',
    ok: ['connect'],
    skipped: afterWay,
  },
  {
    name: 'a CA that nobody trusts here',
    setup: async () => ({ probe: way({ failure: brokenAt('tls', 'a CA that is not trusted here', '--cacert FILE') }) }),
    exitCode: 6,
    layer: 'tls',
    says: 'not trusted',
    hint: '--cacert',
    skipped: afterWay,
  },
];

/** Reply of the service. */
export const serviceSituations: readonly Situation[] = [
  {
    name: 'a connection that is cut',
    setup: async () => ({
      send: service(new TransportError('network', 'the connection was cut', { layer: 'http', sent: true })).send,
    }),
    exitCode: 6,
    layer: 'http',
    says: 'was cut',
    ok: ['tls'],
    skipped: ['token', 'tenant', 'clock'],
  },
  {
    name: 'no answer in time',
    setup: async () => ({
      send: service(new TransportError('timeout', 'no first byte', { layer: 'http', sent: true })).send,
    }),
    exitCode: 7,
    layer: 'http',
    says: 'no first byte',
    skipped: ['token'],
  },
  {
    name: 'a wrong address',
    setup: async () => answers(404, 'not found'),
    exitCode: 4,
    layer: 'http',
    says: 'no such endpoint',
    hint: 'API definition',
    skipped: ['token', 'tenant'],
  },
  {
    name: 'a redirect',
    setup: async () => ({ send: service({ status: 302, headers: { location: 'https://sso.example/\x1b[2J' } }).send }),
    exitCode: 5,
    layer: 'http',
    says: 'redirects to https://sso.example/\\u{1b}',
    skipped: ['token'],
  },
  {
    name: 'a service that fails',
    setup: async () => answers(500, 'boom'),
    exitCode: 5,
    layer: 'http',
    says: 'the service failed (500)',
    ok: ['tls', 'clock'],
    skipped: ['token', 'tenant'],
  },
  {
    name: 'too many requests',
    setup: async () => answers(429, 'slow down'),
    exitCode: 9,
    layer: 'http',
    says: 'too many requests',
    skipped: ['token'],
  },
  {
    name: 'a page instead of an answer',
    setup: async () => ({ send: service({ body: '<html>Sign in to this network' }).send }),
    exitCode: 5,
    layer: 'http',
    says: 'answered 200, but',
    skipped: ['token'],
  },
  {
    name: 'a 400 that is not in words of a Motif',
    setup: async () => ({ send: service({ status: 400, body: '<html>Bad Request' }).send }),
    exitCode: 4,
    layer: 'http',
    says: 'rejected',
    skipped: ['token'],
  },
  {
    name: 'a 405',
    setup: async () => answers(405, 'use POST'),
    exitCode: 4,
    layer: 'http',
    says: 'rejected',
    skipped: ['token'],
  },
  {
    name: 'a wrong token',
    setup: async () => answers(401, 'unauthorized'),
    exitCode: 8,
    layer: 'token',
    says: 'did not accept this token',
    hint: 'a wrong Motif ID gets the same answer: motif whoami shows the address that was asked\nsome services answer this where the tenant alone is missing',
    ok: ['http', 'clock'],
    skipped: ['tenant'],
  },
  {
    name: 'a tenant that is missing',
    setup: async () => answers(403, 'forbidden'),
    exitCode: 8,
    layer: 'tenant',
    says: 'does not let this token use the Motif',
    hint: '--tenant ID',
    ok: ['http', 'token', 'clock'],
  },
  {
    name: 'a tenant that is wrong',
    argv: ['--tenant', 'acme'],
    setup: async () => answers(403, 'forbidden'),
    exitCode: 8,
    layer: 'tenant',
    says: 'does not let',
    hint: 'check the tenant ID',
    ok: ['token'],
  },
];

function broken(layer: TransportError['layer'], message: string): MotifSetup {
  return { probe: way({ ...nothingSeen, failure: brokenAt(layer, message) }) };
}

function answers(status: number, error: string): MotifSetup {
  return { send: service({ ...emptyRefused, status, body: { error } }).send };
}
