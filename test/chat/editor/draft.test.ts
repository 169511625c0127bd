import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Draft } from '../../../src/chat/editor/draft.ts';
import { DraftKeys } from '../../../src/chat/editor/draft-keys.ts';
import { actionOf, keyTable } from '../../../src/chat/editor/keymap.ts';
import { type Key, KeyReader } from '../../../src/terminal/keys.ts';
import { NaiveDraft } from './naive-draft.ts';

const esc = '\u001b';
/** A key of each kind, as a terminal sends it. */
const presses = [
  '\u0001 \u0002 \u0004 \u0005 \u0006 \u000b \u0014 \u0015 \u0017 \u0019 \u001f \u007f',
  `${esc}b ${esc}f ${esc}d ${esc}y ${esc}\u007f ${esc}\r ${esc}< ${esc}> ${esc}[A ${esc}[B ${esc}[C ${esc}[D ${esc}[H ${esc}[F`,
  `${esc}[3~ ${esc}[1;5C ${esc}[1;5D ${esc}[1;5H ${esc}[1;5F ${esc}[13;2u`,
].flatMap((keys) => keys.split(' '));
const pieces = [
  'a',
  'b',
  '_',
  '7',
  ' ',
  '.',
  '日',
  'é',
  'e\u0301',
  '\u0301',
  '👩\u200d👩\u200d👧',
  '👍🏽',
  '🇩🇪',
  '🇩',
  '한',
  'ن\u200c',
  '1\ufe0f\u20e3',
];
const pastes = [...pieces, '\n', '\t', '\u0003', esc, '\u200d', '\u202e', 'one two\nthree'];

interface Draftlike {
  type(text: string): void;
  paste(text: string): void;
  press(name: string): void;
}

/** Effects of keys that need nothing but the draft. */
function obey(keys: readonly Key[], draft: Draftlike): void {
  for (const key of keys) {
    if (key.kind === 'press') draft.press(key.name);
    else if (key.kind === 'paste') draft.paste(key.text);
    else draft.type(key.text);
  }
}

function ours(draft: Draft): Draftlike {
  const draftKeys = new DraftKeys();
  return {
    type: (text) => {
      draftKeys.rest();
      draft.insert(text, true);
    },
    paste: (text) => {
      draftKeys.rest();
      draft.insert(text);
    },
    press: (name) => {
      const action = toDraftAction(name);
      if (draftKeys.press(action, draft) === false) draft.moveLine(action === 'up' ? -1 : 1);
    },
  };
}

function naive(draft: NaiveDraft): Draftlike {
  return {
    type: (text) => draft.type(text),
    paste: (text) => draft.paste(text),
    press: (name) => draft.press(toDraftAction(name)),
  };
}

function toDraftAction(name: string) {
  const action = actionOf(name)!;
  return action === 'leave-or-erase' ? 'erase-right' : action;
}

function offsetOf(draft: Draft): number {
  const { line, at } = draft.cursor;
  return draft.lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + at;
}

const typed = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...presses) },
  { weight: 3, arbitrary: fc.constantFrom(...pieces) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...pastes), { maxLength: 6 }).map(pasted) },
  { weight: 1, arbitrary: fc.constantFrom('\n') },
);

function pasted(parts: readonly string[]): string {
  return `${esc}[200~${parts.join('').replaceAll(`${esc}[201~`, '')}${esc}[201~`;
}

test('any sequence of keys and pastes leaves the draft that a plain string would be', () => {
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 40 }), (all) => {
      const draft = new Draft();
      const [one, other] = [ours(draft), new NaiveDraft()];
      const reader = new KeyReader();
      for (const part of all) {
        const keys = reader.feed(Buffer.from(part));
        obey(keys, one);
        obey(keys, naive(other));
        expect([draft.text(), offsetOf(draft)]).toEqual([other.text, other.cursor]);
      }
      expect(draft.bytes).toBe(Buffer.byteLength(draft.text()));
    }),
    // An empty line on the way leaves the column that is aimed at.
    { numRuns: 1000, examples: [[['\n', 'a', `${esc}[A`, `${esc}[B`]]] },
  );
});

