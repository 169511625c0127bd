import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { batch, batchService, fileOf, rowsOf } from '../../support/rooms/batch.ts';
import { answered, blocked, refused } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `row ${index}\n`).join('');
const files = (count: number) => ({ 'in.txt': lines(count) });
const intoFile = ['in.txt', '-o', 'out.jsonl'];

describe('an outage', () => {
  test('that ends costs no row, however long the machine sleeps in it', async () => {
    let world: FakeWorld | undefined;
    let isAway = true;
    const service = batchService(async (_, count) => {
      if (count === 33) await world?.advance(6 * 3_600_000);
      if (count === 36) isAway = false;
      return isAway && count > 10 ? refused() : {};
    });
    const prepare = (made: FakeWorld) => void (world = made);
    const run = await batch([...intoFile, '--retries', '0'], { files: files(100), prepare }, service);
    expect(run.exitCode).toBe(0);
    expect(rowsOf(fileOf(run, 'out.jsonl')).every(({ error }) => error === null)).toBe(true);
    expect(run.stderr).toContain('held: gw.example has been out of reach since 12:00 UTC; next try in 1 s');
    expect(run.stderr).toMatch(/100 rows · .* \(held .*, asleep 5 h 55 m\)/);
  });

  test('that stays ends the run; rows never sent stay unasked', async () => {
    const service = batchService((_, count) => (count > 10 ? refused() : {}));
    const argv = [...intoFile, '--max-outage', '5m', '-j', '2', '--retries', '0'];
    const run = await batch(argv, { files: files(1000) }, service);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain(
      'halted: the service was out of reach for longer than 5 m (--max-outage); 990 of 1,000 rows are left',
    );
    expect(rowsOf(fileOf(run, 'out.jsonl'))).toHaveLength(10);
  });

  test('a day limit ends the run with the time to come back', async () => {
    const full = { status: 429, body: {}, headers: { 'retry-after': '36000' } };
    const service = batchService((_, count) => (count > 3 ? full : {}));
    const run = await batch([...intoFile, '-j', '2'], { files: files(10) }, service);
    expect(run.exitCode).toBe(11);
    expect(run.stderr).toContain(
      'halted: the service takes no more before 2026-11-20 22:00 UTC; 7 of 10 rows are left\n  from 2026-11-20 22:00 UTC on the same command goes on\n',
    );
    expect(rowsOf(fileOf(run, 'out.jsonl'))).toHaveLength(3);
    const again = await batch(
      [...intoFile, '-j', '2', '--json'],
      { after: run.world },
      batchService(() => full),
    );
    expect(JSON.parse(again.stdout)).toMatchObject({
      exit_code: 11,
      come_back_at: expect.stringMatching(/^2026-11-20T22:00:\d\dZ$/) as string,
      resume: 'from 2026-11-20 22:00 UTC on the same command goes on',
    });
  });

  test('a limit for a while slows down, and no row is in error', async () => {
    const full = { status: 429, body: {}, headers: { 'retry-after': '20' } };
    const service = batchService((_, count) => (count % 7 === 0 ? full : {}));
    const run = await batch([...intoFile], { files: files(50) }, service);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/\d+ retries/);
  });
});

describe('what is wrong for every row ends the run at once with its own code', () => {
  test.each([
    { name: 'a token', reply: { status: 401, body: {} }, exitCode: 8 },
    { name: 'an address', reply: { status: 404, body: {} }, exitCode: 4 },
    { name: 'a redirect', reply: { status: 302, body: {} }, exitCode: 5 },
    { name: 'a name without an address', reply: refused({ transient: false }), exitCode: 6 },
  ])('$name', async ({ reply, exitCode }) => {
    const service = batchService(() => reply);
    const run = await batch([...intoFile, '-j', '1'], { files: files(50) }, service);
    expect(run.exitCode).toBe(exitCode);
    expect(service.asked).toHaveLength(1);
    expect(fileOf(run, 'out.jsonl')).toBe('');
  });

  test('in the middle, what was answered is kept', async () => {
    const service = batchService((_, count) => (count > 5 ? { status: 401, body: {} } : {}));
    const run = await batch([...intoFile, '-j', '1'], { files: files(50) }, service);
    expect(run.exitCode).toBe(8);
    expect(rowsOf(fileOf(run, 'out.jsonl'))).toHaveLength(5);
    expect(run.stderr).toContain('5 of 50 rows have their answer in out.jsonl\n');
    expect(run.stderr).toMatch(/once that is mended, the same command goes on\n$/);
  });
});

