import { matchesOf } from '../../../text/patterns/matches.ts';
import { UnitSort } from './unit-sort.ts';
import type { Span } from './view.ts';

/** An address in a text, with every host that a browser may take it for; none where it has none, or is a script. */
interface WebAddress {
  readonly start: number;
  readonly length: number;
  readonly hosts: readonly string[];
}

/** A scheme and two slashes of either kind, or only the slashes, as a browser takes them. */
const address =
  /(?:\b(?:https?|wss?|ftp)\s{0,3}:\s{0,3}|\b[a-z][a-z0-9+.-]{1,15}:(?=\/\/)|(?<![\w:/\\]))[/\\]{2}[^\s<>"'`)\]}]{1,2048}|\b(?:data|javascript|vbscript):[^\s<>"'`)\]}]{1,2048}|\bwww\.[^\s<>"'`)\]}]{1,2048}/iy;
/** Mark that each of these has, and how far before it such an address may begin. */
const anchor = /[/\\]{2}|(?:data|javascript|vbscript):|www\./gi;
const leadCharactersMax = 17;
const colon = 0x3a;
const endOfScheme = /:\s{0,3}$/;
/** The part before an `@` is a name, whatever signs are in it; a browser goes to the part behind. */
const restOfName = /^[^\s<>/?#\\@]{0,256}@[^\s<>"'`)\]}]{1,2048}/;
const restCharactersMax = 2400;
/** In a place for addresses alone it needs no two slashes, and line breaks in it count for nothing. */
const targetLead = /=\s{0,8}(["'])|\](?:\(|:)\s{0,8}<?/g;
const attribute = /\b(?:src|href|action|formaction|poster|background|ping)\s{0,8}$/i;
const attributeCharactersMax = 19;
const targetAfter: Readonly<Record<string, RegExp>> = { '"': /[^"]{1,2048}/y, "'": /[^']{1,2048}/y };
const targetInMarkdown = /[^\s<>]{1,2048}/y;
/** A page of http takes `https:host` for an address, one of https for a path. */
const pages = ['http://page.invalid', 'https://page.invalid'];

/** `look` is called for each address, for a text may hold thousands of them. */
export function addressesIn(text: string, look: () => void = () => {}): readonly WebAddress[] {
  const found = spansOf(text).flatMap(({ start, end }) => {
    look();
    const written = writtenAt(text, start, text.slice(start, end));
    if (hasNoHost(written, text.slice(end, end + 2))) return [];
    return [{ start, length: written.length, hosts: hostsOf(written) }];
  });
  return [...found, ...targetsIn(text, found, look)];
}

/** Looked for from what few texts have, and not from each of their words. */
function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const { index } of matchesOf(text, anchor)) {
    const hasScheme =
      text.charCodeAt(index - 1) === colon || endOfScheme.test(text.slice(Math.max(0, index - 4), index));
    for (let start = Math.max(done, hasScheme ? index - leadCharactersMax : index); start <= index; start++) {
      if (!mayBegin(text, start)) continue;
      address.lastIndex = start;
      if (!address.test(text)) continue;
      done = address.lastIndex;
      spans.push({ start, end: done });
      break;
    }
  }
  return spans;
}

const ofWords = new UnitSort((character) => /\w/.test(character));
const ofBeginnings = new UnitSort((character) => /[a-z/\\]/i.test(character));

/** False in a word and at a sign but a slash: most places are seen sooner to begin no address than by its pattern. */
function mayBegin(text: string, at: number): boolean {
  if (!ofBeginnings.isAt(text, at)) return false;
  return !(ofWords.isAt(text, at) && ofWords.isAt(text, at - 1));
}

function targetSpansOf(text: string): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const { 0: lead, 1: quote, index } of matchesOf(text, targetLead)) {
    const start = index + lead.length;
    if (start < done) continue;
    if (quote !== undefined && !attribute.test(text.slice(Math.max(0, index - attributeCharactersMax), index)))
      continue;
    const pattern = quote === undefined ? targetInMarkdown : targetAfter[quote]!;
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    done = pattern.lastIndex;
    spans.push({ start, end: done });
  }
  return spans;
}

function targetsIn(text: string, found: readonly WebAddress[], look: () => void): WebAddress[] {
  const targets: WebAddress[] = [];
  let next = 0;
  for (const { start, end } of targetSpansOf(text)) {
    look();
    const written = balanced(text.slice(start, end));
    const { length } = written;
    while (next < found.length && found[next]!.start + found[next]!.length <= start) next++;
    // Most targets were found as addresses already.
    const known = found[next];
    if (known?.start === start && known.length === length && known.hosts.length > 0 && isWhole.test(written)) continue;
    const hosts = targetHosts(written);
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

/** True where a mark such as `[IP]` stands for the host, as a redaction leaves it: no browser goes anywhere then. */
function hasNoHost(written: string, next: string): boolean {
  return /[/\\]{2}\[\w{0,64}$/.test(written) && /^\](?:[/?#:\s"'<>)]|$)/.test(next);
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

/** Host that a browser takes as it stands: no figures that may be an address of a machine, and nothing in Punycode. */
const plainHost = /^https?:\/\/((?!xn--)[a-z0-9-]+(?:\.(?!xn--)[a-z0-9-]+)*(?<=[/.][a-z][a-z0-9-]*))(?:[/?#]|$)/;

/** As a browser would read it, so that `https://allowed.example@evil.example` is judged by where it leads. */
function hostsOf(written: string): readonly string[] {
  const host = plainHost.exec(written)?.[1];
  if (host !== undefined) return [host];
  const bare = written.replace(/\s/g, '').replaceAll('\\', '/');
  if (bare !== written) return hostsOf(bare);
  if (isScript(bare)) return [];
  const whole = bare.startsWith('//') ? `https:${bare}` : /^www\./i.test(bare) ? `https://${bare}` : bare;
  const url = parsed(whole);
  return url === undefined ? [] : [toHost(url.hostname)];
}

/** A scheme, or a slash and what may be another; without either, an address stays on its page. */
const mayLeadOut = /:|[/\\][\t\n\r]*[/\\]/;

/** With a scheme and a name, an address leads to the same place from wherever it is followed. */
const isWhole = /^https?:\/\/[a-z0-9.-]+(?:[/?#]|$)/i;

/** Undefined for what stays on its page. */
function targetHosts(written: string): readonly string[] | undefined {
  if (!mayLeadOut.test(written)) return undefined;
  const bare = written.replace(/[\t\n\r]/g, '').trim();
  const ofWhole = isWhole.test(bare) ? hostsOf(bare) : [];
  if (ofWhole.length > 0) return ofWhole;
  const hosts = new Set<string>();
  for (const page of pages) {
    const url = parsed(bare, page);
    if (url === undefined) continue;
    if (isScript(url.protocol)) return [];
    if (url.origin !== page && url.hostname !== '') hosts.add(toHost(url.hostname));
  }
  return hosts.size === 0 ? undefined : [...hosts];
}

function parsed(address: string, page?: string): URL | undefined {
  try {
    return new URL(address, page);
  } catch {
    return undefined;
  }
}

function isScript(written: string): boolean {
  return /^(?:data|javascript|vbscript):/i.test(written);
}

function toHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
