import type { Worker } from 'node:cluster';

/** A message by which Node hands a connection to a worker, and the worker's to say that it has taken it. */
interface HandingOver {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes the connections that were on their way to a worker when it ended. Node keeps one open until a worker says that
 * it has taken it, so that its client would wait for ever.
 */
export function closeUntaken(worker: Worker): void {
  const { process: child } = worker;
  const underWay = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (message: HandingOver, ...more: unknown[]) => boolean;
  child.send = (message: HandingOver, ...more: unknown[]): boolean => {
    if (message.act === 'newconn' && message.seq !== undefined) underWay.set(message.seq, more[0] as { close(): void });
    return send(message, ...more);
  };
  child.on('internalMessage', ({ ack }: HandingOver) => void (ack !== undefined && underWay.delete(ack)));
  child.once('exit', () => underWay.forEach((connection) => connection.close()));
}
