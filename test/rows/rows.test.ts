import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rowBytesMax } from '../../src/rows/lines.ts';
import { readRows, type RowOptions } from '../../src/rows/rows.ts';
import { fileSource, type RowSource, textSource } from '../../src/rows/source.ts';
import { fakeWorld } from '../support/world.ts';

async function rowsOf(source: RowSource, options?: RowOptions) {
  const rows = [];
  for await (const row of readRows(source, options)) rows.push({ ...row, members: row.members() });
  return rows;
}

async function valuesOf(source: RowSource, options?: RowOptions) {
  return (await rowsOf(source, options)).map(({ line, values }) => ({ line, ...values }));
}

/** A file whose bytes come one by one, as from a slow pipe. */
function dripping(name: string, bytes: Uint8Array): RowSource {
  return fileSource({ chunks: () => oneByOne(bytes) }, name);
}

async function* oneByOne(bytes: Uint8Array) {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

test.each([
  {
    name: 'JSONL, with blank lines and no newline at the end',
    source: textSource('in.jsonl', '{"prompt":"a"}\n\n  \r\n{"prompt":"b","n":1}\r\n{"prompt":"c"}'),
    rows: [
      { line: 1, prompt: 'a' },
      { line: 4, prompt: 'b', n: 1 },
      { line: 5, prompt: 'c' },
    ],
  },
  {
    name: 'plain lines, each literal, blanks and all',
    source: textSource('in.txt', '  two  \n${HOME} "x"\n\n{not json\n'),
    rows: [
      { line: 1, prompt: '  two  ' },
      { line: 2, prompt: '${HOME} "x"' },
      { line: 4, prompt: '{not json' },
    ],
  },
  {
    name: 'CSV, with a byte order mark, quoted newlines, quotes and commas',
    source: textSource('in.csv', '\ufeffid,text\r\n1,"a\nb"\r\n\r\n2,"say ""hi"", then"\r\n007, x \r\n'),
    rows: [
      { line: 2, id: '1', text: 'a\nb' },
      { line: 5, id: '2', text: 'say "hi", then' },
      { line: 6, id: '007', text: ' x ' },
    ],
  },
  {
    name: 'CSV with semicolons, and commas in its values',
    source: textSource('in.csv', '\ufeff\r\nid;text\r\n1;"a;b"\r\n2;1,5\r\n'),
    rows: [
      { line: 3, id: '1', text: 'a;b' },
      { line: 4, id: '2', text: '1,5' },
    ],
  },
  {
    name: 'CSV with semicolons whose header has a comma and a newline in quotes',
    source: textSource('in.csv', '"a,\nb";c\n1;2\n'),
    rows: [{ line: 3, 'a,\nb': '1', c: '2' }],
  },
  {
    name: 'CSV with semicolons in its values and in a quoted name',
    source: textSource('in.csv', '"a;b",c\nx;y,z\n'),
    rows: [{ line: 2, 'a;b': 'x;y', c: 'z' }],
  },
  {
    name: 'CSV with a semicolon in its only name, in quotes',
    source: textSource('in.csv', '"a;b"\nx\n'),
    rows: [{ line: 2, 'a;b': 'x' }],
  },
  {
    name: 'TSV',
    source: textSource('in.tsv', 'a\tb\n1,5\t"two\tthree"\n'),
    rows: [{ line: 2, a: '1,5', b: 'two\tthree' }],
  },
  {
    name: 'JSONL from stdin, told by its first line',
    source: textSource('stdin', '{"prompt":"a"}\n'),
    rows: [{ line: 1, prompt: 'a' }],
  },
  {
    name: 'gzip, whatever it is called',
    source: textSource('in.csv.gz', gzipSync('a\n1\n')),
    rows: [{ line: 2, a: '1' }],
  },
  {
    name: 'gzip of several members, as rotated files are joined',
    source: textSource('x.jsonl', Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')])),
    rows: [
      { line: 1, a: 1 },
      { line: 2, a: 2 },
    ],
  },
  { name: 'an empty file', source: textSource('in.jsonl', ''), rows: [] },
  { name: 'a header alone', source: textSource('in.csv', 'a,b\n'), rows: [] },
  {
    name: 'a column without a name gets one',
    source: textSource('in.csv', 'a,\n1,2\n'),
    rows: [{ line: 2, a: '1', column2: '2' }],
  },
])('reads $name', async ({ source, rows }) => {
  expect(await valuesOf(source)).toEqual(rows);
});

test('reads the same whatever the chunks are', async () => {
  const text = '{"prompt":"caf\u00e9 \u{1f600}"}\r\n{"prompt":"b"}\n';
  const packed = gzipSync(text);
  const rows = [
    { line: 1, prompt: 'caf\u00e9 \u{1f600}' },
    { line: 2, prompt: 'b' },
  ];
  expect(await valuesOf(dripping('x.jsonl', Buffer.from(text)))).toEqual(rows);
  expect(await valuesOf(dripping('x.jsonl.gz', packed))).toEqual(rows);
  expect(await valuesOf(dripping('x.csv', Buffer.from('a\n"\u00e9\n"\n')))).toEqual([{ line: 2, a: '\u00e9\n' }]);
  expect(await valuesOf(dripping('x.csv', Buffer.from('\u00e9;"b"\n1;2')))).toEqual([
    { line: 2, '\u00e9': '1', b: '2' },
  ]);
});

test('takes lines that begin with a bracket for text', async () => {
  const text = '[INFO] started\n[[Kettle]] is a link\n';
  expect(await valuesOf(textSource('in', text))).toEqual([
    { line: 1, prompt: '[INFO] started' },
    { line: 2, prompt: '[[Kettle]] is a link' },
  ]);
});

test('gives each field of JSONL byte for byte', async () => {
  const text = '{ "id" : 12345678901234567890 , "x":1.50e+400,"t":"\\u00e9\\"}", "n":{"a":[1, "]"]} ,"\\u007a":null}';
  const [row] = await rowsOf(textSource('in.jsonl', text));
  expect(row?.members).toEqual([
    { name: 'id', nameJson: '"id"', json: '12345678901234567890' },
    { name: 'x', nameJson: '"x"', json: '1.50e+400' },
    { name: 't', nameJson: '"t"', json: '"\\u00e9\\"}"' },
    { name: 'n', nameJson: '"n"', json: '{"a":[1, "]"]}' },
    { name: 'z', nameJson: '"\\u007a"', json: 'null' },
  ]);
});

test.each(['\n', '\r\n'])('counts lines as they stand, blank ones and those within quotes too: %j', async (newline) => {
  const lines = ['a,b', '1,"x', 'y"', '', '', '3,4', '"p', '', 'q",6', '7,8'];
  const rows = await rowsOf(textSource('in.csv', lines.join(newline)));
  expect(rows.map(({ line }) => line)).toEqual([2, 6, 7, 10]);
  const faulty = rowsOf(textSource('in.csv', [...lines, '', '9,"x"z'].join(newline)));
  await expect(faulty).rejects.toThrow('in.csv:12: text stands after the closing quote');
});

test('leaves out a line of blanks in a table, as it does an empty one', async () => {
  const rows = await rowsOf(textSource('in.csv', 'a,b\n1,2\n   \n\n3,4\n'));
  expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  expect(await rowsOf(textSource('in.csv', 'a\n1\n  \n'))).toHaveLength(2);
});

test('keeps the order of the columns, also where their names are numbers', async () => {
  const [row] = await rowsOf(textSource('in.csv', 'b,2,1\nx,y,z\n'));
  expect(row?.members.map(({ name }) => name)).toEqual(['b', '2', '1']);
});

test.each([
  { name: 'broken JSON', source: textSource('in.jsonl', '{"a":1}\n{"a":}\n'), says: 'in.jsonl:2: column 6: expected' },
  { name: 'a key twice', source: textSource('in.jsonl', '{"a":1,"a":2}'), says: 'in.jsonl:1: column 8: the key "a"' },
  { name: 'an array', source: textSource('in.jsonl', '[{"a":1}]'), says: 'in.jsonl:1: a row of JSONL is one object' },
  {
    name: 'an array in a file of any name',
    source: textSource('in.json', '[{"a":1}]'),
    says: 'in.json:1: a row of JSONL',
  },
  {
    name: 'an array on several lines',
    source: textSource('in.json', '[\n  {"a":1}\n]'),
    says: 'in.json:1: a row of JSONL',
  },
  {
    name: 'an object on several lines',
    source: textSource('stdin', '{\n  "a": 1\n}'),
    says: 'stdin:1: a row of JSONL',
  },
  { name: 'a short row', source: textSource('in.csv', 'a,b\n1,2\n1\n'), says: 'in.csv:3: the header names 2 columns' },
  {
    name: 'an open quote',
    source: textSource('in.csv', `a,b\n1,2\n3,"4\n${'5,6\n'.repeat(5000)}`),
    says: 'in.csv:3: a quoted value in the row that begins here has no closing quote',
  },
  {
    name: 'an open quote behind many rows',
    source: textSource('in.csv', `a,b\n${'5,"6\n7"\n'.repeat(3000)}3,"4\n5,6\n`),
    says: 'in.csv:6002: a quoted value',
  },
  { name: 'a quote inside', source: textSource('in.csv', 'a\nx"y\n'), says: 'in.csv:2: a quote stands inside' },
  { name: 'a column twice', source: textSource('in.csv', 'a,b,a\n'), says: 'in.csv:1: the header has "a" twice' },
  {
    name: 'other bytes than UTF-8',
    source: textSource('in.txt', Buffer.from('a\nb\xff\n', 'latin1')),
    says: 'in.txt:2: is not UTF-8: byte 2 is 0xff',
  },
  {
    name: 'other bytes in CSV',
    source: textSource('in.csv', Buffer.from('a\nb\xff\n', 'latin1')),
    says: 'is not UTF-8',
  },
  { name: 'binary', source: textSource('in.txt', 'a\0b'), says: 'in.txt:1: is binary' },
  {
    name: 'gzip cut short',
    source: textSource('a.gz', gzipSync('abc').subarray(0, 15)),
    says: 'a.gz: its gzip data ends too early',
  },
  {
    name: 'damaged gzip',
    source: textSource('a.gz', Buffer.from([0x1f, 0x8b, 1, 2, 3])),
    says: 'a.gz: its gzip data is damaged',
  },
])('refuses $name, with its place', async ({ source, says }) => {
  const error = await rowsOf(source).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining(says) as string });
});

test('refuses a row that is longer than the limit before it holds it all', async () => {
  let given = 0;
  const endless: RowSource = {
    name: 'endless',
    async *chunks() {
      for (;;) {
        given += 1 << 20;
        yield Buffer.alloc(1 << 20, 'x');
      }
    },
  };
  await expect(rowsOf(endless)).rejects.toThrow('endless:1: is longer than 64 MiB');
  expect(given).toBeLessThanOrEqual(rowBytesMax + 2 * (1 << 20));
  const limits = { format: 'csv', bytesMax: 1 << 20 } as const;
  await expect(rowsOf(endless, limits)).rejects.toThrow('the row is longer than 1 MiB');
});

test('stops reading a file where the reader stops, and names a file that cannot be read', async () => {
  const world = fakeWorld();
  await world.files.writeAtomic('in.txt', 'a\nb\n');
  for await (const row of readRows(fileSource(world.files, 'in.txt'))) {
    expect(row.values).toEqual({ prompt: 'a' });
    break;
  }
  await expect(rowsOf(fileSource(world.files, 'none.txt'))).rejects.toThrow('none.txt: no such file or folder');
  await expect(rowsOf(fileSource(world.files, '.'))).rejects.toThrow('.: is a folder');
});
