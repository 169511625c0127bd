import { createHash } from 'node:crypto';
import { MotifError } from '../../../errors.ts';
import { changeWords, versionChanges } from '../../../gateway/records/config-changes.ts';
import { refusedFile } from '../../../gateway/records/metrics.ts';
import type { ServedFile, ServeParts } from '../../../gateway/server/serve.ts';
import type { HashesByPath, ListenPlace, PlaceAmongOthers, ReadVersion } from '../../../gateway/server/workers.ts';
import { inTurnOnce, inTurns } from '../../../text/turns.ts';
import { decodeUtf8 } from '../../../text/utf8.ts';
import { FileFault, type World } from '../../../world/world.ts';
import { loadGateway, type LoadOptions, type LoadWorld } from '../load.ts';
import { type GatewaySource, namedFileBytesMax } from '../source.ts';

/** A worker that starts looks this often whether the files are as the others know them. */
const lookMs = 300;
/** Looks in 4 s, in which the process above has read a file that was replaced, or that nobody writes on any more. */
const looksMax = 14;

/**
 * The versions of a gateway file by which a worker that starts late comes to what the others serve: the last one that
 * was whole, and each later one that is the last to have a good version of a part that is faulty now.
 */
export class AppliedVersions {
  /** Reads the files, and keeps what it has read. */
  readonly source: GatewaySource;
  #kept: readonly ReadVersion[] = [];
  #tls: ServedFile['tls'];
  #text = '';
  readonly #files = new Map<string, string>();
  readonly #unread = new Set<string>();
  readonly #documents = new Map<string, ReadVersion['documents'][string]>();

