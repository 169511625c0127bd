import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, files, guarded, suite } from '../../support/check.ts';
import { motif } from '../../support/motif.ts';
import { answered } from '../../support/service.ts';

describe('selection', () => {
  test.each([
    { argv: ['--tags', 'pii'], ids: ['card'] },
    { argv: ['--id', 'greets'], ids: ['greets'] },
    { argv: ['s.motif.yaml:4'], ids: ['card'] },
    { argv: ['s.motif.yaml:3'], ids: ['greets'] },
    { argv: ['--tags', 'not pii'], ids: ['greets'] },
  ])('$argv', async ({ argv, ids }) => {
    const run = await check([...argv, '--json']);
    expect((JSON.parse(run.stdout) as { cases: { id: string }[] }).cases.map(({ id }) => id)).toEqual(ids);
  });

  test('--list and --dry-run send nothing and need no login', async () => {
    const listed = await check(['--list'], { env: {} });
    expect(listed).toMatchObject({ exitCode: 0 });
    expect(listed.stdout).toBe('greets  s.motif.yaml:3  answered  smoke\ncard    s.motif.yaml:4  blocked   pii\n');
    const planned = await check(['--dry-run'], { env: {} });
    expect(planned).toMatchObject({ exitCode: 0 });
    expect(planned.stdout).toBe('2 cases, at most 2 prompts to no Motif yet; nothing was sent\n');
  });

  test('--last-failed asks again what failed, and says so once nothing did', async () => {
    const first = await check([], { send: guarded({ card: { body: answered } }).send });
    const again = await motif(['check', '--last-failed', '--json'], { after: first.world, send: guarded().send });
    expect((JSON.parse(again.stdout) as { cases: { id: string }[] }).cases.map(({ id }) => id)).toEqual(['card']);
    const green = await motif(['check', '--last-failed'], { after: first.world, send: guarded().send });
    expect(green).toMatchObject({ exitCode: 0, stdout: '' });
    expect(green.stderr).toContain('nothing failed in the last run');
  });

  test('every suite below this folder, but for what belongs to packages', async () => {
    const run = await check(['--list'], {
      files: { ...files, 'deep/t.motif.yaml': suite, 'node_modules/x/u.motif.yaml': suite, '.git/v.motif.yaml': suite },
    });
    expect([...new Set(run.stdout.match(/\S+\.yaml/g))]).toEqual(['deep/t.motif.yaml', 's.motif.yaml']);
  });
});

describe('files of rows', () => {
  test('are suites by themselves, and may stand in for cases of a suite', async () => {
    const csv = 'id,prompt,expect,contains\nhi,Say hello,answered,Hello\n"a,b",My card is 4111,blocked,\n';
    const yaml = 'cases:\n  - { each: rows.csv, id: "x-${id}", prompt: "${prompt}", expect: "${expect}" }\n';
    const run = await check(['rows.csv', 'e.motif.yaml', '--json'], {
      files: { 'rows.csv': csv, 'e.motif.yaml': yaml },
    });
    expect(run.exitCode).toBe(0);
    const { cases } = JSON.parse(run.stdout) as { cases: { id: string; file: string; line: number }[] };
    expect(cases.map(({ id, file, line }) => `${id} ${file}:${line}`)).toEqual([
      'hi rows.csv:2',
      'a,b rows.csv:3',
      'x-hi rows.csv:2',
      'x-a,b rows.csv:3',
    ]);
  });
});

describe('check init and check schema', () => {
  test('a first suite passes on the demo, and is never overwritten', async () => {
    const first = await motif(['check', 'init'], { env: {} });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'smoke.motif.yaml\n' });
    const run = await motif(['check', 'smoke.motif.yaml', '--demo'], { env: {}, after: first.world });
    expect(run.stdout).toMatch(/^4 cases: 4 pass · must block 2\/2 · must answer 2\/2/);
    expect(await motif(['check', 'init'], { env: {}, after: first.world })).toMatchObject({ exitCode: 2 });
  });

  test.each([
    { name: 'of admin init', policies: undefined, says: 'two controls and two blocks, and guards of no-secrets;' },
    {
      name: 'that blocks neither',
      policies: '{ pii: { kind: pii, action: redact }, on-answers: { kind: secrets, on: inference } }',
      says: 'two controls and no blocks, and guards of pii, on-answers;',
    },
    {
      name: 'with two policies that find the same',
      policies: '{ one: { kind: pii }, two: { kind: pii, entities: [card, iban] } }',
      says: 'two controls and one block, and guards of one, two;',
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
    const run = await motif(['check', '--local', 'gateway.yaml', '--prove'], { env: {}, after: first.world });
    expect(run.stdout).toMatch(/policies guarded/);
    expect(run.exitCode).toBe(0);
  });

  test.each([
    { name: 'is broken', gateway: 'tenant: 1', says: 'not made for gateway.yaml: ' },
    {
      name: 'has a pattern of its own',
      gateway: `tenant: acme
providers: { m: { kind: mock } }
policies: { own: { kind: regex, patterns: ["x-[0-9]+"] } }
motifs: { bot: { provider: m, policies: [own] } }
`,
      says: 'no case guards own yet: motif check --local gateway.yaml --prove shows what to add',
    },
  ])('a suite is written all the same where the gateway file $name', async ({ gateway, says }) => {
    const first = await motif(['check', 'init'], { env: {}, files: { 'gateway.yaml': gateway } });
    expect(first).toMatchObject({ exitCode: 0, stdout: 'smoke.motif.yaml\n' });
    expect(first.stderr).toContain(says);
  });

  test('the schema is JSON Schema and accepts the keys of a case', async () => {
    const { stdout } = await motif(['check', 'schema'], { env: {} });
    const schema = JSON.parse(stdout) as { $schema: string; properties: { cases: unknown } };
    expect(schema.$schema).toContain('draft-07');
    expect(JSON.stringify(schema.properties.cases)).toContain('provider_saw');
  });
});
