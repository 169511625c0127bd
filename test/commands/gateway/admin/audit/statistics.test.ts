import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../../src/gateway/records/audit/line.ts';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';
import { onTerminal } from '../../../../support/rooms/prompt.ts';

const hit = (policy: string, rule: string, action: 'block' | 'redact' | 'warn') =>
  ({ policy, rule, on: 'prompt', action, message: 0, start: 0, length: 3 }) as const;

const prompts: readonly Partial<AuditEntry>[] = [
  {
    team: 'support',
    model: 'm',
    provider: 'up',
    user: 'ana',
    usage: { prompt: 1000, completion: 500, isEstimated: false },
  },
  {
    team: 'support',
    model: 'm',
    provider: 'up',
    user: 'bo',
    decision: 'redact',
    hits: [hit('no-pii', 'email', 'redact')],
  },
  {
    team: 'sales',
    model: 'm',
    provider: 'up',
    decision: 'block',
    hits: [hit('no-pii', 'card', 'block'), hit('no-pii', 'card', 'block')],
  },
  { team: 'sales', motif: 'other', provider: 'free', model: 'f' },
  { team: 'sales', decision: 'refused', status: 400, reason: 'malformed_json' },
];

const gateway = `audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: 'http://127.0.0.1:1/v1', prices: { m: { prompt: 1000, completion: 2000 } } } }
motifs: { bot: { provider: up } }
`;

/** The lines of one writer, the prompts above between a config line and the last seal. */
async function audit(): Promise<string> {
  const { audit: writer, memory, record } = await memoryAudit();
  const motifs = { bot: { policies: ['no-pii'] }, other: { policies: [] } };
  for (const prompt of prompts) await record({ promptId: '01M7YZMHG0JGWHZ67CZK93P0VH', ...prompt });
  await writer.close();
  const config = JSON.stringify({ event: 'config', time: '2026-11-21T11:00:00.000Z', hash: 'c', motifs });
  return `${config}\n${memory.text}`;
}

const run = auditCommand(async () => ({ 'gateway.yaml': gateway, 'audit.jsonl': await audit() }));

