/** A person at a keyboard: chunks that the program gets one after the other, once it has taken those before. */
interface Typing {
  readonly typed: AsyncIterable<string>;
  /** Resolves when the program has read the chunk and done whatever it does at once. */
  readonly press: (...chunks: readonly string[]) => Promise<void>;
  /** The terminal goes away. */
  readonly hangUp: () => Promise<void>;
}

export function createTyping(): Typing {
  const waiting: string[] = [];
  let isOver = false;
  let wake = (): void => {};
  async function* chunks(): AsyncGenerator<string> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (isOver) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  };
  return {
    typed: chunks(),
    async press(...pressed) {
      for (const chunk of pressed) {
        waiting.push(chunk);
        wake();
        await settle();
      }
    },
    async hangUp() {
      isOver = true;
      wake();
      await settle();
    },
  };
}
