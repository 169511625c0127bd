import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileFault } from '../../../src/world/world.ts';
import type { MotifSetup } from '../../support/motif.ts';
import { prompt, saying, usageError } from '../../support/rooms/prompt.ts';

const binary = Buffer.from([0x41, 0x0a, 0x00, 0x01]);
const latin = Buffer.from('caf\xe9', 'latin1');
const utf16 = Buffer.from('\ufeffhello', 'utf16le');

const systemAlone = '[{"role":"system","content":"Sum up"}]';

describe('nothing to send', () => {
  test.each([
    { name: 'no argument at all', argv: [], setup: {} },
    { name: 'an empty word', argv: [''], setup: {} },
    { name: 'blanks and newlines', argv: [' \n\t'], setup: {} },
    { name: 'an empty pipe', argv: [], setup: { stdin: '' } },
    { name: 'a pipe of newlines', argv: [], setup: { stdin: '\n\n' } },
    { name: 'a pipe that holds a byte order mark alone', argv: [], setup: { stdin: '\ufeff' } },
    { name: 'a pipe that is kept out', argv: ['--no-stdin'], setup: { stdin: 'text' } },
    { name: 'an empty file', argv: ['-f', 'empty'], setup: { files: { empty: '' } } },
    { name: 'an empty template', argv: ['-t', 'empty'], setup: { files: { empty: '\n' } } },
    { name: 'a system message alone', argv: ['-s', 'Sum up'], setup: {} },
    { name: 'a system message and an empty pipe', argv: ['-s', 'Sum up'], setup: { stdin: '' } },
    { name: 'a system message and an empty word', argv: ['-s', 'Sum up', '--', ''], setup: {} },
    { name: 'a system file and an empty file', argv: ['-S', 's', '-f', 'e'], setup: { files: { s: 'Sum up', e: '' } } },
    { name: 'a system message of --messages', argv: ['--messages', 'm'], setup: { files: { m: systemAlone } } },
    { name: 'a system message to be saved', argv: ['-s', 'Sum up', '--save', 'x'], setup: {} },
    { name: 'a system message, shown alone', argv: ['-s', 'Sum up', '--dry-run'], setup: {} },
  ])('$name: exit 2, and what to type', async ({ argv, setup }) => {
    expect(await prompt(argv, setup)).toMatchObject(usageError('nothing to send', 'motif prompt "', '-f FILE'));
  });
});

describe('what is wrong with a file has words of its own', () => {
  const denied = (path: string) => Promise.reject(new FileFault(path, 'EACCES', 'permission denied'));
  test.each([
    {
      name: 'JSON in the place of its file',
      argv: ['--messages', ' [{"role":"user"}]'],
      says: ['is JSON', '--messages -'],
    },
    { name: 'a file over the cap', argv: ['-f', 'big'], says: ['big: is larger than 16 MiB', 'send a part of it'] },
    ...['--model', '--temperature', '--top-p', '--max-tokens', '--max_tokens'].map((flag) => ({
      name: `${flag}, which the Motif has`,
      argv: [flag, '10'],
      says: ['unknown option', 'params in the gateway file', 'motif help messages', '--motif ID'],
    })),
    {
      name: 'a pattern in a folder without permission',
      argv: ['-f', 'secret/*'],
      says: ['secret: permission denied', 'ls -ld'],
    },
    {
      name: 'a file without permission',
      argv: ['-f', 'private'],
      says: ['private: permission denied', "ls -ld 'private'"],
    },
  ])('$name', async ({ argv, says }) => {
    const setup: MotifSetup = {
      files: { big: Buffer.alloc(16 * 1024 * 1024 + 1, 'a') },
      prepare: (world) => {
        const files = { ...world.files };
        Object.assign(world.files, {
          list: (path: string) => (path.startsWith('secret') ? denied(path) : files.list(path)),
          read: (path: string, options: { readonly bytesMax: number }) =>
            path === 'private' ? denied(path) : files.read(path, options),
        });
      },
    };
    expect(await prompt(['hi', ...argv], setup)).toMatchObject(usageError(...says));
  });
});