describe('stats', () => {
  test('counts by keys, with cost where there are prices, on one screen', async () => {
    const { stdout, exitCode } = await run(['stats', '--by', 'team,model', '--policy', 'no-pii']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`5 prompts on 1 day (UTC) · 1 file · seals intact
team     model  prompts    block  redact  refused  tokens  cost    p50    p95
support  m            2        0  50.0 %        0   1,507  2.01  21 ms  21 ms
sales    m            1  100.0 %       0        0       7  0.01
sales    f            1        0       0        0       7        21 ms  21 ms
sales    none         1        0       0  100.0 %       7
no-pii judged 3 of 5 prompts under 1 version of the gateway file; not judged: 1 refused, 1 of Motifs without this policy at that time (1 reached a provider)
rule   found  blocked  redacted  let through
email      1        0         1            0
card       1        1         0            0
`);
  });

  test('has bars on a terminal', async () => {
    const files = { 'audit.jsonl': await audit() };
    const words = ['admin', 'audit', 'stats', 'audit.jsonl', '--by', 'team'];
    const { stdout } = await motif(words, { env: { NO_COLOR: '1' }, files, ...onTerminal });
    expect(stdout).toMatch(/^sales +██████████ 3 /m);
    expect(stdout).toMatch(/^support +███████ {4}2 /m);
  });

  test('has names bold, blocks yellow, and the rest dim', async () => {
    const files = { 'audit.jsonl': await audit() };
    const words = ['admin', 'audit', 'stats', 'audit.jsonl', '--by', 'policy,rule', '--policy', 'no-pii'];
    const { stdout } = await motif(words, { env: {}, files, ...onTerminal });
    const tags = { '1': 'b', '2': 'dim', '33': 'y', '22': '/', '39': '/y' } as Readonly<Record<string, string>>;
    const marked = stdout.replace(new RegExp('\u001b\\[(\\d+)m', 'g'), (_, code: string) => `<${tags[code]}>`);
    const [facts, more, head, ...rows] = marked.split('\n');
    expect([facts, more]).toEqual([
      expect.stringMatching(/^<dim>\d+ prompts? on 1 day \(UTC\) .*<\/>$/),
      expect.stringMatching(/^<dim> {2}.*found something<\/>$/),
    ]);
    expect(head).toMatch(/^<dim>policy<\/> +<dim>rule<\/> .*<dim>p95<\/>$/);
    expect(rows[0]).toMatch(/^<b>no finding<\/> +█{10} 3 +<dim>0<\/> /);
    expect(rows.find((row) => row.startsWith('<b>no-pii</> '))).toContain('<b>email</>');
    expect(rows).toContainEqual(expect.stringMatching(/^<b>no-pii<\/> +<b>card<\/> .*<b><y>100.0 %<\/y><\/>/));
    expect(rows).toContainEqual(expect.stringMatching(/^<b>card<\/> +1 +<b><y>1<\/y><\/> +<dim>0<\/>/));
  });

  test.each([
    { by: 'policy,rule', row: /^no finding +3 / },
    { by: 'rule,policy', row: /^no finding +3 / },
    { by: 'provider,model', row: /^none asked +1 / },
    { by: 'model', row: /^none +1 / },
    { by: 'user', row: /^no user +\d/ },
  ])('names what a prompt does not have: $by', async ({ by, row }) => {
    const { stdout } = await run(['stats', '--by', by]);
    expect(stdout.split('\n')).toContainEqual(expect.stringMatching(row));
    expect(stdout).not.toMatch(/^-| - /m);
  });

  test.each([
    {
      by: 'policy,rule',
      rows: [
        ['-', '-', 3],
        ['no-pii', 'email', 1],
        ['no-pii', 'card', 1],
      ],
    },
    { by: 'day', rows: [['2026-11-21', 5]] },
    {
      by: 'provider',
      rows: [
        ['up', 3],
        ['free', 1],
        ['-', 1],
      ],
    },
    { by: 'token', rows: [['t1', 5]] },
  ])('rows by $by', async ({ by, rows }) => {
    const { stdout } = await run(['stats', '--by', by, '--json']);
    const document = JSON.parse(stdout) as { rows: Record<string, unknown>[] };
    const keys = by.split(',');
    expect(document.rows.map((row) => [...keys.map((key) => row[key] ?? '-'), row.prompts])).toEqual(rows);
  });

  test.each([
    { flags: ['--team', 'support'], prompts: 2 },
    { flags: ['--decision', 'block'], prompts: 1 },
    { flags: ['--rule', 'email'], prompts: 1 },
    { flags: ['--rule', 'no-pii/email'], prompts: 1 },
    { flags: ['--rule', 'no-pii/email', '--policy', 'no-pii'], prompts: 1 },
    { flags: ['--motif', 'other'], prompts: 1 },
    { flags: ['--user', 'ana'], prompts: 1 },
    { flags: ['--token-id', 't2'], prompts: 0 },
    { flags: ['--since', '2026-11-21', '--until', '2026-11-22'], prompts: 5 },
    { flags: ['--since', '1h'], prompts: 0 },
    { flags: ['--until', '2026-11-21'], prompts: 0 },
  ])('$flags leaves $prompts', async ({ flags, prompts: count }) => {
    const { stdout } = await run(['stats', '--json', ...flags]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      exit_code: 0,
      total: { prompts: count },
      seals: 'seals intact',
    });
  });

  test('reads several files, gzip and stdin, without a gateway file', async () => {
    const text = await audit();
    const { stdout } = await motif(['admin', 'audit', 'stats', 'a.jsonl.gz', '-', '--json'], {
      env: {},
      files: { 'a.jsonl.gz': gzipSync(text) },
      stdin: text,
    });
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, total: { prompts: 10 }, error: null });
  });

  test('names torn and foreign lines, and goes on', async () => {
    const torn = `{"time":"2026\nnull\n{"a":1}\n\n`;
    const page = ['stats', 'audit.jsonl', '--report', 'html=page.html'];
    const { world, stdout, stderr } = await run(page, { 'audit.jsonl': torn + (await audit()) });
    expect(stdout).toContain('5 prompts');
    const words = '3 lines left out (1 torn, 2 that are no audit line): audit.jsonl:1, audit.jsonl:2, audit.jsonl:3';
    expect(stderr).toContain(words);
    expect(readFileSync(join(world.folder, 'page.html'), 'utf8')).toContain(`<p class="warn">${words}</p>`);
  });

  test('writes a page that holds the same, and obeys nothing in it', async () => {
    const hostile = await memoryAudit();
    await hostile.record({ team: '<script>alert(1)</script>', hits: [hit('p', 'word', 'warn')] });
    await hostile.audit.close();
    const page = ['stats', '--by', 'team', '--policy', 'p', '--report', 'html=page.html'];
    const { world, stderr } = await run(page, { 'audit.jsonl': hostile.memory.text });
    const path = join(world.folder, 'page.html');
    expect(stderr).toContain('written: page.html');
    expect(existsSync(path)).toBe(true);
    const html = readFileSync(path, 'utf8');
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('default-src &#39;none&#39;');
  });
});