  constructor(source: GatewaySource) {
    const noted = async <T>(name: string, into: Map<string, T>, work: Promise<T>): Promise<T> => {
      const read = await work;
      into.set(name, read);
      return read;
    };
    const notedFile = (name: string, work: Promise<string>): Promise<string> =>
      noted(name, this.#files, work).catch((error: unknown) => {
        this.#unread.add(name);
        throw error;
      });
    this.source = {
      ...source,
      readText: async () => (this.#text = await source.readText()),
      readFile: (name) => notedFile(name, source.readFile(name)),
      readInside: (name) => notedFile(name, source.readInside(name)),
      readDocuments: (pattern, ...more) => noted(pattern, this.#documents, source.readDocuments(pattern, ...more)),
    };
  }

  /** Earliest first. */
  get kept(): readonly ReadVersion[] {
    return this.#kept;
  }

  /** The certificate that was applied last: it is shown where a changed `listen` names none, until the next start. */
  get tls(): ServedFile['tls'] {
    return this.#tls;
  }

  /** Of the gateway file and what it names but for documents, as they were read last, good or faulty. */
  get read(): HashesByPath {
    const { name: path, resolve } = this.source;
    const named = Array.from(this.#files, ([name, text]) => [resolve(name), hashOf(text)] as const);
    const unread = Array.from(this.#unread, (name) => [resolve(name), null] as const);
    return { [path]: hashOf(this.#text), ...Object.fromEntries([...named, ...unread]) };
  }

  /** Loads the file as it is now, and keeps it as a version where that succeeds. */
  async load(world: LoadWorld, options: LoadOptions): Promise<ServedFile> {
    this.#files.clear();
    this.#unread.clear();
    this.#documents.clear();
    const loaded = await loadGateway(this.source, world, options);
    this.#keep({
      text: this.#text,
      files: Object.fromEntries(this.#files),
      documents: Object.fromEntries(this.#documents),
      faultyParts: loaded.faultyParts,
    });
    this.#tls = loaded.tls ?? this.#tls;
    return loaded;
  }

  /** Lets go of all texts, where there are no workers. */
  forget(): void {
    this.#kept = [];
    this.#text = '';
    this.#files.clear();
    this.#documents.clear();
  }

  /** Returns what loads each new version; false for one that is not good, which leaves everything as it was. */
  follow(
    first: ServedFile,
    world: LoadWorld,
    { applied, ...options }: LoadOptions & Pick<ServeParts, 'applied'>,
  ): () => Promise<boolean> {
    let before = first;
    return inTurnOnce(async () => {
      const next = await this.load(world, { ...options, before }).catch(() => undefined);
      if (next === undefined) return false;
      applied?.(changeWords(await inTurns(versionChanges(before, next)), before, next));
      before = next;
      return true;
    });
  }

  #keep(next: ReadVersion): void {
    const lastGood = next.faultyParts.map((part) =>
      this.#kept.findLast(({ faultyParts }) => !faultyParts.includes(part)),
    );
    const needed = this.#kept.filter((version, at) => at === 0 || lastGood.includes(version));
    this.#kept = next.faultyParts.length === 0 ? [next] : [...needed, next];
  }
}

/**
 * The place of a worker that starts, once its files are as the process above has read them. Other ones are left to that
 * process, which sees whether somebody still writes on them: half of a file may be valid, and lack policies. One that
 * is written without an end keeps no worker from starting: the watch is left to read it.
 */
export async function placeOnceRead(
  source: GatewaySource,
  { files, sleep }: Pick<World, 'files' | 'sleep'>,
  ask: () => Promise<PlaceAmongOthers>,
  signal: AbortSignal,
): Promise<ListenPlace> {
  for (let looks = 0; ; looks++) {
    const { place, read } = await ask();
    const others = signal.aborted ? [] : await otherThan(read, files);
    if (others.length > 0 && looks < looksMax) {
      await sleep(lookMs, signal).catch(() => undefined);
      continue;
    }
    for (const name of others) {
      source.unsettled.add(name);
      // As if it had been away: the watch reads it once it has settled.
      source.seen.files.set(name, '');
    }
    return place;
  }
}

/** Files that are others than were read. One that cannot be read is none: its last good version is asked for. */
async function otherThan(read: HashesByPath, files: World['files']): Promise<readonly string[]> {
  const others: string[] = [];
  for (const [path, hash] of Object.entries(read)) {
    const found = await files
      .read(path, { bytesMax: namedFileBytesMax })
      .then(({ bytes }) => hashOf(decodeUtf8(bytes)))
      .catch(() => hash);
    if (found !== hash) others.push(path);
  }
  return others;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Loads in a worker what the others serve: the files as they are, or with parts of the versions before. */
export async function loadInWorker(
  source: GatewaySource,
  world: LoadWorld,
  options: LoadOptions,
  askForVersions: () => Promise<readonly ReadVersion[]>,
): Promise<ServedFile> {
  const isLeft = source.unsettled.has(source.name);
  const alone = isLeft ? undefined : await loadAlone(source, world, options);
  // A pattern that matches nothing is a fault to the others alone, who keep the documents that it matched before.
  if (alone !== undefined && !(alone instanceof MotifError) && hasAllDocuments(alone)) return alone;
  let before: ServedFile | undefined;
  for (const version of await askForVersions())
    before = await loadGateway(recorded(version, source), world, { ...options, before });
  if (before === undefined) {
    if (alone === undefined || alone instanceof MotifError) throw alone ?? new Error('no version was ever applied');
    return alone;
  }
  await Promise.all([...before.knowledge.values()].map(({ index }) => index.made));
  if (isLeft) return before;
  const { hash } = before.config;
  return await loadGateway(source, world, { ...options, before }).catch((fault: unknown) => {
    if (!(fault instanceof MotifError)) throw fault;
    const reason = [fault.message, ...fault.notes];
    options.log.error('the gateway file was not applied; the one before it stays', { reason, config: hash });
    return { ...before, faultyParts: [...before.faultyParts, refusedFile] };
  });
}

async function loadAlone(source: GatewaySource, world: LoadWorld, options: LoadOptions) {
  return await loadGateway(source, world, options).catch((error: unknown) => {
    if (error instanceof MotifError) return error;
    throw error;
  });
}

function hasAllDocuments({ config, knowledge }: ServedFile): boolean {
  return [...config.knowledge.values()].every(({ name, files }) =>
    files.every((pattern) => knowledge.get(name)?.matched.has(pattern)),
  );
}

function recorded({ text, files, documents }: ReadVersion, source: GatewaySource): GatewaySource {
  const read = async <T>(texts: Readonly<Record<string, T>>, name: string): Promise<T> => {
    const found = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (found === undefined) throw new FileFault(name, 'ENOENT', 'it could not be read');
    return found;
  };
  return {
    ...source,
    seen: { files: new Map(), patterns: new Map() },
    forgetOthers: () => undefined,
    readText: async () => text,
    readFile: (name) => read(files, name),
    readInside: (name) => read(files, name),
    readDocuments: (pattern) => read(documents, pattern),
  };
}
