import ar from './injection/ar.txt';
import bg from './injection/bg.txt';
import bn from './injection/bn.txt';
import cs from './injection/cs.txt';
import de from './injection/de.txt';
import el from './injection/el.txt';
import en from './injection/en.txt';
import es from './injection/es.txt';
import fa from './injection/fa.txt';
import fi from './injection/fi.txt';
import fr from './injection/fr.txt';
import he from './injection/he.txt';
import hi from './injection/hi.txt';
import hr from './injection/hr.txt';
import hu from './injection/hu.txt';
import id from './injection/id.txt';
import it from './injection/it.txt';
import ja from './injection/ja.txt';
import ko from './injection/ko.txt';
import nl from './injection/nl.txt';
import pl from './injection/pl.txt';
import pt from './injection/pt.txt';
import ro from './injection/ro.txt';
import ru from './injection/ru.txt';
import sv from './injection/sv.txt';
import sw from './injection/sw.txt';
import ta from './injection/ta.txt';
import th from './injection/th.txt';
import tl from './injection/tl.txt';
import tr from './injection/tr.txt';
import uk from './injection/uk.txt';
import vi from './injection/vi.txt';
import zh from './injection/zh.txt';
import { type NeedsPayload, type Slot, slots } from './injection-sequences.ts';
import { type Anchor, anchorWords } from './signs/english.ts';
import { sectionsOf, type SignLanguage, signLanguages } from './signs/languages.ts';

/** Words of which attempts to take over a model are made, from a text file for each language. */

const languages = [
  ar,
  bg,
  bn,
  cs,
  de,
  el,
  en,
  es,
  fa,
  fi,
  fr,
  he,
  hi,
  hr,
  hu,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  sw,
  ta,
  th,
  tl,
  tr,
  uk,
  vi,
  zh,
];

/**
 * Groups of clues: each is common in honest texts, many together are not, and one of the core must be there. At high
 * sensitivity a role is enough, or what else always weighs. Words of laws, terms and stories weigh beside such a clue
 * alone, and those that programs and their manuals are full of beside the core alone.
 */
export const clues = {
  freed: { weighs: 'core', weight: 2, means: 'a model set free' },
  unethical: { weighs: 'beside role', weight: 1, means: 'ethics set aside' },
  never_refuse: { weighs: 'core', weight: 1.5, means: 'never refusing' },
  forbidden_words: { weighs: 'core', weight: 1.5, means: 'words it may not say' },
  forced_beginning: { weighs: 'always', weight: 1, means: 'how to begin the answer' },
  two_answers: { weighs: 'core', weight: 1.5, means: 'two answers at once' },
  stay: { weighs: 'always', weight: 1, means: 'staying in character' },
  persona: { weighs: 'always', weight: 0.75, means: 'a role to play' },
  policy: { weighs: 'beside role', weight: 1, means: 'policies and limits' },
  fiction: { weighs: 'beside role', weight: 0.75, means: 'fiction' },
  slot: { weighs: 'always', weight: 0.75, means: 'a place for the prompt' },
  command: { weighs: 'beside core', weight: 0.75, means: 'modes and switches' },
  told_off: { weighs: 'beside role', weight: 0.75, means: 'threats and orders' },
} as const;

export type Clue = keyof typeof clues;

export type Meaning =
  | { readonly slot: Slot; readonly isWeak?: boolean }
  | { readonly rule: string; readonly needsPayload?: NeedsPayload }
  | { readonly clue: Clue }
  /** One of the words without which no turn of another role is spoken or faked. */
  | { readonly isTurn: true }
  /** One of the words without which a short text has no signs to be added up. */
  | { readonly anchor: Anchor };

/** A word or phrase, and what it means; the pieces of one with a gap follow each other in a text. */
interface Phrase {
  readonly pieces: readonly string[];
  readonly meaning: Meaning;
}

const chatMarkers =
  '<|im_start|> / <|im_end|> / <|im_sep|> / <|system|> / <|user|> / <|assistant|> / <|endoftext|> / <|eot_id|> / <|start_header_id|> / <|end_header_id|> / <|begin_of_text|> / <|end_of_turn|> / <|channel|> / <|begin_of_sentence|> / <start_of_turn> / <end_of_turn> / [/inst] / <<sys>> / <</sys>> / </system_prompt> / <system_prompt> / </system_instructions> / [end of system prompt] / [system message] / [system prompt] / ### system: / ### system prompt / ### instruction: / [system override] / [admin override] / [administrator override] / [developer override] / [root override] / [priority override] / [security override] / [safety override] / [emergency override] / [emergency bypass] / [admin access granted] / [system instruction] / [system instructions] / [[system]] / {{admin}} / <system_override> / <admin_override> / ###admin override### / end of system prompt / begin system prompt / end system prompt';