test('a row that was sent and whose reply was lost is unknown, and asked again', async () => {
  const lost = new TransportError('network', 'the connection was reset', { layer: 'http', sent: true });
  const run = await batch(
    intoFile,
    { files: files(3) },
    batchService((prompt) => (prompt === 'row 1' ? lost : {})),
  );
  expect(run.exitCode).toBe(1);
  expect(rowsOf(fileOf(run, 'out.jsonl'))[1]?.error).toMatchObject({ kind: 'unknown', exit_code: 6 });
  const again = batchService();
  await batch(intoFile, { after: run.world }, again);
  expect(again.asked).toEqual(['row 1']);
});

test('a row whose policy could not judge is in error, and asked again; its tokens count', async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 };
  const unjudged = { body: { ...blocked, usage, code: 'policy_failed' } };
  const service = batchService((prompt) => (prompt === 'row 1' ? unjudged : undefined));
  const run = await batch([...intoFile, '--json'], { files: files(3) }, service);
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    rows: { answered: 2, blocked: 0, error: 1 },
    by_error: { unverified: 1 },
    usage: { total_tokens: 2 * answered.usage.total_tokens + usage.total_tokens },
  });
  const [, row] = rowsOf(fileOf(run, 'out.jsonl'));
  expect(row).toMatchObject({ blocked: null, prompt_id: blocked.prompt_id, usage });
  expect(row?.error).toMatchObject({ kind: 'unverified', exit_code: 11, code: 'policy_failed' });
  const again = batchService();
  expect(await batch(intoFile, { after: run.world }, again)).toMatchObject({ exitCode: 0 });
  expect(again.asked).toEqual(['row 1']);
});

test('rows that policies cannot judge are no outage: the service is there for the others', async () => {
  const unjudged = { body: { ...blocked, code: 'policy_failed' } };
  const service = batchService((prompt) => (prompt === 'row 19' ? undefined : unjudged));
  const run = await batch([...intoFile, '-j', '1', '--max-outage', '1m'], { files: files(20) }, service);
  expect(run.exitCode).toBe(1);
  expect(service.asked).toHaveLength(20);
});

describe('Ctrl-C', () => {
  test('on a terminal the last line is that of the summary: no empty one before the prompt of the shell', async () => {
    let world: FakeWorld | undefined;
    const service = batchService((_, count) => {
      if (count === 2) world?.interrupt();
      return {};
    });
    const prepare = (made: FakeWorld) => void (world = made);
    const setup = { files: files(9), prepare, stderr: { columns: 80 } };
    const run = await batch([...intoFile, '-j', '1'], setup, service);
    expect(run.signal).toBe('SIGINT');
    expect(run.stderr).toMatch(/the same command goes on\n$/);
  });

  test('once: no new rows, those under way finish, and it ends by the signal', async () => {
    let world: FakeWorld | undefined;
    const service = batchService((_, count) => {
      if (count === 20) world?.interrupt();
      return {};
    });
    const prepare = (made: FakeWorld) => void (world = made);
    const run = await batch([...intoFile, '-j', '4'], { files: files(100), prepare }, service);
    expect(run).toMatchObject({ signal: 'SIGINT', exitCode: undefined });
    expect(run.stderr).toContain('stopping: no new rows');
    expect(run.stderr).toMatch(/interrupted; \d+ of 100 rows are left; the same command goes on/);
    const left = Number(/(\d+) of 100 rows are left/.exec(run.stderr)?.[1]);
    expect(left).toBe(100 - service.asked.length);
    expect(run.stderr).toMatch(new RegExp(`^${100 - left} of 100 rows · `, 'm'));
    expect(rowsOf(fileOf(run, 'out.jsonl'))).toHaveLength(service.asked.length);
    expect(service.asked.length).toBeLessThan(30);
  });

  test('--json: the document has the code that the shell sees', async () => {
    let world: FakeWorld | undefined;
    const service = batchService((_, count) => {
      if (count === 2) world?.interrupt();
      return {};
    });
    const prepare = (made: FakeWorld) => void (world = made);
    const run = await batch([...intoFile, '-j', '1', '--json'], { files: files(9), prepare }, service);
    expect(run.signal).toBe('SIGINT');
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      exit_code: 130,
      summary: 'in.txt: 2 answered, 0 blocked, 0 in error, 7 left; interrupted',
      resume: 'the same command goes on',
      error: null,
    });
  });

  test('twice: now', async () => {
    let world: FakeWorld | undefined;
    const service = batchService(async (_, count) => {
      if (count < 20) return {};
      world?.interrupt();
      setImmediate(() => world?.interrupt());
      return new Promise(() => {});
    });
    const prepare = (made: FakeWorld) => void (world = made);
    const run = await batch([...intoFile, '-j', '1'], { files: files(100), prepare }, service);
    expect(run.signal).toBe('SIGINT');
    const again = batchService();
    expect((await batch(intoFile, { after: run.world }, again)).exitCode).toBe(0);
    expect(again.asked).toHaveLength(81);
  });
});

