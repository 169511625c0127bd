import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, files, guarded, loginToOther } from '../../support/rooms/check.ts';
import { motif, testEnv } from '../../support/motif.ts';
import { answered, blocked } from '../../support/service.ts';

interface Document {
  readonly exit_code: number;
  readonly cases: { id: string; verdict: string; replayed: boolean }[];
  readonly totals: { pass: number; cases: number };
  readonly against: { differences: { id: string; what: string; here: string; there: string }[] } | null;
  readonly baseline: { fixed: string[]; standing: string[] } | null;
}
const parse = (stdout: string) => JSON.parse(stdout) as Document;
const bad = guarded({ card: { body: answered } }).send;

describe('--baseline', () => {
  test('only a new regression counts, and what is fixed is listed', async () => {
    const first = await check(['--report', 'json=base.json'], { send: bad });
    expect(first.exitCode).toBe(1);
    const standing = await motif(['check', '--baseline', 'base.json', '--json'], { after: first.world, send: bad });
    expect(standing.exitCode).toBe(0);
    expect(parse(standing.stdout).baseline).toMatchObject({ fixed: [], standing: ['card'] });
    const worse = guarded({ card: { body: answered }, greets: { body: blocked } }).send;
    expect((await motif(['check', '--baseline', 'base.json'], { after: first.world, send: worse })).exitCode).toBe(1);
    const fixed = await motif(['check', '--baseline', 'base.json'], { after: first.world, send: guarded().send });
    expect(fixed).toMatchObject({ exitCode: 0 });
    expect(fixed.stdout).toContain('since base.json: 0 new; 1 fixed: card; 0 still fail');
  });

  test('of other cases allows nothing, and that is said before anything is asked', async () => {
    const first = await check(['--report', 'json=base.json', '--id', 'greets'], { send: guarded().send });
    const baseline = ['check', '--baseline', 'base.json'];
    const other = await motif([...baseline, '--id', 'card'], { after: first.world, send: guarded().send });
    expect(other.stderr).toMatch(/^motif: warning: base\.json has none of these cases, so it allows no failure: /m);
    const same = await motif(baseline, { after: first.world, send: guarded().send });
    expect(same.stderr).not.toContain('none of these cases');
  });

  test('a failure that the suite has called known since, and that passes now, does not fail still: it is new', async () => {
    const first = await check(['--report', 'json=base.json'], { send: bad });
    const suite = join(first.world.folder, 's.motif.yaml');
    const known = readFileSync(suite, 'utf8').replace('expect: blocked,', 'expect: blocked, known: { why: later },');
    writeFileSync(suite, known);
    const argv = ['check', '--baseline', 'base.json'];
    expect(await motif(argv, { after: first.world, send: bad })).toMatchObject({ exitCode: 0 });
    const run = await motif(argv, { after: first.world, send: guarded().send });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(/^fail {2}card .*is known to fail, but passes/m);
    expect(run.stdout).toContain('since base.json: 1 new: card; 0 fixed; 0 still fail\n');
    await motif(['check', '--report', 'json=base.json'], { after: first.world, send: guarded().send });
    const again = await motif(argv, { after: first.world, send: guarded().send });
    expect(again.stdout).toContain('1 still fails, which --baseline allows');
  });

  test('a result never takes the place of the baseline, and is told the way by which it can', async () => {
    const first = await check(['--report', 'json=r.json'], { send: bad });
    const read = () => readFileSync(join(first.world.folder, 'r.json'), 'utf8');
    const kept = read();
    for (const target of ['json=r.json', 'json=./r.json', 'html=r.json']) {
      const { send, requests } = guarded();
      const run = await motif(['check', '--baseline', 'r.json', '--report', target], { after: first.world, send });
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('r.json is also an input of this command');
      const way = '--report json=r.json.new && mv r.json.new r.json';
      if (target === 'json=r.json') expect(run.stderr).toContain(way);
      expect(requests()).toEqual([]);
      expect(read()).toBe(kept);
    }
  });

  test('what failed before is marked apart from what is new, and the last lines say why a red run ends with 0', async () => {
    const first = await check(['--report', 'json=base.json'], { send: bad });
    const argv = ['check', '--baseline', 'base.json'];
    const old = await motif(argv, { after: first.world, send: bad });
    expect(old.stdout).toMatch(/^still {2}card {2}s\.motif/m);
    expect(old.stdout).toContain('since base.json: 0 new; 0 fixed; 1 still fails, which --baseline allows\n');
    const worse = guarded({ card: { body: answered }, greets: { body: blocked } }).send;
    const run = await motif([...argv, '--report', 'markdown=r.md', '--report', 'human'], {
      after: first.world,
      send: worse,
    });
    expect(run.stdout).toMatch(/^fail {3}greets {2}s\.motif/m);
    expect(run.stdout).toMatch(/^still {2}card /m);
    const since = '1 new: greets; 0 fixed; 1 still fails, which --baseline allows';
    expect(run.stdout).toContain(`since base.json: ${since}\n`);
    expect(readFileSync(join(first.world.folder, 'r.md'), 'utf8')).toContain(since.replace('greets', '`greets`'));
  });
});