describe('text that is no UTF-8 text is refused wherever it comes from', () => {
  const places = [
    { place: 'stdin', argv: ['hi'], named: 'stdin' },
    { place: '-f', argv: ['hi', '-f', 'data'], named: 'data' },
    { place: '-t', argv: ['hi', '-t', 'data'], named: 'data' },
    { place: '-S', argv: ['hi', '-S', 'data'], named: 'data' },
    { place: '--messages', argv: ['hi', '--messages', 'data'], named: 'data' },
  ];
  const contents = [
    { content: 'binary', bytes: binary, says: 'binary' },
    { content: 'Latin-1', bytes: latin, says: 'UTF-8' },
    { content: 'UTF-16', bytes: utf16, says: 'iconv -f utf-16 -t utf-8 FILE' },
    { content: 'UTF-16 without a mark', bytes: utf16.subarray(2), says: 'iconv -f utf-16le -t utf-8 FILE' },
    { content: 'half a character at the end', bytes: Buffer.from('é').subarray(0, 1), says: 'UTF-8' },
  ];
  const table = places.flatMap((place) => contents.map((content) => ({ ...place, ...content })));
  test.each(table)('$content through $place', async ({ place, argv, named, bytes, says }) => {
    expect(await prompt(argv, place === 'stdin' ? { stdin: bytes } : { files: { data: bytes } })).toMatchObject(
      usageError(named, says),
    );
  });

  test.each(places.filter(({ place }) => place !== '--messages'))(
    'one byte order mark is dropped from $place',
    async ({ place, argv }) => {
      const content = '\ufeff\ufefftext';
      const run = await prompt(argv, place === 'stdin' ? { stdin: content } : { files: { data: content } });
      expect(run.exitCode).toBe(0);
      expect(JSON.stringify(run.messages)).toContain('\ufefftext');
      expect(JSON.stringify(run.messages)).not.toContain('\ufeff\ufeff');
    },
  );

  test('a character split over two chunks of stdin is whole', async () => {
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    expect(await prompt([], { stdin: { chunks: [first, second] } })).toMatchObject({ exitCode: 0, text: 'é' });
  });

  test('CRLF stays CRLF inside, and the last line end is no part of the text', async () => {
    const run = await prompt([], { stdin: 'a\r\nb\r\n' });
    expect(run.exitCode).toBe(0);
    expect(run.text).toMatch(/^a\r\nb(\r\n)?$/);
  });
});

describe('sizes', () => {
  test('10 MB of stdin is sent whole', async () => {
    const text = 'zehn Megabyte é\n'.repeat(600_000).trimEnd();
    const run = await prompt([], { stdin: text });
    expect(run.exitCode).toBe(0);
    expect(run.text === text).toBe(true);
  });

  test.each(['-f', '-t', '-S', '--messages'])('more than 16 MiB through %s is refused', async (flag) => {
    expect(
      await prompt([flag, 'big', 'hi'], { files: { big: Buffer.alloc(16 * 1024 * 1024 + 1, 'x') } }),
    ).toMatchObject(usageError('big', '16 MiB'));
  });

  test('a stdin without end is left at the cap', async () => {
    let taken = 0;
    const chunks = (function* () {
      for (;;) {
        taken += 1;
        yield Buffer.alloc(1024 * 1024, 'x');
      }
    })();
    expect(await prompt([], { stdin: { chunks } })).toMatchObject(usageError('stdin', '16 MiB'));
    expect(taken).toBeLessThan(20);
  });

  test('parts that are small by themselves may not be too large together', async () => {
    const half = Buffer.alloc(9 * 1024 * 1024, 'x');
    expect(await prompt(['-f', 'a', '-f', 'b'], { files: { a: half, b: half } })).toMatchObject(usageError('16 MiB'));
    // Nothing further is read.
    const argv = ['-f', 'a', '-f', 'b', '-f', 'absent'];
    expect(await prompt(argv, { files: { a: half, b: half } })).toMatchObject(usageError('-f', '16 MiB'));
  });
});

describe('what -f, -t, -S and --messages may name', () => {
  const prepare: MotifSetup['prepare'] = ({ folder }) => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/zero', join(folder, 'device'));
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('nowhere', join(folder, 'dangling'));
  };
  const flags = ['-f', '-t', '-S', '--messages'];
  const names = ['missing', 'fifo', 'folder', 'device', 'loop', 'dangling'];
  test.each(flags.flatMap((flag) => names.map((name) => ({ flag, name }))))(
    '$flag $name: exit 2, named, nothing sent',
    async ({ flag, name }) => {
      expect(await prompt([flag, name, 'hi'], { prepare })).toMatchObject(usageError(flag, `${name}: `));
    },
  );

  test('a pattern that finds nothing', async () => {
    expect(await prompt(['-f', 'src/*.ts', 'Review'], {})).toMatchObject(usageError('src/*.ts'));
  });

  test('a name with a terminal sequence is shown, not obeyed', async () => {
    const run = await prompt(['-f', 'a\u001b[2J', 'hi']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).not.toContain('\u001b');
  });
});

describe('a word beside -f that names a file', () => {
  test('is a usage error that shows the quoted form', async () => {
    expect(await prompt(['-f', 'a.md', 'b.md'], { files: { 'a.md': 'A', 'b.md': 'B' } })).toMatchObject(
      usageError('b.md', "-f '*.md'"),
    );
  });

  test('that was typed with -f already is only to be left out', async () => {
    const run = await prompt(['Summarize', 'notes.md', '-f', 'notes.md'], { files: { 'notes.md': 'N' } });
    expect(run).toMatchObject(usageError('notes.md', '-f notes.md sends it already: leave the word out'));
    expect(run.stderr).not.toContain('each file by itself');
  });

  test('is text where no -f is given', async () => {
    expect(await prompt(['b.md'], { files: { 'b.md': 'B' } })).toMatchObject({ exitCode: 0, text: 'b.md' });
  });
});

