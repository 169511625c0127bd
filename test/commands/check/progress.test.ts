import { expect, test } from 'vitest';
import { check } from '../../support/check.ts';
import type { MotifSetup } from '../../support/motif.ts';
import { answered, blocked, service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

/** Sixty cases, each of which takes a second; every tenth is blocked though an answer was expected. */
async function sixty(setup: MotifSetup, argv: readonly string[] = []) {
  let world: FakeWorld | undefined;
  let asked = 0;
  const rows = Array.from({ length: 60 }, (_, index) => `{"id":"c${index}","prompt":"Hi","expect":"answered"}\n`);
  const replies = { answered: service({ body: answered }), blocked: service({ body: blocked }) };
  return check(['c.jsonl', '-j', '1', ...argv], {
    files: { 'c.jsonl': rows.join('') },
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
