import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { batch, batchService, blockedReply, rowsOf } from '../../support/rooms/batch.ts';
import type { MotifSetup } from '../../support/motif.ts';

/** Runs an input and returns the messages that were sent, in order. */
async function sent(argv: readonly string[], setup: MotifSetup) {
  const service = batchService();
  const run = await batch([...argv, '-j', '1'], setup, service);
  expect(run).toMatchObject({ exitCode: 0 });
  return service.bodies.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`));
}

const user = (...texts: readonly string[]) => texts.map((text) => [`user: ${text}`]);

describe('what is sent for each row', () => {
  test.each([
    { name: 'lines of a file', argv: ['in.txt'], files: { 'in.txt': 'a\n\n b ${x}\n' }, sends: user('a', ' b ${x}') },
    {
      name: 'JSONL with prompts and messages',
      argv: ['in.jsonl'],
      files: {
        'in.jsonl': '{"prompt":"a"}\n{"messages":[{"role":"system","content":"s"},{"role":"user","content":"b"}]}',
      },
      sends: [['user: a'], ['system: s', 'user: b']],
    },
    {
      name: 'the only column of a table',
      argv: ['in.csv'],
      files: { 'in.csv': 'question\na\nb\n' },
      sends: user('a', 'b'),
    },
    {
      name: 'the only column, with a semicolon in its name, once it is named',
      argv: ['in.csv', '--column', 'n;text'],
      files: { 'in.csv': '"n;text"\na\n' },
      sends: user('a'),
    },
    {
      name: 'a table with semicolons, as many spreadsheets save it',
      argv: ['in.csv', '--column', 'text'],
      files: { 'in.csv': 'n;text\n1;"Hello, there"\n' },
      sends: user('Hello, there'),
    },
    {
      name: 'the column that is named',
      argv: ['in.csv', '--column', 'q'],
      files: { 'in.csv': 'n,q\n1,"a\nb"\n' },
      sends: user('a\nb'),
    },
    {
      name: 'the column called prompt, and an id beside it',
      argv: ['in.tsv'],
      files: { 'in.tsv': 'id\tprompt\n1\ta\n' },
      sends: user('a'),
    },
    {
      name: 'a template with the fields of the row',
      argv: ['in.csv', '-t', 't.txt'],
      files: { 'in.csv': 'n,q\n1,${n}\n', 't.txt': 'Classify ${q} of ${n}.\n' },
      sends: user('Classify ${n} of 1.'),
    },
    {
      name: 'a template with names of a spreadsheet',
      argv: ['in.csv', '-t', 't.txt'],
      files: {
        'in.csv': 'Ticket No,Customer text,"Preis (€)",lang\n7,Hello,1.50,en\n',
        't.txt': '${Ticket No} (${lang}, ${Preis (€)}, ${lang:-x}): ${Customer text}\n',
      },
      sends: user('7 (en, 1.50, ${lang:-x}): Hello'),
    },
    {
      name: 'a template whose only name is that of the column',
      argv: ['in.csv', '-t', 't.txt', '--column', 'Customer text'],
      files: { 'in.csv': 'Ticket No,Customer text\n7,Hello\n', 't.txt': 'Classify: ${Customer text}' },
      sends: user('Classify: Hello'),
    },
    {
      name: 'a template before the prompt, where it does not hold it',
      argv: ['in.txt', '-t', 't.txt'],
      files: { 'in.txt': 'a\n', 't.txt': 'Classify:\n' },
      sends: user('Classify:\n\na'),
    },
    {
      name: 'a template with numbers as they stand, and --var for what a row has not',
      argv: ['in.jsonl', '-t', 't.txt', '--var', 'tone=kind'],
      files: { 'in.jsonl': '{"n":1.50,"list":[1, 2]}', 't.txt': '${n} ${list} ${tone}' },
      sends: user('1.50 [1, 2] kind'),
    },
    {
      name: 'a template with a literal ${n}, whose sign comes from --var, and a price',
      argv: ['in.jsonl', '-t', 't.txt', '--var', 'd=$'],
      files: { 'in.jsonl': '{"n":5}', 't.txt': '${d}{n} is $${n}' },
      sends: user('${n} is $5'),
    },
    {
      name: 'a system message and a file with every row',
      argv: ['in.txt', '-S', 's.txt', '-f', 'f.txt'],
      files: { 'in.txt': 'a\nb\n', 's.txt': 'Be brief\n', 'f.txt': 'facts\n' },
      sends: ['a', 'b'].map((text) => ['system: Be brief', `user: ${text}\n\nfacts`]),
    },
    { name: 'a gzipped file', argv: ['in.txt.gz'], files: { 'in.txt.gz': gzipSync('a\n') }, sends: user('a') },
  ])('$name', async ({ argv, files, sends }) => {
    expect(await sent(argv, { files })).toEqual(sends);
  });

  test.each([{ argv: [] }, { argv: ['-'] }])('stdin with $argv', async ({ argv }) => {
    expect(await sent(argv, { stdin: 'a\nb\n' })).toEqual(user('a', 'b'));
    expect(await sent([...argv, '--format', 'csv'], { stdin: 'a\nb\n' })).toEqual(user('b'));
  });
});

describe('what comes out', () => {
  test('a line a row, in the order of the input, its own fields byte for byte', async () => {
    const service = batchService((prompt) => (prompt === 'b' ? blockedReply : undefined));
    const input =
      '{"prompt":"a","id":12345678901234567890,"n":1.50,"t":"\\u00e9","\\u00e9\\/":0}\n{"prompt":"b","id":"x"}\n{"prompt":"c"}\n';
    const run = await batch(['in.jsonl'], { files: { 'in.jsonl': input } }, service);
    expect(run.exitCode).toBe(0);
    const [first, second] = run.stdout.split('\n');
    expect(first).toMatch(
      /^\{"index":0,"id":12345678901234567890,"key":"[0-9a-f-]{38}","blocked":false,"response":"re: a","finish_reason":"stop","prompt_id":"01JD0000000000000000000000","usage":\{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7\},"elapsed_ms":\d+,"attempts":1,"error":null,"n":1\.50,"t":"\\u00e9","\\u00e9\\\/":0\}$/,
    );
    expect(JSON.parse(second ?? '')).toMatchObject({ index: 1, id: 'x', blocked: true, response: null, error: null });
    expect(rowsOf(run.stdout).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(run.stderr).toContain('3 rows');
    expect(run.stderr).toContain('answered 2 · blocked 1 · error 0');
    expect(run.stderr).toContain('tokens 6 + 8 = 14');
  });

  test('the sum of tokens is written as its parts are', async () => {
    const usage = { prompt_tokens: 42_812, completion_tokens: 9_125, total_tokens: 51_937 };
    const service = batchService(() => ({
      body: { blocked: false, response: 'x', finish_reason: 'stop', prompt_id: '01JD0000000000000000000000', usage },
    }));
    const run = await batch(['in.txt'], { files: { 'in.txt': 'a\n' } }, service);
    expect(run.stderr).toContain('tokens 42,812 + 9,125 = 51,937');
  });

  test('all columns of a table pass through, that of the prompt too', async () => {
    const run = await batch(['in.csv', '--column', 'q'], { files: { 'in.csv': 'id,q,2,1\n7,a,x,y\n' } });
    expect(run.stdout.trim()).toMatch(/"id":"7",.*"error":null,"q":"a","2":"x","1":"y"\}$/);
  });

  test('equal rows have keys of their own, the same in every run', async () => {
    const keys = async () => rowsOf((await batch([], { stdin: 'a\na\nb\na\n' })).stdout).map(({ key }) => key);
    const first = await keys();
    expect(new Set(first).size).toBe(4);
    expect(await keys()).toEqual(first);
  });

  test('a row in error has the object of a failure, and makes the exit code 1', async () => {
    const service = batchService((prompt) => (prompt === 'b' ? { status: 422, body: { error: 'no' } } : undefined));
    const run = await batch([], { stdin: 'a\nb\n' }, service);
    expect(run.exitCode).toBe(1);
    expect(rowsOf(run.stdout)[1]).toMatchObject({
      blocked: null,
      response: null,
      error: { kind: 'rejected', exit_code: 4, detail: 'no' },
    });
    expect(run.stderr).toContain('error 1 (1 rejected: line 2)');
    expect(run.stderr).toContain('motif: 1 of 2 rows ended in error');
  });
});

describe('a fault of the input is found before anything is sent', () => {
  test.each([
    { name: 'broken JSON', files: { 'in.jsonl': '{"prompt":"a"}\n{"prompt":}\n' }, says: 'in.jsonl:2: column 11' },
    {
      name: 'no prompt',
      files: { 'in.jsonl': '{"prompt":"a"}\n{"text":"b"}\n' },
      says: 'in.jsonl:2: a row needs "prompt" or "messages"',
    },
    {
      name: 'plain text that begins like a list of JSON',
      files: { 'in.list': '["a", "b"] Which is a fruit?\n' },
      says: 'of an array makes rows: jq -c ".[]"; plain text: --format lines\n',
    },
    {
      name: 'a system message alone',
      files: { 'in.jsonl': '{"messages":[{"role":"system","content":"a"}]}\n' },
      says: 'in.jsonl:1: its messages hold nothing but a system message\n',
    },
    {
      name: 'a template that is empty with the fields of a row',
      argv: ['-t', 't.txt'],
      files: { 'in.csv': 'id,text\n1,\n', 't.txt': '${text}' },
      says: 'in.csv:2: t.txt makes an empty prompt of it\n',
    },
    {
      name: 'several columns and none named',
      files: { 'in.csv': 'a,b\n1,2\n' },
      says: '--column NAME (there are a, b)',
    },
    {
      name: 'a table whose one column is several behind another separator',
      files: { 'in.csv': 'n|text\n1|Hello\n' },
      says: 'in.csv:2: its only column is "n|text"\n  "|" seems to separate its columns: save it with commas',
    },
    {
      name: 'no such column',
      argv: ['--column', 'x'],
      files: { 'in.csv': 'a,b\n1,2\n' },
      says: 'in.csv:2: there is no field "x"',
    },
    {
      name: 'a prompt that is no text',
      files: { 'in.jsonl': '{"prompt":7}' },
      says: 'in.jsonl:1: "prompt" is no text',
    },
    {
      name: 'a wrong message',
      files: { 'in.jsonl': '{"messages":[{"role":"user"}]}' },
      says: 'in.jsonl:1: messages[0].content',
    },
    {
      name: 'a field of ours',
      files: { 'in.jsonl': '{"prompt":"a","usage":1}' },
      says: 'in.jsonl:1: the output has a field "usage"',
    },
    {
      name: 'an id that is a list',
      files: { 'in.jsonl': '{"prompt":"a","id":[]}' },
      says: 'in.jsonl:1: id is neither',
    },
    {
      name: 'a template without its field',
      argv: ['-t', 't.txt'],
      files: { 'in.csv': 'text,id\na,1\n', 't.txt': 'x\n${txt}' },
      says: 'in.csv:2: t.txt, line 2: there is no value for ${txt}',
    },
    {
      name: 'a template with a field of a table that is spelt otherwise',
      argv: ['-t', 't.txt'],
      files: { 'in.csv': 'id,Customer text\n1,a\n', 't.txt': 'x\n${customer text}' },
      says: 'in.csv:2: t.txt, line 2: there is no value for ${customer text}\n  did you mean ${Customer text}?',
    },
    {
      name: 'a template with words that no field has',
      argv: ['-t', 't.txt'],
      files: { 'in.csv': 'id,text\n1,a\n', 't.txt': '${text} ${your name}' },
      says: "there is no value for ${your name}\n  give one: --var 'your name=VALUE'; its fields: id, text\n",
    },
    {
      name: 'a row of JSONL without a field that the template took of another',
      argv: ['-t', 't.txt'],
      files: { 'in.jsonl': '{"Preis/€":1}\n{"Preis":2}\n', 't.txt': '${Preis/€}' },
      says: 'in.jsonl:2: t.txt, line 1: there is no value for ${Preis/€}\n',
    },
    {
      name: 'a row of JSONL whose field is null',
      argv: ['-t', 't.txt'],
      files: { 'in.jsonl': '{"Preis/€":null,"text":"a"}\n', 't.txt': '${text} ${Preis/€}' },
      says: 'in.jsonl:1: t.txt, line 1: there is no value for ${Preis/€}: it is null here\n',
    },
    {
      name: 'a template that a shell has filled in, where the field has a name of two words',
      argv: ['-t', 't.txt'],
      files: { 'in.csv': 'Ticket No,Customer text\n1,a\n', 't.txt': 'Classify: \n' },
      says: 'all rows would send the same text\n  write ${Ticket No} into it, within',
    },
    {
      name: 'a template that a shell has filled in, so that it holds no field',
      argv: ['-t', 't.txt'],
      files: { 'in.csv': 'id,text\n1,a\n', 't.txt': 'Classify: \n' },
      says: 'in.csv:2: t.txt holds no field of the row: all rows would send the same text\n  write ${text} into it, within',
    },
    {
      name: 'a column of the prompt with empty cells alone',
      argv: ['--column', 'b'],
      files: { 'in.csv': 'prompt,b\na,\nb," "\n' },
      says: 'in.csv:2: its field "b" is empty\n  fill it in, or take the row out\n',
    },
    { name: 'no such file', argv: ['none.txt'], files: {}, says: 'none.txt: no such file' },
    { name: 'no input at all', argv: [], files: {}, says: 'there are no rows to send' },
  ] as { name: string; argv?: string[]; files: Record<string, string>; says: string }[])(
    '$name',
    async ({ argv = [], files, says }) => {
      const input = Object.keys(files).filter((name) => name.startsWith('in.'));
      const run = await motifWithoutService([...input, ...argv], files);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain(says);
    },
  );

  test('in a pipe it ends the reading, and the rows before it are answered', async () => {
    const run = await batch(['--format', 'jsonl'], { stdin: '{"prompt":"a"}\n{"prompt":}\n{"prompt":"c"}\n' });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('stdin:2: column 11');
    expect(rowsOf(run.stdout).map(({ response }) => response)).toEqual(['re: a']);
  });
});

/** The test fails if anything is sent. */
async function motifWithoutService(argv: readonly string[], files: Record<string, string>) {
  const service = batchService();
  const run = await batch(argv, { files }, service);
  expect(service.asked).toEqual([]);
  return run;
}
