import { stat } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { atOnce, createPause, inTurns, inTurnsOf, nextRoundIfAny } from '../../src/text/turns.ts';

/** Work of pieces that take so many milliseconds each. */
function working(...pieces: readonly number[]) {
  const clock = { at: 0, turns: [] as number[] };
  function* work(): Generator<void, string> {
    for (const ms of pieces) {
      clock.at += ms;
      yield;
    }
    return 'done';
  }
  const nextTurn = async (): Promise<void> => void clock.turns.push(clock.at);
  return { clock, work: work(), inTurns: () => inTurns(work(), nextTurn, () => clock.at) };
}

test.each([
  { name: 'no piece', pieces: [], turns: [] },
  { name: 'less than a turn', pieces: [1, 1, 1], turns: [] },
  { name: 'pieces that fill a turn', pieces: [3, 2, 3, 2, 2], turns: [5, 10] },
  { name: 'pieces that each take longer', pieces: [30, 1, 30], turns: [30, 61] },
])('gives others their turn whenever a turn is full: $name', async ({ pieces, turns }) => {
  const { clock, inTurns: run } = working(...pieces);
  expect([await run(), clock.turns]).toEqual(['done', turns]);
});

test('where somebody gives the turns, all of the work is done in them, and no more in one than fills it', async () => {
  const { clock, work } = working(3, 2, 3, 2, 30, 1);
  const turns: number[] = [];
  const give = async <P>(part: () => P): Promise<P> => {
    const before = clock.at;
    const result = part();
    turns.push(clock.at - before);
    return result;
  };
  expect(await inTurnsOf(work, give, () => clock.at)).toBe('done');
  expect(turns).toEqual([5, 5, 30, 1]);
});

test('a loop that waits gives others their turn whenever a turn is full', async () => {
  const clock = { at: 0, turns: [] as number[] };
  const pause = createPause(
    async () => void clock.turns.push(clock.at),
    () => clock.at,
  );
  for (const ms of [3, 2, 3, 2, 1, 30, 1]) {
    clock.at += ms;
    await pause();
  }
  expect(clock.turns).toEqual([5, 10, 41]);
});

test('does all of it at once where nobody waits', () => {
  const { clock, work } = working(30, 30);
  expect([atOnce(work), clock]).toEqual(['done', { at: 60, turns: [] }]);
});

describe.each([
  { name: 'by itself', nextTurn: undefined },
  { name: 'for work that need not end', nextTurn: nextRoundIfAny },
])('hears between the pieces, $name,', ({ nextTurn }) => {
  const piecesMax = 200;

  test.each<{ what: string; hear: (done: () => void) => void }>([
    { what: 'timers', hear: (done) => setTimeout(done, 1) },
    { what: 'files', hear: (done) => stat('/', done) },
    {
      what: 'sockets',
      hear: (done) => void createServer().listen(0, '127.0.0.1').on('listening', hearConnection(done)),
    },
  ])('$what', async ({ hear }) => {
    const clock = { at: 0, pieces: 0, isHeard: false };
    hear(() => (clock.isHeard = true));
    function* work(): Generator<void, boolean> {
      for (; clock.pieces < piecesMax && !clock.isHeard; clock.pieces += 1) {
        // Longer than the shortest timer.
        for (const until = performance.now() + 3; performance.now() < until;);
        yield void (clock.at += 30);
      }
      return clock.isHeard;
    }
    expect(await inTurns(work(), nextTurn, () => clock.at)).toBe(true);
  });
});

function hearConnection(done: () => void) {
  return function connectTo(this: Server): void {
    const { port } = this.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1', () => {
      done();
      socket.destroy();
      this.close();
    });
  };
}
