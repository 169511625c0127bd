import { readFileSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, type Run } from '../../../support/motif.ts';
import { hashToken, newToken } from '../../../../src/gateway/access/token.ts';
import { loggedIn } from '../../../support/rooms/login.ts';
import { admin, documentIn, file, fileIn, sha } from '../../../support/rooms/admin.ts';

/** The end of the token that a rotation has made. */
async function newestEnd(rotation: Run): Promise<string | null | undefined> {
  const [shown] = documentIn(await admin(['show', '--json'], fileIn(rotation))).items;
  const tokens = shown?.['tokens'] as { readonly expires: string | null }[];
  return tokens.at(-1)?.expires;
}

const whole = newToken(new Uint8Array(32).fill(7));
const holding = file.replace(sha('a'), whole.sha256);
const two = `${holding}  other: { provider: mock, tokens: [{ id: t7, sha256: "${sha('c')}" }, { id: t0, sha256: "${sha('d')}" }] }\n`;

test('revoke says whose token ended', async () => {
  const run = await admin(['revoke', 't0'], file.replace('expires: 2026-01-01', 'user: ana'));
  expect(run.stderr).toContain('motif: t0 (ana) of Motif support-bot revoked; 1 is left');
});

describe('a whole token', () => {
  test('is revoked by its hash, from stdin', async () => {
    const run = await admin(['revoke', '--token-stdin'], two, { stdin: `${whole.text}\n` });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('t1 of Motif support-bot revoked; no token in force is left (1 has ended)');
    expect(fileIn(run)).toBe(two.replace(/ +- \{ id: t1.*\n/, ''));
  });

  test('is not revoked from a faulty file, which is said', async () => {
    const faulty = `${two}motif: {}\n`;
    const run = await admin(['revoke', '--token-stdin'], faulty, { stdin: `${whole.text}\n` });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/\n {2}nothing was revoked: gateways accept the token until the file is valid/);
    expect(fileIn(run)).toBe(faulty);
  });

  test('is shown by its hash, from stdin', async () => {
    const { items } = documentIn(await admin(['show', '--token-stdin', '--json'], two, { stdin: whole.text }));
    expect(items).toMatchObject([{ id: 'support-bot', tokens: [{ id: 't1' }] }]);
  });

  test.each([
    { words: ['revoke', '--token-stdin'], stdin: '\n', says: /stdin is empty/ },
    { words: ['show', '--token-stdin'], stdin: undefined, says: /a file\n {2}motif admin show --token-stdin < FILE/ },
    { words: ['revoke', '--token-stdin'], stdin: 'mtf_nobody', says: /no Motif of the file has the token on stdin/ },
    ...[`leak: ${whole.text}`, `MOTIF_TOKEN="${whole.text}"`, `a: ${whole.text}\nb`, `Bearer ${whole.text}`].map(
      (stdin) => ({
        words: ['revoke', '--token-stdin'],
        stdin,
        says: /not a token alone: other text stands beside it\n {2}it holds t1 of Motif support-bot: pipe in the token alone/,
      }),
    ),
    { words: ['show', '--token-stdin'], stdin: 'two words', says: /not a token alone.*\n {2}pipe in the token and/ },
    {
      words: ['revoke', 'other', '--token-stdin'],
      stdin: whole.text,
      says: /the token on stdin is t1 of Motif support-bot/,
    },
    { words: ['revoke', '--all', '--token-stdin'], stdin: whole.text, says: /--all and --token-stdin/ },
  ])('$words: exit 2, and the file stays as it is', async ({ words, stdin, says }) => {
    const run = await admin(words, two, stdin === undefined ? {} : { stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
    expect(fileIn(run)).toBe(two);
  });

  test.each([
    { name: 'revoke', words: ['revoke', whole.text] },
    { name: 'revoke of a Motif', words: ['revoke', 'support-bot', whole.text] },
    { name: 'show', words: ['show', whole.text] },
    { name: 'rotate', words: ['rotate', whole.text] },
    { name: 'revoke, made by another gateway', words: ['revoke', newToken(new Uint8Array(32).fill(9)).text] },
  ])('among the words of $name is refused and not said again', async ({ words }) => {
    const run = await admin(words, two);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`motif admin ${words[0] === 'show' ? 'show' : 'revoke'} --token-stdin < FILE`);
    expect(run.stderr).not.toContain(words.at(-1));
    expect(fileIn(run)).toBe(two);
  });

  const long = 'x'.repeat(30);
  test.each(
    ['Bearer ', 'bearer  ', 'x', `${long}/`, ' '].flatMap((before) =>
      [
        ['show'],
        ['revoke'],
        ['revoke', 'support-bot'],
        ['rotate'],
        ['create'],
        ['try', 'hi', '--motif'],
        ['show', '-c'],
        ['create', 'new', '--policy'],
        ['validate'],
      ].map((words) => ({ before, words })),
    ),
  )('behind "$before" in $words is not said again', async ({ before, words }) => {
    const run = await admin([...words, `${before}${whole.text}`], two);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).not.toContain(whole.text.slice(0, 8));
  });

  test('that was made elsewhere is known by its hash', async () => {
    const foreign = 'a-token-of-another-maker';
    const text = file.replace(sha('a'), createHash('sha256').update(foreign).digest('hex'));
    const run = await admin(['revoke', foreign], text);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toContain(foreign);
  });
});