describe('--replay', () => {
  const all = ['--report-text', 'all', '--report', 'json=run.json'];

  test('judges the stored answers by the suite as it is now; nothing is sent, no token is needed', async () => {
    const first = await check(all);
    const again = await motif(['check', '--replay', 'run.json', '--json'], { env: {}, after: first.world });
    expect(again.exitCode).toBe(0);
    expect(parse(again.stdout).cases.map(({ verdict, replayed }) => `${verdict} ${String(replayed)}`)).toEqual([
      'pass true',
      'pass true',
    ]);
    const changed = { 's.motif.yaml': files['s.motif.yaml'].replace('contains: hello', 'contains: bonjour') };
    const judged = await motif(['check', '--replay', 'run.json'], { env: {}, after: first.world, files: changed });
    expect(judged.exitCode).toBe(1);
    expect(judged.stdout).toContain('lacks "bonjour" (replay)');
  });

  test('a prompt that is another one now is not verified', async () => {
    const first = await check(all);
    const changed = { 's.motif.yaml': files['s.motif.yaml'].replace('Say hello', 'Say hi') };
    const again = await motif(['check', '--replay', 'run.json'], { env: {}, after: first.world, files: changed });
    expect(again.exitCode).toBe(11);
    expect(again.stdout).toContain('the prompt differs from the one in run.json');
  });

  test('turns are judged by the answers between them', async () => {
    const turns = 'cases:\n  - turns: [{ prompt: a, answer: { contains: service } }, { prompt: b }]\n';
    const first = await check(all, { files: { 't.motif.yaml': turns } });
    const judge = (text: string) =>
      motif(['check', '--replay', 'run.json'], { env: {}, after: first.world, files: { 't.motif.yaml': text } });
    expect((await judge(turns)).exitCode).toBe(0);
    expect((await judge(turns.replace('service', 'nothing'))).exitCode).toBe(1);
  });

  test.each([
    { form: 'human', says: /^2 cases \(replay, nothing was sent\): 2 pass/ },
    { form: 'brief', says: /^OK \S+ \(replay, nothing was sent\): 2 pass of 2/ },
  ])('a green $form report says that it is a replay', async ({ form, says }) => {
    const first = await check(all);
    const again = await motif(['check', '--replay', 'run.json', '--report', form], { env: {}, after: first.world });
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.stdout).toMatch(says);
    expect(first.stdout).not.toContain('replay');
  });

  test('what the provider saw is judged live, and a replay says so', async () => {
    const local = {
      'gateway.yaml': 'providers: { m: { kind: mock } }\nmotifs: { a: { provider: m } }\n',
      's.motif.yaml': 'cases:\n  - prompt: hello\n    provider_saw: { contains: hello }\n',
    };
    const first = await check(['--local', 'gateway.yaml', ...all], { env: {}, files: local });
    expect(first.exitCode).toBe(0);
    const again = await motif(['check', '--replay', 'run.json'], { env: {}, after: first.world });
    expect(again.stdout).toContain('provider_saw cannot be judged in a replay, which has answers alone: run it live');
    expect(again.stdout).not.toContain('judged here');
  });

  test('a case that the run does not have has no second replay, but is asked live', async () => {
    const first = await check(all);
    const changed = { 's.motif.yaml': `${files['s.motif.yaml']}  - { id: later, prompt: Later }\n` };
    const again = await motif(['check', '--replay', 'run.json'], { env: {}, after: first.world, files: changed });
    expect(again.exitCode).toBe(11);
    expect(again.stdout).not.toContain('again:');
    expect(again.stderr).toContain(
      'run.json does not have this case\n  ask it live: the same command without --replay',
    );
  });

  test('a run without its texts cannot be judged again', async () => {
    const first = await check(['--report', 'json=run.json']);
    const again = await motif(['check', '--replay', 'run.json'], { env: {}, after: first.world });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('--report-text all');
  });
});

const toBoth =
  (there: typeof bad, here = guarded().send): typeof bad =>
  (request, options) =>
    request.url.includes('other.example') ? there(request, options) : here(request, options);

describe('--against', () => {
  test('asks both, lists every difference, and a case that fails on both is a failure too', async () => {
    const after = await loginToOther();
    const run = await motif(['check', '--against', 'other', '--json'], { after, env: testEnv, send: toBoth(bad) });
    expect(run.exitCode).toBe(0);
    const [verdict] = parse(run.stdout).against?.differences ?? [];
    expect(verdict).toMatchObject({ id: 'card', what: 'verdict', here: 'pass', there: 'regressed' });
    const worse = await motif(['check', '--against', 'other'], { after, env: testEnv, send: toBoth(bad, bad) });
    expect(worse.exitCode).toBe(1);
    const shown = (await motif(['check', '--against', 'other'], { after, env: testEnv, send: toBoth(bad) })).stdout;
    expect(shown).toMatch(
      /^against other: 3 differences \(here \/ there\) in 1 case\n {2}card {2}s\.motif\.yaml:\d+ {2}verdict pass \/ regressed, outcome blocked \/ answered, tokens .* \/ .*$/m,
    );
    const onlyNew = await motif(['check', '--against', 'other', '--only-new'], {
      after,
      env: testEnv,
      send: toBoth(bad, bad),
    });
    expect(onlyNew.exitCode).toBe(0);
    const isNew = await motif(['check', '--against', 'other', '--only-new'], {
      after,
      env: testEnv,
      send: toBoth(guarded().send, bad),
    });
    expect(isNew.exitCode).toBe(1);
  });
});

