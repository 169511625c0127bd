import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Draft } from '../../../src/chat/editor/draft.ts';
import { DraftEcho } from '../../../src/chat/editor/draft-echo.ts';
import { createFakeOutput } from '../../support/fake-output.ts';
import { VirtualScreen } from '../../support/terminals/virtual-screen.ts';

const columns = 12;
const pieces = fc.constantFrom(
  'a',
  'bc d',
  '漢字',
  '\n',
  '👩\u200d👧',
  '\t',
  '\u202e',
  'a long word and more\n\nof it',
  ' ',
);
const step = fc.oneof(
  pieces.map((text) => ({ text })),
  fc.constantFrom('left', 'to-line-start', 'blank-left').map((erased) => ({ erased })),
);

/** The screen of the whole draft, written anew. */
async function lastRowOf(draft: Draft): Promise<string | undefined> {
  const output = createFakeOutput(2, { columns });
  await new DraftEcho(output, '> ').whole(draft);
  return output.text.split('\n').at(-1)?.trimEnd();
}

test('whatever is added and taken back, the row of the cursor is the last one of the draft, and only LF and BS move it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const output = createFakeOutput(2, { columns, rows: 500 });
      const draft = new Draft();
      const echo = new DraftEcho(output, '> ');
      await echo.whole(draft);
      for (const each of steps) {
        if ('text' in each) draft.insert(each.text);
        else draft.erase(each.erased);
        await echo.follow(draft);
        const terminal = new VirtualScreen(columns, 500);
        terminal.write(output.text.replaceAll('\n', '\r\n'));
        const rows = terminal.seen;
        expect(rows[terminal.cursor.row] ?? '').toBe(await lastRowOf(draft));
        expect(rows.length).toBeLessThanOrEqual(terminal.cursor.row + 1);
      }
      expect(output.text).not.toMatch(/[\0-\u0007\u000b-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 300 },
  );
});
