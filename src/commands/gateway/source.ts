import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { DocumentFault } from '../../documents/fault.ts';
import { MotifError } from '../../errors.ts';
import type { GatewayConfig } from '../../gateway/config.ts';
import { gatewayFileBytesMax } from '../../gateway/file/parse.ts';
import { defuseLine, plainWord } from '../../text/defuse.ts';
import { globBase } from '../../text/patterns/glob.ts';
import { createPause } from '../../text/turns.ts';
import { decodeUtf8, Utf8Fault } from '../../text/utf8.ts';
import { findOwnFiles, readUnless } from './own-files.ts';
import { WatchedFiles } from './watched-file.ts';
import { FileFault, type FileInfo, type SkippedFile, type World } from '../../world/world.ts';

/** A gateway file and the means to read all that it names. */
export interface GatewaySource {
  /** Its name in faults. */
  readonly name: string;
  readonly readText: () => Promise<string>;
  /** True where the gateway file is another one than was read last. */
  readonly hasChanged: () => Promise<boolean>;
  /** True where a file that has changed may be written on, and is no other one that was put in its place whole. */
  readonly mayBeWritten: (name: string, before: string, now: string) => Promise<boolean>;
  /** Reads a secret or a certificate; all paths start in the folder of the gateway file. */
  readonly readFile: (path: string) => Promise<string>;
  /**
   * The same for what may end up in an answer or decides about one: no link that leads out of that folder is followed,
   * for whoever may write there need not be allowed to read all that the gateway may. Links in it are fine: the files
   * of a Kubernetes ConfigMap are some.
   */
  readonly readInside: (path: string) => Promise<string>;
  /** Reads the files of a pattern, as `readInside` does; rejects with the reason once the signal aborts. */
  readonly readDocuments: (
    pattern: string,
    skipped?: SkippedFile,
    signal?: AbortSignal,
  ) => Promise<readonly { readonly name: string; readonly text: string }[]>;
  /** A path that the file names, for those who open it themselves. */
  readonly resolve: (path: string) => string;
  /**
   * The state of each file before it was read, and the matches of each pattern; a change of any of them asks for a
   * reload. It is noted before the reading, so that a change right after it is seen as one.
   */
  readonly seen: { readonly files: Map<string, string>; readonly patterns: Map<string, string> };
  /**
   * Called once the file and all that it names was read: lets go of what was not, for it is gone or named no more. Else
   * each name that a document ever had would be looked at as long as the gateway runs.
   */
  readonly forgetOthers: () => void;
  /** Files that could not be read for a reason that passes and leaves no mark on them: too many were open, say. */
  readonly unread: Set<string>;
  /** Files that somebody may still be writing, by the last look of the watch: half of a word list is a valid one. */
  readonly unsettled: Set<string>;
  /** The last look of the watch at each file. */
  readonly looks: Map<string, FileLook>;
  /** Audits that the gateway file names: no pattern makes a document of one, for it may hold the prompts of others. */
  readonly audits: Set<string>;
  /** Secrets and certificates that it names, which are no documents either. */
  readonly secrets: Set<string>;
  /** The gateway file and the files that it names, and were read for it last: none of them is an audit. */
  readonly named: Set<string>;
}

export interface FileLook {
  readonly mark: string;
  /** The looks before it that saw the same. */
  readonly alike: number;
  /** True where somebody had written into the file since the look before these. */
  readonly isWritten: boolean;
  /** The looks in a row, with it, that each saw another file which was put in its place whole. */
  readonly replaced: number;
  /** Of a file that is written again while it is left to settle: what stood in it at this look. */
  readonly hash?: string | undefined;
}

/**
 * Two of them are alike where a file is the same, and nobody has written to it or changed who may read it. A copy may
 * keep the length and the time of what was there, never the time of the last change.
 */
export function markOf(info: FileInfo | undefined): string {
  if (info === undefined) return '';
  const { identity, bornAt, size, modifiedAt, changedAt, mode, uid, gid } = info;
  return `${identity} ${bornAt} ${size} ${modifiedAt} ${changedAt} ${mode} ${uid} ${gid}`;
}