test('--against the Motif that is asked anyway is said', async () => {
  const after = await loginToOther();
  const argv = ['check', '--against', 'other'];
  const same = await motif(argv, { after, env: {}, send: guarded().send });
  expect(same.stderr).toMatch(
    /^motif: --against other asks the same Motif a second time: https:\/\/other\.example\S+$/m,
  );
  const two = await motif(argv, { after, env: testEnv, send: guarded().send });
  expect(two.stderr).not.toContain('a second time');
});

describe('--against a Motif that could not be asked', () => {
  const refused: typeof bad = guarded({
    card: { status: 401, body: { error: 'no' } },
    greets: { status: 401, body: { error: 'no' } },
  }).send;

  test('is 11 with the reason once, and no difference of any case', async () => {
    const after = await loginToOther();
    const argv = ['check', '--against', 'other'];
    const run = await motif(argv, { after, env: testEnv, send: toBoth(refused) });
    expect(run.exitCode).toBe(11);
    expect(run.stdout).toContain('against other: 0 differences; 2 cases could not be verified there (greets, card): ');
    expect(run.stdout).toMatch(/^UNVERIFIED .*2 unverified on the other Motif, 2 pass of 2/m);
    expect(run.stderr.match(/motif login/g)).toHaveLength(1);
    const forms = ['junit', 'ctrf', 'markdown', 'html'] as const;
    const reports = forms.flatMap((form) => ['--report', `${form}=r.${form}`]);
    await motif([...argv, ...reports], { after, env: testEnv, send: toBoth(refused) });
    const [xml, ctrf, ...pages] = forms.map((form) => readFileSync(join(after.folder, `r.${form}`), 'utf8'));
    expect(xml).toMatch(/<testsuites [^>]*failures="0" errors="2"/);
    expect(xml!.match(/<error message="could not be verified on other: [^"]+" type="auth">/g)).toHaveLength(2);
    expect(JSON.parse(ctrf!)).toMatchObject({ results: { summary: { tests: 2, passed: 0, other: 2 } } });
    for (const page of pages) expect(page).toMatch(/2 cases could not be verified there \(`?greets`?, `?card`?\): /);
    const document = await motif([...argv, '--json'], { after, env: testEnv, send: toBoth(refused) });
    expect(parse(document.stdout).against).toMatchObject({
      differences: [],
      unverified: [
        { id: 'greets', file: 's.motif.yaml', line: expect.any(Number) },
        { id: 'card', file: 's.motif.yaml', line: expect.any(Number) },
      ],
      error: { kind: 'auth', exit_code: 8 },
    });
    const tolerant = await motif([...argv, '--max-unverified', '2'], { after, env: testEnv, send: toBoth(refused) });
    expect(tolerant.exitCode).toBe(0);
  });
});

describe('--shard and merge', () => {
  const cases = Array.from({ length: 20 }, (_, index) => `  - { id: c${index}, prompt: Say hello }`).join('\n');
  const many = { 'a.motif.yaml': `cases:\n${cases}\n` };

  test('four shards, one report; a missing one is 2', async () => {
    const first = await check(['--list'], { files: many });
    const sizes: number[] = [];
    for (const index of [1, 2, 3, 4]) {
      const argv = ['check', '--shard', `${index}/4`, '--report', `blob=p${index}.json`, '--json'];
      const run = await motif(argv, { after: first.world, send: guarded().send });
      expect(run.exitCode).toBe(0);
      sizes.push(parse(run.stdout).totals.cases);
    }
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20);
    const blobs = ['p1.json', 'p2.json', 'p3.json', 'p4.json'];
    const merged = await motif(['check', 'merge', ...blobs, '--json', '--report', 'junit=all.xml'], {
      after: first.world,
      env: {},
    });
    expect(merged.exitCode).toBe(0);
    expect(parse(merged.stdout).cases.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `c${index}`),
    );
    expect(readFileSync(join(first.world.folder, 'all.xml'), 'utf8').match(/<testcase/g)).toHaveLength(20);
    const partial = await motif(['check', 'merge', ...blobs.slice(1)], { after: first.world, env: {} });
    expect(partial).toMatchObject({ exitCode: 2, stdout: '' });
    expect(partial.stderr).toContain('part 1 of 4 is missing');
  });

  test('an empty shard is 0 and a blob', async () => {
    const run = await check(['s.motif.yaml:3', '--shard', '1/50', '--report', 'blob=p.json']);
    const other = await check(['s.motif.yaml:3', '--shard', '2/50', '--report', 'blob=p.json']);
    expect([run.exitCode, other.exitCode]).toEqual([0, 0]);
    expect(readFileSync(join(other.world.folder, 'p.json'), 'utf8')).toContain('"suite"');
  });
});
