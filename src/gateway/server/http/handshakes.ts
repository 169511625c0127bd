import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EncryptedSide, sliceBytes, Turns } from '../../../text/encrypted-side.ts';

/**
 * Gives turns to the handshakes of a server: each costs a millisecond or several, and a client nothing, which can send
 * the same first bytes on thousands of connections at once, and end all of them at once. A connection that has done its
 * handshake is handed on, with a listener for its data.
 */
export function secureInTurns(server: TlsServer, handOn: (socket: Socket) => void): void {
  const [secure] = server.listeners('connection') as ((side: Duplex) => void)[];
  const turns = new Turns();
  /** Called where the connection of which bytes are read has done its handshake. */
  let handOnPresent: (() => void) | undefined;

  function take(socket: Socket): void {
    if (socket.destroyed) return;
    const side = new EncryptedSide(socket);
    const parse = (bytes: Buffer): void => side.tell('data', bytes);
    let [isTurn, isSecure] = [false, false];
    const handOnThis = (): void => {
      isSecure = true;
      socket.removeListener('data', hold).on('data', parse);
      handOn(socket);
    };
    function hold(bytes: Buffer): void {
      const slice = isTurn ? sliceBytes : 0;
      handOnPresent = handOnThis;
      if (isTurn) parse(bytes.subarray(0, slice));
      handOnPresent = undefined;
      if (slice >= bytes.length || socket.destroyed) return;
      // The rest stays in the socket, whose end could come before it otherwise.
      socket.pause().unshift(bytes.subarray(slice));
      if (!isSecure) turns.add(readSlice);
    }
    function readSlice(): void {
      if (socket.destroyed || isSecure) return;
      isTurn = true;
      socket.read();
      isTurn = false;
      if (socket.readableLength === 0 || isSecure) socket.resume();
    }
    socket.on('data', hold);
    // The error of a broken connection is of no use to anybody: its end follows.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close'] as const) socket.once(event, () => turns.add(() => side.tell(event)));
    secure!.call(server, side as unknown as Duplex);
  }

  server.removeListener('connection', secure!).on('connection', take);
  // A handshake ends while its last bytes are read.
  server.on('secureConnection', () => handOnPresent?.());
}
