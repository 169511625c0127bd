import type { Redactor } from '../text/redact.ts';
import type { Probe, Send } from '../wire/http.ts';

/** Everything outside the program, as one value: the real one is `real.ts`, its test twin `test/support/world.ts`. */
export interface World {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** A copy taken at start; the process's own environment no longer holds MOTIF_TOKEN. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Without a `v` before it. */
  readonly nodeVersion: string;
  /** The words that start this program again: Node and the launcher. */
  readonly self: readonly string[];
  readonly home: string | undefined;
  /** The user's numeric id; undefined where there is none. */
  readonly uid: number | undefined;
  /** The wall clock, which anybody may set: for moments that people and files name. */
  now(): number;
  /** Milliseconds that setting the clock never moves: for deadlines, waits and durations. */
  monotonic(): number;
  /** Milliseconds that this process has used of processors, or one thread of it, by its number of the system. */
  processorMs(thread?: string): number;
  /** Ends early, rejecting with the reason, when `interrupted` or the given signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A short random id, for report ids and temporary names. */
  newId(): string;
  /** Bytes that nobody can guess. */
  random(bytes: number): Uint8Array;
  readonly files: Files;
  run(child: Child): Promise<ChildResult>;
  readonly keyring: Keyring;
  readonly send: Send;
  readonly probe: Probe;
  /** Knows every token that was read, and hides them in whatever is written about a failure. */
  readonly redactor: Redactor;
  /** Aborts with an `Interrupted` as its reason on SIGINT, SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal;
  /** From here on readers of pipes cannot hold the process. The result gives them time, then all up; false: one can. */
  writeFreely(): (ms: number) => Promise<boolean>;
  /** Writes lines of a record to stdout. A reader that stopped is waited for after `interrupted` aborts, too. */
  writeRecord(lines: string): Promise<void>;
  /** From here to the end SIGHUP calls this and interrupts nothing, unless the terminal went away. */
  onHangup(listener: () => void): void;
  /** Until the result is called SIGINT calls this and interrupts nothing: Ctrl-C stops one request of a chat. */
  onInterrupt(listener: () => void): () => void;
  /** Stops this process and all that share its job, as Ctrl-Z does where it is not a key; resolves once it goes on. */
  suspend(): Promise<void>;
  /** Called when the shell continues this process, which had no part in being stopped, until the result is called. */
  onContinue(listener: () => void): () => void;
  /** Before the clock of a single request starts: loads what sending needs, and trades peak speed for a quick end. */
  expectShortRun(): Promise<void>;
  /** Loads what sending needs, for a command that has time for it before anything is sent. */
  readyToSend(): Promise<void>;
}

export interface Input {
  /** `none` is a device or a closed stdin: never read. */
  readonly kind: 'terminal' | 'pipe' | 'file' | 'none';
  /** Of a file, as in FileInfo. */
  readonly identity: string | undefined;
  /** The bytes to the end; ends early, rejecting with the reason, when the signal aborts. */
  chunks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Off: the terminal neither echoes nor edits. Only for kind `terminal`; always put back by `main`'s end. */
  setRaw(on: boolean): void;
}

export interface Output {
  readonly isTerminal: boolean;
  /** True for a terminal, and for a pipe, as that into `tee`: a person may read it at once. */
  readonly isSeen: boolean;
  /** True for `/dev/null`, which Node also puts in the place of one that was closed. */
  readonly isDiscarded: boolean;
  /** At least 1; 80 and 24 where unknown or not a terminal. */
  readonly columns: number;
  readonly rows: number;
  /** Called when the terminal has got another size, until the result is called. */
  onResize(listener: () => void): () => void;
  /** Text that is written to this terminal by whatever ends the process, in place of the one before; may be empty. */
  undoAtEnd(text: string): void;
  /**
   * Resolves when the text is handed over. Stdout rejects with StdoutClosed when the reader has gone, with kind `io`
   * when full, and with the reason soon after `interrupted` aborts if the reader has stopped; stderr never rejects.
   * Text not yet handed over when `stop` aborts is left out, for the person has seen enough.
   */
  write(text: string | Uint8Array, stop?: AbortSignal): Promise<void>;
}

export interface FileInfo {
  readonly type: 'file' | 'folder' | 'link' | 'fifo' | 'device' | 'other';
  readonly size: number;
  /** Permission bits alone. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly modifiedAt: number;
  readonly changedAt: string;
  /** Device and inode: equal for two names of one file. */
  readonly identity: string;
  /** When it was made; alike for all files where the file system does not keep it. */
  readonly bornAt: string;
  readonly links: number;
}

