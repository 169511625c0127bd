import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onTerminal, prompt, saying, terminal, usageError } from '../../support/rooms/prompt.ts';
import { answered, answering, blocked, service } from '../../support/service.ts';

const plain = {
  NO_COLOR: '1',
  MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot',
  MOTIF_TOKEN: 'token-token-token',
};
const markdown = '# Title\n\nSome **bold** text.\n\n```sh\nls -la\n```\n\n```python\nprint(1)\n```\n';

describe('a pipe gets the answer as received', () => {
  test.each([
    { name: 'without a newline: one is added', response: 'a', stdout: 'a\n' },
    { name: 'with a newline: none is added', response: 'a\n', stdout: 'a\n' },
    { name: 'with two', response: 'a\n\n', stdout: 'a\n\n' },
    { name: 'with CRLF', response: 'a\r\nb\r\n', stdout: 'a\r\nb\r\n' },
    { name: 'Markdown', response: markdown, stdout: markdown },
    { name: 'unicode, quotes, backslashes', response: 'é😀"\\n\\', stdout: 'é😀"\\n\\\n' },
    { name: 'a megabyte in a single line', response: 'x'.repeat(1_000_000), stdout: `${'x'.repeat(1_000_000)}\n` },
  ])('$name', async ({ response, stdout }) => {
    const run = await prompt(['hi'], {}, answering(response));
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout === stdout).toBe(true);
  });

  test.each([['--color', 'always'], ['--raw'], ['--accessible'], ['-q']])(
    'byte for byte with %s %s, too',
    async (...flags) => {
      const run = await prompt(['hi', ...flags.filter(Boolean)], {}, answering(markdown));
      expect(run).toMatchObject({ exitCode: 0, stdout: markdown });
    },
  );
});

describe('a terminal gets it rendered', () => {
  test('Markdown, a code block neither wrapped nor indented', async () => {
    const code = `echo ${'x'.repeat(100)}`;
    const response = `Some **bold** text that is longer than the terminal is wide\n\n\`\`\`sh\n${code}\n\`\`\``;
    const run = await prompt(['hi'], { stdout: { columns: 40 } }, answering(response));
    const lines = run.stdout.split('\n');
    expect(lines).toContain(code);
    expect(run.stdout).not.toContain('**');
    expect(lines[0]?.length).toBeLessThan(60);
  });

  test('--raw prints the Markdown itself, lines as they are', async () => {
    const long = `**bold** ${'word '.repeat(40)}end`;
    const run = await prompt(['hi', '--raw'], { env: plain, stdout: terminal }, answering(long));
    expect(run).toMatchObject({ exitCode: 0, stdout: `${long}\n` });
  });

  test.each([{ columns: 1 }, { columns: 0 }, { columns: 100_000 }])('$columns columns', async (stdout) => {
    const run = await prompt(['hi'], { env: plain, stdout, stderr: stdout }, answering('Some **bold** text'));
    expect(run.exitCode).toBe(0);
    expect(run.stdout.replace(/\s/g, '')).toContain('Somebold');
  });
});

