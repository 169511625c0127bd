import type { Input } from '../../src/world/world.ts';

export type InputSetup =
  | string
  | Uint8Array
  /** `typed` holds one chunk an entry, for a terminal; it may wait for the program between two of them. */
  | { readonly typed: Iterable<string> | AsyncIterable<string> }
  /** Chunk by chunk, of the kind given. */
  | {
      readonly chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
      readonly kind?: 'pipe' | 'file';
      readonly identity?: string;
    }
  /** A pipe that never speaks and never ends. */
  | { readonly silent: true };

interface FakeInput {
  readonly stdin: Input;
  readonly modes: readonly ('raw' | 'cooked')[];
}

/** Stdin from a list; what one reader leaves, the next one finds. */
export function createFakeInput(setup: InputSetup | undefined, interrupted: AbortSignal): FakeInput {
  const modes: ('raw' | 'cooked')[] = [];
  const source = sourceOf(setup);
  let pending: Promise<IteratorResult<string | Uint8Array>> | undefined;
  const stdin: Input = {
    kind: kindOf(setup),
    identity: typeof setup === 'object' && 'chunks' in setup ? setup.identity : undefined,
    async *chunks(signal) {
      const either = signal === undefined ? interrupted : AbortSignal.any([interrupted, signal]);
      const end = aborted(either);
      for (;;) {
        either.throwIfAborted();
        pending ??= source.next();
        const result = await Promise.race([pending, end]);
        either.throwIfAborted();
        if (result === undefined) continue;
        if (result.done) return;
        pending = undefined;
        yield Buffer.from(result.value);
      }
    },
    setRaw: (on) => void modes.push(on ? 'raw' : 'cooked'),
  };
  return { stdin, modes };
}

function kindOf(setup: InputSetup | undefined): Input['kind'] {
  if (setup === undefined) return 'none';
  if (typeof setup === 'string' || setup instanceof Uint8Array) return 'pipe';
  if ('typed' in setup) return 'terminal';
  return 'chunks' in setup ? (setup.kind ?? 'pipe') : 'pipe';
}

async function* sourceOf(setup: InputSetup | undefined): AsyncGenerator<string | Uint8Array> {
  if (setup === undefined) return;
  if (typeof setup === 'string' || setup instanceof Uint8Array) yield setup;
  else if ('typed' in setup) yield* setup.typed;
  else if ('chunks' in setup) yield* setup.chunks;
  else await new Promise(() => {});
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return undefined;
}