/** True where somebody wrote into the file itself, or made it anew: no other one was put in its place. */
function isWrittenInPlace(before: string, now: string): boolean {
  const [identity] = /^\d+:\d+ /.exec(now) ?? [];
  return identity !== undefined && before !== now && (before === '' || before.startsWith(identity));
}

export function markOfMatches(names: readonly string[]): string {
  return names.join('\n');
}

export const namedFileBytesMax = 16 * 1024 * 1024;

/** Error names of a system that is short of something, or of a device; the file may be as good as ever. */
const passingFaults: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EIO', 'ESTALE']);

/** The gateway file of a path; one that `isWatched` is held with what it names, as WatchedFiles does. */
export function gatewayFileSource(
  path: string,
  { files }: Pick<World, 'files'>,
  { isWatched = false } = {},
): GatewaySource {
  const resolve = (name: string): string => (isAbsolute(name) ? name : join(dirname(path), name));
  const seen = { files: new Map<string, string>(), patterns: new Map<string, string>() };
  const [audits, secrets, named, asked] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  const [unread, unsettled, looks] = [new Set<string>(), new Set<string>(), new Map<string, FileLook>()];
  const watched = new WatchedFiles(files);
  const read = async (name: string, options: { bytesMax: number; within?: string }, isHeld = isWatched) => {
    named.add(name);
    asked.add(name);
    const mark = markOf(await files.info(name));
    if (isHeld && name !== path) await needSettled(name, mark, { unsettled, looks, watched });
    seen.files.set(name, mark);
    if (isHeld) await watched.take(name, mark);
    const { bytes, ...opened } = await files.read(name, options).catch(noting(name, unread));
    const text = textOf(name, bytes);
    if (isHeld) watched.noteText(name, text);
    return { text, opened };
  };
  const bytesMax = namedFileBytesMax;
  return {
    name: path,
    seen,
    unread,
    unsettled,
    looks,
    audits,
    secrets,
    named,
    resolve,
    hasChanged: async () => seen.files.get(path) !== markOf(await files.info(path)),
    forgetOthers: () => forgetOthers(asked, [seen.files, seen.patterns, looks]),
    mayBeWritten: async (name, before, now) => (await watched.mayBeWritten(name, now)) ?? isWrittenInPlace(before, now),
    async readText() {
      named.clear();
      asked.clear();
      unread.clear();
      return (await read(path, { bytesMax: gatewayFileBytesMax })).text;
    },
    readFile: async (name) => (await read(resolve(name), { bytesMax })).text,
    async readInside(name) {
      const within = folderOf(path, resolve(name), dirname(resolve(name)));
      return (await read(resolve(name), { bytesMax, within })).text;
    },
    async readDocuments(pattern, skipped, signal) {
      asked.add(resolve(pattern));
      seen.patterns.set(resolve(pattern), '');
      const names = await files.glob(resolve(pattern), { skipped: needingFolders(unread, skipped) });
      seen.patterns.set(resolve(pattern), markOfMatches(names));
      const within = folderOf(path, resolve(pattern), globBase(resolve(pattern)) || '.');
      const reasonOf = await findOwnFiles({ path, audits, secrets }, files);
      const documents: { readonly name: string; readonly text: string }[] = [];
      const pause = createPause();
      for (const name of names) {
        signal?.throwIfAborted();
        const readIt = () => read(name, { bytesMax, within }, false);
        const { text, reason } = await readUnless(reasonOf, { path: name, info: await files.info(name) }, readIt);
        if (text === undefined) skipped?.(name, reason);
        else documents.push({ name: nameFrom(dirname(path), name), text });
        await pause();
      }
      return documents;
    },
  };
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    throw error instanceof Utf8Fault ? new FileFault(name, 'EILSEQ', error.message) : error;
  }
}

/** A file elsewhere was named by who wrote the gateway file; links beside it are not to lead away from there. */
function folderOf(gatewayFile: string, name: string, around: string): string {
  const own = dirname(gatewayFile);
  return /^\.\.(?:\/|$)/.test(relative(own, name)) ? around : own;
}

/** Takes out what was not asked for since the gateway file was read last. */
function forgetOthers(asked: ReadonlySet<string>, noted: readonly Map<string, unknown>[]): void {
  for (const each of noted) for (const name of each.keys()) if (!asked.has(name)) each.delete(name);
}