describe('code blocks', () => {
  test.each([
    { name: '-x: the first', argv: ['-x'], stdout: 'ls -la\n' },
    { name: '--extract: the first', argv: ['--extract'], stdout: 'ls -la\n' },
    { name: '--block 1', argv: ['--block', '1'], stdout: 'ls -la\n' },
    { name: '--block 2', argv: ['--block', '2'], stdout: 'print(1)\n' },
    { name: '--block by language', argv: ['--block', 'python'], stdout: 'print(1)\n' },
    { name: '--block by language, in another case', argv: ['--block', 'Python'], stdout: 'print(1)\n' },
    { name: '-x --block 2', argv: ['-x', '--block', '2'], stdout: 'print(1)\n' },
  ])('$name', async ({ argv, stdout }) => {
    expect(await prompt(['hi', ...argv], {}, answering(markdown))).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  });

  test.each([
    {
      name: 'a language',
      argv: ['-x', 'python', 'quicksort'],
      says: 'motif: python is taken as a word; --block python takes the first block in it\n',
    },
    { name: 'a language behind --', argv: ['-x', '--', 'python'], says: '' },
    { name: 'a language beside --block', argv: ['-x', '--block', '1', 'python'], says: '' },
    { name: 'a language within a text', argv: ['-x', 'python quicksort'], says: '' },
    { name: 'a word of sentences', argv: ['-x', 'make', 'a', 'script'], says: '' },
  ])('the word behind -x is sent: $name', async ({ argv, says }) => {
    expect(await prompt(argv, {}, answering(markdown))).toMatchObject({ exitCode: 0, stderr: says });
  });

  test.each([
    { name: 'no block at all', argv: ['-x'], response: 'just words', says: 'no code block' },
    { name: 'too few', argv: ['--block', '3'], response: markdown, says: '3' },
    { name: 'another language', argv: ['--block', 'rust'], response: markdown, says: 'rust' },
  ])('$name: 1, nothing on stdout', async ({ argv, response, says }) => {
    const run = await prompt(['hi', ...argv], {}, answering(response));
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: saying('motif: ', says) });
  });

  test.each([
    { argv: ['--block', 'rust'], says: ['it has 2 code blocks: 1 sh, 2 python', 'without --block'] },
    { argv: ['--block', '3'], says: ['it has 2 code blocks', 'without --block'] },
    {
      argv: ['-x', '--block', '3'],
      says: ['it has 2 code blocks', 'without -x and --block the whole answer goes to stdout'],
    },
  ])('$argv names the blocks there are', async ({ argv, says }) => {
    const run = await prompt(['hi', ...argv], {}, answering(markdown));
    expect(run).toMatchObject({ exitCode: 1, stderr: saying(...says) });
    expect(run.stderr).not.toContain('Some **bold**');
  });

  test.each([
    {
      argv: ['-x'],
      says: '  without -x the whole answer goes to stdout\n  to have both, add -o FILE --json: the block goes into the file, the whole result to stdout\n',
    },
    {
      argv: ['-x', '-o', 'a.sh'],
      says: '  without -x the whole answer goes into the file\n  to have both, add --json: the block goes into the file, the whole result to stdout\n',
    },
    { argv: ['-x', '-o', 'a.sh', '--json'], says: '  the document has the whole answer\n' },
  ])('$argv says where the whole answer is to be had', async ({ argv, says }) => {
    const run = await prompt(['hi', ...argv], {}, answering('just words'));
    expect(run).toMatchObject({ exitCode: 1, stderr: saying('the answer has no code block', says) });
    expect(existsSync(join(run.world.folder, 'a.sh'))).toBe(false);
    expect(run.stdout.includes('just words')).toBe(argv.includes('--json'));
  });

  test('the answer without the block is not lost: a terminal shows it on stderr, defused', async () => {
    const run = await prompt(['hi', '-x'], { stderr: terminal }, answering('just\u001b[2J words'));
    const says = 'the whole answer stands above; without -x it goes to stdout\n';
    expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: saying('just\\u{1b}[2J words\n', says) });
  });

  test('that answer is broken between its words', async () => {
    const answer =
      'You can return a kettle within 30 days. [handbook: Returns and refunds] Opening hours: 9 to 17. [handbook: Opening hours]';
    const run = await prompt(['hi', '-x'], { stderr: { columns: 80 } }, answering(answer));
    expect(run.stderr).toContain(
      '[handbook: Returns and refunds] Opening\nhours: 9 to 17. [handbook: Opening hours]\n',
    );
  });

  test.each(['0', ''])('--block %j is refused before anything is paid for', async (block) => {
    expect(await prompt(['hi', '--block', block])).toMatchObject(usageError('--block'));
  });

  test('a blocked prompt stays blocked', async () => {
    expect(await prompt(['hi', '-x'], {}, service({ body: blocked }))).toMatchObject({ exitCode: 10, stdout: '' });
  });
});

