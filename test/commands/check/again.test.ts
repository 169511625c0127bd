import { expect, test } from 'vitest';
import { againBehind, againOf } from '../../../src/commands/check/again.ts';
import { type CheckFlags, checkFlags } from '../../../src/commands/check/check-flags.ts';
import type { World } from '../../../src/world/world.ts';
import { check, guarded } from '../../support/rooms/check.ts';
import { answered } from '../../support/service.ts';

/** Flags by their field: a value as it is read, and the words that the second run repeats; none for those it drops. */
const rows: Readonly<Record<string, readonly [value: unknown, words: string]>> = {
  demo: [true, '--demo'],
  local: ['g w.yaml', "--local 'g w.yaml'"],
  live: [true, '--live'],
  as: ['bo', '--as bo'],
  tags: ['pii and not slow', "--tags 'pii and not slow'"],
  ids: [['a', 'b'], '--id a --id b'],
  lastFailed: [true, ''],
  shard: ['2/3', '--shard 2/3'],
  list: [true, ''],
  dryRun: [true, ''],
  concurrency: [4, '-j 4'],
  rpm: [60, '--rpm 60'],
  repeat: [3, '--repeat 3'],
  bail: [2, '--bail 2'],
  watch: [true, ''],
  allowCommands: [true, '--allow-commands'],
  prove: [true, '--prove'],
  baseline: ['run.json', '--baseline run.json'],
  replay: ['run.json', '--replay run.json'],
  against: ['staging', '--against staging'],
  onlyNew: [true, '--only-new'],
  maxMissedBlocks: [{ amount: 1, isPercent: false }, '--max-missed-blocks 1'],
  maxFalseBlocks: [{ amount: 0.5, isPercent: true }, '--max-false-blocks 0.5%'],
  maxUnverified: [{ amount: 2, isPercent: false }, '--max-unverified 2'],
  failOnFlaky: [true, '--fail-on-flaky'],
  strict: [true, '--strict'],
  reports: [[{ kind: 'junit', file: 'out.xml' }], ''],
  reportText: ['all', ''],
  verbose: [true, ''],
  json: [true, ''],
  profile: ['staging', '-p staging'],
  url: ['https://gw.example', '--url https://gw.example'],
  motif: ['bot', '--motif bot'],
  tenant: ['acme', '--tenant acme'],
  timeout: ['20s', '--timeout 20s'],
  connectTimeout: ['5s', '--connect-timeout 5s'],
  cacert: ['ca.pem', '--cacert ca.pem'],
  cert: ['me.pem', '--cert me.pem'],
  key: ['me.key', '--key me.key'],
  proxy: ['http://127.0.0.1:3128', '--proxy http://127.0.0.1:3128'],
  allowHttp: [true, '--allow-http'],
  retries: ['0', '--retries 0'],
};

test('every flag of check has a row', () => {
  expect(Object.keys(rows).sort()).toEqual(checkFlags.flatMap(({ fields }) => Object.keys(fields)).sort());
});

test.each(Object.entries(rows).map(([field, [value, words]]) => ({ field, value, words })))(
  'the second run with $field: $words',
  ({ field, value, words }) => {
    const line = againOf(['s.yaml'], { [field]: value } as CheckFlags, undefined);
    // A proof needs all cases.
    const end = field === 'prove' ? [] : ['--last-failed'];
    expect(line).toBe(['motif check s.yaml', ...(words === '' ? [] : [words]), ...end].join(' '));
  },
);

test('names the part that auto meant, for another shell has other variables', async () => {
  const env = {
    MOTIF_URL: 'https://gw.example/api/v1/apps/support-bot',
    MOTIF_TOKEN: 'mtf_test_4Zq9Lw7Yb2Xn8Vc3',
    CI_NODE_INDEX: '1',
    CI_NODE_TOTAL: '1',
  };
  const run = await check(['--shard', 'auto'], { env, send: guarded({ card: { body: answered } }).send });
  expect(run.stdout).toMatch(/^again: motif check --shard 1\/1 --last-failed$/m);
});

test.each([
  { folder: '/home/ana/project', line: 'motif serve -c g.yaml -- motif check --last-failed' },
  { folder: '/home/ana/other', line: undefined },
])('a run below motif serve of $folder: $line', ({ folder, line }) => {
  const serving = { url: 'http://127.0.0.1:1', folder, gateway: '/g.yaml', words: 'motif serve -c g.yaml' };
  const world = { files: { absolute: () => '/home/ana/project' } } as unknown as World;
  expect(againBehind(serving, 'motif check --last-failed', world)).toBe(line);
});
