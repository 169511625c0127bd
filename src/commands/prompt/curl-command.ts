import type { Settings } from '../../settings/resolve.ts';
import { shellWord } from '../../text/defuse.ts';
import type { ProxyRoute } from '../../wire/http.ts';

interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Longer than this a body does not fit into one argument of a command, so curl reads it from a pipe. */
const argumentBytesMax = 100_000;

/** A line for any POSIX shell, and fish, that sends the same request, the body byte for byte. */
export function curlCommand(
  { method, url, headers, body }: ShownRequest,
  settings: Settings,
  route: { readonly proxy: ProxyRoute | undefined; readonly isProxySet: boolean },
): string {
  const isPiped = Buffer.byteLength(body) > argumentBytesMax;
  const parts = [
    `curl -sS -X ${method} ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteHeader(name, value)}`),
    ...connectionFlags(settings),
    ...proxyFlags(url, route),
    isPiped ? '--data-binary @-' : `--data-raw ${shellWord(body)}`,
  ].join(' \\\n  ');
  return isPiped ? `printf %s ${shellWord(body)} | ${parts}` : parts;
}

function connectionFlags({ cacert, cert, key, timeout, connectTimeout }: Settings): string[] {
  return [
    ...(timeout.level === 'default' ? [] : [`--max-time ${timeout.value / 1000}`]),
    ...(connectTimeout.level === 'default' ? [] : [`--connect-timeout ${connectTimeout.value / 1000}`]),
    ...(cacert === undefined ? [] : [`--cacert ${shellWord(cacert.value)}`]),
    ...(cert === undefined ? [] : [`--cert ${shellWord(cert.value)}`]),
    ...(key === undefined ? [] : [`--key ${shellWord(key.value)}`]),
  ];
}

/** A proxy's user and password are left out, as every secret is; curl would hand it the token of an http request. */
function proxyFlags(url: string, { proxy, isProxySet }: Parameters<typeof curlCommand>[2]): string[] {
  if (proxy !== undefined) return [`${url.startsWith('http:') ? '--proxytunnel ' : ''}--proxy ${shellWord(proxy.url)}`];
  return isProxySet ? ["--noproxy '*'"] : [];
}

/** The token alone is left to the shell; a header's own text is not. */
function quoteHeader(name: string, value: string): string {
  return name === 'authorization' ? `"${name}: ${value}"` : shellWord(`${name}: ${value}`);
}
