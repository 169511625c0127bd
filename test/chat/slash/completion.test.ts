import { describe, expect, test } from 'vitest';
import { completeSlash, type WordSources } from '../../../src/chat/slash/completion.ts';
import { slashTable } from '../../../src/chat/slash/table.ts';

const each = (...texts: readonly string[]) => texts.map((text) => ({ text }));
const sources: WordSources = {
  command: () => each('help', 'edit'),
  path: (typed) => each(`${typed}a.md`, 'notes/', 'my file.md'),
  profile: async () => each('staging', 'prod'),
  conversation: () => each('k1d', 'k2e'),
  block: () => each('1', 'sh'),
  format: () => each('markdown', 'messages', 'json'),
};

async function complete(text: string, cursor = text.length) {
  const { start, candidates } = await completeSlash(text, cursor, { table: slashTable, sources });
  return { start, texts: candidates.map((candidate) => candidate.text) };
}

describe('Tab', () => {
  test.each([
    { typed: '/he', start: 0, texts: ['/help'] },
    { typed: '/e', start: 0, texts: ['/edit', '/extract', '/export', '/exit'] },
    { typed: '/E', start: 0, texts: ['/edit', '/extract', '/export', '/exit'] },
    { typed: '/profile ', start: 9, texts: ['staging', 'prod'] },
    { typed: '/profile st', start: 9, texts: ['staging'] },
    { typed: '/load k', start: 6, texts: ['k1d', 'k2e'] },
    { typed: '/file my f', start: 6, texts: ['my file.md', 'my fa.md'] },
    { typed: '/export m', start: 8, texts: ['markdown', 'messages'] },
    { typed: '/export markdown no', start: 17, texts: ['notes/', 'noa.md'] },
    { typed: '/extract sh  n', start: 13, texts: ['notes/', 'na.md'] },
    { typed: '/help e', start: 6, texts: ['edit'] },
    { typed: '/system x', start: 9, texts: [] },
    { typed: '/nope x', start: 7, texts: [] },
    { typed: 'plain /he', start: 9, texts: [] },
    { typed: '//he', start: 4, texts: [] },
    { typed: '/file a\nb', start: 9, texts: [] },
  ])('$typed', async ({ typed, start, texts }) => {
    const found = await complete(typed);
    expect(found.start).toBe(start);
    expect([...found.texts].sort((a, b) => a.localeCompare(b))).toEqual([...texts].sort((a, b) => a.localeCompare(b)));
  });

  test('looks at what stands before the cursor alone', async () => {
    expect(await complete('/he is there', 3)).toEqual({ start: 0, texts: ['/help'] });
  });

  test('every command is offered', async () => {
    expect((await complete('/')).texts).toEqual(slashTable.map(({ name }) => `/${name}`));
  });
});
