import type { GatewayConfig } from '../../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type AuditEntry, configLine, createAuditLine, createTimeText, withheld } from './line.ts';
import { RefusedLines } from './refused-lines.ts';
import { lineEndOf, placeOf, SealChain } from './seals.ts';
import { type AppendFile, wordsOf, writtenOf } from './append-file.ts';

export interface AuditParts {
  open(path: string): Promise<AppendFile>;
  now(): number;
  /** Runs a task again and again until the result is called; the task keeps no process alive. */
  readonly every: (ms: number, task: () => void) => () => void;
  random(bytes: number): Uint8Array;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface Audit {
  /** False while lines cannot be written and prompts must not pass unaudited. A line that is written ends it. */
  readonly accepts: boolean;
  /** The requests that may still record a line; whoever takes one up or gives one back counts it. */
  requests: number;
  /**
   * True once the line is written; false if it could not be and the prompt must not pass unaudited. It waits for lines
   * of the same turn of the event loop, unless the prompt was the only one.
   */
  record(entry: AuditEntry, isAlone?: boolean): boolean | Promise<boolean>;
  /** Writes which policies each Motif has from now on; again at the head of each file that is opened later. */
  recordConfig(config: GatewayConfig): void;
  /** Seals the file and opens it anew, so that a rotated one is let go. */
  reopen(): Promise<void>;
  /** Writes what is left, seals it, and closes. */
  close(): Promise<void>;
}

export type AuditConfig = NonNullable<GatewayConfig['audit']>;

/** The time between two looks at the file. */
const lookEveryMs = 1000;
const looksPerSeal = 60;
const writerIdBytes = 6;

export async function createAudit(config: AuditConfig, parts: AuditParts): Promise<Audit> {
  return new AuditWriter(config, parts, await parts.open(config.file));
}

/** Writes the lines of all requests that are answered in one turn of the event loop together. */
class AuditWriter implements Audit {
  readonly #config: AuditConfig;
  readonly #parts: AuditParts;
  readonly #chain: SealChain;
  readonly #stopLooking: () => void;
  readonly #timeText = createTimeText();
  readonly #auditLine = createAuditLine();
  readonly #refusedLines = new RefusedLines();
  readonly #lineEnd: (number: number) => string;
  #file: AppendFile;
  /** Lines that are not in the file yet, one behind the other. */
  #waiting = '';
  #waitingFirst = 1;
  #number = 0;
  #queued: Promise<number> | undefined;
  /** Work that is not done yet; whatever comes waits for it. */
  #turn: Promise<unknown> | undefined;
  #gatewayConfig: GatewayConfig | undefined;
  /** True while the config line has to be written before any other. */
  #owesConfig = false;
  /** True once lines were lost: those before them need a seal of their own. */
  #owesSeal = false;
  #isFailing = false;
  /** True while the path names another file or none, and it could not be opened anew. */
  #isAway = false;
  #looks = 0;
  requests = 0;

