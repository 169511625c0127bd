import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { motif } from '../../../../support/motif.ts';

const file = `providers: { mock: { kind: mock } }
motifs:
  bot: { provider: mock }
`;

describe('audit goes from a prompt to its rule', () => {
  const id = (number: number) => `01JD${String(number).padStart(22, '0')}`;
  const line = (number: number, parts: object = {}) =>
    JSON.stringify({
      time: '2026-11-21T12:00:00.000Z',
      prompt_id: id(number),
      motif: 'bot',
      token_id: 't1',
      user: null,
      tenant: 'acme',
      decision: 'pass',
      rules: [],
      action: null,
      usage: { total_tokens: 7 },
      status: 200,
      config: 'old',
      ...parts,
    });
  const rules = [{ policy: 'no-pii', rule: 'card', on: 'prompt', action: 'block', message: 2, start: 15, length: 19 }];
  const audited = `audit: { file: log/audit.jsonl }\n${file}`;
  const ask = (log: string, words: readonly string[]) =>
    motif(['admin', 'audit', ...words], { env: {}, files: { 'gateway.yaml': audited, 'log/audit.jsonl': log } });

  test('the rule, its place and who asked', async () => {
    const run = await ask(`${line(1)}\n${line(2, { decision: 'block', rules })}\n${line(3)}\n`, [id(2)]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stdout).toMatch(
      /^time +2026-11-21T12:00:00.000Z\nprompt +01JD0*2\nMotif +bot\ntoken +t1\ntenant +acme\nstatus +200\ndecision +block\ntokens +7\n\nblock +no-pii \/ card +message 3 \(counting the Motif's own\), characters 16-34\n$/,
    );
    expect(run.stderr).toContain('gateway.yaml has changed since that prompt');
  });

  test.each([
    ['of the client', { of: 'client', message: 0, start: 15 }, 'message 1, characters 16-34'],
    ['of the Motif', { of: 'system', start: 3 }, "the Motif's system message, characters 4-22"],
    [
      'of a passage',
      { of: 'knowledge', base: 'handbook', file: 'a.md', passage: 2, part: 'text', start: 0 },
      'passage 2 of handbook (a.md), characters 1-19',
    ],
    [
      'of the line that names a passage',
      { of: 'knowledge', base: 'handbook', file: 'a.md', passage: 2, part: 'source', start: 1 },
      'the source line of passage 2 of handbook (a.md), characters 2-20',
    ],
    ['of nobody that is known', { of: 'knowledge', base: 7, passage: -1, start: 0 }, "message 3 (counting the Motif's"],
  ])('a place is named by whose words it is in: %s', async (_name, place, says) => {
    const run = await ask(`${line(1, { rules: [{ ...rules[0], place }] })}\n`, [id(1)]);
    expect(run.stdout).toContain(`block  no-pii / card  ${says}`);
  });

  test('an answer is in no message', async () => {
    const answer = { ...rules[0], on: 'inference', message: null, place: null };
    const run = await ask(`${line(1, { rules: [answer] })}\n`, [id(1)]);
    expect(run.stdout).toMatch(/block {2}no-pii \/ card {2}answer, characters 16-34\n$/);
  });

  test('a prompt that passed, in any case of its ID, and as JSON', async () => {
    expect((await ask(`${line(1)}\n`, [id(1).toLowerCase()])).stdout).toMatch(/no policy found anything\n$/);
    const { stdout } = await ask(`${line(1)}\n`, [id(1), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      entry: { prompt_id: id(1) },
      config_changed: true,
      error: null,
    });
  });

  test('a prompt that was refused before it was read is not said to be free of findings', async () => {
    const refused = line(1, {
      decision: 'refused',
      status: 403,
      reason: 'tenant_missing',
      provider: null,
      usage: null,
    });
    const { stdout } = await ask(`${refused}\n`, [id(1)]);
    expect(stdout).toMatch(
      /reason +tenant_missing\n[^]*\nit was refused before any policy judged it\nits caller has to send the tenant ID \(--tenant\), or needs a token of a user of the Motif: motif help tokens\n$/,
    );
  });

  test.each([
    ['at the start', 0],
    ['across the end of a piece', 5700],
    ['in the middle', 20_000],
    ['at the end', 29_999],
  ])('in a large file: %s', async (_name, number) => {
    const log = Array.from({ length: 30_000 }, (_, each) => line(each)).join('\n');
    expect(log.length).toBeGreaterThan(5 * 1024 * 1024);
    const { stdout } = await ask(log, [id(number), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ entry: { prompt_id: id(number) } });
  });

  test('a line longer than a piece, one that a full disk cut short, and one right behind such a part', async () => {
    const long = line(2, { messages: ['x'.repeat(3 * 1024 * 1024)] });
    const torn = line(1, { decision: 'block' }).slice(0, 150);
    const log = `${line(1)}\n${long}\n${torn}\n${line(3)}\n${torn}${line(4)}\n`;
    expect(JSON.parse((await ask(log, [id(4), '--json'])).stdout)).toMatchObject({ entry: { prompt_id: id(4) } });
    expect(JSON.parse((await ask(log, [id(2), '--json'])).stdout)).toMatchObject({ entry: { prompt_id: id(2) } });
    expect(JSON.parse((await ask(log, [id(1), '--json'])).stdout)).toMatchObject({ entry: { decision: 'pass' } });
  });

  test('every prompt of a file is found, whatever the lengths of its lines', async () => {
    const log = Array.from({ length: 12 }, (_, each) =>
      line(each, { messages: ['x'.repeat((each * 517_003) % 1_500_000)] }),
    ).join('\n');
    for (let each = 0; each < 12; each++) {
      expect(JSON.parse((await ask(log, [id(each), '--json'])).stdout)).toMatchObject({
        entry: { prompt_id: id(each) },
      });
    }
  });

  test.each([
    { name: 'the end', typed: '8W2Q4X' },
    { name: 'the end as it was told by phone', typed: '8w2q4x' },
    { name: 'the end as the screen shows it', typed: '…8W2Q4X' },
    { name: 'an O for a 0, an L for a 1', typed: 'olabcd8w2q4x' },
    { name: 'the end as it is read aloud, with a hyphen', typed: '8W2-Q4X' },
    { name: 'the end as it is read aloud, with blanks', typed: ' 8w 2q 4x ' },
    { name: 'the end in words of their own, as a shell divides them', typed: ['8w2', 'q4x', 'log/audit.jsonl'] },
    { name: 'the end in three of them', typed: ['8w', '2-q', '4x'] },
    { name: 'the beginning', typed: '01JEZZ' },
    { name: 'the beginning and the end, as replay prints it', typed: '01JEZZ…8W2Q4X' },
    { name: 'the same with dots that a keyboard has', typed: '01jezz...8w2q4x' },
  ])('a prompt is found by $name', async ({ typed }) => {
    const id = '01JEZZ0000000001ABCD8W2Q4X';
    const { stdout } = await ask(`${line(1)}\n${line(2, { prompt_id: id })}\n${line(3)}\n`, [
      ...[typed].flat(),
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ entry: { prompt_id: id } });
  });

  test('of a prompt that is not there it is said that a caller whose token is not known leaves no line', async () => {
    const run = await ask(`${line(1)}\n`, ['8W2Q4X']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('or the gateway knew no caller (401), or no such address (404): those leave no line');
    expect(run.stderr).toContain(
      'or it was refused after 60 others of its token within a minute: such ones are counted, and leave no line',
    );
  });

  test.each([
    {
      name: 'one letter that was misheard',
      typed: ['8W2Q4Z'],
      says: /no prompt 8W2Q4Z\n {2}near it: 01JEZZ0000000001ABCD8W2Q4X {2}2026-11-21T12:00:00\.000Z {2}bot {2}pass\n/,
    },
    { name: 'two of them', typed: ['8W2Q5Z'], says: /no prompt 8W2Q5Z\n {2}the file may/ },
    { name: 'a letter that no ID has', typed: ['8U2Q4X'], says: /are enough\n {2}no ID has a U: was it a V\?\n/ },
    {
      name: 'a verb before the ID',
      typed: ['show', '8W2Q4X'],
      says: /has no show\n {2}the prompt of an ID: motif admin audit 8W2Q4X\n/,
    },
    {
      name: 'a decision',
      typed: ['block'],
      says: /are enough\n {2}those prompts: motif admin audit list --decision block\n/,
    },
    {
      name: 'a decision in letters of an ID',
      typed: ['blocked'],
      says: /no prompt blocked\n {2}those prompts: motif admin audit list --decision block\n/,
    },
    {
      name: 'a date',
      typed: ['2026-11-25'],
      says: /no prompt 2026-11-25\n {2}those prompts: motif admin audit list --since 2026-11-25\n/,
    },
    { name: 'letters that no ID has', typed: ['01NOPE'], says: /has no prompt 01NOPE\n/ },
    { name: 'a duration', typed: ['7d'], says: /are enough\n {2}those prompts: motif admin audit list --since 7d\n/ },
    {
      name: 'today',
      typed: ['today'],
      says: /\n {2}those prompts: motif admin audit list --since \d{4}-\d\d-\d\d\n/,
    },
    {
      name: 'yesterday',
      typed: ['yesterday'],
      says: /\n {2}those prompts: motif admin audit list --since \d{4}-\d\d-\d\d --until \d{4}-\d\d-\d\d\n/,
    },
    { name: 'a verb alone', typed: ['show'], says: /are enough\n {2}motif prints it/ },
  ])('a prompt that is not found so: $name', async ({ typed, says }) => {
    const id = '01JEZZ0000000001ABCD8W2Q4X';
    const run = await ask(`${line(1)}\n${line(2, { prompt_id: id })}\n`, typed);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
  });

  test('letters that several prompts have are refused, and the prompts named', async () => {
    const run = await ask(`${line(1)}\n${line(2)}\n`, ['01JD00']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(
      `01JD00 is a part of 2 prompt IDs\n  ${id(1)}  2026-11-21T12:00:00.000Z  bot  pass\n  ${id(2)}  `,
    );
    expect(run.stderr).toContain('the last 6: an ID begins with its time');
  });

  test('rotated files beside the audit are looked into too, and files can be named without a gateway file', async () => {
    const files = {
      'gateway.yaml': audited,
      'log/audit.jsonl': `${line(3)}\n`,
      'log/audit.jsonl.1': `${line(2)}\n`,
      'log/audit.jsonl.2.gz': gzipSync(`${line(1)}\n`),
      'log/other.jsonl': `${line(4)}\n`,
    };
    for (const number of [1, 2, 3]) {
      const run = await motif(['admin', 'audit', id(number), '--json'], { env: {}, files });
      expect(JSON.parse(run.stdout)).toMatchObject({ entry: { prompt_id: id(number) } });
    }
    const { 'gateway.yaml': _, ...logs } = files;
    const named = ['admin', 'audit', id(4), 'log/other.jsonl', 'log/audit.jsonl.2.gz', '--json'];
    const run = await motif(named, { env: {}, files: logs });
    expect(JSON.parse(run.stdout)).toMatchObject({ entry: { prompt_id: id(4) }, config_changed: null });
  });

  test('a finding that an exception freed is shown as what it is', async () => {
    const { stdout } = await ask(`${line(1, { excepted: [{ ...rules[0], rule: 'email' }] })}\n`, [id(1)]);
    expect(stdout).toMatch(/\n\nexcepted {2}no-pii \/ email {2}message 3 /);
  });

  test('a line of an earlier version, whose rules have no action and whose decision is none', async () => {
    const old = { action: 'redact', rules: [{ policy: 'sec', rule: 'jwt', on: 'prompt', start: 0, length: 3 }] };
    const { stdout } = await ask(`${line(1, old)}\n`, [id(1)]);
    expect(stdout).toMatch(/^decision +redact$/m);
    expect(stdout).toMatch(/\n\nredact {2}sec \/ jwt {2}/);
  });

  test('a prompt that failed says why, and who was asked', async () => {
    const failed = {
      decision: 'failed',
      status: 502,
      reason: 'provider 401',
      provider: 'openai',
      model: 'gpt-5-mini',
      model_answered: 'gpt-5-mini-2026-08-01',
      provider_request_id: 'req_1',
      fallback: true,
      team: 'support',
    };
    const { stdout } = await ask(`${line(1, failed)}\n`, [id(1)]);
    expect(stdout).toMatch(/reason +provider 401\n/);
    expect(stdout).toMatch(/provider +openai \(the fallback\)\nmodel +gpt-5-mini-2026-08-01 \(asked: gpt-5-mini\)\n/);
    expect(stdout).toMatch(/team +support\n[^]*request +req_1\n/);
  });

  test('an ID that only a text names is not found', async () => {
    const log = line(1, { messages: [`{"prompt_id":"${id(2)}"}`] });
    expect((await ask(`${log}\n`, [id(2)])).stderr).toMatch(/audit.jsonl has no prompt 01JD0*2\n.*rotated/);
  });

  test.each([
    ['no such prompt', audited, [id(9)], 2, /has no prompt/],
    ['too few letters', audited, ['abcde'], 2, /26 letters and digits; its last 6 are enough/],
    ['no letters of an ID', audited, ['abcdeu'], 2, /26 letters and digits/],
    ['two gaps', audited, ['01JD…000…001'], 2, /26 letters and digits/],
    ['a beginning and an end of different prompts', audited, ['01JE…000001'], 2, /has no prompt 01JE…000001/],
    ['a mistyped verb', audited, ['lst'], 2, /did you mean motif admin audit list\?/],
    ['a mistyped verb before a word', audited, ['lits', 'abc'], 2, /did you mean motif admin audit list\?/],
    ['nothing', audited, [], 2, /26 letters and digits/],
    ['no audit', file, [id(1)], 2, /has no audit/],
  ])('%s', async (_name, text, words, exitCode, says) => {
    const files = { 'gateway.yaml': text, 'log/audit.jsonl': `${line(1)}\n` };
    const run = await motif(['admin', 'audit', ...words], { env: {}, files });
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toMatch(says);
  });

  test('an audit file that cannot be read is a local fault', async () => {
    const run = await motif(['admin', 'audit', id(1)], { env: {}, files: { 'gateway.yaml': audited } });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toMatch(
      /audit.jsonl: no such file: no prompt was asked .*\n {2}motif serve -c gateway.yaml writes it/,
    );
  });

  test('a hostile line moves no cursor', async () => {
    const run = await ask(`${line(1, { user: '\u001b[2J', rules: [{ ...rules[0], rule: 'a\u001b]0;x\u0007' }] })}\n`, [
      id(1),
    ]);
    expect(run.stdout).not.toContain('\u001b');
    expect(readFileSync(join(run.world.folder, 'log/audit.jsonl'), 'utf8')).toContain('u001b');
  });
});