/** Phrases that nobody says who wants anything else; the marks of turns in chat formats are among them. */
const markers: readonly Phrase[] = chatMarkers
  .split(' / ')
  .map((marker) => ({ pieces: [marker], meaning: { rule: 'role_marker' } }));

const turnWords: readonly Phrase[] = 'system developer admin administrator root assistant role end'
  .split(' ')
  .map((word) => ({ pieces: [word], meaning: { isTurn: true } }));

const anchorLists: readonly (readonly [Anchor, readonly string[]])[] = [
  ...Object.entries(anchorWords).map(([anchor, words]) => [anchor as Anchor, words.split(' / ')] as const),
  ...(Object.keys(signLanguages) as SignLanguage[]).map((one) => [one, sectionsOf(one).get('gate') ?? []] as const),
];

const anchors: readonly Phrase[] = anchorLists.flatMap(([anchor, words]) =>
  words.map((word) => ({ pieces: [word], meaning: { anchor } })),
);

export const lexicon: readonly Phrase[] = [
  ...languages.flatMap(parseLanguage),
  ...typing(),
  ...markers,
  ...turnWords,
  ...anchors,
];

function parseLanguage(text: string): Phrase[] {
  let meaning: Meaning | undefined;
  return text.split('\n').flatMap((line) => {
    const [, sort, name = ''] = /^\[(part|says|weak|paired|clue) (\w+)\]$/.exec(line) ?? [];
    if (sort !== undefined) {
      meaning = meaningOf(sort, name);
      return [];
    }
    const isWords = line !== '' && !line.startsWith('#') && meaning !== undefined;
    return isWords ? [{ pieces: line.split(' ~ '), meaning: meaning! }] : [];
  });
}

function meaningOf(sort: string, name: string): Meaning {
  if (sort === 'part' || name in slots) return { slot: name as Slot, isWeak: sort === 'weak' };
  if (sort === 'clue') return { clue: name as Clue };
  return { rule: name, ...(sort !== 'says' && { needsPayload: sort === 'weak' ? 'at normal' : 'always' }) };
}

/** The words that matter most, with two letters turned round or one left out. */
function typing(): Phrase[] {
  const words: readonly (readonly [string, Slot])[] = [
    ['ignore', 'override'],
    ['disregard', 'override'],
    ['previous', 'scope'],
    ['instructions', 'target'],
    ['instruction', 'target'],
  ];
  return words.flatMap(([word, slot]) => slipsOf(word).map((slip) => ({ pieces: [slip], meaning: { slot } })));
}

function slipsOf(word: string): string[] {
  const slips = Array.from(word).flatMap((letter, at) => [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at + 1] ?? '') + letter + word.slice(at + 2),
    word.slice(0, at) + letter + word.slice(at),
  ]);
  return [...new Set(slips)].filter((slip) => slip !== word && slip.length >= 5);
}

/** A line that claims to be said by the system, and goes on to give orders. */
export const spokenAsSystem =
  /^[#\s>*[<({"'/!-]{0,8}(?:system|developer|admin(?:istrator)?|root)(?:[ _-](?:prompt|message|note|override|instructions?|command|update|notice))?[*\s"']{0,3}[\]>):]{1,3}[\s*"']{0,3}(?:you (?:are(?! (?:an?|the) )|must|will|should|can|have|may)|ignore|disregard|override|forget|from now on|the (?:user|assistant) (?:is|has|must|may)|new |(?:all )?(?:previous|prior) instructions|reveal|enable|disable|comply|safety)/gim;

/** A turn of another role, written into the text as XML, JSON or a template has it. */
export const fakedTurn =
  /<(system|assistant|developer)>[^<]{10,2000}<\/\1>|\{(?<!messages["']?\s{0,3}[:=]\s{0,3}\[\s{0,80}\{)\s{0,4}["']role["']\s{0,3}:\s{0,3}["'](?:system|developer)["']\s{0,3},\s{0,4}["']content["']\s{0,3}:\s{0,3}["'][^"']{10}|(?:^|\n)(?:###|---|===)\s{0,3}(?:system|assistant|end of (?:user )?(?:input|prompt|instructions))\b[^\n]{0,40}(?:###|---|===|:)|(?<![%#=~*_/-]|[/#;*][ \t])(?!#[^#])[%#=~*_-]{3,24}\s{0,3}end (?:of )?(?:the )?(?:(?:user|system) (?:input|message|prompt|query|data|text|section|ambiguity|instructions?|request)|(?:out of date |previous |all )?(?:prompt|input|instructions|passphrase|access code|secret))\s{0,3}[%#=~*_-]{2}/gi;
