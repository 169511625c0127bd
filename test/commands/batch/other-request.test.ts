import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import type { FakeWorld } from '../../support/world.ts';

const rows = { 'in.csv': 'text,other\na,x\nb,y\n' };
const files = {
  ...rows,
  't.txt': 'Say {it}: ${text}\n',
  'u.txt': `${'A longer template that nobody wants to read in an error. '.repeat(3)}\${text}\n`,
  'v.txt': `${'Another long template that nobody wants to read in an error. '.repeat(3)}\${text}\n`,
  'f.md': 'one\n',
};
const job = ['in.csv', '-o', 'out.jsonl'];

function run(argv: readonly string[], { after, with: more = {} }: { after?: FakeWorld; with?: object } = {}) {
  const setup = { files: { ...files, ...more }, ...(after === undefined ? {} : { after }) };
  return batch([...job, ...argv], setup, batchService());
}

describe('a file of another request: what differs is named', () => {
  const byColumn = ['--column', 'text'];

  test.each([
    {
      name: 'a system message',
      before: [...byColumn, '-s', 'Be brief'],
      now: [...byColumn, '-s', 'Be\nlong'],
      says: ['the system message: then "Be brief", now "Be\\nlong"'],
    },
    {
      name: 'one that is new',
      before: byColumn,
      now: [...byColumn, '-s', 'Be long'],
      says: ['the system message: then none, now "Be long"'],
    },
    {
      name: 'the column',
      before: byColumn,
      now: ['--column', 'other'],
      says: ['--column: then "text", now "other"'],
    },
    {
      name: 'a short template and a long one',
      before: ['-t', 't.txt'],
      now: ['-t', 'u.txt'],
      says: ['the template (-t): then "Say {it}: ${text}", now a text that is not kept'],
    },
    {
      name: 'two long templates',
      before: ['-t', 'u.txt'],
      now: ['-t', 'v.txt'],
      says: ['the template (-t): another text'],
    },
    {
      name: 'a value for the template, and one that is gone',
      before: ['-t', 't.txt', '--var', 'tone=kind', '--var', 'a#123456=1'],
      now: ['-t', 't.txt', '--var', 'tone=dry'],
      says: ['--var tone: another value', '--var a#123456: then a value that is not kept, now none'],
    },
    {
      name: 'a secret that is new',
      before: ['-t', 't.txt'],
      now: ['-t', 't.txt', '--var', 'db_pw=Sommer'],
      says: ['--var db_pw: then none, now a value that is not kept'],
    },
    {
      name: 'a secret',
      before: ['-t', 't.txt', '--var', 'api_key=hunter2', '--var', 'code=a1b2c3d4e5f6g7h8i9'],
      now: ['-t', 't.txt', '--var', 'api_key=hunter3', '--var', 'code=none'],
      says: ['--var api_key: perhaps another value: of a secret nothing is kept', '--var code: another value'],
    },
    {
      name: 'a name with a number',
      before: ['--column', 'text'],
      now: ['--column', 'text_2024'],
      with: { 'in.csv': 'text,text_2024\na,x\n' },
      says: ['--column: then "text", now "text_2024"'],
    },
    {
      name: 'the content of a file',
      before: [...byColumn, '-f', 'f.md'],
      now: [...byColumn, '-f', 'f.md'],
      changed: { 'f.md': 'two\n' },
      says: ['the files (-f): the content of "f.md" has changed'],
    },
  ])('$name', async ({ before: given, now, changed = {}, with: more = {}, says }) => {
    const first = await run(given, { with: more });
    expect(first.exitCode).toBe(0);
    const before = fileOf(first, 'out.jsonl');
    const refused = await run([...now, '-q'], { after: first.world, with: { ...more, ...changed } });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toBe(
      `motif: out.jsonl holds rows of another request\n${says.map((line) => `  ${line}\n`).join('')}` +
        '  give the same ones as then, or another -o\n  --fresh asks every row again and replaces them; motif help batch\n',
    );
    expect(before).not.toMatch(/hunter|a1b2c3|api_key#/);
    expect(fileOf(refused, 'out.jsonl')).toBe(before);
  });

  test.each([
    { name: 'a password by name', argv: ['--var', 'password=hunterly'], secret: 'hunterly' },
    { name: 'a PIN', argv: ['--var', 'pin=4821'], secret: '4821' },
    { name: 'an address', argv: ['--var', 'conn=postgres://u:p4ss@h/d'], secret: 'p4ss' },
    { name: 'a word', argv: ['--var', 'kennwort=Sommer'], secret: 'Sommer' },
    { name: 'a password in a sentence', argv: ['-s', 'The password is hunterly'], secret: 'hunterly' },
    { name: 'one with a digit', argv: ['-s', 'Say hunter2 to get in'], secret: 'hunter2' },
    { name: 'a number', argv: ['-s', 'Say 48 to get in'], secret: '48 to' },
    { name: 'a card', argv: ['-s', 'Pay with 4111 1111 1111 1111'], secret: '4111' },
    { name: 'an address in a sentence', argv: ['-s', 'Use postgres://bob:Sommer@db'], secret: 'Sommer' },
    { name: 'a long word', argv: ['-s', 'Use ABCDEFGHIJKLMNOPQRSTUVWXYZ'], secret: 'XYZ' },
  ])('$name stays out of the output', async ({ argv, secret }) => {
    const done = await run(['-t', 't.txt', ...argv]);
    expect(done.exitCode).toBe(0);
    expect(fileOf(done, 'out.jsonl')).toContain('"request":');
    expect(fileOf(done, 'out.jsonl')).not.toContain(secret);
  });

  test('a line separator in it leaves a finished file finished', async () => {
    const argv = ['--column', 'text', '-s', 'Be brief\u2028and kind'];
    const first = await run(argv);
    expect((await run(argv, { after: first.world })).stderr).toContain('out.jsonl was finished');
  });

  test('of a file that was begun before that was kept, their marks', async () => {
    const first = await run(byColumn);
    const plain = fileOf(first, 'out.jsonl').replace(/,"request":\[[^\]]*\]/, '');
    writeFileSync(join(first.world.folder, 'out.jsonl'), plain);
    expect((await run(byColumn, { after: first.world })).stderr).toContain('out.jsonl was finished');
    const refused = await run(['--column', 'other'], { after: first.world });
    expect(refused.stderr).toMatch(
      /holds rows of another request \(mark [0-9a-f]{6}, now [0-9a-f]{6}\): the system message, template, --var, files or --column were others\n/,
    );
  });

  test('of an unfinished file, too, and of one that a merge has made', async () => {
    let world: FakeWorld | undefined;
    const service = batchService((_, count) => {
      if (count === 1) world?.interrupt('SIGTERM');
      return undefined;
    });
    const prepare = (made: FakeWorld) => void (world = made);
    const cut = await batch([...job, ...byColumn, '-j', '1'], { files, prepare }, service);
    expect(rowsOf(fileOf(cut, 'out.jsonl'))).toHaveLength(1);
    const says = '  --column: then "text", now "other"\n';
    expect((await run(['--column', 'other'], { after: cut.world })).stderr).toContain(says);
    const parts = ['1/2', '2/2'].map((shard) => ['in.csv', ...byColumn, '--shard', shard, '-o', `p${shard[0]}`]);
    const [one, two] = parts;
    const made = await batch(one!, { files });
    await batch(two!, { after: made.world });
    await batch(['merge', 'p2', 'p1', '-o', 'out.jsonl'], { after: made.world });
    const lines = fileOf(made, 'out.jsonl').trimEnd().split('\n');
    expect(lines.map((line) => line.includes('"request":["column#'))).toEqual([true, false]);
    expect((await run(['--column', 'other'], { after: made.world })).stderr).toContain(says);
    expect((await run(byColumn, { after: made.world })).exitCode).toBe(0);
  });

  test('so many that they would fill a line are not kept', async () => {
    const many = Array.from({ length: 90 }, (_, index) => ['--var', `name${index}=${index}`]).flat();
    const first = await run(['-t', 't.txt', ...many]);
    expect(fileOf(first, 'out.jsonl')).not.toContain('"request"');
    expect((await run(['-t', 't.txt'], { after: first.world })).stderr).toContain('another request (mark ');
  });
});
