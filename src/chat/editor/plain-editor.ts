import type { LineInput } from '../../terminal/line-input.ts';
import { defuse, defuseLine } from '../../text/defuse.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { type Editor, leavesNext, type EditorResult } from './contract.ts';

const continuation = '… ';

/** Sequences of arrows and function keys; the terminal shows it as `^[[D`, and nobody means it as text. */
const pressedKeys = /\u001b(?:\[[\d;]*[A-HPQRSZ~]|O[A-HP-S])/g;

/** Linux takes no more of one line, drops the rest without a word, and shows it nevertheless. */
const lineBytesMax = 4095;

/**
 * For TERM=dumb: the terminal edits the line, a `\` at its end continues it, nothing is redrawn. What calls itself dumb
 * may send LF for Enter, as Emacs does, so that its keys cannot be told apart.
 */
export function createPlainEditor(lines: LineInput, output: { write(text: string): Promise<void> }): Editor {
  let isLeaving = false;
  let isToldOfKeys = false;

  async function readText(prompt: string): Promise<EditorResult | 'interrupted' | 'cut'> {
    let text = '';
    await output.write(`${defuseLine(prompt.trimEnd())} `);
    for (;;) {
      const line = await lines.read();
      if (line === 'interrupted') return line;
      if (line === undefined) return text === '' ? { kind: 'left' } : { kind: 'entered', text };
      if (isCut(line.text)) return 'cut';
      text += await withoutKeys(line.text);
      const isGoingOn = /\\*$/.exec(text)![0].length % 2 === 1 && text.length <= promptBytesMax;
      if (!isGoingOn) return { kind: 'entered', text };
      text = `${text.slice(0, -1)}\n`;
      await output.write(continuation);
    }
  }

  async function withoutKeys(text: string): Promise<string> {
    const kept = text.replace(pressedKeys, '');
    if (kept !== text && !isToldOfKeys) {
      isToldOfKeys = true;
      await output.write('motif: arrow and function keys do nothing here; what they typed is left out\n');
    }
    return kept;
  }

  return {
    async read({ prompt, initial = '' }) {
      if (initial !== '') await output.write(`motif: no text can be edited here; it was:\n${defuse(initial)}\n`);
      for (;;) {
        const typed = await readText(prompt);
        if (typed === 'cut') {
          await output.write(
            `motif: the terminal takes ${lineBytesMax} bytes of a line and drops the rest, so nothing was sent\n` +
              '  break the line with \\ and Enter, or put the text into a file: /file FILE\n',
          );
          continue;
        }
        if (typed !== 'interrupted') {
          isLeaving = false;
          if (typed.kind === 'left') await output.write('\n');
          return typed;
        }
        await output.write('\n');
        if (isLeaving) return { kind: 'left' };
        isLeaving = true;
        await output.write(`motif: ${leavesNext}\n`);
      }
    },
    whileWorking: (work) => lines.whileWorking(work),
    close: () => lines.close(),
  };
}

function isCut(text: string): boolean {
  return text.length >= lineBytesMax / 3 && text.split('\n').some((line) => Buffer.byteLength(line) >= lineBytesMax);
}
