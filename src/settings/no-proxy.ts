import { BlockList, isIP, isIPv6 } from 'node:net';

/** True where NO_PROXY holds the target: `*`, names and all below them, addresses, blocks, with a port or without. */
export function isListed(target: URL, list: string): boolean {
  const host = target.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  const port = target.port === '' ? (target.protocol === 'https:' ? '443' : '80') : target.port;
  return list.split(/[\s,]+/).some((entry) => entry !== '' && matches(entry.toLowerCase(), host, port));
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
