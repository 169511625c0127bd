import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, testUrl } from '../../support/motif.ts';
import '../../support/rooms/gateway-loaded.ts';

describe('check init and check schema', () => {
  test('a first suite passes on the demo, and is never overwritten', async () => {
    const first = await motif(['check', 'init'], { env: {} });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'smoke.motif.yaml\n' });
    expect(first.stderr).toMatch(
      /; next: motif check smoke\.motif\.yaml --demo\nmotif: after motif login: motif check smoke\.motif\.yaml\n$/,
    );
    const known = await motif(['check', 'init'], { env: { MOTIF_URL: testUrl } });
    expect(known.stderr).toContain('next: motif check smoke.motif.yaml\n');
    const run = await motif(['check', 'smoke.motif.yaml', '--demo'], { env: {}, after: first.world });
    expect(run.stdout).toMatch(/^4 cases: 4 pass · must block 2\/2 · must answer 2\/2/);
    expect(await motif(['check', 'init'], { env: {}, after: first.world })).toMatchObject({ exitCode: 2 });
  });

  test('check --demo tells of the suites that it leaves out', async () => {
    const none = await motif(['check', '--demo'], { env: {} });
    expect(none).toMatchObject({ exitCode: 0, stderr: '' });
    expect(none.stdout).toMatch(/^4 cases of demo\.motif\.yaml: 4 pass · /);
    const suite = 'cases: [{ prompt: Hi }]';
    const one = await motif(['check', '--demo'], { env: {}, files: { 's.motif.yaml': suite } });
    expect(one.stderr).toBe(
      "motif: the demo's own suite is asked, and one suite of this folder is left out: motif check s.motif.yaml --demo asks it\n",
    );
    const two = await motif(['check', '--demo'], { env: {}, files: { 's.motif.yaml': suite, 't.motif.yaml': suite } });
    expect(two.stderr).toContain('2 suites of this folder are left out: motif check s.motif.yaml t.motif.yaml --demo');
    const own = await motif(['check', 's.motif.yaml', '--demo'], { env: {}, files: { 's.motif.yaml': suite } });
    expect(own.stderr).toBe('');
  });

  test.each([
    { name: 'of admin init', policies: undefined, says: 'two controls and two blocks, and guards of no-secrets;' },
    {
      name: 'that blocks neither',
      policies:
        '{ pii: { kind: pii, entities: [card, email], action: redact }, on-answers: { kind: secrets, on: inference } }',
      says: 'two controls and no blocks, and guards of pii, on-answers;',
    },
    {
      name: 'with two policies that find the same',
      policies: '{ one: { kind: pii, entities: [card, email, iban] }, two: { kind: pii, entities: [card, iban] } }',
      says: 'two controls and one block, and guards of one, two;',
    },
    {
      name: 'with patterns of its own',
      policies:
        '{ ids: { kind: regex, pattern: "EMP-[0-9]{6}" }, all: { kind: regex, pattern: "^(?:internal|secret)$", on: inference } }',
      says: 'two controls and no blocks, and guards of ids, all;',
    },
    {
      name: 'with a limit of length',
      policies:
        '{ long: { kind: length, max_chars: 300, on: prompt }, cut: { kind: length, max_chars: 400, action: redact, on: inference } }',
      says: 'two controls and no blocks, and guards of long, cut;',
    },
  ])('beside a gateway file $name the suite is green, and proved', async ({ policies, says }) => {
    const started = await motif(['admin', 'init'], { env: {} });
    const ours = readFileSync(join(started.world.folder, 'gateway.yaml'), 'utf8');
    const names = policies?.match(/[\w-]+(?=: \{)/g)?.join(', ');
    // Fewer entities are proved sooner.
    const gateway =
      policies === undefined
        ? ours.replace('{ kind: pii }', '{ kind: pii, entities: [card, email] }')
        : `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies: ${policies}
motifs: { bot: { provider: m, policies: [${names}] } }
`;
    const files = { 'gateway.yaml': gateway };
    const first = await motif(['check', 'init'], { env: {}, after: started.world, files });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'smoke.motif.yaml\n' });
    expect(first.stderr).toContain(says);
    expect(first.stderr).not.toContain('no case guards');
    const run = await motif(['check', '--local', 'gateway.yaml', '--prove', '--strict'], {
      env: {},
      after: first.world,
    });
    expect(run.stdout).toMatch(/policies guarded/);
    expect(run.exitCode).toBe(0);
  });

  test.each([
    { name: 'is broken', gateway: 'tenant: 1', says: 'not made for gateway.yaml: ' },
    {
      name: 'has a pattern of its own',
      gateway: `tenant: acme
providers: { m: { kind: mock } }
policies: { own: { kind: regex, patterns: ['\\p{Greek}+'] } }
motifs: { bot: { provider: m, policies: [own] } }
`,
      says: 'no case guards own yet: smoke.motif.yaml says why; what to add: motif check smoke.motif.yaml --local gateway.yaml --prove',
    },
  ])('a suite is written all the same where the gateway file $name', async ({ gateway, says }) => {
    const first = await motif(['check', 'init'], { env: {}, files: { 'gateway.yaml': gateway } });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'smoke.motif.yaml\n' });
    expect(first.stderr).toContain(says);
  });

  test.each([
    { name: 'beside it', argv: ['check', 'init'] },
    { name: 'named by --local', argv: ['check', 'init', '--local', 'gateway.yaml'] },
    { name: 'for attacks', argv: ['check', 'init', '--attacks'] },
  ])('of several Motifs one has to be named, and nothing is written ($name)', async ({ argv }) => {
    const gateway = 'providers: { m: { kind: mock } }\nmotifs: { a: { provider: m }, b: { provider: m } }\n';
    const run = await motif(argv, { env: {}, files: { 'gateway.yaml': gateway } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--motif takes one of a, b');
    expect(readdirSync(run.world.folder)).toEqual(['gateway.yaml']);
    const named = await motif([...argv, '--motif', 'b'], { env: {}, after: run.world });
    expect(named.exitCode).toBe(0);
    expect(named.stderr).toMatch(/left out, because gateway\.yaml [a-z ]+ at b: /);
    // The suite keeps the Motif, so the command that is named next works as it stands.
    const next = /next: motif (check .+)$/m.exec(named.stderr)![1]!;
    const checked = await motif(next.split(' '), { env: {}, after: named.world });
    expect(checked.exitCode).toBe(0);
    expect((await motif(['check', '--local', 'gateway.yaml'], { env: {}, after: named.world })).exitCode).toBe(0);
    const other = await motif([...next.split(' '), '--motif', 'a'], { env: {}, after: named.world });
    expect(other).toMatchObject({ exitCode: 2, stdout: '' });
    expect(other.stderr).toContain('is for the Motif b, but a is asked');
  });

  test('names in the file the policies that no case guards, each with the reason', async () => {
    const files = {
      'gateway.yaml': `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies:
  greek: { kind: regex, pattern: '\\p{Greek}+' }
  huge: { kind: length, max_chars: 1000000 }
  note: { kind: words, words: [kettle], action: warn }
  dlp: { kind: webhook, url: "https://dlp.example" }
motifs: { bot: { provider: m, policies: [greek, huge, note, dlp] } }
`,
    };
    const first = await motif(['check', 'init'], { env: {}, files });
    const text = readFileSync(join(first.world.folder, 'smoke.motif.yaml'), 'utf8');
    expect(text.slice(text.indexOf('  # No case guards')).split('\n')).toEqual([
      '  # No case guards these policies:',
      '  #   greek (regex): motif knows no text that it finds; write a case with one',
      '  #   huge (length): motif knows no text that it finds; write a case with one',
      '  #   note (words): it only warns',
      '  #   dlp (webhook): it asks outside, which only --live does',
      '',
    ]);
    expect(first.stderr).toContain('no case guards greek, huge yet: smoke.motif.yaml says why');
    const run = await motif(['check', '--local', 'gateway.yaml'], { env: {}, after: first.world });
    expect(run.exitCode).toBe(0);
  });

  test('a control that the file does not answer is named, and what passes is proved all the same', async () => {
    const files = {
      'gateway.yaml': `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies: { shape: { kind: schema, schema: { type: object } }, ids: { kind: regex, pattern: "EMP-[0-9]{6}" } }
motifs: { bot: { provider: m, policies: [shape, ids] } }
`,
    };
    const first = await motif(['check', 'init'], { env: {}, files });
    expect(first.stderr).toContain('does not pass on gateway.yaml: greets expected answered, was blocked');
    expect(first.stderr).toContain('two controls and two blocks, and guards of ids;');
  });

  test('a policy that failed guards nothing, and is named', async () => {
    const files = {
      'gateway.yaml': `tenant: acme
providers: { m: { kind: mock, mode: echo } }
limits: { policy_work: 1000000 }
policies: { pii: { kind: pii } }
motifs: { bot: { provider: m, policies: [pii], system: ${'words and 17 '.repeat(80_000)} } }
`,
    };
    const first = await motif(['check', 'init'], { env: {}, files });
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain('left out, because a policy of gateway.yaml failed on it: card-number, take-over');
    expect(first.stderr).toContain('does not pass on gateway.yaml: greets was not judged: a policy could not judge');
    expect(first.stderr).toContain('no case guards pii yet');
    const text = readFileSync(join(first.world.folder, 'smoke.motif.yaml'), 'utf8');
    expect(text).toContain('pii (pii): the case that was tried was not judged: a policy could not judge');
    expect(text).not.toContain('expect: blocked');
  });

  test('a case that was judged and missed is told as such, with what it missed', async () => {
    const files = {
      'gateway.yaml': `tenant: acme
providers: { m: { kind: mock, mode: echo } }
policies: { site: { kind: urls, action: redact, on: prompt, allow: [link.example] } }
motifs: { bot: { provider: m, policies: [site] } }
`,
    };
    const first = await motif(['check', 'init'], { env: {}, files });
    expect(first.exitCode).toBe(0);
    const text = readFileSync(join(first.world.folder, 'smoke.motif.yaml'), 'utf8');
    expect(text).toContain('site (urls): the case that was tried missed provider_saw');
  });

  test('the schema is JSON Schema and accepts the keys of a case', async () => {
    const { stdout } = await motif(['check', 'schema'], { env: {} });
    const schema = JSON.parse(stdout) as { $schema: string; properties: { cases: unknown } };
    expect(schema.$schema).toContain('draft-07');
    expect(JSON.stringify(schema.properties.cases)).toContain('provider_saw');
  });
});