test('wherever the reads cut the keys, the draft is the same', () => {
  const uncut = typed.filter((part) => part !== '\u001f' && part !== '\n' && part !== `${esc}y`);
  fc.assert(
    fc.property(fc.array(uncut, { maxLength: 15 }), fc.array(fc.nat(120), { maxLength: 10 }), (all, cuts) => {
      const bytes = Buffer.from(all.join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const [whole, cut] = [new Draft(), new Draft()];
      const reader = new KeyReader();
      obey(new KeyReader().feed(bytes), ours(whole));
      const editing = ours(cut);
      for (const [index, end] of places.slice(1).entries())
        obey(reader.feed(bytes.subarray(places[index], end)), editing);
      expect([cut.text(), cut.cursor]).toEqual([whole.text(), whole.cursor]);
    }),
    { numRuns: 500 },
  );
});

describe('keys', () => {
  test('each of them has one meaning, and what is told is told in a few words', () => {
    const names = keyTable.flatMap((row) => row.names);
    expect(names).toEqual([...new Set(names)]);
    expect(keyTable.filter(({ says, keys }) => (says === undefined) !== (keys === undefined))).toEqual([]);
  });

  test.each([
    ['Backspace takes a character with its mark', 'xe\u0301', '\u007f', 'x'],
    ['Backspace takes a family', 'x👩\u200d👩\u200d👧', '\u007f', 'x'],
    ['Backspace takes a flag', '🇩🇪🇫🇷', '\u007f', '🇩🇪'],
    ['Backspace joins lines', 'a\nb', `\u0001\u007f`, 'ab'],
    ['Ctrl-W goes back to a blank', 'say foo-bar ', '\u0017', 'say '],
    ['Alt-Backspace goes back a word', 'say foo-bar ', `${esc}\u007f`, 'say foo-'],
    ['Ctrl-U cuts to the start of the line alone', 'a\nb c', '\u0015', 'a\n'],
    ['Ctrl-U, then Ctrl-Y', 'a b', '\u0015\u0019', 'a b'],
    ['two cuts together are put back together', 'one two three', '\u0017\u0017\u0019', 'one two three'],
    ['Alt-Y puts in the cut before', 'one two', `\u0017x\u0017\u0019${esc}y`, 'one two'],
    ['Ctrl-T swaps the last two', 'ab日', '\u0014', 'a日b'],
    ['Ctrl-_ undoes a word', 'one two', '\u001f', 'one'],
    ['Ctrl-K at the end of a line joins the next', 'a\nb', `${esc}[A\u000b`, 'ab'],
  ])('%s', (_, start, keys, end) => {
    const draft = new Draft();
    const editing = ours(draft);
    const reader = new KeyReader();
    for (const part of start.split(/(?<=\n)|(?= )/)) obey(reader.feed(Buffer.from(part)), editing);
    obey(reader.settle(), editing);
    obey(reader.feed(Buffer.from(keys)), editing);
    expect(draft.text()).toBe(end);
  });

  test('the cursor keeps its column over a shorter line', () => {
    const draft = new Draft('日本語x\na\n日本語y');
    draft.moveLine(-1);
    expect(draft.cursor).toEqual({ line: 1, at: 1 });
    draft.moveLine(-1);
    expect(draft.cursor).toEqual({ line: 0, at: 4 });
  });

  test('a draft holds what may be sent and no byte more', () => {
    const draft = new Draft();
    expect(draft.insert('x'.repeat(16 * 1024 * 1024))).toBe(true);
    expect(draft.insert('x')).toBe(false);
    expect(draft.replaceBefore(0, 'y')).toBe(true);
    expect(draft.text()).toBe('y');
  });
});
