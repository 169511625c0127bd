import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../../../src/gateway/access/token.ts';
import { admin, documentIn, file, fileIn, sha } from '../../../support/rooms/admin.ts';
import { motif, type MotifSetup } from '../../../support/motif.ts';

const two = `${file}  other: { provider: mock }\n`;
const users = file.replace('created: 2026-11-20 }', 'user: ana }').replace('expires: 2026-01-01 }', 'user: bo }');

/** Lines of one text that another does not have. */
function added(after: string, before: string): string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
}

describe('init', () => {
  test('writes a file that is valid and serves one Motif, and shows its token once', async () => {
    const run = await admin(['init'], null);
    expect(run).toMatchObject({ exitCode: 0 });
    const token = /^token +(mtf_\w+)$/m.exec(run.stdout)?.[1] ?? '';
    expect(fileIn(run)).toContain(hashToken(token));
    expect(fileIn(run) + run.stderr).not.toContain(token);
    expect(statSync(join(run.world.folder, 'gateway.yaml')).mode & 0o777).toBe(0o600);
    const checked = await motif(['admin', 'validate'], { env: {}, after: run.world });
    expect(checked).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringContaining('is valid: 1 Motif') as string,
    });
  });

  test('never touches what is there', async () => {
    const run = await admin(['init', 'gateway.yaml'], 'mine');
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(fileIn(run)).toBe('mine');
  });

  test('--json has all that a script needs', async () => {
    const document = documentIn(await admin(['init', 'other.yaml', '--json'], null));
    expect(document).toMatchObject({
      ok: true,
      motif_id: 'support-bot',
      address: 'http://127.0.0.1:8080/api/v1/apps/support-bot',
      error: null,
    });
    expect(document.login).toMatch(/^motif login http:\S+ --tenant org-[0-9a-f]{8} --token-stdin$/);
  });
});

describe('create', () => {
  test('adds a Motif and prints what the console would', async () => {
    const run = await admin([
      'create',
      'sales-bot',
      '--provider',
      'openai',
      '--model',
      'gpt-5-mini',
      '--policy',
      'no-pii',
      '--policy',
      'no-secrets',
    ]);
    expect(run).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('policies') as string });
    expect(run.stdout).toMatch(
      /^address +https:\/\/gw\.acme\.dev\/ai\/api\/v1\/apps\/sales-bot\nMotif ID +sales-bot\ntoken +mtf_\w{49}\ntenant +acme-7f3a\nlog in +motif login \S+sales-bot --tenant acme-7f3a\nscripts +export MOTIF_URL=\S+sales-bot MOTIF_TENANT_ID=acme-7f3a MOTIF_TOKEN=mtf_\w{49}\n$/,
    );
    const token = /mtf_\w+/.exec(run.stdout)?.[0] ?? '';
    expect(fileIn(run).startsWith(file)).toBe(true);
    expect(added(fileIn(run), file)).toEqual([
      '  sales-bot:',
      '    model: gpt-5-mini',

      `      - { id: t-${hashToken(token).slice(0, 8)}, sha256: ${hashToken(token)}, created: 2026-11-21 }`,
    ]);
  });

  test('the only provider of the file needs no name', async () => {
    const text = file.replace(/^ {2}(mock|claude): .*\n/gm, '');
    const run = await admin(['create', 'b', '--model', 'm'], text);
    expect(run.exitCode).toBe(0);
    expect(fileIn(run)).toContain('  b:\n    provider: openai\n');
  });

  test('with --user the user is added to the Motif, so that no tenant is needed', async () => {
    const run = await admin(['create', 'b', '--provider', 'mock', '--user', 'bo', '--expires', '30d', '--json']);
    expect(documentIn(run)).toMatchObject({ user: 'bo', login: expect.not.stringContaining('tenant') as string });
    expect(fileIn(run)).toMatch(/users: \[bo\]\n.*\n.*user: bo, created: 2026-11-21, expires: 2026-12-21T12:00:00Z/);
  });

  const noMotif = 'providers: { mock: { kind: mock } } # asks no model\n';
  test.each([
    { name: 'no such key', text: noMotif },
    { name: 'the key alone', text: `${noMotif}motifs:\n` },
    { name: 'a comment in its place', text: `motifs:\n  # the first one\n${noMotif}` },
    { name: 'null', text: `motifs: ~\n${noMotif}` },
    { name: 'an empty map', text: `motifs: {}\n${noMotif}` },
  ])('makes the first Motif of a file: $name', async ({ text }) => {
    const run = await admin(['create', 'b'], text);
    expect(run.exitCode).toBe(0);
    const kept = fileIn(run);
    expect(kept).toMatch(/^motifs:\n {2}b:\n {4}provider: mock\n/m);
    for (const comment of text.match(/# .*/g) ?? []) expect(kept).toContain(comment);
  });

  test('in a file without a provider says so', async () => {
    const run = await admin(['create', 'b'], 'providers: {}\nmotifs: {}\n');
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/the gateway file has no provider\n.*motif help gateway/);
  });

  test.each([
    [['create', 'support-bot', '--user', 'bob'], /already\n.*: motif admin rotate support-bot --keep --user bob\n/],
    [['create', 'b'], /the file has 3 providers: name one\n.*there are openai, mock, claude/],
    [['create', 'b', '--tenant', 'x'], /unknown option '--tenant'\n.*all Motifs of a gateway file have its tenant/],
    [['rotate', '--keep', '--rpm', '10'], /unknown option '--rpm'\n.*keys beside its ID.*: motif help limits/],
    [['create', 'b', '--provider', 'opnai'], /there is no provider opnai in the file\n.*did you mean openai\?/],
    [['create', 'b', '--provider', 'mock', '--policy', 'no-pi'], /there is no policy no-pi.*\n.*did you mean no-pii\?/],
    [
      ['create', 'b', '--provider', 'mock', '--policy', 'no-pii,x'],
      /\n.*--policy once for each: --policy NAME --policy NAME/,
    ],
    [['create', 'a/b', '--provider', 'mock'], /a Motif ID is at most 256 letters/],
    [['create', 'b', '--provider', 'claude'], /stays as it is.*\n.*motifs.b needs model/],
    [['create', 'b', '--provider', 'mock', '--user', 'a\u0007'], /motifs.b.users\[0\] must be a name/],
    [['create', 'b', '--provider', 'mock', '--expires', 'soon'], /--expires takes a duration/],
    [['create', 'b'], /--provider/],
  ])('%j: exit 2, and the file stays as it is', async (words, says) => {
    const run = await admin(words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
    expect(fileIn(run)).toBe(file);
  });
});

