/** Work in pieces: it yields wherever others may have their turn. */
export type Piecework<T> = Generator<void, T>;

/** The longest that work in pieces holds others up, but for its last piece. */
const turnMs = 5;

/** Items that are worked on before others may have their turn, where each takes some microseconds. */
const itemsPerPiece = 256;

/** The results of `make` for each item, in order. */
export function* eachInPieces<T, U>(items: readonly T[], make: (item: T, index: number) => U): Piecework<U[]> {
  const made: U[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    if (index % itemsPerPiece === 0) yield;
  }
  return made;
}

/** Does all of the work now, where nobody waits meanwhile. */
export function atOnce<T>(work: Piecework<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Does the work in turns of the event loop, so that prompts are answered meanwhile. */
export async function inTurns<T>(work: Piecework<T>, nextTurn = nextRound, now = clock): Promise<T> {
  for (;;) {
    const { done, value } = oneTurnOf(work, now);
    if (done === true) return value;
    await nextTurn();
  }
}

/** Does the work in turns that somebody gives, who takes the time of all such work together. */
export async function inTurnsOf<T>(
  work: Piecework<T>,
  give: <P>(part: () => P) => P | Promise<P>,
  now = clock,
): Promise<T> {
  for (;;) {
    const { done, value } = await give(() => oneTurnOf(work, now));
    if (done === true) return value;
  }
}

function oneTurnOf<T>(work: Piecework<T>, now: () => number): IteratorResult<void, T> {
  for (const endsAt = now() + turnMs; ;) {
    const step = work.next();
    if (step.done === true || now() >= endsAt) return step;
  }
}

/**
 * Returns what a loop that waits awaits behind each step: others have their turn once a turn is full. To read a file is
 * waited for, and yet takes the turn of all others.
 */
export function createPause(nextTurn = nextRound, now = clock): () => Promise<void> {
  let endsAt = now() + turnMs;
  return async () => {
    if (now() < endsAt) return;
    await nextTurn();
    endsAt = now() + turnMs;
  };
}

const clock = (): number => performance.now();

export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Rounds of the event loop for work that ends, rejecting with the reason, once the signal aborts. */
export function roundsUntil(signal: AbortSignal | undefined): () => Promise<void> {
  return async () => {
    signal?.throwIfAborted();
    await nextRound();
  };
}

/** The same for work that a process which is told to end does not finish. */
export function nextRoundIfAny(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0).unref());
}

/**
 * Returns a function that does the work of a reload, one after the other, so that what was read last is what stays.
 * One that waits to begin stands for all that are asked for meanwhile, for it reads the files later than that.
 */
export function inTurnOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  return () => {
    last = waiting ??= last.then(() => {
      waiting = undefined;
      return work();
    });
    return waiting;
  };
}
