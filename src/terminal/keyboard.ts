import { promptBytesMax } from '../text/limits.ts';
import type { Output, World } from '../world/world.ts';
import { type Key, KeyReader, marksPastes } from './keys.ts';
import { TypedChunks } from './typed-chunks.ts';

/** The terminal's keys between open and close, also while something else is being done. */
export interface Keyboard extends Attention {
  /** Undefined: the terminal has gone. Rejects with the reason when `interrupted` aborts. */
  read(): Promise<Key | undefined>;
  /** As Ctrl-Z does: the terminal as the shell had it until `fg`; then ours again. */
  suspend(): Promise<void>;
  /** Called after the terminal was somebody else's without our knowing: what was drawn may be gone. */
  onReturn(listener: () => void): void;
}

/** Ctrl-C and the terminal, in both ways of reading what a person types. */
export interface Attention {
  /** Ctrl-C aborts its signal, Ctrl-Z suspends; everything else that is typed meanwhile is kept for the next read. */
  whileWorking<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The terminal as the shell had it, for an editor or a pager, then ours again. */
  lending<T>(work: () => Promise<T>): Promise<T>;
  /** Puts everything back; calling it again does nothing. */
  close(): void;
}

type KeyboardWorld = Pick<World, 'env' | 'stdin' | 'monotonic' | 'sleep' | 'onInterrupt' | 'onContinue' | 'suspend'>;

/** The time that an escape character waits for the rest of a sequence, over a slow line too, before it is the key. */
const settleMs = 50;
/** A paste that has brought nothing for this long may have lost its end, and Ctrl-C gets out of it. */
const stalledPasteMs = 1000;
const pasteMarkersOn = '\u001b[?2004h';
const pasteMarkersOff = '\u001b[?2004l';
const interruptCharacter = 3;
const interruptName = 'ctrl-c';
const suspendName = 'ctrl-z';

/** Raw mode and bracketed paste until `close`; the world puts both back whatever ends the process. */
export function openKeyboard(world: KeyboardWorld, output: Output): Keyboard {
  return new OpenKeyboard(world, output);
}

class OpenKeyboard implements Keyboard {
  readonly #world: KeyboardWorld;
  readonly #output: Output;
  readonly #reader: KeyReader;
  #keys: Key[] = [];
  #keptUnits = 0;
  /** Undefined while the terminal is lent, and from `close` on. */
  #typed: TypedChunks | undefined;
  #isClosed = false;
  #lastReadAt = 0;
  #working: AbortController | undefined;
  #isToSuspend = false;
  #wake: () => void = () => {};
  #onReturn: () => void = () => {};
  readonly #forget: readonly (() => void)[];

  constructor(world: KeyboardWorld, output: Output) {
    this.#world = world;
    this.#output = output;
    this.#reader = new KeyReader({ isMarking: marksPastes(world.env) });
    this.#forget = [world.onInterrupt(() => this.#interrupt()), world.onContinue(() => this.#comeBack())];
    this.#take();
  }

  async read(): Promise<Key | undefined> {
    while (this.#keys.length === 0 && this.#typed?.isOver === false) {
      await this.#listen(this.#typed, new Promise<void>((wake) => (this.#wake = wake)));
    }
    const key = this.#keys.shift();
    this.#keptUnits -= unitsOf(key);
    return key;
  }

