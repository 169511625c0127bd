import { describe, expect, test } from 'vitest';
import { batch, batchService, blockedReply, fileOf, rowsOf } from '../../support/rooms/batch.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}\n`).join('');
const files = (count: number) => ({ 'in.txt': lines(count) });
const intoFile = ['in.txt', '-o', 'out.jsonl'];

describe('a run ends early with 11, and the same command goes on', () => {
  test.each([
    {
      name: '--max-errors',
      argv: ['--max-errors', '2'],
      reply: { status: 422, body: {} },
      says: 'halted: 3 rows ended in error (--max-errors 2); 197 of 200 rows are left',
      goesOn: 'the same command goes on, and asks the 3 in error again',
    },
    {
      name: '--max-errors as a share',
      argv: ['--max-errors', '5%'],
      reply: { status: 422, body: {} },
      says: 'halted: 100 of 100 rows ended in error (--max-errors 5%); 100 of 200 rows are left',
      goesOn: 'the same command goes on, and asks the 100 in error again',
    },
    {
      name: '--max-blocked',
      argv: ['--max-blocked', '3'],
      reply: blockedReply,
      says: 'halted: 4 rows were blocked (--max-blocked 3); 196 of 200 rows are left',
      goesOn: 'raise --max-blocked to go on',
    },
    {
      name: '--max-blocked as a share',
      argv: ['--max-blocked', '20%'],
      reply: blockedReply,
      says: 'halted: 100 of 100 rows were blocked (--max-blocked 20%); 100 of 200 rows are left',
      goesOn: 'raise --max-blocked to go on',
    },
    {
      name: '--max-tokens-total',
      argv: ['--max-tokens-total', '70'],
      reply: {},
      says: 'halted: 70 tokens were used (--max-tokens-total 70); 190 of 200 rows are left',
    },
  ])('$name', async ({ argv, reply, says, goesOn = 'the same command goes on' }) => {
    const service = batchService(() => reply);
    const run = await batch([...intoFile, '-j', '1', ...argv], { files: files(200) }, service);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain(`motif: ${says}`);
    expect(run.stderr).toContain(`\n  ${goesOn}\n`);
    const again = batchService();
    expect((await batch(intoFile, { after: run.world }, again)).exitCode).toBe(0);
    expect(again.asked.length + service.asked.length).toBeLessThanOrEqual(
      201 + rowsOf(fileOf(run, 'out.jsonl')).length,
    );
    expect(rowsOf(fileOf(run, 'out.jsonl')).map(({ index }) => index)).toEqual([...Array(200).keys()]);
  });

  test('--max-blocked is judged at the end too, and again where a finished file asks nothing', async () => {
    const service = batchService((prompt) => (prompt === 'row 1' ? blockedReply : undefined));
    const argv = [...intoFile, '--max-blocked', '10%'];
    const run = await batch(argv, { files: files(4) }, service);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain('motif: over a limit: 1 of 4 rows was blocked (--max-blocked 10%)\n');
    const again = await batch([...argv, '--json'], { after: run.world }, batchService());
    expect(again.exitCode).toBe(11);
    expect(JSON.parse(again.stdout)).toMatchObject({
      ok: false,
      exit_code: 11,
      rows: { total: 4, answered: 3, blocked: 1 },
      resume: null,
      finished_at: expect.any(String) as string,
    });
    expect((await batch([...intoFile, '--max-blocked', '25%'], { after: run.world }, batchService())).exitCode).toBe(0);
  });

  test.each([
    { name: 'a file', argv: ['in.txt'] },
    { name: 'a pipe', argv: ['-'] },
  ])('over --max-blocked the same command asks nothing, until it is raised: $name', async ({ argv }) => {
    const stdin = lines(40);
    const setup = argv[0] === '-' ? { stdin } : {};
    const command = [...argv, '-o', 'out.jsonl', '-j', '1', '--max-blocked', '3'];
    const first = await batch(
      command,
      { files: files(40), ...setup },
      batchService(() => blockedReply),
    );
    expect(first.exitCode).toBe(11);
    const service = batchService();
    const again = await batch(command, { after: first.world, ...setup }, service);
    expect(again.stderr).not.toContain('tokens');
    expect(service.asked).toEqual([]);
    expect(again.exitCode).toBe(11);
    expect(again.stderr).toContain('halted: 4 rows were blocked (--max-blocked 3)');
    expect(again.stderr).toContain('raise --max-blocked to go on');
    const raised = await batch([...command, '--max-blocked', '5'], { after: first.world, ...setup }, service);
    expect(raised.exitCode).toBe(0);
    expect(service.asked).toHaveLength(36);
  });

  test('a row that was left unasked so keeps its file from being finished', async () => {
    const blocked = 'a\nb\nc\nd\n';
    const argv = ['-', '-o', 'out.jsonl', '--retries', '0'];
    const first = await batch(
      argv,
      { stdin: blocked },
      batchService(() => blockedReply),
    );
    const stdin = `new\n${blocked}`;
    const busy = batchService(async () => {
      // By then the whole input has been read.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return { status: 503, body: {}, headers: { 'retry-after': '1' } };
    });
    const second = await batch([...argv, '--max-blocked', '3'], { after: first.world, stdin }, busy);
    expect(second.exitCode).toBe(11);
    expect(second.stderr).toContain('halted: 4 rows were blocked (--max-blocked 3)');
    const service = batchService();
    expect((await batch(argv, { after: first.world, stdin }, service)).exitCode).toBe(0);
    expect(service.asked).toEqual(['new']);
  });

  test('the rows that were under way count in the reason as they do in the summary', async () => {
    const service = batchService(() => blockedReply);
    const run = await batch([...intoFile, '-j', '8', '--max-blocked', '20%'], { files: files(400) }, service);
    const [, blocked, of] = /halted: (\d+) of (\d+) rows were blocked/.exec(run.stderr) ?? [];
    expect(Number(blocked)).toBeGreaterThan(100);
    expect(of).toBe(blocked);
    expect(run.stderr).toContain(`answered 0 · blocked ${blocked} · error 0`);
  });

  test('--max-errors as a share names the rows that this run asked, where others were there already', async () => {
    const first = await batch([...intoFile, '--limit', '50'], { files: files(200) });
    const service = batchService(() => ({ status: 422, body: {} }));
    const run = await batch([...intoFile, '-j', '1', '--max-errors', '5%'], { after: first.world }, service);
    expect(run.stderr).toContain(
      'halted: 100 of 100 asked rows ended in error (--max-errors 5%); 50 of 200 rows are left',
    );
  });

  test('--json and the words on stderr count the same rows as left', async () => {
    const service = batchService(() => ({ status: 422, body: {} }));
    const run = await batch([...intoFile, '-j', '1', '--max-errors', '5', '--json'], { files: files(40) }, service);
    expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 11, rows: { total: 40, error: 6, left: 34 } });
    expect(run.stderr).toContain('34 of 40 rows are left');
  });

  test('where all rows ended in error nothing is left, and the same command asks them again', async () => {
    const service = batchService(() => ({ status: 422, body: {} }));
    const run = await batch([...intoFile, '--max-errors', '10%'], { files: files(40) }, service);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain(
      'motif: over a limit: 40 of 40 rows ended in error (--max-errors 10%); no rows are left\n  the same command asks the 40 again\n',
    );
  });

  test('--max-errors as a share is of all rows at the end, so that asking the last ones again is no other end', async () => {
    const service = () => batchService((prompt) => (prompt === 'row 7' ? { status: 422, body: {} } : {}));
    const argv = [...intoFile, '--max-errors', '5%'];
    const run = await batch(argv, { files: files(40) }, service());
    expect(run.exitCode).toBe(1);
    expect((await batch(argv, { after: run.world }, service())).exitCode).toBe(1);
  });
});
