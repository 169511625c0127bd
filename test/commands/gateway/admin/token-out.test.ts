import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newToken } from '../../../../src/gateway/access/token.ts';
import { FileFault } from '../../../../src/world/world.ts';
import { admin, file, fileIn } from '../../../support/rooms/admin.ts';
import type { FakeWorld } from '../../../support/world.ts';

/** A world in which writing a file fails from a number of times on. */
function failing(name: string, from = 1) {
  return (world: FakeWorld): void => {
    const { files } = world;
    let times = 0;
    const writeAtomic: typeof files.writeAtomic = async (path, ...rest) => {
      if (path === name && (times += 1) >= from) throw new FileFault(path, 'ENOSPC', 'the disk is full');
      await files.writeAtomic(path, ...rest);
    };
    Object.assign(world, { files: { ...files, writeAtomic } });
  };
}

const held = `${newToken().text}\n`;
const unchanged = /\n {2}the gateway file stays as it is: no token was made, and none ends\n/;

describe.each([{ verb: ['rotate', '--grace', '0'] }, { verb: ['create', 'other', '--provider', 'mock'] }])(
  '$verb: a token that nobody gets changes nothing',
  ({ verb }) => {
    test.each([
      { name: 'a device without room', out: '/dev/full' },
      { name: 'a file on a full disk', out: 't.txt', prepare: failing('t.txt') },
    ])('$name', async ({ out, prepare }) => {
      const run = await admin([...verb, '--token-out', out], file, prepare && { prepare });
      expect(run).toMatchObject({ exitCode: 12, stdout: '' });
      expect(run.stderr).toMatch(unchanged);
      expect(fileIn(run)).toBe(file);
    });

    test('a device, where the gateway file cannot be written then', async () => {
      const prepare = failing('gateway.yaml');
      const run = await admin([...verb, '--token-out', '/dev/null'], file, { prepare });
      expect(run).toMatchObject({ exitCode: 12, stdout: '' });
      expect(run.stderr).toContain('the token in /dev/null is of no use');
      expect(fileIn(run)).toBe(file);
    });
    test.each([
      { name: 'a new file', files: {} },
      { name: 'an empty file', files: { 't.txt': '' } },
    ])('$name, where the gateway file cannot be written then', async ({ files }) => {
      const prepare = failing('gateway.yaml');
      const run = await admin([...verb, '--token-out', 't.txt'], file, { prepare, files });
      expect(run).toMatchObject({ exitCode: 12, stdout: '' });
      expect(run.stderr).not.toContain('is of no use');
      expect(fileIn(run)).toBe(file);
      const left = await run.world.files.info('t.txt');
      expect(left?.size).toBe('t.txt' in files ? 0 : undefined);
    });
  },
);

test('a token that is lost for the file cannot be changed back, either, is named with what to do', async () => {
  const prepare = (world: FakeWorld): void => {
    failing('t.txt')(world);
    failing('gateway.yaml', 2)(world);
  };
  const run = await admin(['rotate', '--force', '--token-out', 't.txt'], file, { prepare, files: { 't.txt': held } });
  expect(run).toMatchObject({ exitCode: 12, stdout: '' });
  expect(run.stderr).toMatch(/the new token t-[0-9a-f]{8} is lost\n.*revoke support-bot t-/);
});

test.each([['rotate'], ['create', 'other', '--provider', 'mock']])(
  '%s writes no token into a pipe that another user laid there',
  async (...verb) => {
    const run = await admin([...verb, '--token-out', 'pipe'], file, {
      uid: 4242,
      prepare: ({ folder }) => void execFileSync('mkfifo', [join(folder, 'pipe')]),
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/--token-out: pipe is a pipe of another user \(\d+\)\n/);
  },
);

test('admin init leaves no file behind whose token nobody got', async () => {
  const run = await admin(['init', '--token-out', 't.txt'], null, { prepare: failing('t.txt') });
  expect(run).toMatchObject({ exitCode: 12, stdout: '' });
  expect(await run.world.files.info('gateway.yaml')).toBeUndefined();
});

const used = `${file
  .replace('port: 8080', 'port: 8080, tls: { cert: tls.crt, key: tls.key }')
  .replace('mock:     { kind: mock }', 'mock: { kind: openai, key: "${file:provider-key}", ca: ca.pem }')
  .replace('no-secrets: { kind: secrets, action: redact }', 'no-secrets: { kind: words, file: words.txt }')}
knowledge:
  docs: { files: "docs/**/*.md" }
`;

describe('a file that the gateway file uses takes no token', () => {
  test.each([
    { what: 'its lock', out: 'gateway.yaml.lock' },
    { what: 'the audit that is to come', out: 'audit.jsonl' },
    { what: 'an empty audit', out: './audit.jsonl', files: { 'audit.jsonl': '' } },
    { what: 'a certificate that is to come', out: 'tls.crt' },
    { what: 'its key', out: 'tls.key', files: { 'tls.key': '' } },
    { what: 'the key of a provider, which looks like a token', out: 'provider-key', files: { 'provider-key': held } },
    { what: 'a CA', out: 'ca.pem' },
    { what: 'a document that is to come', out: 'docs/new.md' },
  ])('$what', async ({ out, files = {} }) => {
    const beside = { 'docs/a.md': 'A text.', 'words.txt': 'word', ...files };
    for (const words of [['rotate'], ['create', 'other', '--provider', 'mock']]) {
      const run = await admin([...words, '--force', '--token-out', out], used, { files: beside });
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toMatch(/--token-out: \S+ is (?:also an input|a file that the gateway file names)/);
      expect(fileIn(run)).toBe(used);
      const held = await run.world.files.info(out);
      expect(held === undefined ? undefined : readFileSync(join(run.world.folder, out), 'utf8')).toBe(
        (files as Readonly<Record<string, string>>)[out.replace('./', '')],
      );
    }
  });

  test('of admin init, its audit and its lock', async () => {
    for (const out of ['audit.jsonl', 'gateway.yaml.lock']) {
      const run = await admin(['init', '--token-out', out], null);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(await run.world.files.info('gateway.yaml')).toBeUndefined();
    }
  });

  test('any other beside them does', async () => {
    const run = await admin(['rotate', '--token-out', 'docs/t.txt'], used, {
      files: { 'docs/a.md': 'A text.', 'words.txt': 'word' },
    });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(fileIn(run, 'docs/t.txt')).toMatch(/^mtf_\w+\n$/);
  });
});
