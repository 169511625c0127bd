import { expect, test } from 'vitest';
import { motif } from '../../../../support/motif.ts';

test.each([
  { words: ['stats', '--by', 'colour'], says: '--by takes policy, rule, motif,' },
  { words: ['stats', '--by', 'policy', '--by', 'team'], says: 'several stand behind one flag: --by policy,team' },
  { words: ['list', '--decision', 'block', '--decision', 'pass'], says: 'behind one flag: --decision block,redact' },
  { words: ['list', '--user', 'ana', '--user', 'bo'], says: 'once\n  motif admin audit stats --by user counts all' },
  {
    words: ['stats', '--token-id', 'a', '--token-id', 'b'],
    says: '--token-id can be given once\n  motif admin audit stats --by token',
  },
  { words: ['list', '--from', '2026-10-01'], says: 'did you mean --since?' },
  { words: ['stats', '--to', '2026-11-01'], says: 'did you mean --until?' },
  { words: ['verify', '--since', '2026-10-01'], says: 'whole files are verified: name those of that time' },
  { words: ['list', '--decision', 'block,nothing'], says: '--decision takes pass, warn, redact' },
  { words: ['stats', '--since', 'yesterday'], says: '--since takes a duration like 7d or a UTC date' },
  { words: ['stats', '--since', '2026-11-22', '--until', '2026-11-21'], says: '--since must be before --until' },
  { words: ['stats', 'missing.jsonl'], says: 'missing.jsonl: no such file' },
  { words: ['list', '--decision', 'maybe'], says: '--decision takes pass, warn, redact, block, refused or failed' },
  { words: ['list', '--decision', 'blocked'], says: 'did you mean block?' },
  { words: ['stats', '--decision', 'redacted'], says: 'did you mean redact?' },
  { words: ['stats', '--by', 'team,users'], says: 'did you mean user?' },
  { words: ['stats', '--by', 'day, modle'], says: 'did you mean model?' },
  { words: ['list', '--decision', 'pass,blokc'], says: 'did you mean block?' },
])('$words is a usage error', async ({ words, says }) => {
  const run = await motif(['admin', 'audit', ...words], { env: {}, files: { 'audit.jsonl': '' } });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});
