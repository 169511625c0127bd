import { describe, expect, test } from 'vitest';
import { motif, testEnv, testToken, testUrl } from '../../support/motif.ts';
import { check, gatewayOf, guarded, housePolicies, suite } from '../../support/rooms/check.ts';
import { answered } from '../../support/service.ts';
import '../../support/rooms/gateway-loaded.ts';
import { counted } from '../../../src/text/sizes.ts';

const bad = guarded({ card: { body: answered } }).send;
const keptTexts = ['--report-text', 'all', '--report', 'json=run.json'];
const again = ['check', '--last-failed'];
const elsewhere = { MOTIF_URL: 'https://other.example/api/v1/apps/other' };
const noMotif = 'no Motif to ask';
const noToken = 'there is no token for';
const nothingFailed = 'nothing failed in the last run of s.motif.yaml';
const noneKnown = 'no earlier run of s.motif.yaml is known here: all cases are asked';
const otherPlace = 'the last run of s.motif.yaml asked';
const words = [noMotif, noToken, nothingFailed, noneKnown, otherPlace];

/** A world in which the suite failed, in which it was green, or in which it was not run yet. */
const before = {
  red: () => check([], { send: bad }),
  green: () => check([]),
  none: () => check(['--list'], { env: {} }),
};

const noMotifNamed = {};
const noTokenGiven = { MOTIF_URL: testUrl };
const plan = (cases: number, motif = 'no Motif yet') =>
  `${counted(cases, 'case')}, at most ${counted(cases, 'prompt')} to ${motif}; nothing was sent\n`;
const both = 'greets\ts.motif.yaml:3\tanswered\tsmoke\ncard\ts.motif.yaml:4\tblocked\tpii\n';
const card = 'card\ts.motif.yaml:4\tblocked\tpii\n';

/** Exit code, the only one of the words that is said, and stdout of a run without a login. */
const rows = [
  { name: 'no Motif', last: 'red', env: noMotifNamed, argv: [], ends: [3, noMotif, ''] },
  { name: 'no Motif', last: 'none', env: noMotifNamed, argv: [], ends: [3, noMotif, ''] },
  { name: 'no Motif', last: 'green', env: noMotifNamed, argv: [], ends: [0, nothingFailed, ''] },
  { name: 'no token', last: 'red', env: noTokenGiven, argv: [], ends: [3, noToken, ''] },
  { name: 'no token', last: 'green', env: noTokenGiven, argv: [], ends: [0, nothingFailed, ''] },
  { name: 'no token for another Motif', last: 'red', env: elsewhere, argv: [], ends: [3, noToken, ''] },
  { name: 'no token for another Motif', last: 'green', env: elsewhere, argv: [], ends: [3, noToken, ''] },
  { name: 'the list', last: 'red', env: noMotifNamed, argv: ['--list'], ends: [0, undefined, card] },
  { name: 'the list', last: 'green', env: noMotifNamed, argv: ['--list'], ends: [0, nothingFailed, ''] },
  { name: 'the list', last: 'none', env: noMotifNamed, argv: ['--list'], ends: [0, noneKnown, both] },
  { name: 'the plan', last: 'red', env: noMotifNamed, argv: ['--dry-run'], ends: [0, undefined, plan(1)] },
  { name: 'the plan', last: 'green', env: noMotifNamed, argv: ['--dry-run'], ends: [0, nothingFailed, ''] },
  { name: 'the plan', last: 'none', env: noMotifNamed, argv: ['--dry-run'], ends: [0, noneKnown, plan(2)] },
  {
    name: 'the plan at another Motif',
    last: 'red',
    env: elsewhere,
    argv: ['--dry-run'],
    ends: [0, undefined, plan(1, 'other')],
  },
] as const;

describe('--last-failed', () => {
  test.each(rows)('$name, the last run $last', async ({ last, env, argv, ends }) => {
    const { send, requests } = guarded();
    const { world } = await before[last]();
    const run = await motif([...again, ...argv], { after: world, env, send });
    const [said, ...more] = words.filter((each) => run.stderr.includes(each));
    expect([run.exitCode, said, run.stdout]).toEqual(ends);
    expect(more).toEqual([]);
    expect(requests()).toEqual([]);
  });

  test('a report after a green run needs no login', async () => {
    const { world } = await before.green();
    const run = await motif([...again, '--json'], { after: world, env: noMotifNamed });
    expect(run).toMatchObject({ exitCode: 0, stderr: `motif: ${nothingFailed}\n` });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, exit_code: 0, totals: { cases: 0 }, cases: [] });
    const red = (await before.red()).world;
    expect((await motif([...again, '--json'], { after: red, env: noMotifNamed })).exitCode).toBe(3);
  });

  test('a suite for one Motif is no mistake without a login', async () => {
    const ofMotif = { 's.motif.yaml': suite.replace('id: card,', 'id: card, motif: support-bot,') };
    const { world } = await check([], { files: ofMotif });
    const run = (...argv: string[]) => motif(argv, { after: world, env: noMotifNamed });
    expect(await run(...again)).toMatchObject({ exitCode: 0, stderr: `motif: ${nothingFailed}\n` });
    const all = await run('check');
    expect(all.exitCode).toBe(3);
    expect(all.stderr).toContain(noMotif);
    expect(await run('check', '--dry-run')).toMatchObject({ exitCode: 0, stdout: plan(2) });
  });

  test('a replay is not held against the place of the last run, and leaves it as it was', async () => {
    const { world } = await check(keptTexts, { send: bad });
    const replayed = await motif([...again, '--replay', 'run.json'], { after: world, env: {} });
    expect(replayed).toMatchObject({ exitCode: 1, stderr: '' });
    expect(replayed.stdout).toContain('0 pass of 1');
    const live = await motif(again, { after: world, send: bad });
    expect(live).toMatchObject({ exitCode: 1, stderr: '' });
    expect(live.stdout).toContain('0 pass of 1');
    const other = await motif(again, { after: world, env: { ...elsewhere, MOTIF_TOKEN: testToken }, send: bad });
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain(otherPlace);
  });

  test('a replay without a run before it lets any Motif be asked', async () => {
    const { world } = await check(keptTexts, { send: bad, env: { ...testEnv, CI: 'true' } });
    expect((await motif(['check', '--replay', 'run.json'], { after: world, env: {} })).exitCode).toBe(1);
    const live = await motif(again, { after: world, send: bad });
    expect(live).toMatchObject({ exitCode: 1, stderr: '' });
    expect(live.stdout).toContain('0 pass of 1');
  });

  test('--watch judges what failed elsewhere, for it sends nothing', async () => {
    const { world } = await check([], { send: bad });
    const run = await motif([...again, '--local', 'gateway.yaml', '--watch'], {
      after: world,
      env: {},
      files: { 'gateway.yaml': gatewayOf(housePolicies, 'house, keys') },
      prepare: (watching) => Object.assign(watching, { sleep: async () => watching.interrupt() }),
    });
    expect(run).toMatchObject({ signal: 'SIGINT', stderr: '' });
    expect(run.stdout).toContain('0 pass of 1');
  });
});
