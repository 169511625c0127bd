import {
  aModel,
  fetchedWithData,
  ofPeople,
  ofTheModel,
  ownSubject,
  sentenceEnd,
  sentenceEndOrYou,
} from './injection-subjects.ts';

/** The parts of sequences, with what the words of each are about. */
export const slots = {
  override: 'setting aside',
  override_last: 'setting aside, at the end',
  scope: 'what came before',
  target: 'rules',
  whole: 'all that was said',
  instead: 'what is to be said instead',
  reveal: 'showing',
  reveal_last: 'showing, at the end',
  copy: 'copying',
  rework: 'rewording',
  reshape: 'putting into another form',
  recast: 'putting into another form, of whatever',
  as_code: 'a form of machines or verse',
  as_list: 'a list or simple words',
  verse: 'verses about something',
  told: 'what the model was told',
  secret: 'what the model keeps',
  said: 'saying',
  password: 'words that open',
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
  dan: 'the name of a model set free',
  answering: 'answering',
  lift: 'taking off',
  ethos: 'what binds a model alone',
  as_if: 'supposing',
  no_bounds: 'having no limits',
  no_safety: 'having no filters',
  supersede: 'ranking above',
  own_secret: 'what the model knows',
  view: 'being shown',
  your_prompt: 'the prompt of the model, by its name',
  config: 'how the model is set up',
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

/** Acts that one may be told not to do; the others tell themselves what a model may not do. */
export const negatable: { readonly slots: ReadonlySet<Slot>; readonly rules: ReadonlySet<string> } = {
  slots: new Set<Slot>(['override', 'reveal', 'copy', 'rework', 'reshape', 'recast', 'view', 'lift']),
  rules: new Set(['override_instructions', 'reveal_prompt']),
};

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
  readonly needsPayload?: NeedsPayload;
}

/** The sensitivity at which what people say to people as well needs a payload beside it. */
export type NeedsPayload = 'at normal' | 'always';

