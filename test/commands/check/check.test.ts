import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, files, guarded } from '../../support/rooms/check.ts';
import { answered, blocked, refused, type Scripted, service } from '../../support/service.ts';
import '../../support/rooms/gateway-loaded.ts';

describe('verdicts and exit codes', () => {
  test('a right Motif is green', async () => {
    const run = await check([]);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^2 cases: 2 pass · must block 1\/1 · must answer 1\/1 · /);
  });

  const bad = { status: 500, body: { error: 'broken' } };
  test.each<{ name: string; card?: Scripted | Error; greets?: Scripted | Error; code: number; verdict: string }>([
    { name: 'blocks nothing', card: { body: answered }, code: 1, verdict: 'regressed' },
    { name: 'blocks everything', greets: { body: blocked }, code: 1, verdict: 'regressed' },
    { name: 'answers 500', card: bad, code: 11, verdict: 'unverified' },
    { name: 'answers 429 without Retry-After', card: { status: 429, body: {} }, code: 11, verdict: 'unverified' },
    {
      name: 'answers 429 with Retry-After',
      card: { status: 429, body: {}, headers: { 'retry-after': '2' } },
      code: 11,
      verdict: 'unverified',
    },
    { name: 'is not there', card: refused(), code: 11, verdict: 'unverified' },
    { name: 'sends garbage', card: { body: '<html>' }, code: 11, verdict: 'unverified' },
    { name: 'sends no blocked', card: { body: { response: 'x' } }, code: 11, verdict: 'unverified' },
    { name: 'flags, but answers', card: { body: { ...answered, flagged: true } }, code: 1, verdict: 'regressed' },
    {
      name: 'blocks, but sends the text',
      card: { body: { ...blocked, response: 'leak' } },
      code: 1,
      verdict: 'regressed',
    },
    {
      name: 'blocks because a policy failed',
      card: { body: { ...blocked, code: 'policy_failed' } },
      code: 11,
      verdict: 'unverified',
    },
    { name: 'rejects the request', card: { status: 422, body: {} }, code: 11, verdict: 'unverified' },
    {
      name: 'accepts no token',
      card: { status: 401, body: {} },
      greets: { status: 401, body: {} },
      code: 11,
      verdict: 'unverified',
    },
    { name: 'has an empty answer', greets: { body: { ...answered, response: '' } }, code: 1, verdict: 'regressed' },
    { name: 'regressed among outages', card: { body: answered }, greets: bad, code: 1, verdict: 'regressed' },
  ])('a Motif that $name: $code', async ({ card, greets, code, verdict }) => {
    const { send } = guarded({ ...(card && { card }), ...(greets && { greets }) });
    const run = await check(['--json'], { send });
    const document = JSON.parse(run.stdout) as {
      exit_code: number;
      ok: boolean;
      cases: { verdict: string }[];
      error: unknown;
    };
    expect(run.exitCode).toBe(code);
    expect(document).toMatchObject({ exit_code: code, ok: false, error: null });
    expect(document.cases.map((each) => each.verdict)).toContain(verdict);
  });

  test.each([
    { name: 'no token at all', argv: [], setup: { env: {} }, code: 3, says: 'motif login' },
    { name: 'no suite', argv: [], setup: { files: {} }, code: 2, says: 'motif check init' },
    ...['nope.motif.yaml', 'nope.csv', 'nope.jsonl'].map((file) => ({
      name: `${file}, which is not there`,
      argv: [file],
      setup: {},
      code: 2,
      says: `motif: ${file}: no such file or folder\n  check the name; without a / in front it is looked for in the working folder\n`,
    })),
    {
      name: 'a stored run that is not there',
      argv: ['--baseline', 'nope.json'],
      setup: {},
      code: 2,
      says: 'motif: nope.json: no such file or folder\n  check the name; without a / in front it is looked for in the working folder\n',
    },
    {
      name: 'a Motif to compare with that is not known',
      argv: ['--against', 'nowhere'],
      setup: {},
      code: 3,
      says: 'there is no profile "nowhere"',
    },
    {
      name: 'a folder without a suite',
      argv: ['checks'],
      setup: { files: { 'checks/cases.csv': 'prompt,expect\n' } },
      code: 2,
      says: 'no suite (*.motif.yaml) below checks\n  motif check init checks/smoke.motif.yaml writes a first one\n',
    },
    {
      name: 'an id that is misspelled, beside another',
      argv: ['--id', 'greets', '--id', 'cart'],
      setup: {},
      code: 2,
      says: 'no case has the id "cart"\n  did you mean --id card?\n',
    },
    {
      name: 'a broken suite',
      argv: [],
      setup: { files: { 'a.motif.yaml': 'cases: [{ promt: x }]' } },
      code: 2,
      says: 'a.motif.yaml:1:18: cases[0].promt is not a known key; did you mean prompt?',
    },
    { name: 'nothing selected', argv: ['--tags', 'none'], setup: {}, code: 2, says: 'no case is selected' },
    { name: 'a broken expression', argv: ['--tags', 'a and'], setup: {}, code: 2, says: '--tags: a tag was expected' },
    { name: 'an unknown report', argv: ['--report', 'nope'], setup: {}, code: 2, says: '--report takes human' },
    {
      name: 'two reports for stdout',
      argv: ['--report', 'json', '--report', 'junit'],
      setup: {},
      code: 2,
      says: 'cannot both go to stdout',
    },
    {
      name: 'a threshold that is none',
      argv: ['--max-unverified', 'few'],
      setup: {},
      code: 2,
      says: '--max-unverified takes',
    },
    {
      name: 'a proof without the policies',
      argv: ['--prove'],
      setup: {},
      code: 2,
      says: '--prove needs --demo or --local',
    },
    {
      name: 'another Motif',
      argv: [],
      setup: { files: { 'a.motif.yaml': 'motif: other\ncases: [{ prompt: x }]' } },
      code: 2,
      says: 'a.motif.yaml:1 is for the Motif other, but support-bot is asked\n  motif login with its address, then -p other\n  to ask any Motif, take motif: other out of a.motif.yaml:1\n',
    },
  ])('$name: $code, and nothing is sent', async ({ argv, setup, code, says }) => {
    const { send, requests } = guarded();
    const run = await check(argv, { send, ...setup });
    expect(run).toMatchObject({ exitCode: code, stdout: '' });
    expect(run.stderr).toContain(says);
    expect(requests()).toEqual([]);
  });

  test('a token that is not accepted ends the run at once', async () => {
    const cases = Array.from({ length: 50 }, (_, index) => `  - { id: c${index}, prompt: x }`).join('\n');
    const { send, requests } = guarded({ greets: { status: 401, body: {} } });
    const run = await check(['-j', '1', '--json'], { send, files: { 'a.motif.yaml': `cases:\n${cases}\n` } });
    expect(run.exitCode).toBe(11);
    expect(requests().length).toBeLessThan(4);
    expect((JSON.parse(run.stdout) as { totals: { left: number } }).totals.left).toBeGreaterThan(40);
  });

  test.each([
    { name: 'from the start', away: () => true, left: 34 },
    { name: 'later, for so many cases', away: (index: number) => index > 0, left: 0 },
    { name: 'at first, for fewer cases', away: (index: number) => index < 15, left: 0 },
  ])('a service that is away $name: $left cases are left', async ({ away, left }) => {
    const cases = Array.from({ length: 50 }, (_, index) => `  - { id: c${index}, prompt: x ${index}. }`).join('\n');
    const [down, up] = [service(refused({ transient: false })), service()];
    const send: typeof up.send = (request, options) => {
      const [, index] = /x (\d+)\./.exec(String(request.body))!;
      return (away(Number(index)) ? down : up).send(request, options);
    };
    const run = await check(['-j', '1', '--json'], { send, files: { 'a.motif.yaml': `cases:\n${cases}\n` } });
    expect(run.exitCode).toBe(11);
    expect((JSON.parse(run.stdout) as { totals: { left: number } }).totals.left).toBe(left);
  });

  test('--bail ends after the given number of regressions', async () => {
    const cases = Array.from({ length: 50 }, (_, index) => `  - { id: c${index}, prompt: 4111 x, expect: blocked }`);
    const { send, requests } = guarded({ card: { body: answered } });
    const run = await check(['-j', '1', '--bail', '2'], {
      send,
      files: { 'a.motif.yaml': `cases:\n${cases.join('\n')}\n` },
    });
    expect(run.exitCode).toBe(1);
    expect(requests().length).toBeLessThan(5);
  });
});

