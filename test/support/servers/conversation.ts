import fc from 'fast-check';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { type ClientRecords, recordsClient } from './tls-records.ts';

/** Ways in which a client leaves. */
const leaves = {
  resets: (socket: Socket) => void socket.resetAndDestroy(),
  closes: (socket: Socket) => void socket.destroy(),
  ends: (socket: Socket) => void socket.end(),
};

/** The manner in which a client sends what it has to say. */
export interface Manner {
  /** The places at which the bytes are cut. */
  readonly cuts: readonly number[];
  /** The records of TLS in turn: one of so many bytes, or one that holds none. */
  readonly shapes: readonly (number | 'empty' | 'keys' | 'asked keys')[];
  readonly leaves: { readonly how: keyof typeof leaves; readonly afterMs: number } | null;
}

export const manner: fc.Arbitrary<Manner> = fc.record({
  cuts: fc.array(
    fc.nat(999).map((part) => part / 1000),
    { maxLength: 3 },
  ),
  shapes: fc
    .array(fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constantFrom('empty', 'keys', 'asked keys')), { maxLength: 4 })
    .map((others) => [...others, 200]),
  leaves: fc.option(
    fc.record({ how: fc.constantFrom<keyof typeof leaves>('resets', 'closes', 'ends'), afterMs: fc.nat(60) }),
    { freq: 3, nil: null },
  ),
});

/** The answers in what a gateway sent, all of it; beside them nothing but what asks for a body. */
export function answersIn(sent: string) {
  const answers: { status: number; json: Record<string, unknown> }[] = [];
  for (let rest = sent.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', ''); rest !== '';) {
    const [head, status] = /^HTTP\/1\.1 (\d{3}) [ -~]+\r\n(?:[\w-]+: ?[ -~]*\r\n)+\r\n/.exec(rest) ?? [];
    expect(head, `no head: ${rest.slice(0, 200)}`).toBeDefined();
    const end = head!.length + Number(/content-length: (\d+)/.exec(head!)?.[1]);
    answers.push({ status: Number(status), json: JSON.parse(rest.slice(head!.length, end)) });
    rest = rest.slice(end);
  }
  return answers;
}

/** The text in records. */
function inRecords(text: string, records: ClientRecords, shapes: Manner['shapes']): Buffer {
  const made: Buffer[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const shape = shapes[turn % shapes.length]!;
    if (shape === 'empty') made.push(records.data(Buffer.alloc(0), turn));
    else if (typeof shape === 'string') made.push(records.keys(shape === 'asked keys'));
    else made.push(records.data(Buffer.from(text.slice(at, (at += shape)), 'latin1')));
  }
  return Buffer.concat(made);
}

/** Sends the text in pieces, and returns all that came back until the connection was closed. */
export async function exchange(port: number, isTls: boolean, text: string, sent: Manner) {
  const tls = isTls ? await recordsClient(port) : undefined;
  const socket = tls?.below ?? connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay();
  const bytes = tls ? inRecords(text, tls.records, sent.shapes) : Buffer.from(text, 'latin1');
  let received = '';
  const reader = (tls?.client ?? socket).on('error', () => undefined);
  reader.on('data', (part: Buffer) => (received += part.toString('latin1'))).on('end', () => socket.destroy());
  const closed = new Promise((resolve) => reader.on('close', resolve));
  if (sent.leaves !== null) setTimeout(() => leaves[sent.leaves!.how](socket), sent.leaves.afterMs);
  let at = 0;
  for (const cut of [...sent.cuts, 1].toSorted((one, other) => one - other)) {
    if (socket.writable) socket.write(bytes.subarray(at, (at = Math.floor(cut * bytes.length))));
    await wait(2);
  }
  await closed;
  return received;
}
