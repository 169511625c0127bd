import { TransportError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { createRedactor } from '../text/redact.ts';
import { Secret } from '../text/secret.ts';
import type { ProxyRoute } from '../wire/http.ts';

/** Answer of a proxy that did not open the way. Nothing of the request has been sent by then. */
export function proxyRefusal(proxy: ProxyRoute, target: string, status: number, reason: string): TransportError {
  const quote = quoted(proxy, reason);
  const said = `${status} ${quote}`.trim();
  // The target has not been asked yet, so a 401 is the proxy's own: tinyproxy says it to a wrong password.
  if (status === 407 || status === 401) {
    const message =
      proxy.credentials === undefined
        ? `the proxy ${proxy.url} asks for a name and a password: ${said}`
        : `the proxy ${proxy.url} did not accept its name and password: ${said}`;
    return fault(message, `write them into ${proxy.from}: http://NAME:PASSWORD@HOST:PORT`, { quote });
  }
  if (status >= 500) {
    return fault(`the proxy ${proxy.url} could not connect to ${target}: ${said}`, leaveOut(proxy), {
      transient: true,
      quote,
    });
  }
  const usualPort = target.endsWith(':443')
    ? []
    : ['many proxies allow port 443 alone: use an https:// address without a port, if the service has one'];
  return fault(`the proxy ${proxy.url} refused to connect to ${target}: ${said}`, [...usualPort, leaveOut(proxy)], {
    quote,
  });
}

export function proxyClosed(proxy: ProxyRoute): TransportError {
  return fault(`the proxy ${proxy.url} closed the connection without an answer`, leaveOut(proxy), { transient: true });
}

export function proxyNotUnderstood(proxy: ProxyRoute, head: string): TransportError {
  const [line = ''] = head.split(/\r?\n/, 1);
  const quote = quoted(proxy, line);
  const message = `the proxy ${proxy.url} does not answer like an HTTP proxy, it said: ${quote}`;
  return fault(message, `check the proxy's scheme and port; ${proxy.from} names it`, { quote });
}

/** The words of a proxy, in which it may repeat the name and password that it got. */
function quoted({ credentials }: ProxyRoute, text: string): string {
  const redactor = createRedactor();
  if (credentials !== undefined) {
    redactor.add(credentials);
    redactor.add(new Secret(credentials.reveal().replace(/^[^:]*:/, '')));
  }
  return defuseLine(redactor.redact(text), 120);
}

/** The next step where a proxy is in the way. */
export function leaveOut(proxy: ProxyRoute): string {
  return `${proxy.from} names this proxy; to go without it, add the host to NO_PROXY`;
}

function fault(
  message: string,
  hint: string | readonly string[],
  more: { readonly transient?: boolean; readonly quote?: string },
): TransportError {
  return new TransportError('network', message, { layer: 'proxy', sent: false, hint, ...more });
}