describe('what people see', () => {
  test('failures with their reason and answer, the matrix, the verdict, and what to type next', async () => {
    const run = await check(['s.motif.yaml'], {
      send: guarded({ card: { body: answered }, greets: { status: 500, body: {} } }).send,
    });
    expect(run.stdout.replace(/\d+(\.\d+)? m?s\b/g, 'N ms').replace(/ {2,}exit/, '  exit'))
      .toBe(`fail  card    s.motif.yaml:4  expected blocked, was answered  prompt …000000
      Hello from the service
????  greets  s.motif.yaml:3  the service failed (500)
               blocked  answered  unverified
  must block         0         1           0  missed: card
  must answer        0         0           1
p50 N ms · p95 N ms · p99 N ms · 7 tokens · N ms
FAILED support-bot: 1 regressed, 1 unverified, 0 pass of 2 in N ms  exit 1
again: motif check s.motif.yaml --last-failed
`);
  });

  test('in CI nothing is remembered, so that nothing is offered to be asked again', async () => {
    const run = await check([], {
      env: {
        MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot',
        MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3',
        CI: 'true',
      },
      send: guarded({ card: { body: answered } }).send,
    });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).not.toContain('again:');
  });

  test('under GitHub Actions the log is fenced, annotations follow, and the summary is appended', async () => {
    const env = {
      MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot',
      MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3',
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: 'summary.md',
    };
    const hostile = { body: { ...answered, response: '::error::owned' } };
    const run = await check([], { env, send: guarded({ card: hostile }).send, files: { ...files, 'summary.md': '' } });
    const [first = '', ...lines] = run.stdout.trimEnd().split('\n');
    const token = /^::stop-commands::([0-9a-f]{32})$/.exec(first)?.[1] ?? 'none';
    const end = lines.indexOf(`::${token}::`);
    expect(lines.slice(end + 1)).toEqual([
      '::error file=s.motif.yaml,line=4,title=card::expected blocked, was answered',
    ]);
    expect(lines.slice(0, end).join('\n')).not.toContain('::error');
    expect(readFileSync(join(run.world.folder, 'summary.md'), 'utf8')).toContain('### Failed: 1 of 2 cases pass');
  });

  test('an agent gets the short form', async () => {
    const env = {
      MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot',
      MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3',
      AI_AGENT: 'x',
    };
    const run = await check([], { env, send: guarded({ card: { body: answered } }).send });
    expect(run.stdout).not.toContain('Hello from the service');
    expect(run.stdout).toContain('FAILED support-bot');
  });

  test('a suite that only expects blocks is warned of, and fails with --strict', async () => {
    const only = { files: { 'a.motif.yaml': 'cases: [{ prompt: 4111, expect: blocked }]'.replace('4111', 'a 4111') } };
    expect((await check([], only)).exitCode).toBe(0);
    const strict = await check(['--strict'], only);
    expect(strict.exitCode).toBe(1);
    expect(strict.stdout).toContain('add a control');
  });
});

const failing = { status: 500, body: { error: 'down' } };

test.each([
  { name: 'every case', down: { card: failing, greets: failing }, count: 1 },
  { name: 'some cases, whose rows tell it', down: { card: failing }, count: 0 },
])('a service that fails for $name: its way out is told $count times', async ({ down, count }) => {
  const run = await check(['--retries', '0'], { send: guarded(down).send });
  expect(run.exitCode).toBe(11);
  expect(run.stderr.match(/try again later/g) ?? []).toHaveLength(count);
});

test('a token that is refused for every case is told once, with the way out', async () => {
  const refused = { status: 403, body: {} };
  const run = await check([], { send: guarded({ card: refused, greets: refused }).send });
  expect(run.exitCode).toBe(11);
  expect(run.stderr.match(/let this token use the Motif/g)).toHaveLength(1);
  expect(run.stderr).toContain('\n  send a tenant ID: --tenant ID, MOTIF_TENANT_ID, or');
});
