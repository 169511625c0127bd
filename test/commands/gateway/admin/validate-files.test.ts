import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newToken } from '../../../../src/gateway/access/token.ts';
import { admin, documentIn, file } from '../../../support/rooms/admin.ts';

const withAudit = (path: string): string => file.replace('audit.jsonl', path);

describe('the audit file, as serve would open it', () => {
  test.each([
    { path: '/dev/null', says: /:4:16: audit.file names \/dev\/null: is a device/ },
    { path: '/dev/full', says: /:4:16: audit.file names \/dev\/full: is a device/ },
    { path: 'pipe', says: /audit.file names pipe: is a pipe/ },
    { path: 'folder', says: /audit.file names folder: is a folder/ },
    { path: 'gateway.yaml', says: /audit.file names gateway.yaml: is the gateway file itself/ },
    { path: 'link', says: /audit.file names link: is a symbolic link/ },
    {
      path: 'gateway.yaml/a',
      says: /audit.file names gateway.yaml\/a: gateway.yaml: is not a folder/,
    },
    { path: '/dev/stdout', says: /:4:16: audit.file must be the path of a file, or "-" for stdout/ },
    { path: '/proc/self/fd/1', says: /audit.file must be the path of a file, or "-" for stdout/ },
  ])('$path is a fault', async ({ path, says }) => {
    const run = await admin(['validate'], withAudit(path), {
      prepare: ({ folder }) => {
        mkdirSync(join(folder, 'folder'));
        symlinkSync('nowhere', join(folder, 'link'));
        execFileSync('mkfifo', [join(folder, 'pipe')]);
      },
    });
    expect(run.stderr).toMatch(says);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test.each(['audit.jsonl', '-', 'there.jsonl'])('%s is none, and nothing is made', async (path) => {
    const run = await admin(['validate'], withAudit(`"${path}"`), { files: { 'there.jsonl': '{}\n' } });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(run.world.folder, 'audit.jsonl'))).toBe(false);
  });

  test.each([
    {
      name: 'the audit',
      open: ['logs/audit.jsonl'],
      says: 'others can read logs/audit.jsonl: chmod 600 logs/audit.jsonl',
    },
    {
      name: 'a rotated one',
      open: ['logs/audit.jsonl.2.gz'],
      says: 'others can read logs/audit.jsonl.2.gz: chmod 600 logs/audit.jsonl.2.gz',
    },
    {
      name: 'several',
      open: ['logs/audit.jsonl', 'logs/audit.jsonl.1', 'logs/audit.jsonl.2.gz'],
      says: 'others can read logs/audit.jsonl and 2 more: chmod 600 logs/audit.jsonl*',
    },
    { name: 'another file', open: ['logs/notes.txt'], says: undefined },
  ])('$name that others can read is a warning, and stays as it is', async ({ open, says }) => {
    const names = ['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2.gz', 'notes.txt'].map((name) => `logs/${name}`);
    const run = await admin(['validate', '--json'], withAudit('logs/audit.jsonl'), {
      files: Object.fromEntries(names.map((name) => [name, ''])),
      prepare: ({ folder }) =>
        names.forEach((name) => chmodSync(join(folder, name), open.includes(name) ? 0o644 : 0o600)),
    });
    expect(run.exitCode).toBe(0);
    const { warnings } = documentIn(run) as unknown as { warnings: readonly { path: string; message: string }[] };
    const told = warnings.filter(({ path }) => path === 'audit.file').map(({ message }) => message);
    expect(told).toEqual(says === undefined ? [] : [says]);
    expect(statSync(join(run.world.folder, open[0]!)).mode & 0o777).toBe(0o644);
  });

  test('one whose folder is not there is named, as what this machine does not have', async () => {
    const run = await admin(['validate', '--json'], withAudit('gone/audit.jsonl'));
    expect(run.exitCode).toBe(0);
    expect(documentIn(run).missing_files).toMatchObject([
      { line: 4, path: 'audit.file', message: 'names gone/audit.jsonl: gone: no such file or folder' },
    ]);
  });
});

test('what a pattern of documents leaves out is a warning each', async () => {
  const text = `${file}knowledge: { kb: { files: kb/**/*.md } }\n`;
  const run = await admin(['validate', '--json'], text, {
    files: { 'kb/a.md': 'hello', 'other/b.md': 'hello' },
    prepare: ({ folder }) => {
      execFileSync('mkfifo', [join(folder, 'kb/pipe.md'), join(folder, 'kb/pipe.txt')]);
      symlinkSync('../other', join(folder, 'kb/linked'));
      symlinkSync('../other', join(folder, 'kb/..data'));
      symlinkSync('nowhere.md', join(folder, 'kb/broken.md'));
    },
  });
  expect(run.exitCode).toBe(0);
  const { warnings } = documentIn(run) as unknown as { warnings: readonly { path: string; message: string }[] };
  expect(warnings.map(({ path, message }) => `${path} ${message}`).filter((each) => each.includes('leaves'))).toEqual([
    'knowledge.kb.files leaves out kb/broken.md: it is a link that leads to no file',
    'knowledge.kb.files leaves out kb/linked: it is a link to a folder, which ** does not go through',
    'knowledge.kb.files leaves out kb/pipe.md: it is no regular file',
  ]);
});

