import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A client over TLS whose records, one for each part, may be sent together: Node's own puts them into one. */
export async function heldTls(port: number): Promise<{
  readonly client: TLSSocket;
  readonly sendTogether: (parts: readonly string[]) => Promise<void>;
}> {
  const below = connectPlain(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void below.destroy());
  let held: Buffer[] | undefined;
  const side = new Duplex({
    read: () => void below.resume(),
    write(record: Buffer, _encoding, written) {
      if (held === undefined) below.write(record);
      else held.push(record);
      written();
    },
  });
  below.on('data', (bytes: Buffer) => side.push(bytes) || below.pause());
  const client = connect({ socket: side, rejectUnauthorized: false });
  await once(client, 'secureConnect');
  return {
    client,
    async sendTogether(parts) {
      const records: Buffer[] = (held = []);
      for (const part of parts) await new Promise((resolve) => client.write(part, resolve));
      held = undefined;
      below.write(Buffer.concat(records));
    },
  };
}
