import { expect, test } from 'vitest';
import { createLog } from '../../../src/gateway/records/log.ts';
import { watchClocks } from '../../../src/gateway/server/clock-watch.ts';

test.each([
  { name: 'time only passes', wall: 10_000, run: 10_000, boot: 10_000, says: [] },
  { name: 'the machine is a little late', wall: 11_500, run: 11_000, boot: 11_500, says: [] },
  { name: 'the machine slept', wall: 70_000, run: 10_000, boot: 70_000, says: ['this machine slept 60'] },
  {
    name: 'the clock was set forward',
    wall: 3_610_000,
    run: 10_000,
    boot: 10_000,
    says: ['the clock of this machine was set 3600'],
  },
  {
    name: 'the clock was set back',
    wall: -7_190_000,
    run: 10_000,
    boot: 10_000,
    says: ['the clock of this machine was set -7200'],
  },
])('where $name, the log says: $says', ({ wall, run, boot, says }) => {
  const logged: string[] = [];
  const log = createLog({ write: (line) => void logged.push(line), now: () => 0, level: 'info' });
  const clock = { wall: 1_000_000, run: 500, boot: 9000 };
  let check = (): void => undefined;
  watchClocks({
    now: () => clock.wall,
    monotonic: () => clock.run,
    sinceBoot: () => clock.boot,
    log,
    every: (_ms, call) => ((check = call), () => undefined),
  });
  clock.wall += wall;
  clock.run += run;
  clock.boot += boot;
  check();
  const lines = logged.map((line) => JSON.parse(line) as { message: string; seconds: number });
  expect(lines.map(({ message, seconds }) => `${message} ${seconds}`)).toEqual(says);
});
