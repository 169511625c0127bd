import { describe, expect, test } from 'vitest';
import { keyTable } from '../../../src/chat/editor/keymap.ts';
import { slashTable, slashUsage } from '../../../src/chat/slash/table.ts';
import { columnsOf } from '../../../src/text/width.ts';
import { chatLines } from '../../support/rooms/chat.ts';

describe('the table of slash commands', () => {
  test('names are words of their own, in the order that the contract lists them; /timeout is one more', () => {
    const names = slashTable.map(({ name }) => name).filter((name) => name !== 'timeout');
    expect(names.join(' ')).toBe(
      'help system file edit retry undo messages usage profile save load fork title copy extract export case clear exit',
    );
  });

  test('/help shows every command, on lines that fit 80 columns', async () => {
    const { stderr, stdout } = await chatLines(['/help']);
    expect(stdout).toBe('');
    for (const command of slashTable) expect(stderr).toContain(`${slashUsage(command)} `);
    expect(stderr.split('\n').filter((line) => columnsOf(line) > 79)).toEqual([]);
  });

  test.each(slashTable)('/help $name shows its words', async (command) => {
    for (const typed of [`/help ${command.name}`, `/help /${command.name}`]) {
      const { stderr, exitCode } = await chatLines([typed]);
      expect(exitCode).toBe(0);
      expect(stderr).toBe(`${slashUsage(command)}\n  ${command.summary}\n`);
    }
  });

  test('/help keys shows every key of the editor in two columns, on lines that fit 80 columns', async () => {
    const { stderr } = await chatLines(['/help keys']);
    const rows = (stderr.split('\n\n', 1)[0] ?? '').split('\n').map((line) => [line.slice(0, 28), line.slice(28)]);
    const told: string[][] = [];
    for (const [keys = '', says = ''] of rows) {
      // A further row of a key is set in, or has no key at all.
      if (/^\S/.test(keys)) told.push([keys.trim(), says]);
      else {
        const last = told.at(-1)!;
        told.splice(-1, 1, [`${last[0]} ${keys.trim()}`.trim(), `${last[1]} ${says}`.trim()]);
      }
    }
    const all = keyTable.flatMap(({ keys, says }) => (keys === undefined ? [] : [[keys, says]]));
    expect(told).toEqual(all);
    expect(all.length).toBeGreaterThan(15);
    expect(stderr.split('\n').filter((line) => columnsOf(line) > 79)).toEqual([]);
  });

  test('help for an unknown command is a usage error', async () => {
    expect(await chatLines(['/help hepl'])).toMatchObject({ exitCode: 2, sent: [] });
  });

  test.each(slashTable.filter(({ words }) => words === ''))('/$name takes no words', async ({ name }) => {
    const { exitCode, stderr } = await chatLines([`/${name} x`]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`/${name} does not know what to do with x`);
  });
});
