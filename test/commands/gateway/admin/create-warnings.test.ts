import { expect, test } from 'vitest';
import { admin, fileIn } from '../../../support/rooms/admin.ts';

test.each([
  {
    name: 'no model',
    words: ['openai', '--policy', 'no-pii'],
    says: /motifs\.b names no model, and most .*: model: NAME$/,
  },
  {
    name: 'no policies',
    words: ['mock'],
    says: /motifs\.b has no policies: its prompts and answers are not checked$/,
  },
  { name: 'nothing', words: ['mock', '--policy', 'no-pii'], says: undefined },
])('warns as validate does, and of no other Motif: $name', async ({ words, says }) => {
  for (const more of [[], ['--json']]) {
    const run = await admin(['create', 'b', '--provider', ...words, ...more]);
    expect(run.exitCode).toBe(0);
    const warnings = run.stderr.match(/^motif: warning: .*$/gm) ?? [];
    expect(warnings).toEqual(says === undefined ? [] : [expect.stringMatching(says)]);
    expect((await admin(['validate'], fileIn(run))).stderr.split('\n')).toEqual(expect.arrayContaining(warnings));
  }
  expect(await admin(['create', 'b', '--provider', ...words, '-q'])).toMatchObject({
    stderr: expect.not.stringContaining('warning') as string,
  });
});
