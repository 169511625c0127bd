import { expect, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { JudgingTurns } from '../../../../src/gateway/server/judging-turns.ts';
import { dial, listening, post, reply } from '../../../support/servers/http-server.ts';

const workMs = 5;
const costly = 100;

test('a new connection does not wait for the work of each of those before it', async () => {
  const clock = (): number => performance.now();
  const judging = new JudgingTurns(clock, clock);
  const { signal } = new AbortController();
  let done = 0;
  let doneBefore = Number.NaN;
  const work = (): void => {
    for (const endsAt = clock() + workMs; clock() < endsAt;);
    done += 1;
  };
  const gateway: Gateway = async ({ headers }) => {
    if (headers.traceparent === undefined) await judging.take({ holder: 'one', signal }, work);
    else doneBefore = done;
    return reply(200, '');
  };
  const { port } = await listening({ gateway, noteConnection: () => judging.noteConnection() });
  const request = 'Content-Length: 0\r\nConnection: close\r\n';
  const others = Array.from({ length: costly }, () => dial(port, post(request)).closed);
  expect(await dial(port, post(`${request}traceparent: 1\r\n`)).closed).toContain('200 OK');
  expect(doneBefore).toBeLessThan(costly / 2);
  await Promise.all(others);
  expect(done).toBe(costly);
});
