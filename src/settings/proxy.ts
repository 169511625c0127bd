import { BlockList, isIP, isIPv6 } from 'node:net';
import { isLoopback, type ProxyRoute, toProxyRoute } from '../wire/http.ts';
import type { MotifTarget } from '../wire/request.ts';
import { parseGiven } from './address.ts';
import type { Sourced } from './resolve.ts';
import { parseProxy } from './table.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy on the way to a target, by flag, environment or profile; undefined where it is reached directly, as this
 * machine always is.
 */
export function chooseProxy(target: MotifTarget, setting: Sourced<URL> | undefined, env: Env): ProxyRoute | undefined {
  const url = new URL(target.baseUrl);
  if (isLoopback(url.hostname) || isExempt(url, variable(env, 'NO_PROXY')?.text)) return undefined;
  const chosen = setting?.level === 'flag' ? setting : (fromEnvironment(url, env) ?? setting);
  return chosen && toProxyRoute(chosen.value, chosen.from);
}

/** Like curl, but an empty lower-case variable does not hide the upper-case one. */
function fromEnvironment(target: URL, env: Env): { value: URL; from: string } | undefined {
  const found =
    variable(env, target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable(env, 'ALL_PROXY');
  if (found === undefined) return undefined;
  const hint = 'mend the variable, or give another proxy: --proxy ADDRESS';
  return { value: parseGiven(parseProxy, found.text, { name: found.name, hint }), from: found.name };
}

function variable(env: Env, name: string): { name: string; text: string } | undefined {
  for (const spelling of [name.toLowerCase(), name]) {
    const text = env[spelling]?.trim();
    if (text !== undefined && text !== '') return { name: spelling, text };
  }
  return undefined;
}

/** True where any variable names a proxy, for programs that would use it where we go direct. */
export function isProxySet(env: Env): boolean {
  return ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].some((name) => variable(env, name) !== undefined);
}

/** NO_PROXY: `*`, names with all that is below them, addresses, CIDR blocks, each with a port if it is to be exact. */
export function isExempt(target: URL, list: string | undefined): boolean {
  const host = target.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return (list ?? '').split(/[\s,]+/).some((entry) => entry !== '' && matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const { name, portOnly } = splitPort(entry);
  if (portOnly !== undefined && portOnly !== port) return false;
  if (name.includes('/')) return isInBlock(name, host);
  if (isIP(name) !== 0) return isInBlock(`${name}/${isIPv6(name) ? 128 : 32}`, host);
  // An address has no domain: 0.0.1 is not the end of 10.0.0.1.
  if (isIP(host) !== 0) return false;
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** `host:443`, `[::1]:443`; a bare IPv6 address has colons but no port. */
function splitPort(entry: string): { name: string; portOnly: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry);
  if (bracketed) return { name: bracketed[1] ?? '', portOnly: bracketed[2] };
  const plain = /^([^:]*):(\d+)$/.exec(entry);
  return plain ? { name: plain[1] ?? '', portOnly: plain[2] } : { name: entry, portOnly: undefined };
}

function isInBlock(block: string, host: string): boolean {
  const [, network = '', bits = ''] = /^([^/]*)\/(\d{1,3})$/.exec(block) ?? [];
  const family = isIP(network);
  if (family === 0 || isIP(host) === 0 || Number(bits) > (family === 6 ? 128 : 32)) return false;
  // The list would count every IPv4 address as the IPv6 one that stands for it.
  if (family === 6 && !isIPv6(host)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}
