import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { oncePerRound, RoundWork, silentWork, workMax, workPerMs } from './round-work.ts';
import {
  closeWithoutStacks,
  type Handle,
  isRead,
  type ServerSocket,
  startReading,
  tellReads,
} from './server-socket.ts';
import { type ReadingWay, type Slicing, sliceBytesMax, sliceBytesMin, untoldOf } from './slices.ts';
import { UnreadConnections } from './unread-connections.ts';

/**
 * The part of the work of a round that goes to requests which came in earlier ones, and the connections in slices that
 * are read again; most of it is for what comes.
 */
const resumedMax = workMax / 4;
/** Work of one connection in one round that makes it wait for others. */
const shareMax = workMax / 4;
/** Requests, headers, or pieces of a body that take as long to read as one request to begin. */
const readsPerRequest = 4;
const headersPerRequest = 32;
const piecesPerRequest = 16;
/** Work of reading a slice from which on the next one of its connection is small, and waits: nine requests. */
const crowdedSlice = 2;
/** Bytes of a connection that wait to be parsed, beyond which no more of it is read. */
const leftUnstopped = 16 * 1024;

/** The way in which the encrypted side of a connection is read: a slice mostly is a part of a record. */
export const encrypted: ReadingWay = { inSlices: true, untold: shareMax / 2, sliceBytes: sliceBytesMax };

/**
 * Limits what is read and begun in one round of the event loop. Node alone reads two megabytes of each connection in a
 * round, which may hold 70,000 requests or 300,000 pieces of a body, and all else would wait for them.
 *
 * Once a round has had enough, no connection is read until the next one, and those that were heard rest until all
 * others were: the system names connections in an order of its own, in which the same ones could come last for ever.
 *
 * A connection that filled much of a round alone is read in slices from then on. Those in slices take turns. Of those
 * that fill their share one is read in every other round, so that what others sent is read in between.
 */
export class ReadingRounds {
  /** Connections whose bytes go to Node's parser as they come, which takes less than to hand them on in slices. */
  readonly #whole = new Set<ServerSocket>();
  readonly #unread = new UnreadConnections();
  /** Those of which no more is read for now. */
  readonly #held = new Set<Socket>();
  /** Those in slices that took their share of a round. */
  readonly #greedy = new Set<ServerSocket>();
  /** Begins a request that waits, of one connection each. */
  readonly #waiting = new Set<() => void>();
  /** Those that were heard in this round, and those that were heard in rounds before it which had enough. */
  readonly #heard = new Set<ServerSocket>();
  readonly #resting = new Set<ServerSocket>();
  readonly #released = new WeakSet<Socket>();
  /** Those of which the last that was told in a round of a flood is a piece of a body that is wanted. */
  readonly #uploads = new Set<Socket>();
  readonly #round = new RoundWork();
  /** The connection that was read last in this round, its work, and the way in which it was read. */
  #last: ServerSocket | undefined;
  #spentByLast = 0;
  #isLastWhole = false;
  /** The connection of which a request or piece was told since the last read. */
  #told: Socket | undefined;
  /** The connection of which a slice is read; above an encrypted one are requests and pieces of another. */
  #inSlice: Socket | undefined;
  /** Work of what was read in this slice, without that of beginning it. */
  #readInSlice = 0;
  readonly #arm = oncePerRound(() => this.#beginRound());
  #isOver = false;
  /** True where the round before had enough. */
  #isFlooded = false;
  #isGreedysTurn = false;
  /** Opens some of the connections that have arrived, and returns the work of that, which it notes. */
  openArrived = (): number => 0;