describe('revoke by one word of several Motifs', () => {
  test('takes a token that only one of them has', async () => {
    const run = await admin(['revoke', 't7'], two);
    expect(run.stderr).toContain('t7 of Motif other revoked; 1 is left');
  });

  test.each([
    { word: 't0', says: /several Motifs have a token t0\n.*revoke support-bot t0\n.*revoke other t0/ },
    { word: 't8', says: /there is no Motif or token t8\n/ },
    { word: 'suport-bot', says: /there is no Motif or token suport-bot\n.*did you mean support-bot/ },
    {
      word: 'other',
      says: /name the token to revoke\n.*revoke other t7 ends the one without a user\n.*revoke other t0 ends [^\n]*\n {2}motif admin revoke other --all ends all/,
    },
  ])('$word: $says', async ({ word, says }) => {
    const run = await admin(['revoke', word], two);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
  });
});

test('a token is revoked although a word list of the file cannot be read', async () => {
  const text = file.replace('kind: pii }', 'kind: words, file: gone.txt }');
  const run = await admin(['revoke', 't1'], text);
  expect(run.exitCode).toBe(0);
  expect(fileIn(run)).not.toContain('id: t1');
});

describe('rotate', () => {
  test('--keep makes one more token, and ends none', async () => {
    const run = await admin(['rotate', '--keep']);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('t1 stays valid; motif admin revoke support-bot t1 ends it');
    const kept = fileIn(run)
      .split('\n')
      .filter((line) => !/id: t-/.test(line))
      .join('\n');
    expect(kept).toBe(file);
  });

  test('--keep and --grace are refused together, and the file stays as it is', async () => {
    const run = await admin(['rotate', '--keep', '--grace', '1h']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--keep and --grace do not go together: --keep ends no earlier token');
    expect(fileIn(run)).toBe(file);
  });

  test.each([
    {
      name: 'as long as the one before',
      had: 'created: 2026-09-01, expires: 2026-11-30',
      ends: '2027-02-19T12:00:00Z',
    },
    { name: 'at its date where its age is unknown', had: 'expires: 2026-12-24', ends: '2026-12-24T00:00:00Z' },
    { name: 'at a date that was typed', had: 'expires: 2026-12-24', typed: '2027-03-01', ends: '2027-03-01T00:00:00Z' },
    { name: 'after a time that was typed', had: 'expires: 2026-12-24', typed: '2d', ends: '2026-11-23T12:00:00Z' },
    { name: 'never, as was typed', had: 'expires: 2026-12-24', typed: 'never', ends: null },
    { name: 'never, like the one before', had: 'created: 2026-11-20', ends: null },
  ])('a new token ends $name', async ({ had, typed, ends }) => {
    const text = file.replace('created: 2026-11-20', had);
    const run = await admin(['rotate', ...(typed === undefined ? [] : ['--expires', typed])], text);
    expect(await newestEnd(run)).toBe(ends);
    expect(/, (?:on the same date|for it lives as long) as t1;/.test(run.stderr)).toBe(
      ends !== null && typed === undefined,
    );
  });

  test.each([
    { had: '2026-11-22T00:00:00Z', says: 't1 ends at 2026-11-22T00:00:00Z already, as it would have without this' },
    { had: '2026-11-24', says: 't1 ends in 24h, at 2026-11-22T12:00:00Z' },
  ])('a token that ends at $had ends no later by a grace of a day', async ({ had, says }) => {
    const run = await admin(['rotate'], file.replace('created: 2026-11-20', `created: 2026-11-20, expires: ${had}`));
    expect(run.stderr).toContain(`motif: ${says}`);
    expect(run.stderr.match(/: t1 ends/g)).toHaveLength(1);
  });

  describe('the end of a grace is no lifetime', () => {
    const dying = 'created: 2026-11-20, expires: 2026-11-22, replaced_by: t2';
    const successor = (facts: string) => `, { id: t2, sha256: "${sha('e')}"${facts} }`;
    const textOf = (more: string) =>
      `${file.slice(0, file.indexOf('    tokens:'))}    tokens: [{ id: t1, sha256: "${sha('a')}", ${dying} }${more}]\n`;

    test.each([
      { name: 'where the token in its place was revoked', more: '', words: ['rotate'] },
      {
        name: 'where its end is that of another grace',
        more: successor(', expires: 2026-11-23, replaced_by: t3'),
        words: ['rotate', 'support-bot', 't1'],
      },
    ])('$name the end is asked for', async ({ more, words }) => {
      const run = await admin(words, textOf(more));
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toMatch(
        /t[12] ends at \S+ because it was rotated, so the file does not say how long a new token should live\n.*--expires says it: 90d, 2027-03-01, or never\n/,
      );
      expect(fileIn(run)).toBe(textOf(more));
      expect(await newestEnd(await admin([...words, '--expires', 'never'], textOf(more)))).toBe(null);
    });

    test.each([
      { name: 'no end', facts: '', ends: null },
      { name: 'ninety days', facts: ', created: 2026-09-01, expires: 2026-11-30', ends: '2027-02-19T12:00:00Z' },
    ])('a token that is named in its grace hands on $name of the one in its place', async ({ facts, ends }) => {
      expect(await newestEnd(await admin(['rotate', 'support-bot', 't1'], textOf(successor(facts))))).toBe(ends);
    });
  });

  test('the new token keeps team and limits, which show tells', async () => {
    const text = file.replace('created: 2026-11-20', 'team: desk, limits: { rpm: 60, in_flight: 8 }');
    const run = await admin(['rotate'], text);
    expect(fileIn(run)).toMatch(/id: t-[^\n]*team: desk, [^\n]*limits: \{ rpm: 60, in_flight: 8 \}/);
    const shown = await admin(['show'], fileIn(run));
    expect(shown.stdout.match(/60 a minute, 8 at once/g)).toHaveLength(2);
    const [motif] = documentIn(await admin(['show', '--json'], fileIn(run))).items;
    const limits = { rpm: 60, tokens_per_day: null, in_flight: 8 };
    expect(motif).toMatchObject({ tokens: [{ limits }, { id: 't0' }, { limits }] });
  });

  test.each([
    { end: '2026-11-21', says: /--expires is in the past/ },
    { end: '0', says: /--expires is in the past\n.*0 is now/ },
    { end: 'soon', says: /--expires takes a duration like 90d, a UTC date like 2027-03-01, or never/ },
  ])('--expires $end is a usage error', async ({ end, says }) => {
    const run = await admin(['rotate', '--expires', end]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
    expect(fileIn(run)).toBe(file);
  });

  test('--token-out writes the token for its owner alone, and shows it nowhere', async () => {
    const run = await admin(['rotate', '--token-out', 'token.txt']);
    const path = join(run.world.folder, 'token.txt');
    const token = readFileSync(path, 'utf8');
    expect(token).toMatch(/^mtf_\w{49}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(run.stdout + run.stderr).not.toContain(token.trim());
    expect(run.stdout).toMatch(/^token +t-[0-9a-f]{8}, in token.txt$/m);
    const [, exported] = /^scripts +export MOTIF_URL=\S+ .*MOTIF_TOKEN_FILE=(.+)$/m.exec(run.stdout) ?? [];
    expect(exported, 'a script may run in another folder').toBe(path);
    expect(fileIn(run)).toContain(hashToken(token.trim()));
    const document = documentIn(await admin(['rotate', '--json', '--token-out', 'token.txt']));
    expect(document).toMatchObject({ token: null, token_file: 'token.txt' });
  });

  test.each([
    { name: 'no profile of that name', other: undefined, line: /^log in +motif login \S+ --token-stdin < t.txt$/m },
    {
      name: 'its own profile, whose token alone changes',
      other: 'https://gw.acme.dev/ai/api/v1/apps/support-bot',
      line: /^log in +motif login \S+ --force --token-stdin < t.txt$/m,
    },
    {
      name: 'a profile of another address, which stays',
      other: 'https://gw.example/api/v1/apps/support-bot',
      line: /^log in +motif login \S+ -p support-bot-2 --token-stdin < t.txt$/m,
    },
  ])('the line to log in with a file changes no other profile: $name', async ({ other, line }) => {
    const after = other === undefined ? undefined : await loggedIn([other]);
    const open = file.replace('tenant: acme-7f3a\n', '');
    const run = await admin(['rotate', '--token-out', 't.txt'], open, after && { after });
    expect(run.stdout).toMatch(line);
    expect(run.stderr.includes('is for another address, https://gw.example/api/v1/apps/support-bot')).toBe(
      other?.includes('gw.example') ?? false,
    );
  });

  test('the line to log in for somebody else replaces no profile there, whatever this machine has', async () => {
    const after = await loggedIn(['https://gw.acme.dev/ai/api/v1/apps/support-bot']);
    const open = file.replace('tenant: acme-7f3a\n', '');
    const run = await admin(['rotate', '--keep', '--user', 'ed', '--token-out', 't.txt'], open, { after });
    expect(run.stdout).toMatch(/^log in +motif login \S+ --token-stdin < t.txt$/m);
  });
});

test.each(['rotate', 'revoke'])('the usage of %s names the ids that it takes', async (name) => {
  const { stdout } = await motif(['admin', name, '--help'], { env: {} });
  expect(stdout).toMatch(/^Usage: .*\[ids\.\.\.\]/m);
});
