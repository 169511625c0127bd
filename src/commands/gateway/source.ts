import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { type DocumentFault, faultLine } from '../../documents/fault.ts';
import { MotifError } from '../../errors.ts';
import { type Access, createAccess } from '../../gateway/access/access.ts';
import { assembleMotifs } from '../../gateway/assembly.ts';
import type { GatewayConfig } from '../../gateway/config.ts';
import { gatewayFileBytesMax, parseGatewayFile } from '../../gateway/file/parse.ts';
import { demoFile, demoHandbook } from '../../gateway/demo.ts';
import type { TlsIdentity } from '../../gateway/server/http-server.ts';
import type { Log } from '../../gateway/records/log.ts';
import type { ServedFile } from '../../gateway/server/serve.ts';
import { defuseLine } from '../../text/defuse.ts';
import { pathText } from '../../text/json.ts';
import { decodeUtf8, Utf8Fault } from '../../text/utf8.ts';
import { FileFault, type FileInfo, type World } from '../../world/world.ts';

/** Where a gateway file and all that it names come from. */
export interface GatewaySource {
  /** How it is called in faults. */
  readonly name: string;
  readonly readText: () => Promise<string>;
  /** Both paths start in the folder of the gateway file. */
  readonly readFile: (path: string) => Promise<string>;
  readonly readDocuments: (pattern: string) => Promise<readonly { readonly name: string; readonly text: string }[]>;
  /** A path that the file names, for those who open it themselves. */
  readonly resolve: (path: string) => string;
  /**
   * How each file was before it was read, and what matched each pattern; a change of any of them asks for a reload.
   * What changes right after it was read must not pass for what was read, so this is noted then and not later.
   */
  readonly seen: { readonly files: Map<string, string>; readonly patterns: Map<string, string> };
}

/** Two of them are alike where a file is the same and nobody has written to it. */
export function markOf(info: FileInfo | undefined): string {
  return info === undefined ? '' : `${info.identity} ${info.size} ${info.modifiedAt}`;
}

export function markOfMatches(names: readonly string[]): string {
  return names.join('\n');
}

const namedFileBytesMax = 16 * 1024 * 1024;

export function fileSource(path: string, { files }: Pick<World, 'files'>): GatewaySource {
  const resolve = (name: string): string => (isAbsolute(name) ? name : join(dirname(path), name));
  const seen = { files: new Map<string, string>(), patterns: new Map<string, string>() };
  const read = async (name: string, bytesMax: number): Promise<string> => {
    seen.files.set(name, markOf(await files.info(name)));
    return decodeUtf8((await files.read(name, { bytesMax })).bytes);
  };
  const readDocument = async (name: string): Promise<string> =>
    await read(name, namedFileBytesMax).catch((error: unknown) => {
      throw error instanceof Utf8Fault ? new FileFault(name, 'EILSEQ', error.message) : error;
    });
  return {
    name: path,
    seen,
    resolve,
    readText: () => read(path, gatewayFileBytesMax),
    readFile: (name) => read(resolve(name), namedFileBytesMax),
    async readDocuments(pattern) {
      seen.patterns.set(resolve(pattern), '');
      const names = await files.glob(resolve(pattern));
      seen.patterns.set(resolve(pattern), markOfMatches(names));
      return await Promise.all(names.map(async (name) => ({ name: fileNameOf(name), text: await readDocument(name) })));
    },
  };
}