/** A reload for another cause, as SIGHUP, may come before the watch sees that somebody began to write a file. */
async function needSettled(
  name: string,
  mark: string,
  { unsettled, looks, watched }: Pick<GatewaySource, 'unsettled' | 'looks'> & { readonly watched: WatchedFiles },
): Promise<void> {
  const last = looks.get(name);
  const isNew = last !== undefined && last.mark !== mark;
  if (unsettled.has(name) || (isNew && (await watched.mayBeWritten(name, mark))))
    throw new FileFault(name, 'EBUSY', 'is being written');
}

/** Returns what notes a file that may be read later, though it stays as it is, and throws its fault on. */
function noting(name: string, unread: Set<string>): (error: unknown) => never {
  return (error) => {
    if (error instanceof FileFault && passingFaults.has(error.code)) unread.add(name);
    throw error;
  };
}

/** A folder that may be read later is as faulty as a file is: its documents must not be gone meanwhile. */
function needingFolders(unread: Set<string>, skipped: SkippedFile | undefined): SkippedFile {
  return (folder, reason, fault) => {
    if (fault !== undefined && passingFaults.has(fault.code)) noting(folder, unread)(fault);
    skipped?.(folder, reason, fault);
  };
}

/** The path of a document from that folder on: two folders may have files of one name. */
function nameFrom(folder: string, name: string): string {
  const inside = relative(folder, name);
  return inside.startsWith('..') ? name : inside;
}

/** The path of an audit file; `-` is stdout and stays. */
export function auditPath(file: string, source: GatewaySource): string {
  return file === '-' ? file : source.resolve(file);
}

/**
 * Opens the file of an audit, which is none that is read for the gateway: the first line in it would be a fault of a
 * gateway file or word list, and the end of a key.
 */
export async function openAudit(path: string, { name, named }: GatewaySource, files: World['files']) {
  const own = await files.info(path);
  for (const other of named) {
    const isSame =
      files.absolute(other) === files.absolute(path) ||
      (own !== undefined && own.identity === (await files.info(other))?.identity);
    if (!isSame) continue;
    const what =
      other === name ? 'the gateway file itself' : `${defuseLine(basename(other))}, which the gateway file names`;
    throw new FileFault(path, 'EEXIST', `is ${what}`);
  }
  return await files.openAppend(path);
}

/** Sees to it that no output of this run takes the place of the evidence, or of a key that a mock does not need. */
export function keepFromOutputs({ audit, secretFiles }: GatewayConfig, source: GatewaySource, world: World): void {
  if (audit !== undefined) world.files.keep(auditPath(audit.file, source));
  for (const name of secretFiles) world.files.keep(source.resolve(name));
}

/** Sees to it that a file which is named for one end gets no other, also where a mock needs no key. */
export function keepApart({ audit, secretFiles }: GatewayConfig, source: GatewaySource): void {
  if (audit !== undefined) source.audits.add(auditPath(audit.file, source));
  for (const name of secretFiles) {
    source.secrets.add(source.resolve(name));
    source.named.add(source.resolve(name));
  }
}

/** Files that the gateway file names are named by a person, who can do something about them. */
export async function readingFiles<T>({ name }: GatewaySource, work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    throw toNamedFileError(name, error);
  });
}

export function toNamedFileError(name: string, error: unknown): unknown {
  if (!(error instanceof FileFault)) return error;
  const hint = error.path === name ? [] : [`${defuseLine(name, 200)} names this file`];
  return new MotifError('usage', `${defuseLine(error.path)}: ${error.message}`, {
    hint: error.path === name && error.code === 'ENOENT' ? wrongNameHint : hint,
    cause: error,
  });
}

/** Next step where a gateway file that was named is not there. */
export const wrongNameHint = 'is the name right? motif admin init FILE makes a new gateway file';

/** Says of a suite in the place of a gateway file what it is for. */
export function suiteHint(name: string, faults: readonly DocumentFault[]): readonly string[] {
  return faults.some(({ path }) => path === 'cases') ? [`it looks like a suite: motif check ${plainWord(name)}`] : [];
}
