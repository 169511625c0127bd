import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chatLines, assistant, replying, user } from '../../support/rooms/chat.ts';
import { motif } from '../../support/motif.ts';

test.each([
  { name: 'is gone', change: (text: string) => text.slice(text.indexOf('\n') + 1) },
  { name: 'is torn', change: (text: string) => text.slice(9) },
  { name: 'is no text', change: (text: string) => text.replace(/^.*/, 'x') },
])('a first line that $name costs title and Motif, and no message', async ({ change }) => {
  const first = await chatLines(['How long can I return a kettle?', 'And a toaster?'], [], { scripted: replying() });
  const [, path = ''] = /saved in (\S+)/.exec(first.stderr) ?? [];
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  const after = first.world;
  const shown = await motif(['history', 'show', '--json'], { after });
  expect(shown.exitCode).toBe(0);
  expect(shown.stderr).toContain('1 broken line left out');
  expect(shown.stdout).toContain('re: And a toaster?');
  expect((await motif(['history', 'list'], { after })).stdout).toContain('\t2\t14');
  expect((await motif(['history', 'search', 'toaster'], { after })).stdout).toContain('And a toaster?');
  const more = await chatLines(['And a lamp?'], ['-c'], { after, scripted: replying() });
  expect(more.exitCode).toBe(0);
  expect(more.sent[0]?.slice(-2)).toEqual([assistant('re: And a toaster?'), user('And a lamp?')]);
  const again = await motif(['history', 'show'], { after });
  expect(again.stdout).toContain('re: And a lamp?');
});
