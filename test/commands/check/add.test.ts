import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { service } from '../../support/service.ts';
import { motif, type Run } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';
import '../../support/rooms/gateway-loaded.ts';

const read = (run: Run, name: string) => readFileSync(join(run.world.folder, name), 'utf8');

describe('check add', () => {
  test('asks, shows the answer, and makes a suite that passes', async () => {
    const first = await motif(['check', 'add', '--demo', 'How long can I return a kettle?'], { env: {} });
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stdout).toContain('within 30 days');
    expect(first.stderr).toContain('added to smoke.motif.yaml: how-long-can-return-kettle, expect answered');
    const second = await motif(['check', 'add', '--demo', 'My card is 4111 1111 1111 1111'], {
      env: {},
      after: first.world,
    });
    expect(second).toMatchObject({ exitCode: 0, stdout: '' });
    expect(second.stderr).toMatch(/^motif: blocked by policy \(motif support-bot, /);
    expect(second.stderr).toContain('expect blocked');
    const run = await motif(['check', '--demo', 'smoke.motif.yaml'], { env: {}, after: first.world });
    expect(run.stdout).toMatch(/^2 cases: 2 pass/);
  });

  test('keeps the comments of a suite, and names a case anew where its name is taken', async () => {
    const suite = '# ours\ncases:\n  # the first\n  - { id: opening-hours, prompt: When? } # behind\n';
    const run = await motif(['check', 'add', '--demo', 'Opening hours'], { env: {}, files: { 'a.motif.yaml': suite } });
    expect(run.exitCode).toBe(0);
    const text = read(run, 'a.motif.yaml');
    expect(text.startsWith(suite)).toBe(true);
    expect(text).toContain('opening-hours-2');
  });

  test('a case is laid out as the others of the suite are, so that a line can be put below it', async () => {
    const suite = '# ours\ncases:\n  - id: first # one\n    prompt: When?\n    tags: [a]\n';
    const argv = ['check', 'add', '--demo', '--id', 'later', 'My card is 4111 1111 1111 1111'];
    const run = await motif(argv, { env: {}, files: { 'a.motif.yaml': suite } });
    const text = read(run, 'a.motif.yaml');
    expect(text).toBe(`${suite}  - id: later\n    prompt: My card is 4111 1111 1111 1111\n    expect: blocked\n`);
    const files = { 'a.motif.yaml': `${text}    tags: [card]\n` };
    const tagged = await motif(['check', '--demo', 'a.motif.yaml', '--tags', 'card'], { env: {}, files });
    expect(tagged.stdout).toMatch(/^1 case: 1 pass/);
  });

  const tagged = ['check', 'add', '--demo', '--id', 'later', '--tags', 'pii, slow, pii', 'Opening hours?'];
  test.each([
    { name: 'a new suite', files: {}, adds: '  - id: later\n    prompt: Opening hours?\n    tags: [pii, slow]\n' },
    {
      name: 'a suite of cases in braces',
      files: { 'smoke.motif.yaml': 'cases:\n  - { prompt: a, tags: [b] }\n' },
      adds: '  - { id: later, prompt: Opening hours?, tags: [pii, slow] }\n',
    },
  ])('--tags gives the case of $name its tags, each once', async ({ files, adds }) => {
    const run = await motif(tagged, { env: {}, files });
    expect(read(run, 'smoke.motif.yaml')).toBe(`${files['smoke.motif.yaml'] ?? 'cases:\n'}${adds}`);
    const checked = await motif(['check', '--demo', 'smoke.motif.yaml', '--tags', 'slow'], {
      env: {},
      after: run.world,
    });
    expect(checked.stdout).toMatch(/^1 case: 1 pass/);
  });

  test('a suite keeps the Motif that was named of several, and asks that one from then on', async () => {
    const gateway = 'providers: { m: { kind: mock } }\nmotifs: { a: { provider: m }, b: { provider: m } }\n';
    const argv = ['check', 'add', '--local', 'gateway.yaml'];
    const first = await motif([...argv, '--motif', 'b', 'hello there'], {
      env: {},
      files: { 'gateway.yaml': gateway },
    });
    expect(read(first, 'smoke.motif.yaml')).toBe('motif: b\ncases:\n  - id: hello-there\n    prompt: hello there\n');
    const second = await motif([...argv, 'and again'], { env: {}, after: first.world });
    expect(second.exitCode).toBe(0);
    const checked = await motif(['check', '--local', 'gateway.yaml'], { env: {}, after: first.world });
    expect(checked.stdout).toMatch(/^2 cases: 2 pass/);
    const other = await motif([...argv, '--motif', 'a', 'for another'], { env: {}, after: first.world });
    expect(other).toMatchObject({ exitCode: 2, stdout: '' });
    expect(other.stderr).toContain('smoke.motif.yaml:1 is for the Motif b, but a is asked\n  --motif b\n');
  });

  test.each([
    { name: 'beside another', other: 'a.motif.yaml', first: { 'smoke.motif.yaml': 'cases:\n  - prompt: b\n' } },
    { name: 'not there yet, beside attacks', other: 'attacks.motif.yaml', first: {} },
  ])('the suite that check init makes gets the case: $name', async ({ other, first }) => {
    const files = { [other]: 'cases: [{ prompt: a }]\n', ...first };
    const run = await motif(['check', 'add', 'x'], { files, ...service() });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('added to smoke.motif.yaml: case-answered, expect answered');
    expect(read(run, other)).toBe('cases: [{ prompt: a }]\n');
  });

  test.each([
    {
      name: 'several suites',
      argv: ['x'],
      files: { 'a.motif.yaml': 'cases: [{ prompt: a }]', 'b.motif.yaml': 'cases: [{ prompt: b }]' },
      says: 'there are several suites in this folder\n  --suite a.motif.yaml\n  --suite b.motif.yaml\n',
    },
    {
      name: 'a name that is taken',
      argv: ['--id', 'a', 'x'],
      files: { 'a.motif.yaml': 'cases: [{ id: a, prompt: a }]' },
      says: 'there is a case "a" already',
    },
    {
      name: 'a word that is no tag',
      argv: ['--tags', 'pii not slow', 'x'],
      files: {},
      says: '--tags: "not" is no tag: a tag is a word without blanks and brackets, other than and, or, not\n',
    },
    { name: 'a broken suite', argv: ['x'], files: { 'a.motif.yaml': 'cases: 1' }, says: 'cases must be a list' },
    { name: 'a spreadsheet', argv: ['--suite', 'a.csv', 'x'], files: {}, says: 'its name has to end with .yaml' },
  ])('$name: 2, nothing is asked, and nothing is written', async ({ argv, files, says }) => {
    const asked = service();
    const run = await motif(['check', 'add', ...argv], { files, ...asked });
    expect(run.exitCode).toBe(2);
    expect(asked.requests).toEqual([]);
    expect(run.stderr).toContain(says);
    for (const [name, text] of Object.entries(files)) expect(read(run, name)).toBe(text);
  });
});