test('SIGTERM ends by the signal, and what was answered is kept', async () => {
  const service = batchService((_, count) => {
    if (count === 10) world?.interrupt('SIGTERM');
    return {};
  });
  let world: FakeWorld | undefined;
  const prepare = (made: FakeWorld) => void (world = made);
  const run = await batch([...intoFile, '-j', '1'], { files: files(100), prepare }, service);
  expect(run.signal).toBe('SIGTERM');
  expect(rowsOf(fileOf(run, 'out.jsonl')).length).toBeGreaterThanOrEqual(9);
});

test('a reader of stdout that goes away ends it with 11', async () => {
  const run = await batch(['in.txt'], { files: files(500), stdout: { fails: 'closed', bytes: 1000 } });
  expect(run.exitCode).toBe(11);
  expect(run.stderr).toContain('the reader of stdout has gone');
});

test('progress is said every 30 s where nothing can move, and -q silences it and the summary', async () => {
  const service = () =>
    batchService(async (_, count) => {
      if (count === 50) await world?.advance(65_000);
      return {};
    });
  let world: FakeWorld | undefined;
  const setup = { files: files(100), sleeps: 'held' as const, prepare: (made: FakeWorld) => void (world = made) };
  const run = await batch([...intoFile, '-j', '1'], setup, service());
  expect(run.stderr).toMatch(
    /motif: 50 of 100 · 0\.8\/s · 1 m 3 s left · 50 answered · 0 blocked · 0 errors · 350 tokens\n/,
  );
  expect((await batch([...intoFile, '-j', '1', '-q'], setup, service())).stderr).toBe('');
});

describe('--json', () => {
  test('is the summary, for a run that went well', async () => {
    const run = await batch([...intoFile, '--json'], { files: files(3) });
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      exit_code: 0,
      summary: 'in.txt: 3 answered, 0 blocked, 0 in error, 0 left',
      rows: { total: 3, answered: 3, blocked: 0, error: 0, left: 0 },
      by_error: {},
      retries: 0,
      usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 },
      latency_ms: { p50: 1 },
      held_ms: 0,
      resume: null,
      error: null,
    });
    expect(run.stderr).toBe('');
  });

  test('for one with rows in error: not ok, no error, and how to go on', async () => {
    const service = batchService((prompt) => (prompt === 'row 1' ? { status: 422, body: {} } : {}));
    const run = await batch([...intoFile, '--json'], { files: files(3) }, service);
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      exit_code: 1,
      by_error: { rejected: 1 },
      resume: 'the same command asks it again',
      error: null,
    });
  });

  test('needs a file for the rows', async () => {
    const run = await batch(['in.txt', '--json'], { files: files(3) });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--json needs -o FILE');
  });
});

test('--dry-run says rows, requests and tokens, shows the first request, and sends nothing', async () => {
  const service = batchService();
  const run = await batch(['in.txt', '--dry-run', '-s', 'Be brief'], { files: files(1200) }, service);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toContain('1,200 rows, 1,200 to be sent, about 4,523 prompt tokens\n');
  expect(run.stdout).toContain('POST https://gw.example/api/v1/apps/support-bot/prompts\n');
  expect(run.stdout).toContain('authorization: Bearer $MOTIF_TOKEN');
  expect(run.stdout).toContain(
    '{"messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"row 0"}]}',
  );
  expect(service.asked).toEqual([]);
  const json = await batch(['in.txt', '--dry-run', '--json'], { files: files(2) }, service);
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, rows: 2, requests: 2, estimated_tokens: 3 });
});

test('--dry-run needs no login, and counts what an output has already', async () => {
  const first = await batch([...intoFile, '--limit', '2'], { files: files(5) });
  const run = await batch([...intoFile, '--dry-run'], { after: first.world }, batchService());
  expect(run.stdout).toContain('5 rows, 3 to be sent');
  expect((await batch(['in.txt', '--dry-run'], { files: files(5), env: {} })).exitCode).toBe(0);
});
