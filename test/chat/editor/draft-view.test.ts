import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Draft } from '../../../src/chat/editor/draft.ts';
import { DraftView } from '../../../src/chat/editor/draft-view.ts';
import type { MotionName } from '../../../src/chat/editor/motions.ts';
import { type Frame, openScreen } from '../../../src/terminal/screen.ts';
import { columnsOf } from '../../../src/text/width.ts';
import type { Output } from '../../../src/world/world.ts';
import { hiddenAnywhere, hostileTexts } from '../../fixtures/hostile-text.ts';
import { VirtualScreen } from '../../support/terminals/virtual-screen.ts';

const plain = { prompt: '> ', below: [], stylePrompt: (text: string) => text, styleBelow: (text: string) => text };

interface Seen {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** A draft on a screen of its own. */
function onScreen(columns: number, rows: number, reflows = true) {
  const terminal = new VirtualScreen(columns, rows);
  const size = { columns, rows };
  const output: Output = {
    isTerminal: true,
    isSeen: true,
    isDiscarded: false,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    write: async (text) => terminal.write(String(text)),
    onResize: () => () => {},
    undoAtEnd: () => {},
  };
  const screen = openScreen(output, reflows ? {} : { TERM: 'linux' });
  const view = new DraftView();
  const draft = new Draft();
  let frame: Frame | undefined;
  return {
    draft,
    terminal,
    screen,
    async draw(below: readonly string[] = []): Promise<Frame> {
      frame = view.frame(draft, size, { ...plain, below });
      await screen.draw(frame);
      return frame;
    },
    resize(newColumns: number, newRows: number) {
      Object.assign(size, { columns: newColumns, rows: newRows });
      terminal.resize(newColumns, newRows, reflows);
    },
    seen: (): Seen => ({ rows: terminal.seen, cursor: terminal.cursor }),
  };
}

/** The same frame on an empty terminal. */
async function drawnWhole(frame: Frame, columns: number, rows: number): Promise<Seen> {
  const terminal = new VirtualScreen(columns, rows);
  const write = async (text: string | Uint8Array): Promise<void> => terminal.write(String(text));
  const output: Output = {
    isTerminal: true,
    isSeen: true,
    isDiscarded: false,
    columns,
    rows,
    write,
    onResize: () => () => {},
    undoAtEnd: () => {},
  };
  await openScreen(output, {}).draw(frame);
  return { rows: terminal.seen, cursor: terminal.cursor };
}

type Step = { insert: string } | { move: MotionName } | { erase: MotionName } | { line: -1 | 1 } | { below: number };

const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b ',
      'word ',
      '日',
      '本語',
      'e\u0301',
      '👩\u200d👩\u200d👧',
      '🇩🇪',
      '\t',
      '\n',
      '\u001b[2J',
      '\u202e',
      '\u0301',
      'x'.repeat(15),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const motion = fc.constantFrom<MotionName>(
  'left',
  'right',
  'word-left',
  'line-start',
  'line-end',
  'draft-start',
  'draft-end',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  text.map((insert) => ({ insert })),
  motion.map((move) => ({ move })),
  motion.map((erase) => ({ erase })),
  fc.constantFrom<Step>({ line: -1 }, { line: 1 }, { below: 0 }, { below: 3 }),
);

function take(change: Step, draft: Draft): number {
  if ('insert' in change) draft.insert(change.insert);
  else if ('move' in change) draft.move(change.move);
  else if ('erase' in change) draft.erase(change.erase);
  else if ('line' in change) draft.moveLine(change.line);
  else return change.below;
  return 0;
}

describe.each([1, 2, 3, 10, 40, 80])('on a terminal of %i columns', (columns) => {
  test.each([1, 2, 5, 24])('and %i rows: key after key, what is seen is what drawing all of it shows', async (rows) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const shown = onScreen(columns, rows);
        for (const change of steps) {
          const hints = Array.from({ length: take(change, shown.draft) }, (_, index) => `hint ${index}`);
          const frame = await shown.draw(hints);
          expect(shown.seen()).toEqual(await drawnWhole(frame, columns, rows));
          expect(shown.terminal.unknown).toEqual([]);
          expect(frame.rows.filter((row) => columnsOf(row) > columns || hiddenAnywhere.test(row))).toEqual([]);
          expect(frame.rows.length).toBeLessThanOrEqual(rows);
        }
        expect(shown.terminal.scrolledAway).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

test.each([
  { reflows: true, name: 'breaks lines anew' },
  { reflows: false, name: 'cuts lines' },
])('after a resize of a terminal that $name, nothing of the old rows is left', async ({ reflows }) => {
  const size = fc.record({ columns: fc.constantFrom(1, 2, 7, 10, 40, 80), rows: fc.constantFrom(6, 12, 24) });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(step, size), { maxLength: 12 }), async (steps) => {
      const shown = onScreen(40, 24, reflows);
      const current = { columns: 40, rows: 24 };
      let hasScrolled = false;
      for (const change of steps) {
        if ('columns' in change) {
          Object.assign(current, change);
          shown.resize(change.columns, change.rows);
          hasScrolled ||= shown.terminal.scrolledAway.length > 0;
        } else take(change, shown.draft);
        const frame = await shown.draw();
        hasScrolled ||= shown.terminal.scrolledAway.length > 0;
        const whole = await drawnWhole(frame, current.columns, current.rows);
        const { rows, cursor } = shown.seen();
        const above = cursor.row - whole.cursor.row;
        expect({ rows: rows.slice(above), column: cursor.column }).toEqual({
          rows: whole.rows,
          column: whole.cursor.column,
        });
        // A row that scrolled away from a small terminal cannot be wiped, and may flow back into view.
        if (hasScrolled) return;
        expect(above).toBe(0);
      }
    }),
    { numRuns: 300 },
  );
});

describe('what is shown', () => {
  test.each([
    ['a text of two lines', 40, 'hello\nworld', ['> hello', '  world']],
    ['wide characters, which are never cut', 10, '日本語日本語', ['> 日本語', '  日本語']],
    ['a family, which is one', 10, 'abcdef👩\u200d👩\u200d👧x', ['> abcdef', '  👩\u200d👩\u200d👧x']],
    ['tabs', 40, 'a\tb\n\tc', ['> a       b', '          c']],
    ['a terminal of 2 columns', 2, 'ab', ['a', 'b']],
    ['a terminal of 1 column and a wide character', 1, 'a日', ['a', '?']],
    ['a mark on nothing', 40, '\u0301', ['> \u25cc\u0301']],
    ['a mark on a tab', 40, '\t\u0301x', ['>         \u0301x']],
    ['a joiner between letters that join', 40, 'ن\u200cم', ['> ن\u200cم']],
    ['a joiner anywhere else', 40, 'a\u200db', ['> a\\u{200d}b']],
    ['an 8-bit control', 40, '\u009b2J', ['> \\u{9b}2J']],
  ])('%s', async (_, columns, content, rows) => {
    const shown = onScreen(columns, 10);
    shown.draft.insert(content);
    await shown.draw();
    expect(shown.seen().rows).toEqual(rows);
  });

  test.each(hostileTexts.map(({ name, text }) => [name, text]))(
    '%s, pasted, moves nothing and hides nothing',
    async (_, content) => {
      const shown = onScreen(40, 200);
      shown.draft.insert(content.replace(/\r\n?/g, '\n'));
      const frame = await shown.draw();
      expect(shown.terminal.unknown).toEqual([]);
      expect(frame.rows.filter((row) => hiddenAnywhere.test(row))).toEqual([]);
      expect(shown.seen().rows[0]).toMatch(/^>/);
    },
  );

  test('a draft that is taller than the terminal is shown around the cursor, and moves as little as it must', async () => {
    const shown = onScreen(20, 4);
    shown.draft.insert(Array.from({ length: 10 }, (_, index) => `line ${index}`).join('\n'));
    await shown.draw();
    expect(shown.seen().rows).toEqual(['  line 6', '  line 7', '  line 8', '  line 9']);
    for (let count = 0; count < 4; count += 1) shown.draft.moveLine(-1);
    await shown.draw();
    expect(shown.seen()).toEqual({
      rows: ['  line 5', '  line 6', '  line 7', '  line 8'],
      cursor: { row: 0, column: 8 },
    });
    shown.draft.moveLine(1);
    await shown.draw();
    expect(shown.seen().rows[0]).toBe('  line 5');
    shown.draft.erase('draft-end');
    await shown.draw();
    expect(shown.seen().rows).toEqual(['  line 3', '  line 4', '  line 5', '  line 6']);
  });

  test('a key in a long line writes what it changed', async () => {
    const terminal: string[] = [];
    const write = async (text: string | Uint8Array): Promise<void> => void terminal.push(String(text));
    const output: Output = {
      isTerminal: true,
      isSeen: true,
      isDiscarded: false,
      columns: 80,
      rows: 24,
      write,
      onResize: () => () => {},
      undoAtEnd: () => {},
    };
    const screen = openScreen(output, {});
    const view = new DraftView();
    const draft = new Draft('word '.repeat(20_000));
    await screen.draw(view.frame(draft, output, plain));
    draft.insert('x', true);
    await screen.draw(view.frame(draft, output, plain));
    expect(terminal[1]!.length).toBeLessThan(100);
  });
});