describe('show', () => {
  test('one Motif with its tokens by age and expiry, and never a hash', async () => {
    const run = await admin(['show']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^t1\tno user\t1 day old\t\tdoes not expire\t\t$/m);
    expect(run.stdout).toMatch(/^t0\tno user\tage unknown\t\texpired 2026-01-01T00:00:00Z\t\t$/m);
    expect(run.stdout).not.toContain(sha('a').slice(0, 16));
  });

  test('several Motifs in a row each', async () => {
    const run = await admin(['show'], two);
    expect(run.stdout).toBe(
      'support-bot\tsupport-bot\topenai\tno-pii, no-secrets\t1 token, 1 ended\nother\tother\tmock\tno policies\t0 tokens\n',
    );
  });

  test('--json', async () => {
    const { items } = documentIn(await admin(['show', 'support-bot', '--json'], two));
    expect(items).toMatchObject([
      {
        id: 'support-bot',
        users: ['ana'],
        tokens: [
          { id: 't1', expired: false },
          { id: 't0', expired: true },
        ],
      },
    ]);
    expect(JSON.stringify(items)).not.toContain(sha('a'));
  });

  test.each([
    [['show', 'suport-bot'], two, /there is no Motif suport-bot\n.*did you mean support-bot\?/],
    [['rotate'], two, /the gateway file has several Motifs: name one\n.*support-bot, other/],
    [['show', 'x'], 'providers: {}\nmotifs: {}\n', /the gateway file has no Motif/],
    [['show'], null, /gateway.yaml: no such file or folder\n.*motif admin init/],
    [['show', '-c', 'gone.yaml'], file, /gone.yaml: no such file or folder\n {2}is the name right\?/],
    [['validate', 'gone.yaml'], file, /gone.yaml: no such file or folder\n {2}is the name right\?/],
    [['replay', 'gone.yaml'], file, /gone.yaml: no such file or folder\n {2}is the name right\?/],
    [['try', '--local', 'gone.yaml', 'hi'], file, /gone.yaml: no such file or folder\n {2}is the name right\?/],
    [['show'], 'a: [', /gateway.yaml has a fault\n.*gateway.yaml:\d+:\d+: /],
  ])('%j: exit 2', async (words, text, says) => {
    const run = await admin(words, text);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
  });
});