  async whileWorking<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const working = new AbortController();
    this.#working = working;
    let isDone = false;
    const result = work(working.signal).finally(() => (isDone = true));
    const end = result.then(noop, noop);
    this.#addAgain();
    try {
      while (!isDone && this.#typed?.isOver === false) {
        await this.#listen(this.#typed, end);
        // At once: what is typed next is meant for the shell, and must not become the next text.
        if (this.#isToSuspend) await this.suspend();
      }
      await end;
    } catch {
      // The program is to end; the work was told by the same signal, and how it ends counts.
    }
    return result.finally(() => (this.#working = undefined));
  }

  async lending<T>(work: () => Promise<T>): Promise<T> {
    await this.#giveBack();
    try {
      return await work();
    } finally {
      if (!this.#isClosed) this.#takeAgain();
    }
  }

  async suspend(): Promise<void> {
    this.#isToSuspend = false;
    await this.lending(() => this.#world.suspend());
  }

  onReturn(listener: () => void): void {
    this.#onReturn = listener;
  }

  close(): void {
    this.#isClosed = true;
    for (const forget of this.#forget) forget();
    void this.#giveBack();
    this.#wake();
  }

  /** Waits for keys, for a key's meaning to settle, or for something else. */
  async #listen(typed: TypedChunks, other: Promise<unknown>): Promise<void> {
    const timer = new AbortController();
    const waits = [typed.arrival(), other];
    if (this.#reader.isUnsettled) waits.push(this.#settleSoon(timer.signal));
    await Promise.race(waits).finally(() => timer.abort());
    const chunk = typed.take();
    if (chunk === undefined) return;
    this.#add(this.#isWayOut(chunk) ? this.#reader.endPaste() : this.#reader.feed(chunk));
    this.#lastReadAt = this.#world.monotonic();
  }

  async #settleSoon(signal: AbortSignal): Promise<void> {
    await this.#world.sleep(settleMs, signal);
    this.#add(this.#reader.settle());
  }

  #isWayOut(chunk: Uint8Array): boolean {
    const isAlone = chunk.length === 1 && chunk[0] === interruptCharacter;
    return this.#reader.isPasting && isAlone && this.#world.monotonic() - this.#lastReadAt >= stalledPasteMs;
  }

  #add(keys: readonly Key[]): void {
    for (const key of keys) {
      const pressed = key.kind === 'press' && this.#working !== undefined ? key.name : undefined;
      if (pressed === interruptName) this.#working?.abort();
      else if (pressed === suspendName) this.#isToSuspend = true;
      else if (this.#keptUnits + unitsOf(key) <= 2 * promptBytesMax) {
        this.#keys.push(key);
        this.#keptUnits += unitsOf(key);
      }
    }
    this.#wake();
  }

  /** Keys of the read that began the work: a Ctrl-C among it is meant for the work. */
  #addAgain(): void {
    this.#keptUnits = 0;
    this.#add(this.#keys.splice(0));
  }

  /** SIGINT of somebody else's, for a terminal in raw mode sends none. */
  #interrupt(): void {
    if (this.#typed !== undefined) this.#add([{ kind: 'press', name: interruptName }]);
  }

  #comeBack(): void {
    if (this.#typed === undefined) return;
    // The mode that the shell left is not known, and to set the one that we believe in would do nothing.
    this.#world.stdin.setRaw(false);
    this.#world.stdin.setRaw(true);
    this.#output.write(pasteMarkersOn).catch(noop);
    this.#onReturn();
  }

  /** Takes the terminal back; where it has gone, the result of the work is not lost. */
  #takeAgain(): void {
    try {
      this.#take();
    } catch {
      this.#typed = undefined;
    }
  }

  #take(): void {
    this.#world.stdin.setRaw(true);
    this.#output.undoAtEnd(pasteMarkersOff);
    this.#output.write(pasteMarkersOn).catch(noop);
    this.#typed = new TypedChunks(this.#world.stdin);
  }

  async #giveBack(): Promise<void> {
    const typed = this.#typed;
    if (typed === undefined) return;
    this.#typed = undefined;
    this.#world.stdin.setRaw(false);
    await typed.leave();
    await this.#output.write(pasteMarkersOff).catch(noop);
    if (this.#typed === undefined) this.#output.undoAtEnd('');
  }
}

function unitsOf(key: Key | undefined): number {
  return key === undefined || key.kind === 'press' ? 1 : key.text.length;
}

function noop(): void {}