describe('check init --attacks', () => {
  const gateway = `tenant: acme
providers: { m: { kind: mock, mode: quote } }
policies: { pii: { kind: pii }, keys: { kind: secrets }, orders: { kind: injection } }
motifs: { bot: { provider: m, policies: [pii, keys, orders] } }
`;

  test('a file that forbids all of it stops each disguise on both sides, and lets the look-alikes pass', async () => {
    const first = await motif(['check', 'init', '--attacks'], { env: {}, files: { 'gateway.yaml': gateway } });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'attacks.motif.yaml\n' });
    expect(first.stderr).toContain('tests the policies of your gateway file alone');
    expect(first.stderr).toContain('motif check runs attacks.motif.yaml too where no suite is named; to leave it out');
    const text = read(first, 'attacks.motif.yaml');
    expect(/^[\n\x20-\x7e]*$/.test(text)).toBe(true);
    const run = await motif(['check', '--local', 'gateway.yaml'], { env: {}, after: first.world });
    expect(run.stdout).toMatch(/must block 86\/86 · must answer 12\/12/);
    expect(first.stderr).not.toContain('left out');
    const open = { 'gateway.yaml': gateway.replace('[pii, keys, orders]', '[keys]') };
    const failed = await motif(['check', '--local', 'gateway.yaml', '--tags', 'pii', '--json'], {
      env: {},
      after: first.world,
      files: open,
    });
    expect(failed.exitCode).toBe(1);
    expect((JSON.parse(failed.stdout) as { totals: { pass: number } }).totals.pass).toBe(0);
  });
});

