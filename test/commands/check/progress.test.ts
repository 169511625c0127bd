import { describe, expect, test } from 'vitest';
import { check, guarded } from '../../support/rooms/check.ts';
import { motif, type MotifSetup } from '../../support/motif.ts';
import { answered, blocked, service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';
import '../../support/rooms/gateway-loaded.ts';

/** Sixty cases, each of which takes a second; every tenth is blocked though an answer was expected. */
async function sixty(setup: MotifSetup, argv: readonly string[] = []) {
  let world: FakeWorld | undefined;
  let asked = 0;
  const rows = Array.from({ length: 60 }, (_, index) => `{"id":"c${index}","prompt":"Hi","expect":"answered"}\n`);
  const replies = { answered: service({ body: answered }), blocked: service({ body: blocked }) };
  return check(['c.jsonl', '-j', '1', ...argv], {
    files: { 'c.jsonl': rows.join('') },
    sleeps: 'held',
    prepare: (made) => void (world = made),
    send: async (request, options) => {
      await world?.advance(1000);
      asked += 1;
      return (asked % 10 === 0 ? replies.blocked : replies.answered).send(request, options);
    },
    ...setup,
  });
}

test('on a terminal a line tells how many, how fast, how long, and what came out, and is gone at the end', async () => {
  const { stderr } = await sixty({ stderr: { columns: 80 } });
  const frames = stderr.split('\r');
  expect(frames).toContain('30 of 60 · 1/s · 30 s left · 3 blocked · 3 failed\u001b[K');
  expect(frames.at(-1)).toBe('\u001b[K');
});

test.each([
  { columns: 41, shown: '30 of 60 · 1/s · 30 s left · 3 blocked' },
  // The echo of Ctrl-C would stand in the last column and begin another row, which nothing clears.
  { columns: 40, shown: '30 of 60 · 1/s · 30 s left' },
])('on a terminal of $columns columns the last counts go as a whole', async ({ columns, shown }) => {
  const { stderr } = await sixty({ stderr: { columns } });
  expect(stderr.split('\r')).toContain(`${shown}\u001b[K`);
});

test.each([
  { name: 'a pipe', setup: {}, argv: [] },
  { name: 'a terminal under -q', setup: { stderr: { columns: 80 } }, argv: ['-q'] },
])('$name sees none of it', async ({ setup, argv }) => {
  expect((await sixty(setup, argv)).stderr).toBe('');
});

test.each([
  { name: '--accessible', argv: ['--accessible'], env: {} },
  { name: 'a terminal that cannot redraw', argv: [], env: { TERM: 'dumb' } },
])('$name: nothing moves', async ({ argv, env }) => {
  const { stderr } = await sixty({ stderr: { columns: 80 }, env }, argv);
  expect(stderr).not.toContain('\r');
});

describe('while no case ends the line tells that time passes', () => {
  const frames = (stderr: string) => stderr.split('\r').map((frame) => frame.replace('\u001b[K', ''));

  let world: FakeWorld | undefined;

  /** Two cases whose answers take three seconds each. */
  async function slow(argv: readonly string[], setup: MotifSetup = {}) {
    const { send } = guarded();
    const run = await check(['-j', '1', ...argv], {
      prepare: (made) => void (world = made),
      sleeps: 'held',
      stderr: { columns: 80 },
      send: async (request, options) => {
        for (const ms of [300, 1000, 1700]) await world?.advance(ms);
        return send(request, options);
      },
      ...setup,
    });
    return frames(run.stderr);
  }

  test('soon for the first time, then each second, and never after the end', async () => {
    const seen = await slow([]);
    expect(seen.slice(1, 4)).toEqual(['0 of 2 · 0.3 s elapsed', '0 of 2 · 1.3 s elapsed', '0 of 2 · 3 s elapsed']);
    expect(seen.at(-1)).toBe('');
  });

  test('at a rate that falls, and a time left that grows', async () => {
    let asked = 0;
    const seen = await slow(['c.jsonl'], {
      files: { 'c.jsonl': '{"prompt":"Hi","expect":"answered"}\n'.repeat(20) },
      prepare: (made) => void (world = made),
      send: async (request, options) => {
        asked += 1;
        const waits = asked === 10 ? Array.from({ length: 20 }, () => 1000) : [500];
        for (const ms of waits) await world?.advance(ms);
        return guarded().send(request, options);
      },
    });
    const rates = seen.flatMap((frame) => /^9 of 20 · ([\d.]+)\/s/.exec(frame)?.[1] ?? []);
    expect(rates.length).toBeGreaterThan(10);
    expect(Number(rates[0])).toBeGreaterThan(1.5);
    expect(Number(rates.at(-1))).toBeLessThan(0.5);
  });

  test('--against: the other Motif is waited for with a count of its own', async () => {
    const argv = [
      'login',
      'https://other.example/api/v1/apps/o',
      '-p',
      'other',
      '--no-verify',
      '--token-file',
      'token',
    ];
    const login = await motif(argv, { env: {}, files: { token: 'mtf_test_other_token_1234\n' } });
    const seen = await slow(['--against', 'other'], { after: login.world });
    expect(seen).toContain('asking the other Motif · 0 judged · 1.3 s elapsed');
    expect(seen).toContain('asking the other Motif · 1 judged · 4.3 s elapsed');
  });

  test('--prove: in a process that gives no timer a turn', async () => {
    let now = 0;
    const run = await motif(['check', '--local', 'gateway.yaml', '--prove'], {
      env: {},
      files: { 'gateway.yaml': gatewayFile, 's.motif.yaml': suite },
      sleeps: 'held',
      stderr: { columns: 80 },
      prepare: (world) => void Object.assign(world, { monotonic: () => (now += 50) }),
    });
    expect(frames(run.stderr)).toContainEqual(
      expect.stringMatching(/^proving the policies · \d+ judged · [\d.]+ s elapsed$/),
    );
  });
});

const gatewayFile = `tenant: acme
providers: { openai: { kind: openai, base_url: https://api.openai.com/v1, key: "\${OPENAI_API_KEY}" } }
policies: { house: { kind: words, words: [project-x] } }
motifs: { bot: { provider: openai, model: m, policies: [house] } }
`;
const suite = 'cases: [{ id: x, prompt: Tell me about project-x, expect: blocked }]\n';