describe('usage errors of the input flags', () => {
  const files = { 'm.json': '[{"role":"user","content":"x"}]', 's.txt': 'S' };
  test.each([
    { name: '-s and -S', argv: ['-s', 'a', '-S', 's.txt', 'hi'], says: ['-s', '-S'] },
    { name: 'stdin named twice', argv: ['-', '-f', '-'], says: ['stdin', 'once'] },
    { name: 'stdin for messages and for text', argv: ['--messages', '-', '-'], says: ['stdin', 'once'] },
    { name: '-m without a role', argv: ['-m', 'hello', 'hi'], says: ['role:text', '--messages'] },
    {
      name: '-m with a role of its own',
      argv: ['-m', 'tool:x', 'hi'],
      says: ['system', 'user', 'assistant', '--messages'],
    },
    { name: 'a prompt that begins with a dash', argv: ['-hello'], says: ['-hello', '-- '] },
    { name: 'a flag that does not exist', argv: ['hi', '--sistem', 'x'], says: ['--sistem', 'motif help prompt'] },
    { name: 'a flag without its value', argv: ['hi', '-s'], says: ['-s'] },
    { name: '--expect with another word', argv: ['hi', '--expect', 'sunshine'], says: ['answered', 'blocked', 'any'] },
    { name: '--timeout without sense', argv: ['hi', '--timeout', 'soon'], says: ['--timeout', '20s'] },
    { name: '--timeout of nothing', argv: ['hi', '--timeout', '0'], says: ['--timeout'] },
    { name: '--timeout beyond every timer', argv: ['hi', '--timeout', '99999999999'], says: ['--timeout'] },
    { name: '--retries below zero', argv: ['hi', '--retries=-1'], says: ['--retries'] },
    { name: '--retries of a half', argv: ['hi', '--retries', '1.5'], says: ['--retries'] },
    {
      name: '--color with another word',
      argv: ['hi', '--color', 'blue'],
      says: ['--color', 'always', 'never', 'auto'],
    },
  ])('$name', async ({ argv, says }) => {
    expect(await prompt(argv, { files, stdin: '' })).toMatchObject(usageError(...says));
  });
});

test.each([
  ['-f', ['hi', '-f', '']],
  ['-t', ['-t', '']],
  ['-S', ['hi', '-S', '']],
  ['--messages', ['hi', '--messages', '']],
  ['-o', ['hi', '-o', '']],
])('%s with the empty name that an unset variable leaves says so', async (flag, argv) => {
  expect(await prompt(argv)).toMatchObject(usageError(`${flag} needs the name of a file`));
});

test.each([
  [['caf\ufffd']],
  [['hi', '-s', '\ufffd']],
  [['hi', '-m', 'user:\ufffd']],
  [['hi', '-t', 't', '--var', 'a=\ufffd']],
])('%j was no UTF-8 when it was typed: refused, with the way to send it', async (argv) => {
  expect(await prompt(argv, { files: { t: 'x' } })).toMatchObject(usageError('UTF-8', 'U+FFFD', '-f FILE'));
});

test('a file that holds U+FFFD itself is sent', async () => {
  const run = await prompt(['-f', 'a'], { files: { a: 'x\ufffdy' } });
  expect(run).toMatchObject({ exitCode: 0, text: 'x\ufffdy' });
});

test.each([{ argv: ['-s', ''] }, { argv: ['-S', 'empty'] }])(
  '$argv: no system message is sent, and that is said',
  async ({ argv }) => {
    const run = await prompt(['hi', ...argv], { files: { empty: '\n' } });
    expect(run).toMatchObject({ exitCode: 0, stderr: saying('the system message is empty, so none is sent') });
    expect(run.messages).toEqual([{ role: 'user', content: 'hi' }]);
  },
);

test.each([
  { argv: ['-f', '.'], says: "-f './*'" },
  { argv: ['-f', 'docs/'], says: "-f 'docs/*'" },
  { argv: ['-f', 'a', 'b'], says: 'make it part of a longer text, or pipe it in' },
])('$argv: what to type instead', async ({ argv, says }) => {
  expect(await prompt(argv, { files: { a: 'A', b: 'B', 'docs/c': 'C' } })).toMatchObject(usageError(says));
});

test('stdin among several files is headed by its name', async () => {
  const run = await prompt(['-f', 'a.txt', '-f', '-'], { files: { 'a.txt': 'one\n' }, stdin: 'two\n' });
  expect(run.text).toBe('--- a.txt ---\none\n\n--- stdin ---\ntwo');
});
