/**
 * One character as a person sees it: a flag's two letters, an emoji with others joined to it, or a character with
 * its marks. Intl.Segmenter knows some scripts better, but needs ten seconds for 100 kB without a blank. The limits
 * keep a pile of marks small.
 */
const cluster = String.raw`\p{ExtPict}(?:\u200d\p{ExtPict}|[\p{M}\p{EMod}\u200c\u200d\u{e0020}-\u{e007f}]){0,31}|(?:\p{RI}{2}|[^])[\p{M}\u200c\u200d\u1160-\u11ff\ud7b0-\ud7ff]{0,31}`;
const clusters = lazyPattern(() => new RegExp(cluster, 'gu'));
const clusterHere = lazyPattern(() => new RegExp(cluster, 'uy'));
/** Characters that may stand within a cluster; an emoji does so only behind a joiner. */
const continuing = lazyPattern(() => /[\p{M}\p{EMod}\p{RI}\u200c\u200d\u{e0020}-\u{e007f}\u1160-\u11ff\ud7b0-\ud7ff]/u);
const emoji = lazyPattern(() => /\p{ExtPict}/u);
/** Most text, looked at where it is cheap: none of these continues anything. */
const plain = /[\x20-\x7e]/;
const joiner = 0x200d;

/** A pattern that is made when it is first used: those that ask for properties of Unicode would slow every start. */
export function lazyPattern(make: () => RegExp): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= make());
}

export function* clustersOf(text: string): Generator<string> {
  for (const [found] of text.matchAll(clusters())) yield found;
}

/** End of the cluster that starts at `at`; the text's end if there is none. */
export function clusterEnd(text: string, at: number): number {
  if (at + 1 >= text.length) return text.length;
  if (plain.test(text[at]!) && plain.test(text[at + 1]!)) return at + 1;
  const here = clusterHere();
  here.lastIndex = at;
  return here.test(text) ? here.lastIndex : text.length;
}

/**
 * Start of the cluster that ends at `before` or goes on there. It looks back as far as something may continue, and
 * from there takes the same steps as whoever comes from the text's start.
 */
export function clusterStart(text: string, before: number): number {
  if (before <= 1) return 0;
  if (plain.test(text[before - 1]!)) return before - 1;
  let start = characterStart(text, before);
  while (start > 0 && continues(text, start)) start = characterStart(text, start);
  for (;;) {
    const end = clusterEnd(text, start);
    if (end >= before) return start;
    start = end;
  }
}

function continues(text: string, at: number): boolean {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return continuing().test(character) || (text.charCodeAt(at - 1) === joiner && emoji().test(character));
}

function characterStart(text: string, before: number): number {
  const isPair = before > 1 && isTrail(text.charCodeAt(before - 1)) && isLead(text.charCodeAt(before - 2));
  return before - (isPair ? 2 : 1);
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