/** One word of each slot, in that order and close together: single words, which honest texts have, are never enough. */
export const sequences: readonly Sequence[] = [
  { rule: 'override_instructions', slots: ['override', 'scope', 'target'], gap: 28, before: ofTheModel },
  { rule: 'override_instructions', slots: ['override', 'target', 'scope'], gap: 16, before: ofTheModel },
  { rule: 'override_instructions', slots: ['override', 'whole', 'instead'], gap: 16, needsPayload: 'always' },
  { rule: 'override_instructions', slots: ['supersede', 'hidden'], gap: 8 },
  ...(['instructions', 'earlier'] as const).map(
    (those) =>
      ({
        rule: 'override_instructions',
        slots: ['supersede', those],
        gap: 8,
        before: ownSubject,
        needsPayload: 'at normal',
      }) as const,
  ),
  // Languages in which the verb stands last.
  { rule: 'override_instructions', slots: ['scope', 'target', 'override_last'], gap: 16 },
  ...(['reveal', 'copy', 'rework'] as const).flatMap((verb) => [
    showing([verb, 'hidden']),
    showing([verb, 'instructions'], { before: ownSubject }),
    showing([verb, 'own_prompt'], { before: ownSubject }),
    showing([verb, 'earlier'], { before: ownSubject, needsPayload: 'at normal' }),
  ]),
  ...(['reveal', 'rework'] as const).map((verb) =>
    showing([verb, 'own_secret'], { before: ownSubject, needsPayload: 'at normal' }),
  ),
  showing(['view', 'your_prompt'], { before: sentenceEndOrYou, needsPayload: 'at normal' }),
  ...(['reveal', 'rework', 'view'] as const).map((verb) =>
    showing([verb, 'config'], { before: sentenceEndOrYou, needsPayload: 'at normal' }),
  ),
  showing(['verse', 'told'], { before: ownSubject }),
  ...(['reveal', 'copy', 'rework', 'reshape', 'recast'] as const).flatMap((verb) => [
    showing([verb, 'instructions', 'as_code']),
    showing([verb, 'instructions', 'as_list'], { needsPayload: 'always' }),
    showing([verb, 'above', 'as_list'], { needsPayload: 'always' }),
    showing([verb, 'above', 'as_code'], { before: sentenceEnd, needsPayload: 'at normal' }),
    showing([verb, 'secret'], { before: sentenceEnd, needsPayload: 'at normal' }),
  ]),
  showing(['hidden', 'reveal_last'], { before: sentenceEnd }),
  showing(['reshape', 'hidden']),
  showing(['reshape', 'instructions'], { before: ofTheModel }),
  showing(['reshape', 'earlier'], { before: ofTheModel, needsPayload: 'at normal' }),
  // People paste a text and have it summarised, translated, put into a table: only its very words are the prompt's.
  showing(['reveal', 'above'], { before: sentenceEnd }),
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
  showing(['asked'], { before: sentenceEnd }),
  showing(['questioned'], { before: ownSubject }),
  { rule: 'send_away', slots: ['send', 'cargo', 'address'], gap: 48 },
  { rule: 'no_limits', slots: ['become', 'unbound'], gap: 60 },
  ...(
    [
      ['become', 'loose'],
      ['role', 'unbound'],
      ['role', 'loose'],
    ] as const
  ).map((some) => ({ rule: 'no_limits', slots: some, gap: 60, near: aModel })),
  ...(['unbound', 'loose'] as const).map(
    (freedom) => ({ rule: 'no_limits', slots: ['answering', freedom], gap: 40, needsPayload: 'at normal' }) as const,
  ),
  { rule: 'no_limits', slots: ['you', 'lifted'], gap: 60 },
  { rule: 'no_limits', slots: ['bond', 'void'], gap: 24, before: sentenceEndOrYou },
  { rule: 'no_limits', slots: ['hold', 'void'], gap: 24, before: sentenceEndOrYou, needsPayload: 'at normal' },
  { rule: 'no_limits', slots: ['lift', 'ethos'], gap: 16 },
  ...(['become', 'role'] as const).map(
    (verb) => ({ rule: 'no_limits', slots: [verb, 'dan'], gap: 4, near: /(?<!\p{L})DAN(?!\p{L})/u }) as const,
  ),
  ...(['bond', 'hold'] as const).map(
    (those) =>
      ({
        rule: 'no_limits',
        slots: ['lift', those],
        gap: 16,
        before: sentenceEndOrYou,
        needsPayload: 'at normal',
      }) as const,
  ),
  { rule: 'no_limits', slots: ['as_if', 'bond', 'void'], gap: 24 },
  { rule: 'no_limits', slots: ['as_if', 'hold', 'void'], gap: 24, near: aModel },
  { rule: 'no_limits', slots: ['as_if', 'no_safety'], gap: 24 },
  { rule: 'no_limits', slots: ['as_if', 'no_bounds'], gap: 24, near: aModel },
  { rule: 'no_limits', slots: ['as_if', 'no_bounds'], gap: 24, needsPayload: 'at normal' },
  { rule: 'no_limits', slots: ['mode', 'all_off'], gap: 24, before: sentenceEnd },
  { rule: 'no_limits', slots: ['twice', 'as_free'], gap: 80, near: aModel },
  { rule: 'no_limits', slots: ['opening', 'assent'], gap: 8 },
  {
    rule: 'override_instructions',
    slots: ['said', 'password'],
    gap: 4,
    before: sentenceEnd,
    needsPayload: 'at normal',
  },
  // Orders that stand in a document for the model that is asked about it.
  { rule: 'override_instructions', slots: ['reader', 'reading', 'whisper'], gap: 32 },
  { rule: 'override_instructions', slots: ['summoned', 'whisper'], gap: 32 },
  { rule: 'override_instructions', slots: ['reader', 'whisper'], gap: 2, needsPayload: 'at normal' },
  { rule: 'override_instructions', slots: ['addressed', 'whisper'], gap: 32, unlessBehindFirst: ofPeople },
  // An image is fetched as soon as it is shown, with whatever its address holds.
  { rule: 'send_away', slots: ['draw', 'image', 'chat_data'], gap: 60, near: fetchedWithData },
  { rule: 'send_away', slots: ['chat_data', 'draw', 'image'], gap: 60, near: fetchedWithData },
  { rule: 'no_limits', slots: ['set_free'], gap: 0, before: sentenceEnd },
];

function showing(some: readonly Slot[], more: Pick<Sequence, 'before' | 'needsPayload'> = {}): Sequence {
  return { rule: 'reveal_prompt', slots: some, gap: 28, ...more };
}

/** By a slot, the places in the table of the sequences that end with it: few texts have one, and many have a verb. */
const endingWith = new Map<Slot, number[]>();
for (const [index, { slots: some }] of sequences.entries())
  endingWith.set(some.at(-1)!, [...(endingWith.get(some.at(-1)!) ?? []), index]);

/** A set of slots, or a map with something by each. */
type SlotSet = Pick<ReadonlySet<Slot>, 'has' | 'keys'>;

/** The sequences of which each slot is among some, in the order of the table. */
export function sequencesOfSlots(some: SlotSet): Sequence[] {
  const found: number[] = [];
  for (const slot of some.keys()) {
    const places = endingWith.get(slot);
    if (places === undefined) continue;
    for (const index of places) if (hasAll(some, sequences[index]!.slots)) found.push(index);
  }
  return found.sort((one, other) => one - other).map((index) => sequences[index]!);
}

function hasAll(some: SlotSet, wanted: readonly Slot[]): boolean {
  for (const slot of wanted) if (!some.has(slot)) return false;
  return true;
}
