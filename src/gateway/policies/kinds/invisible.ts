import { object } from '../../../documents/shape.ts';
import { matchesOf } from '../../../text/patterns/matches.ts';
import { oddUnitsOf } from '../../../text/patterns/scanned-text.ts';
import { UnitSort, hasRun } from '../readings/unit-sort.ts';
import { policyKind, type SeenFinding } from '../policy.ts';

/** Letters of scripts that joiners belong to, as in Persian and in the languages of India, and the parts of emoji. */
const scripts =
  'Arab Syrc Mong Nkoo Mand Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt Newa'.split(' ');
const joined = `[${scripts.map((script) => `\\p{scx=${script}}`).join('')}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]`;
/** A character that goes on with a word, and is of none of these scripts. */
const otherLetter = `(?!${joined})[\\p{L}\\p{M}\\p{N}_]`;

/** Text that a person does not see and a model reads: each kind of it has a rule of its own. */
const rules: readonly { readonly rule: string; readonly run: RegExp }[] = [
  // Three flags are spelled in tag characters; any other run of them is hidden writing.
  { rule: 'tag_characters', run: /(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,6})[\u{E0000}-\u{E007F}]+/gu },
  { rule: 'bidi_control', run: /[\u202A-\u202E\u2066-\u2069]+/g },
  // One joiner between letters that it shapes, or emoji, is ordinary writing, and so is one at an end of such a word
  // and a non-joiner between a Latin word and a Persian ending. One variation selector behind a sign is ordinary as
  // well.
  {
    rule: 'zero_width',
    run: new RegExp(
      `[\\u200B\\u2060\\u2061-\\u2064\\u180E\\uFEFF\\u00AD\\u034F\\u115F\\u1160\\u3164\\uFFA0\\u2800]+|[\\u200B-\\u200F\\u2060\\uFEFF]{2,}|[\\u200C\\u200D](?<!${joined}.)(?!${joined})|[\\u200C\\u200D](?<=${joined}.)(?=${otherLetter})|\\u200D(?<=${otherLetter}.)(?=${joined})`,
      'gu',
    ),
  },
  {
    rule: 'variation_selectors',
    run: /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}](?<=(?:[\t\n a-zA-Z!-/:-@[-`{-~]|^).)/gu,
  },
  { rule: 'control_character', run: /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]+|[\uFFF9-\uFFFB]+/g },
  { rule: 'private_use', run: /[\uE000-\uF8FF\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]+/gu },
];

/** Every UTF-16 unit that one of the rules may begin with; honest letters of any language have none of them. */
const anyOfThem =
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\xAD\u034F\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\u2800\u3164\uDB40-\uDBFF\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB]/;
const suspects = new UnitSort((character) => anyOfThem.test(character));

export const invisible = policyKind({
  isPure: true,
  rules: new RegExp(`^(?:${rules.map(({ rule }) => rule).join('|')})$`),
  options: object({}, {}),
  create: () => ({
    detect: ({ sent, isOrdinary }) =>
      !isOrdinary && hasRun(oddUnitsOf(sent), 1, suspects)
        ? rules.flatMap(({ rule, run }) => runsOf(sent, rule, run))
        : [],
    readsSentAlone: true,
  }),
});

/** A byte order mark at the very start is how some programs save a file, and hides nothing. */
function runsOf(text: string, rule: string, run: RegExp): SeenFinding[] {
  return [...matchesOf(text, run)]
    .map((found) => ({ rule, start: found.index, length: found[0].length, seen: '' }))
    .filter(({ start, length }) => !(start === 0 && length === 1 && text.startsWith('\ufeff')));
}
