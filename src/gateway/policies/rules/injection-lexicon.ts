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
import {
  aModel,
  fetchedWithData,
  ofPeople,
  ofTheModel,
  ownSubject,
  sentenceEnd,
  sentenceEndOrYou,
} from './injection-subjects.ts';

/** Sequences that attempts to take over a model are made of; the words stand in a text file for each language. */

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

/** The parts of sequences, with what the words of each are about. */
export const slots = {
  override: 'setting aside',
  override_last: 'setting aside, at the end',
  scope: 'what came before',
  target: 'rules',
  reveal: 'showing',
  copy: 'copying',
  rework: 'rewording',
  reshape: 'putting into another form',
  hidden: 'the hidden prompt',
  instructions: 'instructions, of the model or of others',
  own_prompt: 'the prompt of the model',
  earlier: 'instructions that came before',
  above: 'what stands above',
  pasted: 'a text above',
  exactly: 'word for word',
  first_words: 'beginning with "You are"',
  echo: 'repeating a text above',
  asked: 'asking for the rules',
  questioned: 'asking for the instructions',
  send: 'sending away',
  cargo: 'what is confidential',
  address: 'an address',
  you: 'the model',
  unbound: 'no limits',
  loose: 'no limits, of whomever',
  lifted: 'limits being off',
  bond: 'what binds the model',
  hold: 'what binds somebody',
  void: 'being in force no more',
  mode: 'a mode of developers',
  all_off: 'limits being off in a mode',
  twice: 'two answers',
  as_free: 'an answer without limits',
  become: 'a role',
  role: 'a role, of a player or of a model',
  set_free: 'never refusing',
  opening: 'how to begin the answer',
  assent: 'an answer that agrees',
  reader: 'the model that reads',
  reading: 'reading this',
  summoned: 'the model that reads this',
  whisper: 'what it shall tell',
  addressed: 'a note to models',
  draw: 'showing an image',
  image: 'an image',
  chat_data: 'what was said in the chat',
} as const;

export type Slot = keyof typeof slots;

/** `gap`: the characters that may stand between one slot and the next. */
export interface Sequence {
  readonly rule: string;
  readonly slots: readonly Slot[];
  readonly gap: number;
  /** The text behind it, which tells whether it is one; without, any. */
  readonly before?: RegExp;
  /** The text behind its first slot, where it is none. */
  readonly unlessBehindFirst?: RegExp;
  /** Words that stand in it or close to it. */
  readonly near?: RegExp;
  /** True where people say it to people as well, so that at normal sensitivity it needs a payload beside it. */
  readonly isWeak?: boolean;
}

/** One word of each slot, in that order and close together: single words, which honest texts have, are never enough. */
export const sequences: readonly Sequence[] = [
  { rule: 'override_instructions', slots: ['override', 'scope', 'target'], gap: 28, before: ofTheModel },
  { rule: 'override_instructions', slots: ['override', 'target', 'scope'], gap: 16, before: ofTheModel },
  // Languages in which the verb stands last.
  { rule: 'override_instructions', slots: ['scope', 'target', 'override_last'], gap: 16 },
  ...(['reveal', 'copy', 'rework'] as const).flatMap((verb) => [
    showing([verb, 'hidden']),
    showing([verb, 'instructions'], ownSubject),
    showing([verb, 'own_prompt'], ownSubject),
    { ...showing([verb, 'earlier'], ownSubject), isWeak: true },
  ]),
  showing(['reshape', 'hidden']),
  showing(['reshape', 'instructions'], ofTheModel),
  { ...showing(['reshape', 'earlier'], ofTheModel), isWeak: true },
  // People paste a text and have it summarised, translated, put into a table: only its very words are the prompt's.
  showing(['reveal', 'above'], sentenceEnd),
  ...(['reveal', 'copy'] as const).flatMap((verb) =>
    (['above', 'pasted'] as const).flatMap((text) => [
      showing([verb, text, 'exactly']),
      showing([verb, 'exactly', text]),
      showing(['exactly', verb, text]),
    ]),
  ),
  ...(['reveal', 'copy', 'rework'] as const).flatMap((verb) =>
    (['above', 'pasted'] as const).map((text) => showing([verb, text, 'first_words'])),
  ),
  showing(['echo', 'exactly']),
  showing(['exactly', 'echo']),
  showing(['asked'], sentenceEnd),
  showing(['questioned'], ownSubject),
  { rule: 'send_away', slots: ['send', 'cargo', 'address'], gap: 48 },
  { rule: 'no_limits', slots: ['become', 'unbound'], gap: 60 },
  ...(
    [
      ['become', 'loose'],
      ['role', 'unbound'],
      ['role', 'loose'],
    ] as const
  ).map((some) => ({ rule: 'no_limits', slots: some, gap: 60, near: aModel })),
  { rule: 'no_limits', slots: ['you', 'lifted'], gap: 60 },
  { rule: 'no_limits', slots: ['bond', 'void'], gap: 24, before: sentenceEndOrYou },
  { rule: 'no_limits', slots: ['hold', 'void'], gap: 24, before: sentenceEndOrYou, isWeak: true },
  { rule: 'no_limits', slots: ['mode', 'all_off'], gap: 24, before: sentenceEnd },
  { rule: 'no_limits', slots: ['twice', 'as_free'], gap: 80, near: aModel },
  { rule: 'no_limits', slots: ['opening', 'assent'], gap: 8 },
  // Orders that stand in a document for the model that is asked about it.
  { rule: 'override_instructions', slots: ['reader', 'reading', 'whisper'], gap: 32 },
  { rule: 'override_instructions', slots: ['summoned', 'whisper'], gap: 32 },
  { rule: 'override_instructions', slots: ['addressed', 'whisper'], gap: 32, unlessBehindFirst: ofPeople },
  // An image is fetched as soon as it is shown, with whatever its address holds.
  { rule: 'send_away', slots: ['draw', 'image', 'chat_data'], gap: 60, near: fetchedWithData },
  { rule: 'send_away', slots: ['chat_data', 'draw', 'image'], gap: 60, near: fetchedWithData },
  { rule: 'no_limits', slots: ['set_free'], gap: 0, before: sentenceEnd },
];

