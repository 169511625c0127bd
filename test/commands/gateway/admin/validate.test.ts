import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { admin, documentIn, file, fileIn, sha } from '../../../support/rooms/admin.ts';
import { motif } from '../../../support/motif.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const withModel = file.replace('provider: openai', 'provider: openai\n    model: gpt-5-mini');

describe('validate', () => {
  test('a right file, with what is missing on this machine as warnings', async () => {
    const run = await admin(['validate']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'gateway.yaml is valid: 1 Motif, 3 providers, 2 policies\n' });
    expect(run.stderr).toMatch(/warning: gateway.yaml:6:\d+: providers.openai.key needs the variable OPENAI_API_KEY/);
    const { warnings, missing_secrets: missing } = documentIn(await admin(['validate', '--json'], withModel));
    expect([warnings, missing]).toMatchObject([[], [{ line: 6, path: 'providers.openai.key' }, { line: 8 }]]);
  });

  test.each([
    { argv: [], says: true, lists: false },
    { argv: ['-q'], says: false, lists: false },
    { argv: ['--json'], says: true, lists: true },
    { argv: ['-q', '--json'], says: false, lists: true },
  ])('$argv: -q leaves out the warnings, and the document has them alike', async ({ argv, says, lists }) => {
    const run = await admin(['validate', ...argv]);
    expect(run.stderr.includes('warning: gateway.yaml:6:')).toBe(says);
    expect(run.stdout.includes('"missing_secrets":[{')).toBe(lists);
  });

  test('a policy that no Motif names is a warning', async () => {
    const run = await admin(['validate'], file.replace('[no-pii, no-secrets]', '[no-pii]'));
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is valid') as string });
    expect(run.stderr).toContain(
      'warning: gateway.yaml:11:3: policies.no-secrets judges nothing: no Motif has it among its policies',
    );
    expect((await admin(['validate'])).stderr).not.toContain('judges nothing');
  });

  test('a file that cannot be read has the keys of its document all the same', async () => {
    const run = await admin(['validate', 'gone.yaml', '--json']);
    expect(run.exitCode).toBe(2);
    expect(documentIn(run)).toMatchObject({ ok: false, file: 'gone.yaml', warnings: [], missing_secrets: [] });
  });

  test('a policy that a Motif with a fault may have meant is no warning yet', async () => {
    const run = await admin(['validate'], file.replace('[no-pii, no-secrets]', '[no-pii, no-secret]'));
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('names no-secret, which is not in policies');
    expect(run.stderr).not.toContain('judges nothing');
  });

  test('a file may be named without a flag', async () => {
    const run = await admin(['validate', 'next.yaml'], null, { files: { 'next.yaml': file } });
    expect(run.stdout).toBe('next.yaml is valid: 1 Motif, 3 providers, 2 policies\n');
  });

  test.each([
    { words: ['validate', 'next.yaml', '-c', 'gateway.yaml'] },
    { words: ['init', 'new.yaml', '-c', 'other.yaml'] },
  ])('$words names two files, and nothing is done', async ({ words }) => {
    const run = await admin(words, file, { files: { 'next.yaml': file } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('-c and the word behind the command both name a gateway file');
    expect(existsSync(join(run.world.folder, 'new.yaml'))).toBe(false);
  });

  test('the name of a gateway file is no Motif to be made', async () => {
    const run = await admin(['create', 'gateway.yaml']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('a gateway file is named by a flag\n  motif admin create ID -c gateway.yaml');
    expect(fileIn(run)).toBe(file);
  });

  test('all faults at once, and as a list with --json', async () => {
    const broken = file.replace('provider: openai', 'provider: opnai').replace('users:', 'user:');
    const run = await admin(['validate'], broken);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /has 2 faults\n {2}gateway.yaml:15:15: motifs.support-bot.provider .*openai\?\n {2}gateway.yaml:17:5: motifs.support-bot.user .*users\?\n$/,
    );
    expect(documentIn(await admin(['validate', '--json'], broken))).toMatchObject({
      ok: false,
      file: 'gateway.yaml',
      warnings: [],
      missing_secrets: [{ line: 6 }, { line: 8 }],
      error: { kind: 'usage', detail: [{ line: 15 }, { line: 17 }] },
    });
  });

  test.each([
    { name: 'none', tokens: '[]', says: 'has no token, so nobody can ask it' },
    {
      name: 'one that has ended',
      tokens: `[{ id: t0, sha256: "${sha('b')}", expires: 2026-01-01 }]`,
      says: 'has no token that is still in force, so nobody can ask it',
    },
    { name: 'one in force', tokens: `[{ id: t1, sha256: "${sha('a')}", expires: 2027-01-01 }]`, says: undefined },
  ])('a Motif that nobody can ask is a warning; its tokens: $name', async ({ tokens, says }) => {
    const run = await admin(['validate'], file.replace(/tokens:\n[^]*$/, `tokens: ${tokens}\n`));
    expect(run.exitCode).toBe(0);
    const told = run.stderr.split('\n').filter((line) => line.includes('nobody can ask'));
    expect(told).toEqual(
      says === undefined
        ? []
        : [`motif: warning: gateway.yaml:14:3: motifs.support-bot ${says}: motif admin rotate support-bot makes one`],
    );
  });

  test('what the file names and this machine does not have', async () => {
    const text = `${file}knowledge: { a: { files: [docs/*.md, gone/*.md] } }\n`.replace(
      'port: 8080,',
      'port: 8080, tls: { cert: here.crt, key: gone.key },',
    );
    const files = { 'docs/a.md': 'hello', 'here.crt': 'x' };
    const run = await admin(['validate', '--json'], text, { files });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('warning: gateway.yaml:3:68: listen.tls.key names gone.key: no such file or folder');
    expect(documentIn(run).missing_files).toMatchObject([
      { line: 3, column: 68, path: 'listen.tls.key', message: 'names gone.key: no such file or folder' },
      { line: 21, column: 19, path: 'knowledge.a.files', message: 'names gone/*.md: no such file' },
    ]);
  });

  test('a document that holds no text', async () => {
    const text = `${file}knowledge: { a: { files: docs/*.md } }\n`;
    const run = await admin(['validate', '--json'], text, { files: { 'docs/a.md': 'hello', 'docs/b.md': ' \n' } });
    expect(run.exitCode).toBe(0);
    expect(documentIn(run)).toMatchObject({ missing_files: [] });
    expect(run.stderr).toContain('gateway.yaml:21:26: knowledge.a.files leaves out docs/b.md: it holds no text\n');
  });

  test.each([
    ['docs', 'names docs: no such file; the files of a folder: docs/**/*.md'],
    ['./docs/', 'names ./docs/: no such file; the files of a folder: ./docs/**/*.md'],
    ['docs/b.md', 'names docs/b.md: no such file'],
    ['docs/*', 'names docs/*: no such file'],
  ])('a folder in the place of its documents: %s', async (pattern, message) => {
    const text = `${file}knowledge: { a: { files: "${pattern}" } }\n`;
    const run = await admin(['validate', '--json'], text, { files: { 'docs/x/a.md': 'hello' } });
    expect(documentIn(run).missing_files).toMatchObject([{ line: 21, path: 'knowledge.a.files', message }]);
  });

  test.skipIf(tlsMissing)(`certificates that are over are warnings with the date ${tlsMissing ?? ''}`, async () => {
    const { expired, good } = certificates();
    const text = withModel
      .replace('port: 8080,', 'port: 8080, tls: { cert: a.crt, key: a.key },')
      .replace('kind: anthropic,', 'kind: anthropic, ca: own.pem,');
    const files = { 'a.crt': expired.cert, 'a.key': expired.key, 'own.pem': expired.cert };
    const says = (file: string, effect: string) =>
      `names ${file}, whose certificate expired ended on 2021-01-01: ${effect}, so put a new one in its place (motif help tls)`;
    const run = await admin(['validate', '--json'], text, { files });
    expect(run.exitCode).toBe(0);
    expect(documentIn(run).warnings).toMatchObject([
      { line: 8, path: 'providers.claude.ca', message: says('own.pem', 'what it signed is refused') },
      { line: 3, path: 'listen.tls.cert', message: says('a.crt', 'clients refuse it') },
    ]);
    const fresh = { 'a.crt': good.cert, 'a.key': good.key, 'own.pem': good.cert };
    expect(documentIn(await admin(['validate', '--json'], text, { files: fresh })).warnings).toEqual([]);
  });

  test.each([
    {
      name: 'a document that is no text',
      text: 'knowledge: { b: { files: docs/*.md } }',
      files: { 'docs/bad.md': new Uint8Array([0xff, 0xfe, 0x20]) },
      says: /:21:26: knowledge.b.files names docs\/\*\.md: docs\/bad.md: is UTF-16/,
    },
    {
      name: 'a word list that is no text',
      text: 'knowledge: {}',
      replace: ['kind: pii', 'kind: words, file: bad.txt'],
      files: { 'bad.txt': new Uint8Array([0xff, 0xfe, 0x20]) },
      says: /:10:36: policies.no-pii.file names bad.txt: is UTF-16/,
    },
    {
      name: 'a key that is none',
      text: 'knowledge: {}',
      replace: ['port: 8080,', 'port: 8080, tls: { cert: a.crt, key: a.key },'],
      files: { 'a.crt': 'x', 'a.key': 'y' },
      says: /:3:65: listen.tls.key names a.key, which holds no private key that can be read/,
    },
    ...['BEGIN ENCRYPTED PRIVATE KEY-----', 'BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED'].map((begin) => ({
      name: `a key that is encrypted (${begin.slice(0, 15)})`,
      text: 'knowledge: {}',
      replace: ['port: 8080,', 'port: 8080, tls: { cert: a.crt, key: a.key },'],
      files: { 'a.crt': 'x', 'a.key': `-----${begin}\n\nAAAA\n-----END` },
      says: /listen.tls.key names a.key, which is encrypted, .*: openssl pkey -in a.key -out NEW-FILE opens it/,
    })),
  ])('$name is a fault, as serve would find it', async ({ text, replace = ['', ''], files, says }) => {
    const run = await admin(['validate'], `${file}${text}\n`.replace(replace[0]!, replace[1]!), { files });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
  });

  test('schema prints what editors read', async () => {
    const kept = JSON.parse(readFileSync('src/gateway/file/gateway.schema.json', 'utf8')) as unknown;
    expect(JSON.parse((await admin(['schema'], null)).stdout)).toEqual(kept);
  });
});

test('GitHub Actions gets each fault beside its line, and nothing in a fault is a command', async () => {
  const text = 'motifs:\n  "a,b:%0A::error::x": { provider: nobody }\n';
  const files = { 'gateway.yaml': text };
  const run = await motif(['admin', 'validate'], { env: { GITHUB_ACTIONS: 'true' }, files });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toMatch(/^::error file=gateway.yaml,line=\d,title=[^\n:,]*::/m);
  expect(run.stderr.split('\n').filter((line) => line.startsWith('::error::'))).toEqual([]);
  expect((await motif(['admin', 'validate'], { env: {}, files })).stderr).not.toMatch(/^::error/m);
});

test('a list of a few long words is told whole', async () => {
  const run = await admin(['validate'], file.replace('{ kind: pii }', '{ kind: injection, without: [phrase] }'));
  expect(run.exitCode).toBe(2);
  expect(run.stdout + run.stderr).toMatch(
    /found "phrase"; it takes override_instructions, (?:\w+, )+adversarial_suffix$/m,
  );
});
