import { promptBytesMax } from '../text/limits.ts';
import type { World } from '../world/world.ts';
import type { Attention } from './keyboard.ts';
import { TypedChunks } from './typed-chunks.ts';

/** Lines as the terminal itself edits them, where nothing may be redrawn. */
export interface LineInput extends Pick<Attention, 'whileWorking' | 'close'> {
  /** Lines that arrive together are one text. `interrupted`: Ctrl-C; undefined: Ctrl-D, or the terminal has gone. */
  read(): Promise<{ readonly text: string } | 'interrupted' | undefined>;
}

/** The terminal hands over a paste line by line, with hardly any time between two. */
const togetherMs = 25;

export function openLineInput(world: Pick<World, 'stdin' | 'sleep' | 'onInterrupt'>): LineInput {
  return new CookedLines(world);
}

class CookedLines implements LineInput {
  readonly #world: Pick<World, 'stdin' | 'sleep' | 'onInterrupt'>;
  readonly #forget: () => void;
  readonly #typed: TypedChunks;
  #working: AbortController | undefined;
  /** By a Ctrl-C that no work and no read has heard yet. */
  #isInterrupted = false;
  #wake: () => void = () => {};

  constructor(world: Pick<World, 'stdin' | 'sleep' | 'onInterrupt'>) {
    this.#world = world;
    this.#typed = new TypedChunks(world.stdin);
    this.#forget = world.onInterrupt(() => this.#interrupt());
  }

  async read(): ReturnType<LineInput['read']> {
    const interruption = new Promise<void>((resolve) => (this.#wake = resolve));
    const decoder = new TextDecoder();
    let text = '';
    while (!this.#typed.isOver && text.length <= promptBytesMax) {
      const isWhole = text.endsWith('\n');
      await this.#listen(interruption, isWhole);
      if (this.#isInterrupted) {
        this.#isInterrupted = false;
        return 'interrupted';
      }
      const chunk = this.#typed.take();
      if (chunk !== undefined) text += decoder.decode(chunk, { stream: true });
      else if (isWhole) break;
    }
    return text === '' ? undefined : { text: text.replace(/\n$/, '') };
  }

  async whileWorking<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const working = new AbortController();
    this.#working = working;
    try {
      return await work(working.signal);
    } finally {
      this.#working = undefined;
    }
  }

  close(): void {
    this.#forget();
    void this.#typed.leave();
  }

  #interrupt(): void {
    if (this.#working !== undefined) this.#working.abort();
    else this.#isInterrupted = true;
    this.#wake();
  }

  /** Waits for a line or Ctrl-C; behind a whole line, for no longer than what belongs to it takes to come. */
  async #listen(interruption: Promise<void>, isShort: boolean): Promise<void> {
    const timer = new AbortController();
    if (this.#isInterrupted) return;
    const waits = [this.#typed.arrival(), interruption];
    if (isShort) waits.push(this.#world.sleep(togetherMs, timer.signal));
    await Promise.race(waits).finally(() => timer.abort());
  }
}