describe('check init --attacks for a file that redacts, or does not forbid all of it', () => {
  const checked = async (after: FakeWorld) =>
    motif(['check', 'attacks.motif.yaml', '--local', 'gateway.yaml', '--tags', 'plain or secrets or control'], {
      env: {},
      after,
    });

  test('is green on the file of admin init', async () => {
    const started = await motif(['admin', 'init'], { env: {} });
    const made = await motif(['check', 'init', '--attacks'], { env: {}, after: started.world });
    expect(made.stderr).toContain('written: for gateway.yaml');
    const run = await checked(made.world);
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('48 cases: 48 pass') });
  });

  test('leaves out with words what the file lets pass', async () => {
    const files = {
      'other.yaml': `tenant: acme
providers: { m: { kind: mock, mode: quote } }
policies: { pii: { kind: pii, on: prompt } }
motifs: { bot: { provider: m, policies: [pii] } }
`,
    };
    const made = await motif(['check', 'init', '--attacks', '--local', 'other.yaml'], { env: {}, files });
    expect(made.stderr).toContain(
      'left out, because other.yaml lets it pass as it is: pii (answered), secrets (sent, answered), injection (sent)',
    );
    const text = read(made, 'attacks.motif.yaml');
    expect(text).toContain('Left out, because it passes: pii (answered), secrets (sent, answered), injection (sent).');
    expect([...new Set([...text.matchAll(/tags: \[(.*)\]/g)].map((match) => match[1]))]).toEqual(['pii', 'control']);
  });

  test('a policy that fails has judged nothing: its payloads are left out with words', async () => {
    const files = {
      'gateway.yaml': `tenant: acme
providers: { m: { kind: mock, mode: quote } }
limits: { policy_work: 1000000 }
policies: { pii: { kind: pii } }
motifs: { bot: { provider: m, policies: [pii], system: ${'words and 17 '.repeat(80_000)} } }
`,
    };
    const made = await motif(['check', 'init', '--attacks'], { env: {}, files });
    expect(made.exitCode).toBe(0);
    expect(made.stderr).toContain('left out, because a policy of gateway.yaml failed on it: pii (sent');
    const text = read(made, 'attacks.motif.yaml');
    expect(text).toContain('# Left out, because a policy failed on it: pii (sent');
    expect(text).not.toContain('expect: blocked');
    expect(text).not.toContain('"blocked"');
  });

  test('names a file that cannot be served, and writes nothing', async () => {
    const made = await motif(['check', 'init', '--attacks', '--local', 'none.yaml'], { env: {} });
    expect(made).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('answer.command', () => {
  const files = {
    's.motif.yaml': 'cases:\n  - { id: a, prompt: "Opening hours?", answer: { command: [./judge.sh, strict] } }\n',
  };
  const ended = (code: number | null, stdout = '') => ({ code, stdout, stderr: '' });

  test('is refused without --allow-commands, and nothing is sent', async () => {
    const run = await motif(['check', '--demo', 's.motif.yaml'], { env: {}, files });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('s.motif.yaml:2: answer.command is run only with --allow-commands');
    expect(run.world.ran).toEqual([]);
  });

  test.each([
    { code: 0, exitCode: 0 },
    { code: 1, exitCode: 1 },
    { code: 2, exitCode: 11 },
    { code: null, exitCode: 11 },
  ])('a judge that ends with $code: $exitCode', async ({ code, exitCode }) => {
    const argv = ['check', '--demo', 's.motif.yaml', '--allow-commands'];
    const run = await motif(argv, { env: { PATH: '/bin' }, files, run: () => ended(code, 'too long') });
    expect(run.exitCode).toBe(exitCode);
    const [child] = run.world.ran;
    expect(child).toMatchObject({ command: './judge.sh', args: ['strict'], isBare: true });
    expect(JSON.parse(child?.stdin ?? '')).toMatchObject({ id: 'a', blocked: false, finish_reason: 'stop' });
    if (code === 1) expect(run.stdout).toContain('was not accepted by ./judge.sh');
  });

  test('is not taken from rows', async () => {
    const rows = {
      'c.csv': 'p\nx\n',
      's.motif.yaml': 'cases:\n  - { each: c.csv, prompt: "${p}", answer: { command: ["${p}"] } }\n',
    };
    const run = await motif(['check', '--demo', 's.motif.yaml', '--allow-commands'], { env: {}, files: rows });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('is not run for cases that are made of rows');
  });
});

describe('/case in a chat', () => {
  test('makes the last turn a case, with what was said before it', async () => {
    const stdin = 'Opening hours?\n/case\nMy card is 4111 1111 1111 1111\n/case\n';
    const run = await motif(['chat', '--demo', '--no-save'], { env: {}, stdin });
    expect(run.stderr).toContain('added to smoke.motif.yaml: opening-hours, expect answered');
    const text = read(run, 'smoke.motif.yaml');
    expect(text).toContain('  - id: opening-hours\n    prompt: Opening hours?\n');
    expect(text).toContain('expect: blocked');
    const check = await motif(['check', '--demo', 'smoke.motif.yaml'], { env: {}, after: run.world });
    expect(check.stdout).toMatch(/^2 cases: 2 pass/);
  });

  test.each([
    { name: 'a blocked text', typed: ['Hi', 'My card is 4111 1111 1111 1111', '/case'], has: ['4111', 'blocked'] },
    {
      name: 'the turn before a blocked text that was taken back',
      typed: ['Hi', 'My card is 4111 1111 1111 1111', '/undo', '/case'],
      has: ['prompt: Hi\n'],
      lacks: ['4111', 'blocked'],
    },
    {
      name: 'a blocked text in the place of the file that went with it',
      typed: ['/file card.txt', 'Look', '/case'],
      has: ['4111', 'blocked'],
    },
    { name: 'the same only once', typed: ['Hi', '/case', '/case'], has: ['prompt: Hi\n'], says: 'not added, for' },
  ])('takes $name', async ({ typed, has, lacks = [], says = 'added to smoke.motif.yaml' }) => {
    const files = { 'card.txt': 'My card is 4111 1111 1111 1111\n' };
    const run = await motif(['chat', '--demo', '--no-save'], { env: {}, stdin: `${typed.join('\n')}\n`, files });
    const text = read(run, 'smoke.motif.yaml');
    expect(text.match(/^ {2}- /gm)).toHaveLength(1);
    for (const words of has) expect(text).toContain(words);
    for (const words of lacks) expect(text).not.toContain(words);
    expect(run.stderr).toContain(says);
  });

  test('has nothing to take where every turn was taken back', async () => {
    const run = await motif(['chat', '--demo', '--no-save'], { env: {}, stdin: 'Hi\n/undo\n/case\n' });
    expect(run).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toContain('there is no turn left to make a case of');
  });

  test('names in a new suite the Motif of several that is asked', async () => {
    const gateway = 'providers: { m: { kind: mock } }\nmotifs: { a: { provider: m }, b: { provider: m } }\n';
    const argv = ['chat', '--local', 'gateway.yaml', '--motif', 'b', '--no-save'];
    const run = await motif(argv, { env: {}, stdin: 'hello there\n/case\n', files: { 'gateway.yaml': gateway } });
    expect(read(run, 'smoke.motif.yaml')).toMatch(/^motif: b\ncases:\n/);
  });
});
