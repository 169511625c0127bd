/** An address in a text, with every host that a browser may take it for; none where it has none, or is a script. */
export interface Address {
  readonly start: number;
  readonly length: number;
  readonly hosts: readonly string[];
}

/** A scheme and two slashes of either kind, or only the slashes, as a browser takes them. */
const address =
  /(?:\b(?:https?|wss?|ftp)\s{0,3}:\s{0,3}|\b[a-z][a-z0-9+.-]{1,15}:(?=\/\/)|(?<![\w:/\\]))[/\\]{2}[^\s<>"'`)\]}]{1,2048}|\b(?:data|javascript|vbscript):[^\s<>"'`)\]}]{1,2048}|\bwww\.[^\s<>"'`)\]}]{1,2048}/gi;
/** What stands before an `@` is a name, whatever signs are in it, and a browser goes to what stands behind. */
const restOfName = /^[^\s<>/?#\\@]{0,256}@[^\s<>"'`)\]}]{1,2048}/;
const restCharactersMax = 2400;
/** Where nothing but an address can stand, it needs no two slashes, and line breaks in it count for nothing. */
const target =
  /(?<=\b(?:src|href|action|formaction|poster|background|ping)\s{0,8}=\s{0,8}")[^"]{1,2048}|(?<=\b(?:src|href|action|formaction|poster|background|ping)\s{0,8}=\s{0,8}')[^']{1,2048}|(?<=\](?:\(|:)\s{0,8}<?)[^\s<>]{1,2048}/gi;
const mayLead = /[/\\]{2}|www\.|(?:data|script):|\][(:]|=\s{0,8}["']/i;
/** A page of http takes `https:host` for an address, one of https for a path. */
const pages = ['http://page.invalid', 'https://page.invalid'];

export function addressesIn(text: string): readonly Address[] {
  if (!mayLead.test(text)) return [];
  const found = Array.from(text.matchAll(address), ({ 0: match, index: start }) => {
    const written = writtenAt(text, start, match);
    return { start, length: written.length, hosts: hostsOf(written) };
  });
  return [...found, ...targetsIn(text, found)];
}

function targetsIn(text: string, found: readonly Address[]): Address[] {
  const targets: Address[] = [];
  let next = 0;
  for (const { 0: match, index: start } of text.matchAll(target)) {
    const { length } = balanced(match);
    while (next < found.length && found[next]!.start + found[next]!.length <= start) next++;
    const hosts = targetHosts(match.slice(0, length));
    const isKnown = next < found.length && found[next]!.start < start + length && isSame(found[next]!.hosts, hosts);
    if (hosts !== undefined && !isKnown) targets.push({ start, length, hosts });
  }
  return targets;
}

function isSame(one: readonly string[], other: readonly string[] | undefined): boolean {
  return one.length === other?.length && one.every((host, index) => host === other[index]);
}

function writtenAt(text: string, start: number, match: string): string {
  const written = match.replace(/[.,;:!?*_]+$/, '');
  // Once the host has ended, an @ means nothing.
  if (/[/\\]{2}.*[/?#\\]/s.test(match)) return written;
  const end = start + match.length;
  const rest = restOfName.exec(text.slice(end, end + restCharactersMax))?.[0];
  return rest === undefined ? written : match + rest;
}

/** In Markdown, brackets belong to an address as long as each is closed. */
function balanced(written: string): string {
  let open = 0;
  for (let at = 0; at < written.length; at++) {
    if (written[at] === '(') open++;
    else if (written[at] === ')' && --open < 0) return written.slice(0, at);
  }
  return written;
}

/** As a browser would read it, so that `https://allowed.example@evil.example` is judged by where it leads. */
function hostsOf(written: string): string[] {
  const bare = written.replace(/\s/g, '').replaceAll('\\', '/');
  if (isScript(bare)) return [];
  const whole = bare.startsWith('//') ? `https:${bare}` : /^www\./i.test(bare) ? `https://${bare}` : bare;
  return URL.canParse(whole) ? [toHost(new URL(whole).hostname)] : [];
}

/** Undefined for what stays on its page. */
function targetHosts(written: string): string[] | undefined {
  const bare = written.replace(/[\t\n\r]/g, '').trim();
  const hosts = new Set<string>();
  for (const page of pages) {
    if (!URL.canParse(bare, page)) continue;
    const { origin, protocol, hostname } = new URL(bare, page);
    if (isScript(protocol)) return [];
    if (origin !== page && hostname !== '') hosts.add(toHost(hostname));
  }
  return hosts.size === 0 ? undefined : [...hosts];
}

function isScript(written: string): boolean {
  return /^(?:data|javascript|vbscript):/i.test(written);
}

function toHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
