import { describe, expect, test } from 'vitest';
import { batchService } from '../support/rooms/batch.ts';
import { guarded } from '../support/rooms/check.ts';
import { motif, type MotifSetup, type Run, testEnv } from '../support/motif.ts';
import { answered } from '../support/service.ts';
import '../support/rooms/gateway-loaded.ts';

/** Types what a run has printed as the next command; commands that batch and check print must work as they stand. */
async function typePrinted(before: Run, setup: MotifSetup): Promise<Run> {
  const [, line] = /^.*?(?:\bnext|as CSV|again|are there): (motif [^\n;]+)$/m.exec(before.stdout + before.stderr) ?? [];
  expect(line, before.stdout + before.stderr).toMatch(/^motif /);
  const words = [...line!.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/['"]/g, ''));
  return motif(words.slice(1), { ...setup, after: before.world });
}

async function runAll(calls: readonly (readonly string[])[], setup: MotifSetup): Promise<Run> {
  let run: Run | undefined;
  for (const argv of calls) run = await motif(argv, run === undefined ? setup : { ...setup, after: run.world });
  return run!;
}

const batchOf = (...words: readonly string[]) => ['batch', 'in.csv', '--column', 'text', ...words];

describe('the next command that batch prints works when it is typed', () => {
  const setup = () => ({ files: { 'in.csv': 'text\none\ntwo\nthree\n', 'd/x': '' }, send: batchService().send });

  test.each([
    { name: 'one output', calls: [batchOf('-o', 'out.jsonl')] },
    { name: 'a name with a space', calls: [batchOf('-o', 'my out.jsonl')] },
    { name: 'a name that looks like a flag', calls: [batchOf('--output=-out.jsonl')] },
    {
      name: 'the first rows, then all',
      calls: [batchOf('-o', 'out.jsonl', '--limit', '2'), batchOf('-o', 'out.jsonl')],
    },
    {
      name: 'the last of two parts',
      calls: [1, 2].map((part) => batchOf('--shard', `${part}/2`, '-o', `part-${part}.jsonl`)),
    },
    {
      name: 'parts with a space, in a folder',
      calls: [1, 2, 3].map((part) => batchOf('--shard', `${part}/3`, '-o', `d/my 0${part}.jsonl`)),
    },
    { name: 'one part of one', calls: [batchOf('--shard', '1/1', '-o', 'out.jsonl')] },
  ])('$name', async ({ calls }) => {
    const typed = await typePrinted(await runAll(calls, setup()), {});
    expect(typed).toMatchObject({ exitCode: 0 });
    expect(typed.stderr).toMatch(/rows(?: of \d parts)?, each once/);
  });

  test('parts whose names do not tell the others are named by nobody', async () => {
    const run = await runAll([batchOf('--shard', '1/2', '-o', 'b.jsonl')], setup());
    expect(run.stderr).toContain('once both parts are there: motif batch merge with all their names makes');
  });
});

describe('the next command that check prints works when it is typed', () => {
  const gateway = `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies: { keys: { kind: secrets } }
motifs: { a: { provider: m, policies: [keys] }, b: { provider: m } }
`;
  const suite = `cases:
  - { id: greets, prompt: Say hello, answer: { contains: hello }, tags: [one] }
  - { id: card, prompt: My card is 4111, expect: blocked, tags: [one, two] }
  - { id: judged, prompt: Say hello, answer: { command: ['true'] } }
`;
  const files = { 'my gateway.yaml': gateway, 'my suite.motif.yaml': suite };
  const bad = guarded({ card: { body: answered } }).send;

  test.each([
    { name: 'init', argv: ['init', 'x.motif.yaml', '--local', 'my gateway.yaml', '--motif', 'a'], exitCode: 0 },
    { name: 'init --attacks', argv: ['init', '--attacks', '--local', 'my gateway.yaml', '--motif', 'a'], exitCode: 0 },
  ])('$name, for one of several Motifs', async ({ argv, exitCode }) => {
    const typed = await typePrinted(await motif(['check', ...argv], { env: {}, files }), { env: {} });
    expect(typed.stderr).not.toContain('--motif takes');
    expect(typed).toMatchObject({ exitCode });
  });

  test('a first suite for the gateway that was typed, where there is none', async () => {
    const setup = { env: {}, files: { 'my gateway.yaml': gateway } };
    const flags = ['--local', 'my gateway.yaml', '--motif', 'a'];
    const run = await motif(['check', ...flags], setup);
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toContain("  motif check init --local 'my gateway.yaml' --motif a writes a first one");
    expect(await motif(['check', 'init', ...flags], { env: {}, after: run.world })).toMatchObject({ exitCode: 0 });
    const { stderr } = await motif(['check', '--local', 'my gateway.yaml'], setup);
    expect(stderr).toContain(
      "'my gateway.yaml' writes a first one; where the file has several Motifs, with --motif ID",
    );
  });

  test('suites of two Motifs are two runs, each of which is printed', async () => {
    const suiteOf = (id: string) => `motif: ${id}\ncases: [{ prompt: Say hello }]\n`;
    const setup = {
      env: {},
      files: { 'my gateway.yaml': gateway, 'for a.motif.yaml': suiteOf('a'), 'b.motif.yaml': suiteOf('b') },
    };
    const run = await motif(['check', '--local', 'my gateway.yaml', '--strict', '--report', 'junit=x.xml'], setup);
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toContain('for 2 Motifs');
    for (const file of ["'for a.motif.yaml'", 'b.motif.yaml']) {
      expect(run.stderr).toContain(`  motif check ${file} --local 'my gateway.yaml' --strict\n`);
      const argv = ['check', file.replaceAll("'", ''), '--local', 'my gateway.yaml'];
      expect(await motif(argv, { env: {}, after: run.world })).toMatchObject({ exitCode: 0 });
    }
  });

  test('the list of the cases, where none fits', async () => {
    const setup = { env: {}, files: { ...files, 'my cases.csv': 'id,prompt,expect\na,Say hello,answered\n' } };
    const argv = ['check', 'my cases.csv', '--local', 'my gateway.yaml', '--motif', 'a', '--tags', 'pii'];
    const run = await motif(argv, setup);
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toContain("  motif check 'my cases.csv' --local 'my gateway.yaml' --motif a --list shows them");
    const typed = await motif([...argv.slice(0, -2), '--list'], { env: {}, after: run.world });
    expect(typed).toMatchObject({ exitCode: 0 });
    expect(typed.stdout).toContain('my cases.csv:2');
    expect(typed.stdout).not.toContain('my suite');
  });

  test.each([
    { name: 'a suite with a space', flags: ['my suite.motif.yaml', '--tags', 'one and two'], cases: 1 },
    { name: 'a suite that runs programs', flags: ['--allow-commands'], cases: 2 },
    { name: 'against a baseline', flags: ['--baseline', 'base.json', '--tags', 'one'], cases: 1 },
    { name: 'what a flag tolerates', flags: ['--id', 'card', '--id', 'greets', '--max-unverified', '5%'], cases: 1 },
  ])('again, $name', async ({ flags, cases }) => {
    const all = ['check', '--report', 'json=base.json', '--tags', 'one'];
    const first = await runAll([all, ['check', ...flags]], { files, send: guarded().send });
    const failed = await motif(['check', ...flags], { after: first.world, send: bad });
    const typed = await typePrinted(failed, { send: bad });
    expect(typed.exitCode).toBe(1);
    expect(typed.stdout).toContain(`0 pass of ${cases} `);
    for (const flag of flags.filter((word) => word.startsWith('--'))) expect(typed.stdout).toContain(flag);
  });
});

describe('a terminal of 80 columns gets a command that is longer in one line', () => {
  const long = 'answers-of-the-support-bot-of-this-week-for-the-review';
  const gateway =
    'providers: { m: { kind: mock } }\ntenant: acme\nmotifs: { one: { provider: m }, two: { provider: m } }\n';
  const name = `${long}.motif.yaml`;

  test.each([
    { argv: ['admin', 'init', 'new.yaml'], marker: 'log in', end: /--tenant [-\w]+$/ },
    {
      argv: ['admin', 'rotate', '-c', 'g.yaml', 'one', '--token-out', `${long}.txt`],
      marker: 'log in',
      end: /< .*\.txt$/,
    },
    { argv: ['check', 'init', name, '--local', 'g.yaml', '--motif', 'one'], marker: 'next:', end: /--local g\.yaml$/ },
    { argv: batchOf('-o', `${long}.jsonl`), marker: 'as CSV:', end: /-o .*\.csv$/ },
    { argv: batchOf('--shard', '1/2', '-o', `${long}-1.jsonl`), marker: 'are there:', end: /-o all\.csv$/ },
  ])('$argv', async ({ argv, marker, end }) => {
    const files = { 'g.yaml': gateway, 'in.csv': 'text\none\n' };
    const screen = { stdout: { columns: 80 }, stderr: { columns: 80 } };
    const env = { ...(argv[0] === 'batch' ? testEnv : {}), NO_COLOR: '1' };
    const run = await motif(argv, { env, files, send: batchService().send, ...screen });
    const shown = run.stdout + run.stderr;
    const [, command = ''] = new RegExp(`${marker}\\s+(motif .*)$`, 'm').exec(shown) ?? [];
    expect(command, shown).toMatch(end);
    expect(command.length).toBeGreaterThan(78);
  });
});
