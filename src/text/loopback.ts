/** All of 127.0.0.0/8, as text or, inside an IPv6 address, as a URL spells it. */
const loopback = /^(?:::ffff:)?127(\.\d{1,3}){3}$|^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/;

/**
 * Whether a host is this machine, where plain http and no proxy are right. A name below `localhost` is not: a resolver
 * may send it anywhere.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === 'localhost.' || host === '::1' || loopback.test(host);
}
