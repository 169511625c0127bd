/**
 * True where a host of a parsed URL is a cloud's metadata service, link-local, a network or nobody: addresses that are
 * never asked with a key. The parser has already turned every way to write an IPv4 address into four decimal numbers,
 * and shortened IPv6.
 */
export function isForbiddenHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return isForbiddenIpv4(name.split('.').map(Number));
  if (!name.startsWith('[')) return /^metadata(\.google\.internal|\.goog|\.internal)?$/.test(name);
  const groups = groupsOf(name.slice(1, -1));
  const [first = 0] = groups;
  const embedded = ipv4In(groups);
  if (embedded !== undefined) return isForbiddenIpv4(embedded);
  const isLinkLocal = (first & 0xffc0) === 0xfe80;
  const isMulticast = first >= 0xff00;
  return isLinkLocal || isMulticast || name === '[fd00:ec2::254]' || name === '[fd20:ce::254]';
}

/** The same of an address that a name was looked up to. One with a zone is link-local. */
export function isForbiddenAddress(address: string): boolean {
  if (address.includes('%')) return true;
  return isForbiddenHost(address.includes(':') ? new URL(`http://[${address}]`).hostname : address);
}

function isForbiddenIpv4(parts: readonly number[]): boolean {
  const [first = 0, second = 0] = parts;
  const isClouds = ['100.100.100.200', '192.0.0.192', '168.63.129.16'].includes(parts.join('.'));
  return first === 0 || first >= 224 || (first === 169 && second === 254) || isClouds;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return numbers(head);
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** The IPv4 address that a mapped, translated (NAT64) or tunnelled (6to4) address stands for. */
function ipv4In(groups: readonly number[]): number[] | undefined {
  const [first = 0, second = 0, third = 0] = groups;
  const bytes = (high = 0, low = 0) => [high >> 8, high & 0xff, low >> 8, low & 0xff];
  if (first === 0x2002) return bytes(second, third);
  const isNat64 = first === 0x64 && second === 0xff9b;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0);
  const isLoopback = isMapped && groups[5] === 0 && groups[6] === 0 && groups[7] === 1;
  return (isNat64 || isMapped) && !isLoopback ? bytes(groups[6], groups[7]) : undefined;
}