function showing(some: readonly Slot[], before?: RegExp): Sequence {
  return { rule: 'reveal_prompt', slots: some, gap: 28, ...(before && { before }) };
}

/** Groups of clues: each is common in honest texts, many together are not, and one of the core must be there. */
export const clues = {
  freed: { isCore: true, weight: 2, means: 'a model set free' },
  unethical: { isCore: true, weight: 1, means: 'ethics set aside' },
  never_refuse: { isCore: true, weight: 1.5, means: 'never refusing' },
  forbidden_words: { isCore: true, weight: 1.5, means: 'words it may not say' },
  forced_beginning: { isCore: false, weight: 1, means: 'how to begin the answer' },
  two_answers: { isCore: true, weight: 1.5, means: 'two answers at once' },
  stay: { isCore: false, weight: 1, means: 'staying in character' },
  persona: { isCore: false, weight: 0.75, means: 'a role to play' },
  policy: { isCore: false, weight: 1, means: 'policies and limits' },
  fiction: { isCore: false, weight: 0.75, means: 'fiction' },
  slot: { isCore: false, weight: 0.75, means: 'a place for the prompt' },
  command: { isCore: false, weight: 0.75, means: 'modes and switches' },
  told_off: { isCore: false, weight: 0.75, means: 'threats and orders' },
} as const;

export type Clue = keyof typeof clues;

export type Meaning =
  | { readonly slot: Slot; readonly isWeak?: boolean }
  | { readonly rule: string; readonly isWeak?: boolean }
  | { readonly clue: Clue }
  /** One of the words without which no turn of another role is spoken or faked. */
  | { readonly isTurn: true };

/** A word or phrase, and what it means; the pieces of one with a gap follow each other in a text. */
interface Phrase {
  readonly pieces: readonly string[];
  readonly meaning: Meaning;
}

const chatMarkers =
  '<|im_start|> / <|im_end|> / <|im_sep|> / <|system|> / <|user|> / <|assistant|> / <|endoftext|> / <|eot_id|> / <|start_header_id|> / <|end_header_id|> / <|begin_of_text|> / <|end_of_turn|> / <|channel|> / <|begin_of_sentence|> / <start_of_turn> / <end_of_turn> / [/inst] / <<sys>> / <</sys>> / </system_prompt> / <system_prompt> / </system_instructions> / [end of system prompt] / [system message] / [system prompt] / ### system: / ### system prompt / ### instruction: / end of system prompt / begin system prompt / end system prompt';

/** Phrases that nobody says who wants anything else; the marks of turns in chat formats are among them. */
const markers: readonly Phrase[] = chatMarkers
  .split(' / ')
  .map((marker) => ({ pieces: [marker], meaning: { rule: 'role_marker' } }));

const turnWords: readonly Phrase[] = 'system developer admin administrator root assistant role end'
  .split(' ')
  .map((word) => ({ pieces: [word], meaning: { isTurn: true } }));

export const lexicon: readonly Phrase[] = [...languages.flatMap(parseLanguage), ...typing(), ...markers, ...turnWords];

function parseLanguage(text: string): Phrase[] {
  let meaning: Meaning | undefined;
  return text.split('\n').flatMap((line) => {
    const [, sort, name = ''] = /^\[(part|says|weak|clue) (\w+)\]$/.exec(line) ?? [];
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
  return sort === 'clue' ? { clue: name as Clue } : { rule: name, isWeak: sort === 'weak' };
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
  /^[#\s>*[<({"'-]{0,8}(?:system|developer|admin(?:istrator)?|root)(?:[ _-](?:prompt|message|note|override|instructions?|command|update|notice))?[*\s"']{0,3}[\]>):]{1,3}[\s*"']{0,3}(?:you (?:are|must|will|should|can|have|may)|ignore|disregard|override|forget|from now on|the (?:user|assistant) (?:is|has|must|may)|new |reveal|enable|disable|comply|safety)/gim;

/** A turn of another role, written into the text as XML, JSON or a template has it. */
export const fakedTurn =
  /<(system|assistant|developer)>[^<]{10,2000}<\/\1>|\{\s{0,4}["']role["']\s{0,3}:\s{0,3}["'](?:system|developer)["']\s{0,3},\s{0,4}["']content["']\s{0,3}:\s{0,3}["'][^"']{10}|(?:^|\n)(?:###|---|===)\s{0,3}(?:system|assistant|end of (?:user )?(?:input|prompt|instructions))\b[^\n]{0,40}(?:###|---|===|:)/gi;