  constructor(config: AuditConfig, parts: AuditParts, file: AppendFile) {
    this.#config = config;
    this.#parts = parts;
    this.#file = file;
    this.#chain = new SealChain(Buffer.from(parts.random(writerIdBytes)).toString('hex'));
    this.#lineEnd = lineEndOf(this.#chain.writer);
    this.#stopLooking = parts.every(lookEveryMs, () => {
      this.#addCounted(parts.now());
      void this.#inTurn(() => this.#look());
    });
  }

  get accepts(): boolean {
    return this.#config.whenFull === 'warn' || !(this.#isFailing || this.#isAway);
  }

  record(entry: AuditEntry, isAlone = false): boolean | Promise<boolean> {
    const now = this.#parts.now();
    if (!this.#refusedLines.take(entry, now)) return true;
    if (this.#owesConfig) this.#addConfig();
    const isRefusing = this.#config.whenFull === 'refuse';
    // The file that is open takes the line, and nobody may look for it there.
    const isWithheld = isRefusing && this.#isAway && entry.status === 200;
    this.#add(this.#auditLine(isWithheld ? withheld(entry) : entry, this.#timeText(now)));
    const number = this.#number;
    // Lines that wait share one flush: a second one would find nothing, and call lines written that were lost.
    const isFree = isAlone && this.#queued === undefined && this.#turn === undefined;
    const written = isFree ? this.#inTurn(this.#flush) : this.#queue();
    if (!isRefusing) return true;
    const passes = (last: number): boolean => number <= last && !isWithheld;
    return written instanceof Promise ? written.then(passes) : passes(written);
  }

  /** Adds a line for the refused prompts of each minute that is over. */
  #addCounted(now: number): void {
    const entries = this.#refusedLines.takeCounted(now);
    for (const entry of entries) this.#add(this.#auditLine(entry, this.#timeText(this.#parts.now())));
    if (entries.length > 0) void this.#queue();
  }

  recordConfig(config: GatewayConfig): void {
    this.#gatewayConfig = config;
    this.#addConfig();
    void this.#queue();
  }

  #addConfig(): void {
    this.#owesConfig = false;
    const config = this.#gatewayConfig;
    if (config !== undefined) this.#add(configLine(config, this.#timeText(this.#parts.now())));
  }

  #add(line: string): void {
    this.#waiting += line + this.#lineEnd((this.#number += 1));
  }

  #queue(): Promise<number> {
    return (this.#queued ??= new Promise((turn) => setImmediate(turn)).then(() => this.#inTurn(this.#flush)));
  }

  /** Runs one piece of work after the other, at once where none waits, so that the file has the order of the chain. */
  #inTurn<T>(work: () => T | Promise<T>): T | Promise<T> {
    const done = this.#turn === undefined ? work() : this.#turn.then(work);
    if (!(done instanceof Promise)) return done;
    const end = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    const turn: Promise<void> = done.then(end, end);
    this.#turn = turn;
    return done;
  }

  /** The last line in the file, once those that wait are. One function for all lines, for one of each would cost. */
  readonly #flush = (): number | Promise<number> => {
    this.#queued = undefined;
    const lines = this.#waiting;
    if (lines === '') return this.#number;
    const first = this.#waitingFirst;
    const last = this.#number;
    this.#waiting = '';
    this.#waitingFirst = last + 1;
    if (!this.#owesSeal) return this.#write(lines, first, last);
    return this.#writeSeal().then((isSealed) => (isSealed ? this.#write(lines, first, last) : 0));
  };

  #write(lines: string, first: number, last: number): number | Promise<number> {
    let writing: Promise<void> | void;
    try {
      writing = this.#file.write(lines, this.#config.whenFull === 'warn');
    } catch (error) {
      return this.#lose(error, lines, first);
    }
    if (writing === undefined) return this.#keep(lines, first, last);
    return writing.then(
      () => this.#keep(lines, first, last),
      // A pipe may hold bytes that nobody reads on, so that nobody is answered for them.
      (error: unknown) => Math.min(0, this.#lose(error, lines, first)),
    );
  }

  #keep(lines: string, first: number, last: number): number {
    this.#chain.addText(lines, first, last);
    this.#succeed();
    return last;
  }

  /** The last line that came to stand in the file whole: such are part of the chain, whatever became of the rest. */
  #lose(error: unknown, lines: string, first: number): number {
    const bytes = Buffer.from(lines);
    const written = writtenOf(error);
    // A line that lacks its end alone is whole, because whoever writes next ends it.
    const end = bytes.toString('latin1', written, written + 1) === '\n' ? written + 1 : written;
    const whole = bytes.toString('utf8', 0, bytes.subarray(0, end).lastIndexOf('\n') + 1);
    const count = whole.split('\n').length - 1;
    if (count > 0) this.#chain.addText(whole, first, first + count - 1);
    this.#owesSeal = true;
    this.#fail(error);
    return first + count - 1;
  }

  /** True once the lines so far are sealed, which they are where there are none. */
  async #writeSeal(isFinal = false): Promise<boolean> {
    if (this.#chain.isEmpty) this.#owesSeal = false;
    if (this.#chain.isEmpty) return true;
    const { seal, line } = this.#chain.seal(this.#timeText(this.#parts.now()), isFinal);
    let fault: unknown;
    try {
      await this.#file.write(line);
    } catch (error) {
      this.#fail((fault = error));
      // One that lacks its end alone is whole, because whoever writes next ends it.
      if (writtenOf(error) < line.length - 1) return false;
    }
    this.#chain.follow(seal.sha256);
    this.#owesSeal = false;
    this.#looks = 0;
    this.#parts.log.info('audit lines sealed', { file: this.#config.file, place: placeOf(this.#config.file), ...seal });
    if (fault === undefined) this.#succeed();
    return fault === undefined;
  }

  #succeed(): void {
    if (this.#isFailing) this.#parts.log.info('audit lines can be written again', { file: this.#config.file });
    this.#isFailing = false;
  }

  #fail(error: unknown): void {
    this.#parts.metrics.count('auditFailures');
    if (!this.#isFailing) {
      this.#parts.log.error('an audit line could not be written', { file: this.#config.file, reason: wordsOf(error) });
    }
    this.#isFailing = true;
  }

  /** Sees to it, once a second, that the file is still there and lines are sealed, and sees the end of a fault. */
  async #look(): Promise<void> {
    this.#looks += 1;
    // One that was away and came back, as a folder that is mounted again does, is opened as well: that ends the fault.
    if (this.#isAway || !this.#file.isCurrent()) await this.#recover();
    if (this.#isAway) return;
    if (this.#isFailing && this.#chain.isEmpty) await this.#tryLine();
    else if (this.#isFailing || this.#looks >= looksPerSeal) await this.#writeSeal();
  }

  /** Writes a line where no other waits for its seal; one that is lost leaves its number to the next. */
  async #tryLine(): Promise<void> {
    if (this.#waiting !== '') return;
    const before = this.#number;
    this.#addConfig();
    const isLost = (await this.#flush()) <= before;
    if (isLost && this.#chain.isEmpty && this.#number === before + 1)
      [this.#number, this.#waitingFirst] = [before, before + 1];
  }

  async #recover(): Promise<void> {
    const about = { file: this.#config.file };
    try {
      await this.#reopen();
      this.#parts.log.warn('the audit file was moved, removed or replaced, and is opened again', about);
    } catch (error) {
      // Each second: to Prometheus a count that stays as it is says that the fault is over.
      this.#parts.metrics.count('auditFailures');
      if (!this.#isAway) {
        const message = 'the audit file was moved, removed or replaced, and cannot be opened again';
        this.#parts.log.error(message, { ...about, reason: wordsOf(error) });
      }
      this.#isAway = true;
    }
  }

  async reopen(): Promise<void> {
    await this.#inTurn(() => this.#reopen());
  }

  async #reopen(): Promise<void> {
    const reopened = await this.#parts.open(this.#config.file);
    await this.#writeSeal();
    const old = this.#file;
    this.#file = reopened;
    this.#isAway = false;
    this.#owesConfig = this.#gatewayConfig !== undefined;
    await old.close().catch((error: unknown) => {
      this.#parts.log.error('the end of the audit file before the rotation may not be on disk', {
        reason: wordsOf(error),
      });
    });
  }

  async close(): Promise<void> {
    this.#stopLooking();
    this.#file.hurry?.();
    this.#addCounted(Infinity);
    await this.#queued;
    await this.#inTurn(async () => {
      // One more line gets a final seal if none came since the last one: it says that nothing is missing behind it.
      if (this.#chain.isEmpty) this.#addConfig();
      await this.#flush();
      await this.#writeSeal(true);
      await this.#file.close();
    });
  }
}