describe('rotate', () => {
  test('a new token, and the end of the live ones after the grace', async () => {
    const run = await admin(['rotate', '--grace', '2h']);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain(
      't1 ends in 2h, at 2026-11-21T14:00:00Z; if it leaked, end it now: motif admin revoke support-bot t1',
    );
    const [changed, fresh, ...more] = added(fileIn(run), file);
    expect(changed).toMatch(
      /^ {6}- \{ id: t1, sha256: "a+", created: 2026-11-20, expires: 2026-11-21T14:00:00Z, replaced_by: t-[0-9a-f]{8} \} +# the build server$/,
    );
    expect(fresh).toMatch(/^ {6}- \{ id: t-[0-9a-f]{8}, sha256: \S+, created: 2026-11-21 \}$/);
    expect(more).toEqual([]);
  });

  test('one that ends before the grace is over keeps its end', async () => {
    const soon = file.replace('created: 2026-11-20', 'expires: 2026-11-21T12:30:00Z');
    expect(fileIn(await admin(['rotate'], soon))).toContain('expires: 2026-11-21T12:30:00Z');
  });

  test('of several users, one is named, and the tokens of others live on', async () => {
    expect((await admin(['rotate'], users)).stderr).toMatch(/tokens of several users.*\n.*--user ana/);
    const run = await admin(['rotate', '--user', 'bo', '--json'], users);
    expect(documentIn(run)).toMatchObject({ user: 'bo' });
    expect(added(fileIn(run), users)).toHaveLength(2);
    expect(fileIn(run)).toContain('user: ana }');
  });

  test('a Motif that has no token gets its first', async () => {
    const run = await admin(['rotate', 'other'], two);
    expect(added(fileIn(run), two)).toEqual([
      expect.stringMatching(/^ {2}other: \{ provider: mock, tokens: \[\{ id: t-/) as string,
    ]);
  });
});

describe('revoke', () => {
  test.each([
    ['a token by its ID', ['revoke', 'support-bot', 't1']],
    ['the only Motif needs no name', ['revoke', 't1']],
  ])('%s', async (_name, words) => {
    const run = await admin(words);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toContain('t1 of Motif support-bot revoked; no token in force is left (1 has ended)');
    expect(fileIn(run)).toBe(file.replace(/ +- \{ id: t1.*\n/, ''));
  });

  test('--all', async () => {
    const run = await admin(['revoke', '--all', '--yes', '--json']);
    expect(documentIn(run)).toMatchObject({ ok: true, revoked: ['t1', 't0'], left: 0, left_ended: 0 });
    expect(fileIn(run)).not.toContain('sha256');
    expect(fileIn(run)).toContain('# the support desk');
    const again = await admin(['revoke', 'support-bot', 't1'], fileIn(run));
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.stderr).toMatch(/has no token t1\n.*it has none/);
  });

  test.each([
    [['revoke'], /name the token to revoke\n.*revoke support-bot t1 .*\n.*t0 .*\n.*--all/],
    [['revoke', 't9'], /there is no Motif or token t9\n.*did you mean t1\?/],
    [['revoke', 'support-bot', 't'], /has no token t\b/],
  ])('%j: exit 2, and the file stays as it is', async (words, says) => {
    const run = await admin(words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
    expect(fileIn(run)).toBe(file);
  });
});

describe('the file while it is changed', () => {
  test('keeps its mode', async () => {
    const prepare: MotifSetup['prepare'] = ({ folder }) => chmodSync(join(folder, 'gateway.yaml'), 0o640);
    const run = await admin(['rotate'], file, { prepare });
    expect(statSync(join(run.world.folder, 'gateway.yaml')).mode & 0o777).toBe(0o640);
    expect(existsSync(join(run.world.folder, 'gateway.yaml.lock'))).toBe(false);
  });

  test('is waited for while another admin has it, and no longer than 35 s', async () => {
    const prepare: MotifSetup['prepare'] = ({ files }) => void files.lock('gateway.yaml');
    const run = await admin(['rotate'], file, { prepare });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toMatch(/gateway.yaml is busy.*\n.*remove gateway.yaml.lock/);
    expect(run.world.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(35_100);
    expect(fileIn(run)).toBe(file);
  });

  test('of another user is left to that user', async () => {
    const run = await admin(['rotate'], file, { uid: 4242 });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toContain('belongs to another user');
  });
});

const shared = file
  .replace('tokens:', 'tokens: &all')
  .replace(/$/, `  other:\n    provider: mock\n    users: [ana]\n    tokens: *all\n`);

test.each([{ words: ['revoke', 'other', 't1'] }, { words: ['rotate', 'other', '--grace', '0s'] }])(
  '$words of a list that is an alias says so, and changes nothing',
  async ({ words }) => {
    const run = await admin(words, shared);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('motifs.other.tokens is shared with another part of the file');
    expect(fileIn(run)).toBe(shared);
  },
);

test('all tokens of a list that is an alias can be revoked, and the others keep theirs', async () => {
  const run = await admin(['revoke', 'other', '--all', '--yes'], shared);
  expect(run.exitCode).toBe(0);
  expect(fileIn(run)).toBe(shared.replace('tokens: *all', 'tokens: []'));
});
