import { expect, test } from 'vitest';
import type { TextsSize } from '../../../src/gateway/contract.ts';
import { JudgingTurns } from '../../../src/gateway/server/judging-turns.ts';

const signal = new AbortController().signal;

/** Turns on clocks that only the work of the test moves. */
function turns() {
  let now = 0;
  const done: string[] = [];
  const judging = new JudgingTurns(() => now);
  const take = (
    holder: string,
    ms: number,
    { isShort, size, ...more }: { signal?: AbortSignal; isShort?: boolean; size?: TextsSize } = {},
  ) =>
    judging.take(
      { holder, signal, ...more },
      () => {
        now += ms;
        done.push(holder);
        return holder;
      },
      isShort,
      size,
    );
  return { judging, take, done, pass: (ms: number) => (now += ms) };
}

const round = () => new Promise(setImmediate);

test('work is done at once where a round has room', () => {
  const { take, done } = turns();
  expect([take('one', 4), take('one', 5)]).toEqual(['one', 'one']);
  expect(done).toEqual(['one', 'one']);
});

test('a round is short, and tokens take turns in it, however much one of them asks for', async () => {
  const { take, done } = turns();
  const all = Array.from({ length: 50 }, () => Promise.resolve(take('noisy', 30)));
  const other = Promise.all([take('other', 1), take('third', 1), take('other', 1)]);
  expect(done).toEqual(['noisy']);
  await round();
  await round();
  expect(done).toEqual(['noisy', 'noisy']);
  expect(await other).toEqual(['other', 'third', 'other']);
  expect(done.filter((holder) => holder === 'noisy').length).toBeLessThan(5);
  expect(await Promise.all(all)).toHaveLength(50);
});

test('Motifs share the time before their tokens do: a hundred tokens of one wait for each other alone', async () => {
  const { take, done } = turns();
  const all = Array.from({ length: 100 }, (_, index) => Promise.resolve(take(`busy t${index}`, 30)));
  await round();
  await round();
  await take('other t', 1);
  await take('other t', 1);
  expect(done.length).toBeLessThan(8);
  expect(await Promise.all(all)).toHaveLength(100);
});

test('while new connections come, each work is followed by as much time for others, in as many rounds as these take', async () => {
  const { judging, take, done, pass } = turns();
  judging.noteConnection();
  const all = [4, 4, 4].map((ms) => Promise.resolve(take('one', ms)));
  const rounds: number[] = [];
  for (let passed = 0; done.length < 3; passed++) {
    await round();
    judging.noteConnection();
    rounds.push(done.length);
    pass(1);
    if (passed > 50) throw new Error('the work is never done');
  }
  // The time of the two rounds in which all of it was held back counts as well.
  expect(rounds).toEqual([0, 0, 1, 1, 2, 2, 2, 2, 3]);
  pass(21);
  await round();
  await round();
  expect([take('two', 2), take('two', 2)]).toEqual(['two', 'two']);
  await Promise.all(all);
});

test('while new connections come, a process that stood still in its work does not rest for as long again', async () => {
  const { judging, take, done, pass } = turns();
  judging.noteConnection();
  const all = [6000, 1].map((ms) => Promise.resolve(take('one', ms)));
  let passed = 0;
  for (; done.length < 2 && passed < 1000; passed += 5) {
    judging.noteConnection();
    await round();
    if (done.length > 0) pass(5);
  }
  expect(passed).toBeLessThan(400);
  pass(21);
  await Promise.all(all);
});

test('while new connections come, work is held back until it is seen that its client has reset the connection', async () => {
  const { judging, take, done } = turns();
  judging.noteConnection();
  const resets = [new AbortController(), new AbortController()];
  const left = Promise.allSettled(resets.map((each) => Promise.resolve(take('one', 5, { signal: each.signal }))));
  const stays = Promise.resolve(take('one', 5));
  await round();
  for (const each of resets) each.abort();
  expect(done).toEqual([]);
  expect((await left).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await stays, done]).toEqual(['one', ['one']]);
});

test('while new connections come, short work is done at once, up to the same time in a round', async () => {
  const { judging, take, done, pass } = turns();
  judging.noteConnection();
  const held = Promise.resolve(take('long', 0.4));
  const all = [1, 2, 3, 4].map(() => Promise.resolve(take('one', 0.4, { isShort: true })));
  expect(done).toEqual(['one', 'one', 'one']);
  pass(21);
  expect(await Promise.all([held, ...all])).toEqual(['long', 'one', 'one', 'one', 'one']);
});

