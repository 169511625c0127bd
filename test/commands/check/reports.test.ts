import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportKinds } from '../../../src/suites/reports/table.ts';
import { check, files, guarded } from '../../support/rooms/check.ts';
import { loggedIn } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { answered } from '../../support/service.ts';

describe('the subject of a report', () => {
  const other = `${new URL(testUrl).origin}/api/v1/apps/other`;

  test.each([
    { name: 'the profile', argv: [], env: {}, subject: 'bot-here', profile: 'bot-here' },
    { name: 'another address', argv: ['--url', other], env: {}, subject: 'other', profile: null },
    { name: 'an address of the environment', argv: [], env: { MOTIF_URL: other }, subject: 'other', profile: null },
    {
      name: 'another Motif of the profile',
      argv: ['-p', 'bot-here', '--motif', 'other'],
      env: {},
      subject: 'other',
      profile: 'bot-here',
    },
  ])('is what was asked: $name', async ({ argv, env, subject, profile }) => {
    const after = await loggedIn([testUrl, '-p', 'bot-here']);
    const run = await motif(['check', '--report', 'junit=check.xml', '--json', ...argv], {
      after,
      files,
      send: guarded().send,
      env: { MOTIF_TOKEN: testToken, ...env },
    });
    expect(JSON.parse(run.stdout)).toMatchObject({
      name: subject,
      profile,
      summary: expect.stringContaining(` ${subject}: `),
    });
    const xml = readFileSync(join(run.world.folder, 'check.xml'), 'utf8');
    expect(xml).toContain(`<testsuites name="${subject}"`);
  });
});

