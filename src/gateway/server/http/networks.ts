const groupsOfAddress = 8;
const groupsOfNetwork = 4;

/**
 * Names whoever is at an address: with IPv6 a client may have all that begin like its own, so that these are one. Empty
 * for the address of a connection that is closed.
 */
export function networkOf(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [before, after] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = groupsOfAddress - before!.length - (after?.length ?? 0);
  return [...before!, ...Array<string>(Math.max(0, zeros)).fill('0')].slice(0, groupsOfNetwork).join(':');
}