/** The demo's two files are texts in the program. */
export function demoSource(): GatewaySource {
  const nothing = new FileFault('', 'ENOENT', 'the demo has no such file');
  return {
    name: 'the demo',
    seen: { files: new Map(), patterns: new Map() },
    resolve: (path) => path,
    readText: async () => demoFile,
    readFile: () => Promise.reject(nothing),
    readDocuments: async (name) => [{ name, text: demoHandbook }],
  };
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export interface LoadOptions {
  readonly log: Log;
  /** What the command line makes different from the file. */
  readonly adapt?: ((config: GatewayConfig) => GatewayConfig) | undefined;
  readonly before?: Access | undefined;
  /** A mock stands in for every provider, so that no key is needed. */
  readonly areProvidersReplaced?: boolean;
  /** The only Motif that is used: what may not be meant of another one is not said. Absent: all of them are. */
  readonly motifUsed?: ((config: GatewayConfig) => string) | undefined;
}

/** Reads a gateway file into something that can answer, or throws with all that is wrong with it. */
export async function loadGateway(
  source: GatewaySource,
  world: Pick<World, 'env' | 'now' | 'monotonic' | 'send'>,
  { log, adapt = (config) => config, before, areProvidersReplaced = false, motifUsed }: LoadOptions,
): Promise<ServedFile> {
  const text = await readingFiles(source, source.readText);
  const { env } = world;
  const { name: file, readFile } = source;
  const parsed = await parseGatewayFile(text, { file, env, readFile, areProvidersReplaced });
  const faults = [...parsed.faults, ...parsed.missingSecrets];
  if (parsed.config === undefined || faults.length > 0) throw toFaultError(source.name, faults);
  const used = motifUsed?.(parsed.config);
  for (const warning of parsed.warnings.filter(({ path }) => isAbout(path, used)))
    log.warn('the gateway file may not be meant like this', { at: faultLine(warning) });
  const config = adapt(parsed.config);
  const audit = config.audit && { ...config.audit, file: auditPath(config.audit.file, source) };
  const parts = {
    send: world.send,
    now: () => world.now(),
    monotonic: () => world.monotonic(),
    sleep: patientSleep,
    random: Math.random,
    readDocuments: source.readDocuments,
    log,
  };
  return {
    config: { ...config, audit },
    access: createAccess(config, { now: parts.now, before }),
    motifs: await readingFiles(source, () => assembleMotifs(config, parts)),
    tls: config.listen.tls && (await readTls(config.listen.tls, source)),
  };
}

/** The path of an audit file; `-` is stdout and stays. */
export function auditPath(file: string, source: GatewaySource): string {
  return file === '-' ? file : source.resolve(file);
}

function isAbout(path: string, motifId: string | undefined): boolean {
  if (motifId === undefined || !/^motifs\b/.test(path)) return true;
  const own = pathText(['motifs', motifId]);
  return path === own || (path.startsWith(own) && /[.[]/.test(path.charAt(own.length)));
}

/** Files that the gateway file names are named by a person, who can do something about them. */
export async function readingFiles<T>({ name }: GatewaySource, work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    throw toUsageError(name, error);
  });
}

/** Not the world's: that one ends with the first signal, and a request that is drained may still have to wait. */
async function patientSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal });
}

async function readTls(paths: TlsIdentity, source: GatewaySource): Promise<TlsIdentity> {
  try {
    const identity = { cert: await source.readFile(paths.cert), key: await source.readFile(paths.key) };
    createSecureContext(identity);
    return identity;
  } catch (error) {
    if (error instanceof FileFault || error instanceof Utf8Fault) throw toUsageError(source.name, error);
    throw new MotifError('usage', `${paths.cert} and ${paths.key} are no certificate with its key`, { cause: error });
  }
}

function toUsageError(name: string, error: unknown): unknown {
  if (error instanceof Utf8Fault) return new MotifError('usage', `${defuseLine(name)}: ${error.message}`);
  if (!(error instanceof FileFault)) return error;
  return new MotifError('usage', `${defuseLine(error.path)}: ${error.message}`, {
    hint: 'motif serve -c FILE serves your gateway file, motif serve the demo',
    cause: error,
  });
}

const faultsShownMax = 20;

function toFaultError(name: string, faults: readonly DocumentFault[]): MotifError {
  const shown = faults.slice(0, faultsShownMax).map(faultLine);
  const more = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : [];
  return new MotifError('usage', `${defuseLine(name)} cannot be served as it is`, { notes: [...shown, ...more] });
}
