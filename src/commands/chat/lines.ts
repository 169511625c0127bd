import type { TurnSource } from '../../chat/loop.ts';
import { promptBytesMax } from '../../text/limits.ts';
import type { World } from '../../world/world.ts';
import { decodeText, tooLarge } from '../shared/stdin.ts';

const newline = 0x0a;

/** Stdin as a script writes it: each line is one text, up to its end. */
export function readTurns({ stdin, interrupted }: Pick<World, 'stdin' | 'interrupted'>): TurnSource {
  const lines = splitLines(stdin.chunks(interrupted));
  return {
    async read() {
      const { value, done } = await lines.next();
      return done ? { kind: 'left' } : { kind: 'entered', text: value };
    },
  };
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let count = 0;
  const take = (): string => {
    const text = decodeText(Buffer.concat(parts), `line ${(count += 1)} of stdin`);
    parts = [];
    size = 0;
    return text.replace(/\r$/, '');
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > promptBytesMax) throw tooLarge(`line ${count + 1} of stdin`);
  }
  if (size > 0) yield take();
  return undefined;
}