  add(socket: Socket, way: ReadingWay = {}): void {
    // A connection that comes while others are held back may be part of a flood.
    const { inSlices = this.#isOver || this.#isFlooded || this.#greedy.size + this.#waiting.size > 0 } = way;
    this.#whole.add(socket);
    closeWithoutStacks(socket);
    socket.once('close', () => {
      this.#whole.delete(socket);
      this.#unread.delete(socket);
      this.#held.delete(socket);
      this.#greedy.delete(socket);
      this.#uploads.delete(socket);
      this.#heard.delete(socket);
      this.#resting.delete(socket);
      if (this.#last === socket) this.#last = undefined;
      if (this.#told === socket) this.#told = undefined;
    });
    if (inSlices) this.#slice(socket, way);
    else tellReads(socket, (bytes) => this.#noteBytes(socket, bytes));
    // Whoever rests waits for those alone that were there before.
    if (inSlices && this.#resting.size > 0) this.#resting.add(socket);
  }

  /** Hands no more bytes of a connection to Node's parser, which has let go of it: Node reads another one with it. */
  release(socket: Socket): void {
    this.#released.add(socket);
  }

  /** True where a request that has come may begin at once. */
  hasRoom(): boolean {
    return this.#round.hasRoom();
  }

  noteConnection(): void {
    this.#round.noteConnection();
    this.#arm();
  }

  /** Notes a reply, and the token of its request, undefined where none was accepted. */
  noteReply(above: Socket, token: string | undefined): void {
    this.#unread.noteReply(above, token);
  }

  noteRequest({ socket, rawHeaders }: IncomingMessage): void {
    if (this.#uploads.size > 0) this.#uploads.delete(this.#inSlice ?? socket);
    this.#noteRead(Math.max(1 / readsPerRequest, rawHeaders.length / 2 / headersPerRequest), socket);
  }

  notePiece(socket: Socket): void {
    this.#noteRead(1 / piecesPerRequest, socket);
  }

  /** Notes a piece of the body of a request that was let in: large ones would be late if they waited for a flood. */
  noteWantedPiece(socket: Socket): void {
    if (this.#inSlice !== undefined || this.#isFlooded || this.#isOver) this.#uploads.add(this.#inSlice ?? socket);
    this.notePiece(socket);
  }

  noteBegun(work = 1): void {
    if (this.#round.add(work)) this.#arm();
  }

  /** Begins what waits, in a round that has room for it; those who ask for it again take turns. */
  begin(next: () => void): void {
    this.#waiting.add(next);
    this.#arm();
  }

  /**
   * Reads no more of a connection behind the bytes that its parser has, until what is returned is called. One that is
   * merely paused Node reads on itself, at the end of each request.
   */
  hold(above: ServerSocket): () => void {
    const socket = this.#inSlice ?? above;
    this.#held.add(socket);
    if (this.#whole.has(socket)) this.#slice(socket);
    return () => {
      if (!this.#held.delete(socket)) return;
      this.#unread.addOther(socket, above);
      this.#arm();
    };
  }

  /** Counts what was read of a connection where its parser told nothing of it. */
  #noteBytes(socket: ServerSocket, bytes: number): void {
    if (this.#told !== socket && this.#whole.has(socket)) this.#noteRead(silentWork(bytes), socket);
    this.#told = undefined;
  }

  #noteRead(work: number, above: Socket): void {
    const socket = this.#inSlice ?? above;
    // One above an encrypted connection, told of outside of a slice, is not known here: its close would not be heard.
    if (!('encrypted' in socket)) this.#noteHeard(socket, work);
    this.#readInSlice += work;
    if (!this.#round.add(work)) return;
    this.#arm();
    if (this.#round.hasRoom() || this.#isOver) return;
    this.#isOver = true;
    for (const handle of this.#readHandles()) handle.readStop();
  }

  #noteHeard(socket: Socket, work: number): void {
    this.#told = socket;
    if (socket !== this.#last) {
      [this.#last, this.#spentByLast, this.#isLastWhole] = [socket, 0, this.#whole.has(socket)];
      this.#heard.add(socket);
    }
    this.#spentByLast += work;
  }

  #beginRound(): void {
    if (this.#round.isForNewcomers()) return this.#arm();
    if (this.#round.restart()) this.#arm();
    this.#isFlooded = this.#isOver;
    if (this.#isOver) this.#readAgain();
    else if (this.#resting.size > 0) this.#endRest();
    this.#heard.clear();
    this.#uploads.clear();
    [this.#last, this.#isLastWhole] = [undefined, false];
    for (const next of this.#waiting) {
      if (this.#round.spent >= resumedMax) break;
      this.#waiting.delete(next);
      next();
    }
    const opened = this.openArrived();
    this.#unread.resume(resumedMax, this.#resting);
    this.#isGreedysTurn = !this.#isGreedysTurn;
    const [greedy] = this.#isGreedysTurn ? this.#greedy : [];
    if (greedy !== undefined && this.#greedy.delete(greedy) && greedy._paused !== true) greedy.resume();
    if (opened + this.#waiting.size + this.#unread.size + this.#greedy.size > 0 || this.#isFlooded) this.#arm();
  }

  #readAgain(): void {
    this.#isOver = false;
    const isGreedy = this.#isLastWhole && this.#spentByLast >= shareMax;
    // The next one may be as greedy, above all where nothing was heard of it yet. Bytes of others may go first.
    for (const socket of this.#whole)
      if (isGreedy || socket.bytesRead === 0 || this.#uploads.has(socket) || this.#unread.isKnown(socket))
        this.#slice(socket);
    for (const socket of this.#heard) this.#resting.add(socket);
    for (const handle of this.#readHandles()) handle.readStart();
  }

  /** All others were heard in the round before, and it had room left. */
  #endRest(): void {
    const rested = [...this.#resting];
    this.#resting.clear();
    for (const socket of rested) if (this.#whole.has(socket) && isRead(socket)) socket._handle.readStart();
  }

  /** Handles that Node wants to be read. It does not learn that they are not, so that one which it stops stays so. */
  *#readHandles(): Iterable<Handle> {
    for (const socket of this.#whole) if (isRead(socket) && !this.#resting.has(socket)) yield socket._handle;
  }

  /** Puts slices between a connection and Node's parser, which listens to its data like anyone. */
  #slice(socket: ServerSocket, way: ReadingWay = {}): void {
    const { untold = shareMax, sliceBytes = sliceBytesMin, reader } = way;
    const parse = socket.listeners('data')[0] as ((slice: Buffer) => void) | undefined;
    const handle = socket._handle;
    if (parse === undefined || !handle) return;
    const sizes = { bytesMin: sliceBytes, bytes: sliceBytes, bytesKept: 0 };
    const isUpload = this.#uploads.has(socket);
    const slicing = { parse, untold, reader, ...sizes, debt: 0, isUpload, isStopped: false };
    this.#whole.delete(socket);
    socket.removeListener('data', parse).on('data', (bytes: Buffer) => this.#readSlices(socket, bytes, slicing));
    // Node believes that a read is under way, which it stopped while the parser read on its own.
    if (socket.isPaused()) socket.once('resume', () => startReading(socket));
    else startReading(socket);
  }

  #readSlices(socket: ServerSocket, bytes: Buffer, slicing: Slicing): void {
    let [at, spentHere, toldHere] = [0, 0, 0];
    // A stranger with TLS may send keys alone, of which nothing is told.
    const isTold = slicing.reader === undefined || this.#unread.isKnown(slicing.reader.above ?? socket);
    const isGone = (): boolean => socket.destroyed || this.#released.has(socket);
    // A turn may come to one that was paused meanwhile, whose parser would lose what it is given then.
    const isWanted = (): boolean =>
      !isGone() &&
      !socket.isPaused() &&
      !this.#held.has(socket) &&
      (slicing.reader?.isWanted ?? socket._paused !== true);
    while (at < bytes.length && isWanted()) {
      if (spentHere >= shareMax) {
        this.#greedy.add(socket);
        break;
      }
      if (!this.#round.hasRoom() || this.#resting.has(socket)) {
        this.#unread.add(socket, bytes, at, slicing);
        break;
      }
      const [spentBefore, startedAt] = [this.#round.spent, performance.now()];
      this.#inSlice = socket;
      this.#readInSlice = 0;
      const length = slicing.reader?.sliceLength(bytes, at, slicing.bytes) ?? slicing.bytes;
      slicing.parse(bytes.subarray(at, at + length));
      at += length;
      slicing.bytesKept += length;
      const told = this.#round.spent - spentBefore;
      const elapsed = (performance.now() - startedAt) * workPerMs;
      const untold = slicing.reader?.isKeeping === true ? 0 : untoldOf(slicing, elapsed);
      const work = told === 0 ? untold : told;
      const isCrowded = this.#readInSlice > crowdedSlice;
      const more = Math.max(told === 0 ? silentWork(length) : 0, elapsed - told);
      if (more > 0) this.#noteRead(more, socket);
      this.#inSlice = undefined;
      // Of a body that was let in nothing is told before the gateway function asks for it.
      toldHere += isTold ? told : work;
      slicing.bytes = isCrowded ? slicing.bytesMin : Math.min(2 * slicing.bytes, sliceBytesMax);
      spentHere += isCrowded ? shareMax : Math.max(work, this.#round.spent - spentBefore);
    }
    if (at > 0) this.#unread.noteTurn(socket, slicing, toldHere, at);
    if (toldHere > 0) slicing.isUpload = this.#uploads.has(socket);
    const left = bytes.length - at;
    // Or each of thousands would keep 64 kB more. Where little is left, the end of its client is still heard.
    const isStopped = left > leftUnstopped;
    if (isRead(socket) && (isStopped || slicing.isStopped)) socket._handle[isStopped ? 'readStop' : 'readStart']();
    slicing.isStopped = isStopped;
    if (left <= 0 || isGone()) return;
    this.#arm();
    socket.pause().unshift(bytes.subarray(at));
  }
}
