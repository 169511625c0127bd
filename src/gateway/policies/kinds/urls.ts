import { refined } from '../../../documents/refined.ts';
import { about, list, object, text } from '../../../documents/shape.ts';
import type { Finding } from '../../vocabulary.ts';
import { addressesIn } from '../readings/addresses.ts';
import { type Detector, findIn, policyKind } from '../policy.ts';
import { signs } from '../readings/character-scan.ts';
import { has, type View } from '../readings/view.ts';

const hostsMax = 1_000;
const host = text('a host name, as example.com or *.example.com', /^(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/);

/**
 * Addresses that lead out: any whose host is not allowed (`example.com`, `*.example.com` for those below it), and
 * images from there, which a chat window fetches without being asked and which so carry data out in their addresses.
 */
export const urls = policyKind({
  isPure: true,
  rules: /^(?:image_)?url$/,
  options: refined(
    object(
      {},
      { allow: about('hosts that may be linked to; default: none', list(host, { least: 1, most: hostsMax })) },
    ),
    ({ allow = [] }) => ({
      allow: allow.map((one) => one.toLowerCase()),
    }),
  ),
  create: ({ allow }) => ({ detect: createDetector(allow) }),
});

const imageTag = /^(?:!\[[^\]]*\]\(\s*<?|<(?:img|image|iframe|script|link|video|audio|source|embed|object)\b[^>]*)$/i;
const imageStart = /(?:url\(\s{0,10}['"]?|\]:\s{0,10}<?)$/i;
const lookBackCharacters = 600;
/** To read one address takes as long as so many characters. */
const addressCharacters = 256;

function createDetector(allow: readonly string[]): Detector {
  const weigh = createWeighing(allow);
  function search(view: View, look: () => void): Finding[] {
    const found: Finding[] = [];
    if (!has(view, signs.link | signs.www)) return found;
    const tell = (finding: Finding, isAllowed: boolean): void => {
      if (!isAllowed) found.push(finding);
    };
    weigh(view.text, tell, look);
    return found;
  }
  return (text) => findIn(text, (view) => search(view, () => text.spend(addressCharacters, true)));
}

/** Tells of each address whether its host is allowed. */
export function createWeighing(allow: readonly string[]) {
  const exact = new Set(allow.filter((host) => !host.startsWith('*.')));
  const endings = allow.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
  const isAllowed = (host: string) => exact.has(host) || endings.some((ending) => host.endsWith(ending));

  return function weigh(text: string, tell: (address: Finding, isAllowed: boolean) => void, look?: () => void): void {
    for (const { start, length, hosts } of addressesIn(text, look)) {
      const isInside = hosts.length > 0 && hosts.every(isAllowed);
      tell({ rule: isInside ? 'url' : ruleOf(text, start), start, length }, isInside);
    }
  };
}

/** Only the nearest opening is looked at: looking at each would take time that is quadratic in a row of them. */
function ruleOf(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - lookBackCharacters), start);
  const tag = before.slice(Math.max(0, before.lastIndexOf('!['), before.lastIndexOf('<', before.length - 2)));
  return imageTag.test(tag) || imageStart.test(before.slice(-20)) ? 'image_url' : 'url';
}
