import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyTable } from '../../src/chat/editor/keymap.ts';
import { slashTable, slashUsage } from '../../src/chat/slash/table.ts';
import { chatTyping } from '../support/rooms/chat.ts';

/** The manual's facts of chat, held against the tables that the program itself goes by, and against a real chat. */
const page = readFileSync(join(resolve(import.meta.dirname, '../..'), 'src/manual/chat-keys.md'), 'utf8');

const toCell = (text: string) => text.replaceAll('|', '\\|');

describe('the tables of chat', () => {
  test.each([
    {
      name: 'keys',
      head: 'Key',
      rows: keyTable.flatMap(({ keys, says }) => (keys === undefined ? [] : [[toCell(keys), says ?? '']])),
    },
    {
      name: 'slash commands',
      head: 'Command',
      rows: slashTable.map((command) => [`\`${toCell(slashUsage(command))}\``, command.summary]),
    },
  ])('$name', ({ head, rows }) => {
    const lines = rows.map(([left, right]) => `| ${left} | ${right} |`);
    expect(page).toContain([`| ${head} | What it does |`, '| --- | --- |', ...lines, ''].join('\n'));
  });
});

/** Parts that differ from run to run. */
const settled = (line: string) =>
  line
    .replace(/[\d.]+ m?s\b/, 'N ms')
    .replace(/[^ ]*\/conversations\/\w+/, '/conversations/ID')
    .replace(/prompt_id \w+/, 'prompt_id ID');

test('the transcript is what a person sees', async () => {
  const [, transcript = ''] = /^\$ motif chat --demo\n([^]*?)^```$/m.exec(page) ?? [];
  const lines = transcript.trimEnd().split('\n');
  const typed = lines.filter((line) => line.startsWith('> ')).map((line) => `${line.slice(2)}\r`);
  expect(typed).toHaveLength(5);
  const wide = { columns: 200 };
  const run = await chatTyping(typed, ['--demo', '--accessible'], { env: {}, stdout: wide, stderr: wide });
  // The line that stands in for a spinner is there only because of --accessible; at the last mark somebody left.
  const isOfPage = (line: string) => !['', '>', 'motif: waiting for the answer'].includes(line.trim());
  const seen = (text: string) => {
    const shown = text.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').split(/[\r\n]+/);
    return shown.filter(isOfPage).map(settled);
  };
  const answers = seen(run.stdout);
  expect(lines.filter((line) => answers.includes(line))).toEqual(answers);
  expect(lines.filter((line) => !answers.includes(line)).map(settled)).toEqual(seen(run.stderr));
});
