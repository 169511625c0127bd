import { describe, expect, test } from 'vitest';
import { check, files, guarded, suite } from '../../support/rooms/check.ts';
import { motif, testEnv } from '../../support/motif.ts';
import { answered, blocked } from '../../support/service.ts';

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

  test('a line before all cases: the command that lists them is of the whole suite', async () => {
    const run = await check(['s.motif.yaml:1']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('no case is selected: none begins at s.motif.yaml:1 or before\n');
    const [, words = ''] = /^ {2}motif (check .*--list) shows them/m.exec(run.stderr)!;
    const typed = await motif(words.split(' '), { after: run.world, env: testEnv });
    expect(typed.stdout).toContain('greets\ts.motif.yaml:3');
  });

  test.each([
    { argv: ['checks'], found: ['checks/a.motif.yaml', 'checks/deep/b.motif.yaml'] },
    { argv: ['./checks/'], found: ['checks/a.motif.yaml', 'checks/deep/b.motif.yaml'] },
    { argv: ['[odd] *'], found: ['[odd] */d.motif.yaml'] },
    { argv: ['checks/deep', 's.motif.yaml'], found: ['checks/deep/b.motif.yaml', 's.motif.yaml', 's.motif.yaml'] },
  ])('a folder stands for the suites below it: $argv', async ({ argv, found }) => {
    const one = 'cases: [{ prompt: hi }]';
    const below = ['checks/a', 'checks/deep/b', 'checks/node_modules/x/c', '[odd] */d', 'o/d'];
    const suites = Object.fromEntries(below.map((name) => [`${name}.motif.yaml`, one]));
    const run = await check([...argv, '--list', '--json'], { files: { ...files, ...suites } });
    const { items } = JSON.parse(run.stdout) as { items: { file: string }[] };
    expect(items.map(({ file }) => file)).toEqual(found);
  });

  test('--list and --dry-run send nothing and need no login', async () => {
    const listed = await check(['--list'], { env: {} });
    expect(listed).toMatchObject({ exitCode: 0 });
    expect(listed.stdout).toBe('greets\ts.motif.yaml:3\tanswered\tsmoke\ncard\ts.motif.yaml:4\tblocked\tpii\n');
    const planned = await check(['--dry-run'], { env: {} });
    expect(planned).toMatchObject({ exitCode: 0 });
    expect(planned.stdout).toBe('2 cases, at most 2 prompts to no Motif yet; nothing was sent\n');
  });

  test.each([
    { written: '', repeat: 3, asked: 3, passes: 3 },
    { written: 'repeat: 5', repeat: 10, asked: 10, passes: 10 },
    { written: 'repeat: 5', repeat: 1, asked: 1, passes: 1 },
    { written: 'repeat: 5, min_pass: 4', repeat: 10, asked: 10, passes: 8 },
    { written: 'repeat: 5, min_pass: 4', repeat: 3, asked: 3, passes: 3 },
  ])(
    '--repeat $repeat outranks "$written": $passes of $asked must pass',
    async ({ written, repeat, asked, passes }) => {
      const one = { 's.motif.yaml': `cases: [{ id: one, prompt: hi, ${written} }]` };
      const flag = ['--repeat', String(repeat)];
      const planned = await check([...flag, '--dry-run'], { files: one });
      expect(planned.stdout).toContain(`1 case, at most ${asked} prompt`);
      for (const [good, exitCode] of [
        [passes, 0],
        [passes - 1, 1],
      ] as const) {
        let count = 0;
        const send = guarded().send;
        const blocking = guarded({ greets: { body: blocked } }).send;
        const run = await check([...flag, '--json'], {
          files: one,
          send: async (...sent) => (count++ < good ? send(...sent) : blocking(...sent)),
        });
        expect(run.exitCode).toBe(exitCode);
        expect(count).toBe(asked);
        expect(JSON.parse(run.stdout)).toMatchObject({ cases: [{ repeat: asked, passes: good }] });
      }
    },
  );

  test('--last-failed asks again what failed, and says so once nothing did', async () => {
    const first = await check([], { send: guarded({ card: { body: answered } }).send });
    const again = await motif(['check', '--last-failed', '--json'], { after: first.world, send: guarded().send });
    expect((JSON.parse(again.stdout) as { cases: { id: string }[] }).cases.map(({ id }) => id)).toEqual(['card']);
    const green = await motif(['check', '--last-failed'], { after: first.world, send: guarded().send });
    expect(green).toMatchObject({ exitCode: 0, stdout: '' });
    expect(green.stderr).toContain('nothing failed in the last run of s.motif.yaml');
    const written = await motif(['check', '--last-failed', '--json'], { after: first.world, send: guarded().send });
    expect(written.exitCode).toBe(0);
    expect(JSON.parse(written.stdout)).toMatchObject({ cases: [], exit_code: 0 });
  });

  test.each([
    { name: 'no run is known', env: {}, why: '' },
    { name: 'nothing is remembered, as in CI', env: { CI: 'true' }, why: ', for none is kept where CI=true' },
  ])('--last-failed asks all cases where $name', async ({ env, why }) => {
    const first = await check(['--last-failed', '--json'], { env: { ...testEnv, ...env } });
    expect((JSON.parse(first.stdout) as { cases: { id: string }[] }).cases.map(({ id }) => id)).toEqual([
      'greets',
      'card',
    ]);
    expect(first.stderr).toContain(`no earlier run of s.motif.yaml is known here${why}: all cases are asked`);
  });

  test('--last-failed knows a run in which nothing failed', async () => {
    const first = await check([]);
    const green = await motif(['check', '--last-failed'], { after: first.world, send: guarded().send });
    expect(green).toMatchObject({ exitCode: 0, stdout: '' });
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

test('a part that is torn or foreign: check merge says the report that makes parts', async () => {
  const torn = await check(['merge', 'part.json'], { files: { 'part.json': '{"cases":' } });
  expect(torn).toMatchObject({ exitCode: 2, stdout: '' });
  expect(torn.stderr).toContain('it has to be what --report blob=FILE wrote');
});