test('while new connections come, rounds that are long for others leave judging as much time as they do otherwise', async () => {
  const { judging, take, done, pass } = turns();
  judging.noteConnection();
  const all = Array.from({ length: 100 }, () => Promise.resolve(take('one', 0.5)));
  // In the first two it is held back.
  for (let passed = 0; passed < 7; passed++) {
    judging.noteConnection();
    pass(6);
    await round();
  }
  expect(done.length).toBeGreaterThanOrEqual(45);
  expect(done.length).toBeLessThanOrEqual(55);
  pass(21);
  await Promise.all(all);
});

test('a token with many small prompts waits for one long piece of others, however many tokens have them', async () => {
  const { take, done } = turns();
  const noisy = ['first', 'second', 'third', 'fourth'];
  const all = noisy.flatMap((holder) => Array.from({ length: 9 }, () => Promise.resolve(take(holder, 30))));
  while (done.length < 9) await round();
  await Promise.all(Array.from({ length: 20 }, () => Promise.resolve(take('small', 0.1))));
  expect(done.lastIndexOf('small')).toBeLessThan(9 + 20 + 2);
  expect(await Promise.all(all)).toHaveLength(36);
});

test.each(['busy', 'busy1', 'other'])(
  'what takes little comes before what may take long of fifty tokens that all begin anew, in whichever Motif: %s',
  async (motif) => {
    const { take, done } = turns();
    const begin = () =>
      Array.from({ length: 50 }, (_, at) =>
        Promise.resolve(
          take(`busy${at % 5 === 0 ? '' : at % 5} t${at}`, 30, { size: { characters: 16_000, texts: 1 } }),
        ),
      );
    for (let times = 0; times < 2; times++) {
      const all = begin();
      const before = done.length;
      await take(`${motif} small`, 1, { size: { characters: 1000, texts: 1 } });
      expect(done.length - before).toBeLessThan(3);
      await Promise.all(all);
    }
  },
);

test('a token that did much is not kept waiting by one that begins and does as much', async () => {
  const { take, done } = turns();
  const all = ['early', 'late'].map((holder) => Array.from({ length: 40 }, () => Promise.resolve(take(holder, 30))));
  await Promise.all(all.flat());
  expect(done.slice(0, 40).filter((holder) => holder === 'early').length).toBeGreaterThan(18);
});

test('a token that had much done in small pieces is not kept waiting by one that comes anew with long ones', async () => {
  const { take, done } = turns();
  const many = (holder: string, count: number, ms: number) =>
    Promise.all(Array.from({ length: count }, () => Promise.resolve(take(holder, ms))));
  const heavy = many('heavy', 40, 30);
  await many('small', 100, 3);
  const before = done.length;
  const anew = many('anew', 9, 30);
  await many('small', 10, 1);
  expect(done.length - before).toBeLessThan(10 + 4);
  await Promise.all([heavy, anew]);
});

test('a round in which work took long has none in its end, so that others are heard between two', async () => {
  const { take, done } = turns();
  const heard: number[] = [];
  const all = ['first', 'second', 'third'].map((holder) => Promise.resolve(take(holder, 30)));
  while (done.length < 3) {
    await round();
    heard.push(done.length);
  }
  await Promise.all(all);
  expect(heard).toEqual([1, 2, 2, 3]);
});

test('a round that was long makes room in the next one, however late the processor comes to it', async () => {
  const { take, done, pass } = turns();
  void take('noisy', 30);
  pass(60_000);
  const waits = take('noisy', 30);
  expect(done).toEqual(['noisy']);
  expect(await waits).toBe('noisy');
  await round();
  expect(take('other', 1)).toBe('other');
});

test('who has gone while waiting is not judged', async () => {
  const { take, done } = turns();
  const gone = new AbortController();
  void take('noisy', 30);
  const waits = take('leaves', 1, { signal: gone.signal });
  gone.abort();
  await expect(waits).rejects.toMatchObject({ code: 'client_gone' });
  expect(done).toEqual(['noisy']);
});

test('a failure is that of whoever asked, at once and later', async () => {
  const { judging, take } = turns();
  const fails = () => {
    throw new Error('no');
  };
  expect(() => judging.take({ holder: 'one', signal }, fails)).toThrow('no');
  void take('noisy', 30);
  await expect(judging.take({ holder: 'one', signal }, fails)).rejects.toThrow('no');
  expect(await take('one', 1)).toBe('one');
});

test('work counts by what it says that it read, too, for one round', async () => {
  const { judging } = turns();
  const done: string[] = [];
  const read = (holder: string) =>
    judging.take({ holder, signal }, () => {
      judging.noteWork(300_000);
      done.push(holder);
    });
  const all = ['one', 'one', 'one', 'two'].map((holder) => Promise.resolve(read(holder)));
  expect(done).toEqual(['one', 'one']);
  await Promise.all(all);
  expect(done).toEqual(['one', 'one', 'one', 'two']);
});
