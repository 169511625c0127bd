import { destroy, end, hang, send, wait } from '../support/servers/fault-server.ts';
import {
  asHttps,
  deaf,
  emptyRefused,
  json,
  type Met,
  nobody,
  plain,
  proxied,
  secure,
  trusted,
  tunnelled,
  unread,
} from './doctor-peers.ts';
import { http } from './network/scenes.ts';

export interface RealSituation {
  readonly name: string;
  readonly meet: () => Promise<Met>;
  /** Undefined where nothing fails. */
  readonly layer?: string;
  readonly exitCode: number;
  readonly says: string;
  readonly needsTls?: boolean;
}

export const plainSituations: readonly RealSituation[] = [
  {
    name: 'a service that is well',
    meet: plain(send(emptyRefused), end),
    exitCode: 0,
    says: 'it answers: 400, as it should to an empty prompt',
  },
  { name: 'nobody listens', meet: nobody, layer: 'connect', exitCode: 6, says: 'connection refused' },
  {
    name: 'an address that takes no connection',
    meet: deaf,
    layer: 'connect',
    exitCode: 7,
    says: 'did not accept a connection within 0.5 s',
  },
  {
    name: 'a name that nobody has',
    meet: async () => ({ url: 'https://nobody.invalid', servers: [] }),
    layer: 'dns',
    exitCode: 6,
    says: 'nobody.invalid',
  },
  { name: 'cut after the request', meet: plain(destroy), layer: 'http', exitCode: 6, says: 'closed' },
  {
    name: 'no answer',
    meet: async () => ({ ...(await plain(hang)()), flags: ['--timeout', '1s'] }),
    layer: 'http',
    exitCode: 7,
    says: 'within 1 s',
  },
  {
    name: 'a 500',
    meet: plain(send(json(500, '{"error":"boom"}')), end),
    layer: 'http',
    exitCode: 5,
    says: 'the service said: boom',
  },
  {
    name: 'a redirect',
    meet: plain(send(http(302, ['location: https://sso.example/', 'content-length: 0'])), end),
    layer: 'http',
    exitCode: 5,
    says: 'redirects to https://sso.example/',
  },
  {
    name: 'a wrong path',
    meet: plain(send(json(404, '{"error":"no route"}')), end),
    layer: 'http',
    exitCode: 4,
    says: 'the address may be wrong',
  },
  {
    name: 'a page with 200',
    meet: plain(send(json(200, '<html>Sign in')), end),
    layer: 'http',
    exitCode: 5,
    says: 'answered 200, but',
  },
  {
    name: 'a wrong token',
    meet: plain(send(json(401, '{"error":"unauthorized"}')), end),
    layer: 'token',
    exitCode: 8,
    says: 'did not accept this token',
  },
  {
    name: 'a missing tenant',
    meet: plain(send(json(403, '{"error":"forbidden"}')), end),
    layer: 'tenant',
    exitCode: 8,
    says: '--tenant ID',
  },
  {
    name: 'a proxy that wants a password',
    meet: proxied(send(http('407 Proxy Authentication Required', ['content-length: 0'])), end),
    layer: 'proxy',
    exitCode: 6,
    says: 'asks for a name and a password',
  },
  {
    name: 'a proxy that is not there',
    meet: async () => ({ ...(await nobody()), url: 'https://gw.motif.test', flags: ['--proxy', (await nobody()).url] }),
    layer: 'proxy',
    exitCode: 6,
    says: 'connection refused by the proxy',
  },
  {
    name: 'plain http on an https address',
    meet: async () => asHttps(await unread(wait(50), send(emptyRefused), end)()),
    layer: 'tls',
    exitCode: 6,
    says: 'does not speak TLS',
  },
  {
    name: 'silence in the handshake',
    meet: async () => ({ ...asHttps(await unread(hang)()), flags: ['--connect-timeout', '500ms'] }),
    layer: 'tls',
    exitCode: 7,
    says: 'the TLS handshake',
  },
];

const tls: readonly RealSituation[] = [
  {
    name: 'a private CA that is named',
    meet: secure({ pems: trusted }),
    exitCode: 0,
    says: 'certificate good, issued by motif test CA: expires on 2099-01-01',
  },
  {
    name: 'a CA that nobody named',
    meet: secure(),
    layer: 'tls',
    exitCode: 6,
    says: 'certificate good, issued by motif test CA',
  },
  {
    name: 'self-signed',
    meet: secure({ identity: (made) => made.selfSigned }),
    layer: 'tls',
    exitCode: 6,
    says: 'is self-signed',
  },
  {
    name: 'another name',
    meet: secure({ identity: (made) => made.wrongName, pems: trusted }),
    layer: 'tls',
    exitCode: 6,
    says: 'is for another name: other.example',
  },
  {
    name: 'expired',
    meet: secure({ identity: (made) => made.expired, pems: trusted }),
    layer: 'tls',
    exitCode: 6,
    says: 'expired on 2021-01-01',
  },
  {
    name: 'not yet valid',
    meet: secure({ identity: (made) => made.notYetValid, pems: trusted }),
    layer: 'tls',
    exitCode: 6,
    says: 'valid from 2099-01-01',
  },
  {
    name: 'a client certificate is wanted, TLS 1.2',
    meet: secure({ pems: trusted, tls: (made) => ({ requestCert: true, ca: made.ca, maxVersion: 'TLSv1.2' }) }),
    layer: 'tls',
    exitCode: 6,
    says: '--cert FILE',
  },
  {
    // In TLS 1.3 the server refuses the certificate only once the request is on its way.
    name: 'a client certificate is wanted, TLS 1.3',
    meet: secure({ pems: trusted, tls: (made) => ({ requestCert: true, ca: made.ca }) }),
    layer: 'tls',
    exitCode: 6,
    says: '--cert FILE',
  },
  {
    name: 'a certificate with the key of another',
    meet: secure({ pems: (made) => ({ cacert: made.ca, cert: made.client.cert, key: made.good.key }) }),
    layer: 'tls',
    exitCode: 2,
    says: 'do not belong together',
  },
  {
    name: 'a client certificate is shown',
    meet: secure({
      pems: (made) => ({ cacert: made.ca, cert: made.client.cert, key: made.client.key }),
      tls: (made) => ({ requestCert: true, ca: made.ca }),
    }),
    exitCode: 0,
    says: 'it answers: 400, as it should to an empty prompt',
  },
  {
    name: 'TLS through a proxy',
    meet: tunnelled,
    exitCode: 0,
    says: 'with name and password, which --proxy names',
  },
];

export const tlsSituations = tls.map((situation) => ({ ...situation, needsTls: true }));