describe('reports', () => {
  test('the time of a JUnit report is that of its suites together, though cases run at once', async () => {
    const after = await check([], { send: guarded().send });
    const run = await motif(['check', '--report', 'junit=check.xml'], { after: after.world, send: guarded().send });
    const xml = readFileSync(join(run.world.folder, 'check.xml'), 'utf8');
    const times = (name: string) =>
      [...xml.matchAll(new RegExp(`<${name} [^>]*time="([0-9.]+)"`, 'g'))].map(([, time]) => Number(time));
    const sum = times('testsuite').reduce((all, each) => all + each, 0);
    expect(times('testsuites')).toEqual([sum]);
  });

  test('one case is counted in the singular', async () => {
    const run = await check([], { files: { 'a.motif.yaml': 'cases: [{ prompt: a }]' } });
    expect(run.stdout).toMatch(/^1 case: 1 pass/);
  });

  test('-v shows what was asked, on one line, wherever the texts are kept', async () => {
    const suite = 'cases: [{ id: a, prompt: "How long\\nmay I keep it?", answer: { contains: [zzz] } }]';
    const asked = '      asked: How long may I keep it?\n';
    const rows = [
      { argv: ['-v'], isShown: true },
      { argv: [], isShown: false },
      { argv: ['-v', '--report-text', 'none'], isShown: false },
      { argv: ['-v', '--report', 'brief'], isShown: true },
    ];
    for (const { argv, isShown } of rows) {
      const run = await check(argv, { files: { 'a.motif.yaml': suite } });
      expect(run.exitCode).toBe(1);
      expect(run.stdout.includes(asked), run.stdout).toBe(isShown);
      expect(run.stdout.includes('asked:')).toBe(isShown);
    }
    const narrow = await check(['-v'], { files: { 'a.motif.yaml': suite }, stdout: { columns: 30 } });
    expect(narrow.stdout).toContain('      asked: How long may I k…');
  });

  test('- is stdout, and no file of that name', async () => {
    const run = await check(['--report', 'json=-']);
    expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 0 });
    expect(readdirSync(run.world.folder)).not.toContain('-');
    const twice = await check(['--report', 'json=-', '--report', 'junit=-']);
    expect(twice).toMatchObject({ exitCode: 2, stdout: '' });
    expect(twice.stderr).toContain('json and junit cannot both go to stdout');
  });

  test.each([
    { where: 'on a terminal', stderr: { columns: 80 }, says: 'motif: written: r.xml, r.html\n' },
    { where: 'elsewhere', stderr: {}, says: '' },
  ])('files that were written are named $where', async ({ stderr, says }) => {
    const run = await check(['--report', 'junit=r.xml', '--report', 'html=r.html'], { stderr });
    expect(run.stderr.replace(/\r.*\r|\u001b\[[0-9;?]*[A-Za-z]/g, '')).toContain(says);
    expect(run.stderr.includes('written')).toBe(says !== '');
  });

  test('a shard without a case says so, and is no failure', async () => {
    const shards = await Promise.all([1, 2, 3, 4, 5].map(async (index) => check(['--shard', `${index}/5`])));
    const empty = shards.findIndex(({ stdout }) => stdout.includes('no case belongs'));
    expect(shards[empty]).toMatchObject({ exitCode: 0, stdout: `no case belongs to shard ${empty + 1}/5\n` });
  });

  test('several at once, each 0600, and stdout stays for people', async () => {
    const run = await check(
      reportKinds.flatMap((kind) => ['--report', `${kind}=out/${kind}`]),
      { files: { ...files, 'out/.keep': '' } },
    );
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/^2 cases: 2 pass/);
    const folder = join(run.world.folder, 'out');
    const written = readdirSync(folder).filter((name) => name !== '.keep');
    expect(written.sort()).toEqual(reportKinds.toSorted());
    expect(written.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(written.map(() => 0o600));
  });

  test.each([
    { text: 'failed', has: ['Hello from the service'], not: [] },
    { text: 'none', has: [], not: ['Hello from the service', 'Say hello', '4111'] },
    { text: 'all', has: ['Hello from the service', 'Say hello', '4111'], not: [] },
  ])('--report-text $text', async ({ text, has, not }) => {
    const run = await check(['--json', '--report-text', text], { send: guarded({ card: { body: answered } }).send });
    expect(has.filter((each) => !run.stdout.includes(each))).toEqual([]);
    expect(not.filter((each) => run.stdout.includes(each))).toEqual([]);
  });

  test('an outage is no failure of a nightly JUnit, and a regression beside it is one', async () => {
    const down = { status: 500, body: { error: 'broken' } };
    const junitOf = async (send: Parameters<typeof check>[1] & object) => {
      const run = await check(['--retries', '0', '--report', 'junit=check.xml'], send);
      return { exitCode: run.exitCode, xml: readFileSync(join(run.world.folder, 'check.xml'), 'utf8') };
    };
    const outage = await junitOf({ send: guarded({ card: down, greets: down }).send });
    expect(outage.exitCode).toBe(11);
    expect(outage.xml).toMatch(/<testsuites [^>]*tests="2" failures="0" errors="2"/);
    const both = await junitOf({ send: guarded({ card: { body: answered }, greets: down }).send });
    expect(both.exitCode).toBe(1);
    expect(both.xml).toMatch(/<testsuites [^>]*tests="2" failures="1" errors="1"/);
  });

  test('a report that cannot be written is refused before anything is sent', async () => {
    const { send, requests } = guarded();
    const run = await check(['--report', 'junit=no/such/folder.xml'], { send });
    expect(run.exitCode).toBe(2);
    expect(requests()).toEqual([]);
  });

  test('Ctrl-C: what was found out is written, and says that it is a part', async () => {
    const cases = Array.from({ length: 20 }, (_, index) => `  - { id: c${index}, prompt: x }`).join('\n');
    let sent = 0;
    const run = await check(['-j', '1', '--report', 'json=part.json'], {
      files: { 'a.motif.yaml': `cases:\n${cases}\n` },
      prepare: (world) => {
        const { send } = guarded();
        Object.assign(world, {
          send: async (...request: Parameters<typeof send>) => {
            if (++sent === 3) world.interrupt();
            return await send(...request);
          },
        });
      },
    });
    expect(run.signal).toBe('SIGINT');
    const part = JSON.parse(readFileSync(join(run.world.folder, 'part.json'), 'utf8')) as {
      ok: boolean;
      exit_code: number;
      interrupted: boolean;
      totals: { left: number; pass: number };
    };
    expect(part).toMatchObject({ ok: false, exit_code: 130, interrupted: true });
    expect(part.totals.left).toBeGreaterThan(15);
    expect(run.stdout).toContain('interrupted: ');
    expect(run.stdout).toMatch(/ exit 130$/m);
  });
});