export type SurveyedFile = Pick<FileInfo, 'size' | 'modifiedAt'> & { readonly name: string };

export type SkippedFile = (path: string, reason: string, fault?: FileFault) => void;

/** The wait for a lock whose holder cannot be looked for, and what is done as it begins. */
export interface LockWatch {
  readonly ms: number;
  begins(): void;
}

/** Every method but `info` rejects with a FileFault; callers give it a kind, for they know whose file it is. */
export interface Files {
  /** Faults of folders that were not synced behind a change, which stands, but may be undone by a power loss. */
  readonly unsynced: ReadonlyMap<string, FileFault>;
  /**
   * A regular file of at most `bytesMax` bytes, opened without waiting; `follow: false` refuses a symbolic link, and
   * `within` every link that leads out of that folder; then `path` is the one behind the links.
   */
  read(
    path: string,
    options: { readonly bytesMax: number; readonly follow?: boolean; readonly within?: string },
  ): Promise<{ readonly bytes: Uint8Array; readonly info: FileInfo; readonly path: string }>;
  /** Some bytes of a regular file, from `start`, which may be fewer than `bytesMax` at its end. */
  readPart(
    path: string,
    start: number,
    bytesMax: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly info: FileInfo }>;
  /** All bytes of a regular file or a pipe, of any size; rejects with the signal's reason when it aborts. */
  chunks(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Undefined if nothing can be seen at that path, whatever the reason. `follow: false` looks at a link itself. */
  info(path: string, options?: { readonly follow?: boolean }): Promise<FileInfo | undefined>;
  /** Counts a file as read, which a file that was read names. */
  keep(path: string): void;
  /** True for a file that `read`, `readPart` or `chunks` opened in this process, by whatever name. */
  wasRead(info: Pick<FileInfo, 'identity'>): boolean;
  /** The path from the root, wherever the working directory is later. */
  absolute(path: string): string;
  /** Names in a folder, sorted; empty if there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Regular files of a folder, sorted by name; quicker than asking for each. Empty if there is no such folder. */
  survey(folder: string): Promise<readonly SurveyedFile[]>;
  /**
   * Regular files that match, sorted; `*`, `?`, `[…]` and `**` as in a shell. `withoutIgnored` leaves out what git
   * would; `skipped` hears of what matches and is no file, links to folders, where `**` stops, and faulty folders.
   */
  glob(
    pattern: string,
    options?: { readonly withoutIgnored?: boolean; readonly skipped?: SkippedFile | undefined },
  ): Promise<readonly string[]>;
  /**
   * All or nothing, even on a full disk or a crash: written beside, synced, renamed. 0600 unless said otherwise;
   * `usual` is what a shell's `>` leaves. The person's own link is followed; anything that is not a regular file is
   * refused, and with ECHANGED a file that holds another text than the one that is written `over`.
   */
  writeAtomic(
    path: string,
    content: string | Uint8Array,
    options?: { readonly mode?: number | 'usual'; readonly over?: string },
  ): Promise<void>;
  /** A file that is not there yet, 0600 and under its own name from its first byte on; on disk when this resolves. */
  writeNew(path: string, content: string): Promise<void>;
  /** Throws a FileFault where this user may not write: into the file, or files into the folder. */
  needWritable(path: string): Promise<void>;
  /** Straight into an existing device or FIFO, which may take 10 s to find its reader; a terminal gets it defused. */
  writeThrough(path: string, content: string): Promise<void>;
  /** A line of its own at the end, on disk when this resolves. Makes a file 0600, unless it `mustExist`. */
  append(path: string, line: string, options?: { readonly mustExist?: boolean }): Promise<void>;
  /** For many lines, also of several processes at once; a file that is not there is made, 0600. */
  openAppend(path: string): Promise<AppendHandle>;
  /** A file for this process alone to add to and to read; one that is not there is made, as a shell's `>` makes it. */
  openGrowing(path: string): Promise<GrowingFile>;
  /** Opens such a file of an earlier process to be read alone. */
  openGrown(path: string): Promise<GrownFile>;
  /** Room on the disk of a file for what memory shall not hold: it has no name, and is gone with the process. */
  openScratch(beside: string): ScratchFile;
  /** Keeps a regular file open, so that no other gets its inode; undefined where it cannot be opened. */
  hold(path: string): Promise<HeldFile | undefined>;
  /** The bytes that are free on the disk of a folder; undefined where the system does not tell. */
  freeBytes(folder: string): Promise<number | undefined>;
  /**
   * Takes the lock beside a file, or beside the one to which the person's own link leads, until the result is called;
   * undefined where another process has held it for all of `waitMs` (0), one elsewhere for as long as it is watched.
   */
  lock(path: string, waitMs?: number, watch?: LockWatch): Promise<(() => void) | undefined>;
  lockPath(path: string): string;
  /** With its parents, 0700; what exists keeps its bits. */
  makeFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** Nothing to remove is no fault. `recursive` for a folder. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  /** Many files of one folder; the same, but in a time that does not grow with what else is there. */
  removeAll(folder: string, names: readonly string[]): Promise<void>;
}

/** Lets go, and tells what its path leads to: the same file, or another, to which somebody may have written there. */
export type HeldFile = () => 'same' | 'replaced' | 'maybe written';

export interface AppendHandle {
  /**
   * Whole lines, handed to the system when this returns; a torn one before them is ended first. `written` of an error
   * is the number of bytes that came to stand in the file.
   */
  write(lines: string): void;
  /** False once the path names another file, a link or nothing. */
  isCurrent(): boolean;
  /** Makes it 0600, where this user and the file system let it: `open`, others can read it still. */
  makePrivate(): 'was private' | 'made private' | 'open';
  /** Puts what was written on disk. */
  close(): Promise<void>;
}

/** All methods throw a FileFault where the file fails. */
export interface GrownFile {
  readonly size: number;
  /** Reads from `start` into the buffer, and returns how many bytes there were: fewer than it holds at the end. */
  read(start: number, into: Uint8Array): number;
  close(): void;
}

export interface GrowingFile extends GrownFile {
  /** Adds to the end; handed to the system when this returns, all of it or nothing. */
  write(content: string | Uint8Array): void;
  /** Leaves only the first bytes. */
  cut(length: number): void;
  /** Resolves once all that was written is on disk. */
  sync(): Promise<void>;
}

/** Bytes at any place; those that were never written read as zeros. All methods throw a FileFault where it fails. */
export interface ScratchFile {
  read(start: number, into: Uint8Array): void;
  write(start: number, bytes: Uint8Array): void;
  close(): void;
}

/** A fault of a file, in words that follow "PATH: ". */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  /** An errno name, or ENOTFILE, EOUTSIDE, ETOOLARGE and ETOOMANY for what only we refuse. */
  readonly code: string;
  readonly path: string;