test('who has audits and no gateway file is told to name them', async () => {
  const { stderr, exitCode } = await motif(['admin', 'audit', 'verify'], { env: {}, files: {} });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('there is no gateway.yaml here to say where the audit is\n  name the files of the audit');
});

test('a gateway file with a fault keeps nobody from the audit', async () => {
  const { stderr, exitCode } = await run(['stats'], { 'gateway.yaml': 'providers: 3\n' });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('without it, name the files of the audit: audit.jsonl.1 audit.jsonl, or - for stdin');
  expect(await run(['stats', 'audit.jsonl'], { 'gateway.yaml': 'providers: 3\n' })).toMatchObject({ exitCode: 0 });
});

describe('list', () => {
  test('a terminal gets rows that are broken between cells', async () => {
    const files = { 'audit.jsonl': await audit() };
    const { stdout } = await motif(['admin', 'audit', 'list', 'audit.jsonl'], {
      env: { NO_COLOR: '1' },
      files,
      stdout: { columns: 60 },
    });
    const rows = stdout.trimEnd().split('\n');
    expect(rows.length).toBeGreaterThan(prompts.length);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(60);
  });

  test.each([
    {
      columns: 120,
      rows: [
        'time (UTC)           prompt                      decision  Motif  caller  found',
        '2026-11-21 12:00:00  01M7YZMHG0JGWHZ67CZK93P0VH  block     bot    t1      no-pii/card',
        '2026-11-21 12:00:00  01M7YZMHG0JGWHZ67CZK93P0VH  pass      other  t1',
        '2026-11-21 12:00:00  01M7YZMHG0JGWHZ67CZK93P0VH  refused   bot    t1      malformed_json',
      ],
    },
    {
      columns: 80,
      rows: [
        'time (UTC)        prompt   decision  Motif  caller  found',
        '2026-11-21 12:00  …93P0VH  block     bot    t1      no-pii/card',
        '2026-11-21 12:00  …93P0VH  pass      other  t1',
        '2026-11-21 12:00  …93P0VH  refused   bot    t1      malformed_json',
      ],
    },
  ])('a terminal of $columns columns gets a head', async ({ columns, rows }) => {
    const setup = { env: { NO_COLOR: '1' }, files: { 'audit.jsonl': await audit() }, stdout: { columns } };
    const { stdout } = await motif(['admin', 'audit', 'list', '--team', 'sales', 'audit.jsonl'], setup);
    expect(stdout.trimEnd().split('\n')).toEqual(rows);
  });

  test('a line a prompt, with what was found or why it was refused', async () => {
    const { stdout } = await run(['list', '--team', 'sales']);
    expect(stdout.split('\n')).toEqual([
      '2026-11-21 12:00:00\t01M7YZMHG0JGWHZ67CZK93P0VH\tblock\tbot\tt1\tno-pii/card',
      '2026-11-21 12:00:00\t01M7YZMHG0JGWHZ67CZK93P0VH\tpass\tother\tt1\t',
      '2026-11-21 12:00:00\t01M7YZMHG0JGWHZ67CZK93P0VH\trefused\tbot\tt1\tmalformed_json',
      '',
    ]);
  });

  test('as one document, and as the lines themselves', async () => {
    const { stdout } = await run(['list', '--policy', 'no-pii', '--rule', 'card', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, items: [{ decision: 'block', team: 'sales' }], error: null });
    const lines = (await run(['list', '--jsonl'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { decision: string }).decision).join()).toBe(
      'pass,redact,block,pass,refused',
    );
    const { stdout: none } = await run(['list', '--user', 'nobody', '--json']);
    expect(JSON.parse(none)).toEqual({ ok: true, items: [], error: null });
  });
});
