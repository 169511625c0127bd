import { isForbiddenHost } from '../../wire/forbidden-host.ts';

/**
 * The fault of a provider's address, in words that follow its name; undefined for one that may be asked.
 * Only the gateway file names providers, and a model on this machine or in this network is common, so private addresses
 * are fine. What no model ever lives at is a cloud's own metadata service, which would be asked with our key and whose
 * answer would reach a caller: those addresses are refused however they are spelled.
 */
export function baseUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an address such as https://api.openai.com/v1';
  const { protocol, username, password, search, hash, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be an address that begins with https:// or http://';
  if (username !== '' || password !== '') return 'must hold no user or password; key is the place for a secret';
  if (search !== '' || hash !== '' || /[?#]/.test(text)) return 'must have neither a query nor a fragment';
  return isForbiddenHost(hostname)
    ? 'must be the address of a provider, not of a metadata service, a network or nobody'
    : undefined;
}