/** A name that `serve` refuses to start with. */
test.each([
  { name: 'folder', says: /providers.openai.key needs a secret from folder: is a folder/ },
  { name: 'pipe', says: /providers.openai.key needs a secret from pipe: is a pipe \(FIFO\)/ },
  { name: 'circle', says: /providers.openai.key needs a secret from circle: its links lead in a circle/ },
  { name: '/dev/zero', says: /providers.openai.key needs a secret from \/dev\/zero: is a device/ },
  { name: 'empty', says: /providers.openai.key needs a secret from empty, which is empty/ },
  { name: 'utf16', says: /providers.openai.key needs a secret from utf16: is UTF-16/ },
  { name: 'binary', says: /providers.openai.key needs a secret from binary: is binary/ },
])('$name in the place of a key is a fault, for it is there and of no use', async ({ name, says }) => {
  const run = await admin(['validate'], file.replace('${OPENAI_API_KEY}', `\${file:${name}}`), {
    files: { empty: ' \n', utf16: new Uint8Array([0xff, 0xfe, 0x41, 0]), binary: 'a\0b' },
    prepare({ folder }) {
      mkdirSync(join(folder, 'folder'));
      symlinkSync('circle', join(folder, 'circle'));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
    },
  });
  expect(run.stderr).toMatch(says);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
});

test('no pattern makes a document of what motif itself puts beside the gateway file', async () => {
  const text = `${file}knowledge: { kb: { files: ['*', '.*'] } }\n`;
  const beside = ['.motif-4k2abc.tmp', 'gateway.yaml.lock', 'gateway.yaml.lock.x7', 't.txt'];
  const run = await admin(['validate', '--json'], text, {
    files: { 'notes.md': 'hello', ...Object.fromEntries(beside.map((name) => [name, `${newToken().text}\n`])) },
  });
  const { warnings } = documentIn(run) as unknown as { warnings: readonly { message: string }[] };
  expect(warnings.map(({ message }) => message).filter((each) => each.includes('leaves'))).toEqual([
    'leaves out gateway.yaml: it is the gateway file',
    'leaves out gateway.yaml.lock: it is the lock of the gateway file',
    'leaves out gateway.yaml.lock.x7: it is the lock of the gateway file',
    'leaves out t.txt: it holds a token',
    'leaves out .motif-4k2abc.tmp: it is a file that motif is writing',
  ]);
});

test('no pattern makes a document of the gateway file, a secret or an audit', async () => {
  const withSecret = withAudit('logs/audit.jsonl').replace('${OPENAI_API_KEY}', '${file:logs/key}');
  const text = `${withSecret}knowledge: { kb: { files: ['*.yaml', 'logs/*', '*.txt'] } }\n`;
  const audits = ['logs/audit.jsonl', 'logs/audit.jsonl.1', 'logs/audit.jsonl-20261101.gz'];
  const run = await admin(['validate', '--json'], text, {
    files: {
      ...Object.fromEntries(audits.map((name) => [name, 'a prompt of another'])),
      'logs/notes.md': 'hello',
      'logs/key': 'k1',
    },
    prepare({ folder }) {
      symlinkSync('logs/audit.jsonl', join(folder, 'linked.txt'));
      symlinkSync('logs/audit.jsonl.1', join(folder, 'rotated.txt'));
    },
  });
  const { warnings } = documentIn(run) as unknown as { warnings: readonly { message: string }[] };
  expect(warnings.map(({ message }) => message).filter((each) => each.includes('leaves'))).toEqual([
    'leaves out gateway.yaml: it is the gateway file',
    ...audits.toSorted().map((name) => `leaves out ${name}: it is an audit`),
    'leaves out logs/key: it is a secret or a certificate',
    'leaves out linked.txt: it is an audit',
    'leaves out rotated.txt: it is an audit',
  ]);
});

test('a link that leads out is told with the folder that it leaves', async () => {
  const run = await admin(['validate'], `${file}knowledge: { kb: { files: kb/*.md } }\n`, {
    files: { 'kb/a.md': 'hello' },
    prepare: ({ folder }) => symlinkSync('/etc/passwd', join(folder, 'kb/out.md')),
  });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`kb/out.md: is a link that leads out of ${run.world.folder}`);
});
