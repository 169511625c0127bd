import type { Output, World } from '../world/world.ts';
import type { Key } from './keys.ts';

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
  /** Ctrl-C aborts its signal; everything else that is typed meanwhile is kept for the next read. */
  whileWorking<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The terminal as the shell had it, for an editor or a pager, then ours again. */
  lending<T>(work: () => Promise<T>): Promise<T>;
  /** Puts everything back; calling it again does nothing. */
  close(): void;
}

export type KeyboardWorld = Pick<World, 'stdin' | 'interrupted' | 'sleep' | 'onInterrupt' | 'onContinue' | 'suspend'>;

/** Raw mode and bracketed paste until `close`; the world puts both back whatever ends the process. */
export function openKeyboard(_world: KeyboardWorld, _output: Output): Keyboard {
  throw new Error('not built yet');
}
