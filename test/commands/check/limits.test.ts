import { expect, test } from 'vitest';
import { check } from '../../support/rooms/check.ts';
import { answered, service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

const perMinute = 600;
const rows = Array.from({ length: 650 }, (_, index) => `{"id":"c${index}","prompt":"Hi","expect":"answered"}\n`);
const files = { 'c.jsonl': rows.join('') };

/** A service that answers a number of prompts in each minute of its clock, and refuses the others until the next. */
async function checkLimited(argv: readonly string[], retryAfter: boolean) {
  let world: FakeWorld | undefined;
  const answers = service({ body: answered });
  const byMinute = new Map<number, number>();
  let refused = 0;
  const run = await check(['c.jsonl', ...argv], {
    files,
    prepare: (made) => void (world = made),
    send: (request, options) => {
      const now = world!.now();
      const minute = Math.floor(now / 60_000);
      const count = (byMinute.get(minute) ?? 0) + 1;
      byMinute.set(minute, count);
      if (count <= perMinute) return answers.send(request, options);
      refused += 1;
      const headers = retryAfter ? { 'retry-after': String(Math.ceil(((minute + 1) * 60_000 - now) / 1000)) } : {};
      return service({ status: 429, body: { error: 'too many' }, headers }).send(request, options);
    },
  });
  return { run, refused, minutes: byMinute.size };
}

test.each([
  { name: 'that says when to come back is obeyed', argv: [], retryAfter: true, refusedMax: 24 },
  { name: 'is kept to by --rpm', argv: ['--rpm', '600'], retryAfter: false, refusedMax: 0 },
])('a limit of 600 a minute $name, and every case is verified', async ({ argv, retryAfter, refusedMax }) => {
  const { run, refused, minutes } = await checkLimited(argv, retryAfter);
  expect(run.stdout).toContain('650 cases: 650 pass');
  expect(run.exitCode).toBe(0);
  expect(refused).toBeLessThanOrEqual(refusedMax);
  expect(minutes).toBe(2);
});
