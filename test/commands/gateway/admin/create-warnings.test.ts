import { expect, test } from 'vitest';
import { admin, fileIn } from '../../../support/rooms/admin.ts';

test('a Motif that was made without policies gets them by hand: the line and what to write there are told', async () => {
  const first = await admin(['create', 'b', '--provider', 'mock']);
  const made = fileIn(first);
  const line = made.split('\n').findIndex((each) => each.startsWith('  b:')) + 1;
  expect(first.stderr).toMatch(
    new RegExp(
      `warning: gateway.yaml:${line}:.* not checked\\nmotif: policies: \\[no-pii, no-secrets\\] written there under b has them checked\\n`,
    ),
  );
  const guarded = await admin(['create', 'b', '--provider', 'mock', '--policy', 'no-pii']);
  expect(guarded.stderr).not.toContain('written there');
  const again = await admin(['create', 'b', '--policy', 'no-pii'], made);
  expect(again).toMatchObject({ exitCode: 2, stdout: '' });
  expect(again.stderr).toContain(
    `there is a Motif b already\n  for its policies write at gateway.yaml:${line}: policies: [no-pii]\n`,
  );
  const has = await admin(['create', 'support-bot', '--policy', 'no-secrets']);
  expect(has.stderr).toContain('already\n  one more token for it: motif admin rotate support-bot --keep\n');
});

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
