import type { Output } from '../world/world.ts';

/** Rows that already fit: each at most as wide as the terminal, nothing in them but what may reach a terminal. */
export interface Frame {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The last rows of a terminal, drawn again and again; what is above them is never touched. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Writes only what differs from the frame before. */
  draw(frame: Frame): Promise<void>;
  /** Leaves what is drawn where it is; whatever is written next starts on a line of its own. */
  leave(): Promise<void>;
  /** The next frame is drawn whole: somebody else has written. */
  forget(): void;
  /** An empty terminal, with the next frame at its top. */
  clear(): Promise<void>;
  /** Called when the terminal got another size; the next frame is drawn for it. */
  onResize(listener: () => void): () => void;
}

export function openScreen(_output: Output, _env: Readonly<Record<string, string | undefined>>): Screen {
  throw new Error('not built yet');
}
