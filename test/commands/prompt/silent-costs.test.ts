import { describe, expect, test } from 'vitest';
import { prompt, saying, terminal } from '../../support/rooms/prompt.ts';

const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`docs/${index}.md`, 'text\n']));

describe('what costs without being typed is said', () => {
  test.each([
    {
      name: 'a pattern that took many files',
      argv: ['-f', 'docs/*.md', 'hi'],
      files: many,
      says: '-f docs/*.md took 21 files, 105 bytes',
    },
    {
      name: 'a pattern that took more than 1 MiB',
      argv: ['-f', '*.txt', 'hi'],
      files: { 'a.txt': 'x'.repeat(1024 * 1024), 'b.txt': 'y' },
      says: '-f *.txt took 2 files, 1 MiB',
    },
    {
      name: 'words that a shell made of a pattern',
      argv: ['Sum', 'up', 'a.md', 'b.md', 'c.md', 'd.md'],
      files: { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c', 'd.md': 'd' },
      says: "4 words are names of files (4 bytes) and are sent as words: a.md, b.md, c.md, ... (-f 'PATTERN' adds files)",
    },
    {
      name: 'a pipe with nothing in it beside words',
      argv: ['hi'],
      files: {},
      stdin: '',
      says: 'stdin is a pipe with nothing in it, so nothing is added from it',
    },
    {
      name: 'a pipe with nothing in it beside a template',
      argv: ['-t', 't.txt'],
      files: { 't.txt': 'Review this' },
      stdin: '',
      says: 'stdin is a pipe with nothing in it, so nothing is added from it',
    },
    {
      name: 'a pipe with nothing in it beside a file',
      argv: ['-f', 'a.md'],
      files: { 'a.md': 'a' },
      stdin: '',
      says: 'stdin is a pipe with nothing in it, so nothing is added from it',
    },
    {
      name: 'a pipe with nothing in it beside a message',
      argv: ['-m', 'user:hello'],
      files: {},
      stdin: '',
      says: 'stdin is a pipe with nothing in it, so nothing is added from it',
    },
  ])('$name', async ({ argv, files, says, ...setup }) => {
    const run = await prompt(argv, { files, ...setup });
    expect(run).toMatchObject({ exitCode: 0, stderr: saying(says) });
    expect((await prompt([...argv, '-q'], { files, ...setup })).stderr).toBe('');
  });

  test.each([
    {
      name: 'among words',
      argv: ['Summarize', 'notes.md'],
      says: 'notes.md is taken as a word; -f notes.md sends the file',
    },
    { name: 'alone', argv: ['./notes.md'], says: './notes.md is taken as a word; -f ./notes.md sends the file' },
    { name: 'a word without dot and slash', argv: ['Summarize', 'notes'], says: undefined },
    { name: 'what stands after --', argv: ['--', 'notes.md'], says: undefined },
    { name: 'a name inside a text', argv: ['Summarize notes.md'], says: undefined },
  ])('a person is told of a word that is a file: $name', async ({ argv, says }) => {
    const setup = { files: { 'notes.md': 'n', notes: 'n' }, stderr: terminal };
    const run = await prompt(argv, setup);
    expect(run.exitCode).toBe(0);
    if (says === undefined) expect(run.stderr).not.toContain('as a word');
    else expect(run.stderr).toContain(`motif: ${says}\n`);
    expect((await prompt(['-q', ...argv], setup)).stderr).not.toContain('as a word');
  });

  test.each([
    { name: 'alone', argv: ['notes.md'], says: 'motif: notes.md is taken as a word; -f notes.md sends the file\n' },
    { name: 'alone after --', argv: ['--', 'notes.md'], says: '' },
    { name: 'alone with -q', argv: ['-q', 'notes.md'], says: '' },
  ])('a script is told of a word that is a file: $name', async ({ argv, says }) => {
    expect(await prompt(argv, { files: { 'notes.md': 'n' } })).toMatchObject({ exitCode: 0, stderr: says });
  });

  test.each([
    { name: 'a few files', argv: ['-f', '*.md', 'hi'], files: { 'a.md': 'a', 'b.md': 'b' } },
    { name: 'one word that is a file', argv: ['what', 'is', 'a.md'], files: { 'a.md': 'a' } },
    { name: 'a large file that was named', argv: ['-f', 'a.txt', 'hi'], files: { 'a.txt': 'x'.repeat(2 ** 21) } },
  ])('$name: not a word', async ({ argv, files }) => {
    expect(await prompt(argv, { files })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('a pattern', () => {
  const files = {
    '.gitignore': 'secret.md\n',
    'a.md': 'wanted\n',
    'secret.md': 'ignored\n',
    'node_modules/p/b.md': 'packaged\n',
    'logo.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]),
  };

  test('leaves out what git ignores, and names and skips what is no text', async () => {
    const run = await prompt(['-f', '**/*.md'], { files });
    expect(run).toMatchObject({ exitCode: 0, stderr: saying('logo.md', 'left out') });
    expect(run.messages).toEqual([{ role: 'user', content: 'wanted' }]);
  });

  test('--no-ignore takes it', async () => {
    const run = await prompt(['-f', '**/*.md', '--no-ignore'], { files });
    expect(run.text).toContain('ignored');
    expect(run.text).toContain('packaged');
  });

  test('of which git ignores everything is an error with a way out', async () => {
    const built = { '.gitignore': 'build/\n', 'build/out.txt': 'built\n' };
    const run = await prompt(['-f', 'build/*', 'hi'], { files: built });
    expect(run).toMatchObject({
      exitCode: 2,
      stderr: saying('every file that matches build/* is named by a .gitignore', '--no-ignore'),
    });
    expect((await prompt(['-f', 'build/*', '--no-ignore'], { files: built })).text).toContain('built');
    expect((await prompt(['-f', 'build/out.txt'], { files: built })).text).toContain('built');
  });

  test('of which nothing is text is an error', async () => {
    expect(await prompt(['-f', 'logo*', 'hi'], { files })).toMatchObject({ exitCode: 2, stderr: saying('is text') });
  });

  test('the name of a file that is no text is an error with a way out', async () => {
    const run = await prompt(['-f', 'logo.md', 'hi'], { files });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: saying('logo.md', 'iconv', 'pdftotext') });
  });
});
