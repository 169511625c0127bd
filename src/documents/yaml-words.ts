import { defuseLine } from '../text/defuse.ts';

/** Messages of the YAML parser, which speak of its grammar, each with plain words for it. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/^flow (?:map|sequence) .*end with a ([\]}])/i, 'a bracket before this is not closed: $1 is missing'],
  [/^missing , or : between flow/i, 'a comma or a colon is missing before this'],
  [/^missing , between flow/i, 'a comma is missing before this'],
  [
    /^unexpected .* (?:at node end|token)$/i,
    'does not belong here: a comma, a quote or a line end is missing before it',
  ],
  [/^unexpected (?:,|empty item) in/i, 'there is a comma too many'],
  [/^missing closing (["'])/i, 'the quote $1 is not closed'],
  [/^missing space after :/i, 'a blank is missing after the colon'],
  [/^block collections are not allowed within flow/i, 'nothing can be indented inside brackets: write it on one line'],
  [
    /^(?:all mapping items|all sequence items) must start at the same column/i,
    'is not indented like the lines before it',
  ],
  [
    /^nested mappings are not allowed in compact/i,
    'there is a second colon: put the text in quotes, or on a line of its own',
  ],
  [/^implicit map keys need to be followed by map values/i, 'a colon is missing after this key'],
  [/^implicit keys .*single line/i, 'a key and its colon have to stand on one line'],
  [/^a block sequence may not be used/i, 'a list cannot stand here: is it indented as it should be?'],
  [/^sequence item without -/i, 'an item of a list begins with - and a blank'],
  [/^tabs are not allowed/i, 'a tab cannot indent: use blanks'],
  [/^plain value cannot start with .* (\S+)$/i, 'a value that begins with $1 needs quotes'],
  [/^source contains multiple documents/i, 'a second document begins here; a file is one'],
  [/^with stringKeys/i, 'a key has to be a text'],
  [/^unresolved tag: (.*)/i, 'tags are not read: $1'],
  [/^comments must be separated/i, 'a blank is missing before #'],
];

/** The fault in words of ours, where we have some. */
export function plainWords(message: string): string {
  const words = defuseLine(message, 200);
  const [pattern, instead] = plain.find(([each]) => each.test(words)) ?? [];
  if (pattern !== undefined && instead !== undefined) {
    const [, part = ''] = pattern.exec(words) ?? [];
    return instead.replace('$1', () => part);
  }
  return /^[A-Z][a-z]/.test(words) ? words[0]!.toLowerCase() + words.slice(1) : words;
}
