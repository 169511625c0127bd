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
  const [first = 0, second = 0] = groups;
  if (name === '[::1]') return false;
  if (cloudAddresses.includes(name) || ipv4In(groups).some(isForbiddenIpv4)) return true;
  const isLinkLocal = (first & 0xffc0) === 0xfe80;
  const isMulticast = first >= 0xff00;
  return isLinkLocal || isMulticast || cloudNetworks.some(([one, other]) => first === one && second === other);
}

/** The beginnings of local networks in which clouds have their metadata: AWS with keys of roles, Oracle, Google. */
const cloudNetworks = [
  [0xfd00, 0x0ec2],
  [0xfd00, 0x00c1],
  [0xfd20, 0x00ce],
] as const;

/** Single addresses of that kind in networks that anybody may use: those of Scaleway, Akamai and Alibaba. */
const cloudAddresses = ['[fd00:42::42]', '[fd00:a9fe:a9fe::1]', '[fd00:100::100:200]'];

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

/**
 * The IPv4 addresses that an IPv6 address may stand for: one that is mapped, compatible or translated (SIIT, NAT64,
 * also with a local prefix), or that of a tunnel (6to4, Teredo, ISATAP).
 */
function ipv4In(groups: readonly number[]): number[][] {
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const last = bytes.slice(12);
  const [first, second, third, , fifth = 0, sixth = 0] = groups;
  if (first === 0x2002) return [bytes.slice(2, 6)];
  if (first === 0x2001 && second === 0) return [bytes.slice(4, 8), last.map((byte) => byte ^ 0xff)];
  if (first === 0x64 && second === 0xff9b) {
    // A local prefix may have 48, 56 or 64 bits, too, and the ninth byte is no part of the address behind it.
    const rest = [...bytes.slice(6, 8), ...bytes.slice(9)];
    const behind = [0, 1, 2].map((at) => rest.slice(at, at + 4));
    return third === 0 ? [last] : [last, ...behind].filter(([byte]) => byte !== 0);
  }
  const isMapped = groups.slice(0, 4).every((group) => group === 0);
  const forms = isMapped ? ['0 0', '0 ffff', 'ffff 0'] : ['0 5efe', '200 5efe'];
  return forms.includes(`${fifth.toString(16)} ${sixth.toString(16)}`) ? [last] : [];
}
