import { destroy, drip, end, endless, hang, reset, send, wait } from '../../../support/servers/fault-server.ts';
import {
  answer,
  asHttps,
  failing,
  http,
  named,
  type NetworkCase,
  opensTheWay,
  plain,
  proxied,
  says,
  type Scene,
  secure,
} from '../scenes.ts';

const refusal = { kind: 'network', layer: 'proxy', sent: false } as const;
const proxySays = (text: string) => proxied({}, send(text), hang);

/** A proxy on the way. */
export const proxyCases: readonly NetworkCase[] = [
  { name: 'http through a tunnel', start: proxied({}, ...opensTheWay), replies: { status: 200 } },
  {
    name: 'https through a tunnel',
    start: proxied({ origin: secure() }, ...opensTheWay),
    replies: { status: 200 },
    needsTls: true,
  },
  {
    name: 'a proxy on TLS',
    start: proxied({ tls: true }, ...opensTheWay),
    replies: { status: 200 },
    needsTls: true,
  },
  {
    name: 'https through a proxy on TLS',
    start: proxied({ tls: true, origin: secure() }, ...opensTheWay),
    replies: { status: 200 },
    needsTls: true,
  },
  {
    name: 'a proxy on TLS that is not trusted',
    start: proxied({ tls: true, connection: () => ({}) }, ...opensTheWay),
    fails: { ...refusal, says: 'the certificate of the proxy https://127.0.0.1', hint: 'NO_PROXY' },
    needsTls: true,
  },
  {
    name: '407 without credentials',
    start: proxySays(http('407 Proxy Authentication Required')),
    fails: {
      ...refusal,
      says: 'asks for a name and a password: 407 Proxy Authentication Required',
      hint: 'HTTPS_PROXY: http://NAME:PASSWORD@HOST:PORT',
    },
  },
  {
    name: '407 with credentials',
    start: proxied({ credentials: 'ana:canary-pw' }, send(http('407 No')), hang),
    fails: { ...refusal, says: 'did not accept its name and password: 407 No' },
  },
  {
    name: 'credentials that are right',
    start: proxied({ credentials: 'ana:canary-pw' }, ...opensTheWay),
    replies: { status: 200 },
  },
  {
    name: '403',
    start: proxySays(http('403 Forbidden')),
    fails: { ...refusal, says: 'refused to connect to 127.0.0.1', hint: 'NO_PROXY' },
  },
  {
    name: '502',
    start: proxySays(http('502 Bad Gateway')),
    fails: { ...refusal, says: ': 502 Bad Gateway' },
  },
  {
    name: '503',
    start: proxySays(http('503')),
    fails: { ...refusal, says: 'could not connect to 127.0.0.1' },
  },
  {
    name: '504',
    start: proxySays(http('504 Gateway Timeout')),
    fails: { ...refusal, says: ': 504 Gateway Timeout' },
  },
  {
    name: 'a redirect',
    start: proxySays(http('302 Found', ['location: http://portal.test'])),
    fails: { ...refusal, says: ': 302 Found' },
  },
  {
    name: 'a 100 and a close',
    start: proxied({}, send(http('100 Continue')), end),
    fails: { ...refusal, says: 'closed the connection without an answer' },
  },
  {
    name: 'a 100 without end',
    start: proxied({}, endless(http('100 Continue'))),
    fails: { ...refusal, says: ': 100 Continue' },
  },
  {
    name: 'a reason with escape sequences',
    start: proxySays(http('403 \x1b[2Jno')),
    fails: { ...refusal, says: '403 \\u{1b}[2Jno' },
  },
  {
    name: 'an SSH banner from a proxy',
    start: proxySays('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
    fails: { ...refusal, says: 'it said: SSH-2.0-OpenSSH_9.2' },
  },
  {
    name: 'garbage and a close',
    start: proxied({}, send('what?'), end),
    fails: { ...refusal, says: 'it said: what?' },
  },
  {
    name: 'a status line cut off',
    start: proxied({}, send('HTTP/1.1 200'), end),
    fails: { ...refusal, says: 'does not answer like an HTTP proxy' },
  },
  {
    name: 'headers without end from a proxy',
    start: proxied({}, send('HTTP/1.1 200 OK\r\n'), endless('x: y\r\n')),
    fails: { ...refusal, says: 'does not answer like an HTTP proxy' },
  },
  {
    name: 'closed',
    start: proxied({}, end),
    fails: { ...refusal, says: 'closed the connection without an answer' },
  },
  { name: 'destroyed', start: proxied({}, destroy), fails: { ...refusal, says: 'closed the connection' } },
  {
    name: 'reset',
    start: proxied({}, reset),
    fails: { ...refusal, says: 'the connection' },
  },
  {
    name: 'silence of a proxy',
    start: proxied({}, hang),
    connectTimeoutMs: 300,
    fails: {
      kind: 'timeout',
      layer: 'proxy',
      sent: false,
      says: 'did not open the tunnel within 0.3 s',
      hint: 'NO_PROXY',
    },
  },
  {
    name: 'byte by byte',
    start: proxied({}, drip('HTTP/1.1 200 OK\r\n\r\n', 100)),
    connectTimeoutMs: 300,
    fails: { kind: 'timeout', layer: 'proxy', sent: false, says: 'did not open the tunnel' },
  },
  {
    name: 'the way opens and closes',
    start: proxied({}, send('HTTP/1.1 200 OK\r\n\r\n'), wait(50), end),
    fails: { kind: 'network', layer: 'http', sent: true, says: 'closed the connection without an answer' },
  },
  {
    name: 'the way to an https server opens and closes',
    start: proxied({ origin: asHttps(says()) }, send('HTTP/1.1 200 OK\r\n\r\n'), wait(50), end),
    fails: { kind: 'network', layer: 'tls', sent: false, says: 'closed the connection during the TLS handshake' },
  },
  {
    name: 'bytes right behind the open way',
    start: proxied({}, send(`HTTP/1.1 200 OK\r\n\r\n${answer}`), hang),
    fails: { ...refusal, says: 'does not answer like an HTTP proxy' },
  },
  {
    name: 'nobody listens at a proxy',
    start: withProxy('http://127.0.0.1:1'),
    fails: {
      ...refusal,
      says: 'connection refused by the proxy http://127.0.0.1:1',
      hint: 'HTTPS_PROXY names this proxy',
    },
  },
  {
    name: 'no such host',
    start: withProxy('http://proxy.test:3128', 'ENOTFOUND'),
    fails: { ...refusal, says: 'there is no host named proxy.test (the proxy http://proxy.test:3128)' },
  },
  {
    name: 'a proxy on plain http, addressed as https',
    start: withProxyOf(plain(wait(50), send(http('400 Bad Request')), end)),
    fails: { ...refusal, says: 'the proxy https://127.0.0.1' },
  },
];

function withProxy(url: string, code?: string) {
  return async (): Promise<Scene> => {
    const origin = await (code === undefined ? says(send(answer)) : named(failing(code)))();
    return { ...origin, connection: { proxy: { url, from: 'HTTPS_PROXY' } } };
  };
}

function withProxyOf(start: () => Promise<Scene>) {
  return async (): Promise<Scene> => {
    const [origin, proxy] = await Promise.all([says(send(answer))(), start()]);
    const url = proxy.url.replace('http:', 'https:');
    return {
      ...origin,
      connection: { proxy: { url, from: 'HTTPS_PROXY' } },
      servers: [...origin.servers, ...proxy.servers],
    };
  };
}