describe('the line after an answer', () => {
  const line = 'tokens 3 + 4 = 7 · 0 ms · prompt 01JD0000000000000000000000\n';
  test.each([
    { name: 'on a terminal', argv: [], stderr: terminal, says: line },
    { name: 'elsewhere with -u', argv: ['-u'], stderr: {}, says: line },
    { name: 'nowhere else', argv: [], stderr: {}, says: '' },
    { name: 'never with -q', argv: ['-q'], stderr: terminal, says: '' },
    { name: 'never with -q, even with -u', argv: ['-q', '-u'], stderr: terminal, says: '' },
  ])('$name', async ({ argv, stderr, says }) => {
    const run = await prompt(['hi', ...argv], { env: plain, stderr });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n', stderr: says });
  });

  test.each([
    { name: 'no usage', fields: { usage: undefined } },
    { name: 'partial usage', fields: { usage: { total_tokens: 9 } } },
    { name: 'no prompt_id', fields: { prompt_id: undefined } },
    { name: 'nonsense', fields: { usage: 'many', prompt_id: 4, finish_reason: [] } },
  ])('$name is no failure and prints no undefined', async ({ fields }) => {
    const run = await prompt(['hi', '-u'], {}, answering('Hi', fields));
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hi\n' });
    expect(run.stderr).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test.each([
    { reason: 'length', says: ['cut', 'length'] },
    { reason: 'content_filter', says: ['content_filter'] },
    { reason: 'other', says: ['other'] },
  ])('finish_reason $reason is named', async ({ reason, says }) => {
    const run = await prompt(['hi'], {}, answering('Hi', { finish_reason: reason }));
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hi\n', stderr: saying(...says) });
    expect(await prompt(['hi', '-q'], {}, answering('Hi', { finish_reason: reason }))).toMatchObject({ stderr: '' });
  });

  test('an empty answer is an answer, and said so', async () => {
    expect(await prompt(['hi'], {}, answering(''))).toMatchObject({
      exitCode: 0,
      stdout: '\n',
      stderr: saying('empty'),
    });
  });

  test('-v says where the time went', async () => {
    const run = await prompt(['hi', '-v'], { env: plain });
    expect(run.stdout).toBe('Hello from the service\n');
    expect(run.stderr.toLowerCase()).toEqual(
      saying('dns 1 ms', 'connect 2 ms', 'tls 3 ms', 'first byte 40 ms', 'total 41 ms', '200', '300', 'attempts 1'),
    );
  });
});

describe('--expect', () => {
  const replies = {
    answered: service({ body: answered }),
    empty: answering(''),
    blocked: service({ body: blocked }),
    failed: service({ status: 500, body: { error: 'oops' } }),
  };
  test.each([
    { expected: 'answered', reply: 'answered', exitCode: 0 },
    { expected: 'answered', reply: 'empty', exitCode: 1 },
    { expected: 'answered', reply: 'blocked', exitCode: 1 },
    { expected: 'answered', reply: 'failed', exitCode: 5 },
    { expected: 'blocked', reply: 'answered', exitCode: 1 },
    { expected: 'blocked', reply: 'empty', exitCode: 1 },
    { expected: 'blocked', reply: 'blocked', exitCode: 0 },
    { expected: 'blocked', reply: 'failed', exitCode: 5 },
    { expected: 'any', reply: 'answered', exitCode: 0 },
    { expected: 'any', reply: 'blocked', exitCode: 0 },
    { expected: 'any', reply: 'failed', exitCode: 5 },
  ] as const)('$expected, and it was $reply: $exitCode', async ({ expected, reply, exitCode }) => {
    const run = await prompt(['hi', '--expect', expected], {}, replies[reply]);
    expect(run.exitCode).toBe(exitCode);
    if (exitCode === 1) expect(run.stderr).toEqual(saying(`--expect ${expected}`));
    const asJson = await prompt(['hi', '--json', '--expect', expected], {}, replies[reply]);
    expect(asJson.exitCode).toBe(exitCode);
  });
});

test('nothing but the answer reaches stdout, whatever is asked for on a terminal', async () => {
  const run = await prompt(
    ['hi', '-u', '-v'],
    { env: plain, ...onTerminal, stdin: 'more' },
    answering('Hi', { finish_reason: 'length' }),
  );
  expect(run).toMatchObject({ exitCode: 0, stdout: 'Hi\n' });
});

test('-v shows the timings of a request that failed, too', async () => {
  const run = await prompt(['hi', '-v'], {}, service({ status: 500, body: { error: 'down' } }));
  expect(run).toMatchObject({ exitCode: 5, stdout: '' });
  expect(run.stderr).toEqual(saying('first byte 40 ms', 'total 41 ms', 'attempts 1', 'the service failed (500)'));
});
