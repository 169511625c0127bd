import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { createSend } from '../../../src/transport/send.ts';
import {
  end,
  faultServer,
  readRequest,
  reset,
  send as sendBytes,
  type Step,
  wait,
} from '../../support/servers/fault-server.ts';
import { answer, chunked, http } from './scenes.ts';

/** More for a release: MOTIF_FUZZ_RUNS=50000. */
const runs = Number(process.env.MOTIF_FUZZ_RUNS ?? 1000);

const seeds = [
  answer,
  http('200 OK', ['transfer-encoding: chunked', 'trailer: x'], chunked('{"blocked":false}')),
  http('200 OK', ['connection: close'], '{"blocked":false}'),
  http('100 Continue') + answer,
  http('103 Early Hints', ['link: </x>']) + answer,
  http('204 No Content'),
  http('302 Found', ['location: /x', 'content-length: 0']),
  http('401 Unauthorized', ['www-authenticate: Bearer', 'content-encoding: gzip', 'content-length: 2'], 'no'),
  answer + answer,
];

const edit = fc.oneof(
  fc.record({ at: fc.nat(300), remove: fc.nat(3), insert: fc.string({ maxLength: 4, unit: 'binary-ascii' }) }),
  fc.record({
    at: fc.nat(300),
    remove: fc.constant(1),
    insert: fc.constantFrom('\r\n', '\n', '\0', ':', ' ', '-1', '\xff', '0\r\n\r\n'),
  }),
  fc.record({ at: fc.nat(300), remove: fc.constant(300), insert: fc.constant('') }),
);

function mutate(seed: string, edits: readonly { at: number; remove: number; insert: string }[]): string {
  return edits.reduce((text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove), seed);
}

test(
  'whatever a server sends, there is a reply or a failure with words, and never a crash',
  { timeout: 30_000 + 15 * runs },
  async () => {
    let steps: readonly Step[] = [];
    const server = await faultServer(() => steps);
    const send = createSend({ now: () => Date.now() });
    const ask = () =>
      send(
        { method: 'POST', url: `http://127.0.0.1:${server.port}/`, headers: {}, body: '{}' },
        // A connection object of its own keeps every run on a socket of its own.
        { connection: { connectTimeoutMs: 1000 }, deadlineAt: Date.now() + 1000, bodyBytesMax: 1000 },
      );
    const cut = fc.tuple(fc.nat(200), fc.constantFrom(0, 0, 0, 1));
    const property = fc.asyncProperty(
      fc.constantFrom(...seeds),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      cut,
      fc.constantFrom(end, reset),
      async (seed, edits, [at, pauseMs], ending) => {
        const text = mutate(seed, edits);
        steps = [readRequest, sendBytes(text.slice(0, at)), wait(pauseMs), sendBytes(text.slice(at)), ending];
        const outcome = await ask().catch((error: unknown) => error);
        if (!(outcome instanceof Error)) {
          expect(outcome).toHaveProperty('status');
        } else {
          expect(outcome).toBeInstanceOf(TransportError);
          expect(outcome.message).toMatch(/^[^\p{Cc}]{10,}$/u);
        }
      },
    );
    try {
      await fc.assert(property, { numRuns: runs });
    } finally {
      await server.close();
    }
  },
);
