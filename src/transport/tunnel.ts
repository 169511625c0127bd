import type { Socket } from 'node:net';
import type { TransportError } from '../errors.ts';
import { answerHeaderBytesMax } from '../text/limits.ts';
import type { ProxyRoute } from '../wire/http.ts';
import { headEnd, interimMax, isInterim } from './answer-gate.ts';
import { authority, type Endpoint } from './endpoint.ts';
import { proxyClosed, proxyNotUnderstood, proxyRefusal } from './proxy-faults.ts';

/**
 * Asks a proxy for a way to the target. For an http target too: a proxy that only passes bytes on has no request whose
 * headers, the token among them, it would log or change.
 */
export async function openTunnel(socket: Socket, target: Endpoint, proxy: ProxyRoute): Promise<void> {
  const to = authority(target);
  const credentials =
    proxy.credentials === undefined
      ? ''
      : `Proxy-Authorization: Basic ${Buffer.from(proxy.credentials.reveal()).toString('base64')}\r\n`;
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n${credentials}\r\n`);
  const { head, rest } = await readHead(socket, proxy);
  const [, status, reason] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?\r?\n/.exec(head) ?? [];
  if (status === undefined) throw proxyNotUnderstood(proxy, head);
  if (!status.startsWith('2')) throw proxyRefusal(proxy, to, Number(status), reason ?? '');
  // Nothing was asked of the target yet, so whatever came with the open way is not its answer.
  if (rest.length > 0) throw proxyNotUnderstood(proxy, rest.toString('latin1'));
}

/** The head of its answer; interim ones may come before, as before any answer. */
function readHead(socket: Socket, proxy: ProxyRoute): Promise<{ head: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    let skipped = 0;
    const settle = (outcome: () => void) => {
      socket.off('readable', read).off('end', closed).off('close', closed).off('error', reject);
      outcome();
    };
    const fail = (error: TransportError) => settle(() => reject(error));
    const closed = () =>
      fail(head.length === 0 ? proxyClosed(proxy) : proxyNotUnderstood(proxy, head.toString('latin1')));
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        head = Buffer.concat([head, chunk]);
        for (let at = head.indexOf(headEnd); at !== -1; at = head.indexOf(headEnd)) {
          const end = at + headEnd.length;
          if (!isInterim(head) || skipped === interimMax)
            return settle(() => resolve({ head: head.toString('latin1', 0, end), rest: head.subarray(end) }));
          head = head.subarray(end);
          skipped += 1;
        }
        if (head.length > answerHeaderBytesMax) return fail(proxyNotUnderstood(proxy, head.toString('latin1')));
      }
    };
    socket.on('readable', read).on('end', closed).on('close', closed).on('error', reject);
  });
}