  constructor(path: string, code: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.path = path;
    this.code = code;
  }
}

export interface Child {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables set beside the inherited ones; never the token. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: no stdin. */
  readonly stdin?: string;
  /** The child has the terminal, for input and all output: an editor. */
  readonly takesTerminal?: boolean;
  /** The child has our own stdin, stdout and stderr, and gets what signals the terminal sends to both of us. */
  readonly sharesStreams?: boolean;
  /** Absent: a minute, or no limit for a child that has the terminal or our streams. */
  readonly timeoutMs?: number;
  /** Once it aborts the child is ended, with `killed` as its failure; not for one that shares our streams. */
  readonly stop?: AbortSignal;
  /** Gets all variables but MOTIF_TOKEN and NODE_OPTIONS, as a credential helper needs; else a short allow-list. */
  readonly inheritsEnv?: boolean;
  /** Variables that it does not get although it inherits them. */
  readonly withoutEnv?: ReadonlySet<string>;
  /** Gets PATH, HOME and LANG alone: a program that a file of somebody else's names. */
  readonly isBare?: boolean;
}

/** At most 1 MiB of each output. */
export interface ChildResult {
  /** Null if it could not be started, was killed, or ran out of time. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly failure?: 'not-found' | 'not-started' | 'timeout' | 'killed' | 'too-much-output';
  /** Which one, if a signal ended it. */
  readonly signal?: string;
}

/** The operating system's store of secrets, reached through its own helper program. */
export interface Keyring {
  /** Its name if it answers within 3 s, for example "Secret Service"; undefined if there is none. */
  probe(): Promise<string | undefined>;
  /** Undefined if there is no such entry; kind `io` where the keyring is locked or does not answer. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** Rejects with kind `io` unless the entry is gone, or was not there. */
  delete(account: string): Promise<void>;
}
