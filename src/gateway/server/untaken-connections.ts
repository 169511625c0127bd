import type { Worker } from 'node:cluster';

/** A message by which Node hands a connection to a worker, and the worker's to say that it has taken it. */
interface HandingOver {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes the connections that were on their way to a worker when it ended, or that the system did not give it because
 * it has no file descriptor left. Node keeps one open until a worker says that it has taken it, so that its client
 * would wait for ever, and hands that worker no other one.
 */
export function closeUntaken(worker: Worker): void {
  const { process: child } = worker;
  const underWay = new Map<number, { close(): void }>();
  /** Of those that the worker has not said to have or to lack yet, in the order in which they were sent. */
  const unheard: number[] = [];
  const send = child.send.bind(child) as (message: HandingOver, ...more: unknown[]) => boolean;
  child.send = (message: HandingOver, ...more: unknown[]): boolean => {
    if (message.act === 'newconn' && message.seq !== undefined) {
      underWay.set(message.seq, more[0] as { close(): void });
      unheard.push(message.seq);
    }
    return send(message, ...more);
  };
  child.on('internalMessage', ({ cmd, ack }: HandingOver) => {
    if (ack !== undefined) underWay.delete(ack);
    const [heard] = cmd === 'NODE_HANDLE_ACK' || cmd === 'NODE_HANDLE_NACK' ? unheard.splice(0, 1) : [];
    // As if the worker had taken it: Node closes its own end, and hands over the next one.
    if (heard !== undefined && cmd === 'NODE_HANDLE_NACK')
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: heard, accepted: true });
  });
  child.once('exit', () => underWay.forEach((connection) => connection.close()));
}
