import { setTimeout as wait } from 'node:timers/promises';
import { type DocumentFault, faultLine, faultyFile } from '../../documents/fault.ts';
import { MotifError } from '../../errors.ts';
import { createAccess } from '../../gateway/access/access.ts';
import type { Counters } from '../../gateway/access/counters.ts';
import {
  assembleMotifs,
  type AssemblyParts,
  hasText,
  type Knowledge,
  type KnowledgeDocument,
  readKnowledge,
} from '../../gateway/assembly.ts';
import type { JudgingPool } from '../../gateway/contract.ts';
import type { GatewayConfig, KnowledgeConfig } from '../../gateway/config.ts';
import { certificateRemark, shownCertificate } from '../../gateway/file/certificates.ts';
import { type ParsedGateway, parseGatewayFile } from '../../gateway/file/parse.ts';
import type { Log } from '../../gateway/records/log.ts';
import type { TlsIdentity } from '../../gateway/server/http/server.ts';
import type { ServedFile } from '../../gateway/server/serve.ts';
import { defuseLine } from '../../text/defuse.ts';
import { inTurns } from '../../text/turns.ts';
import { hasWildcard } from '../../text/patterns/glob.ts';
import { pathText } from '../../text/json/json.ts';
import { FileFault, type SkippedFile, type World } from '../../world/world.ts';
import { isWithin, PartKeeper } from './part-keeper.ts';
import type { Remark } from './unasked-motifs.ts';
import { auditPath, type GatewaySource, keepApart, readingFiles, suiteHint, toNamedFileError } from './source.ts';
import { needTlsPair, TlsFault } from './tls-pair.ts';

export interface LoadOptions {
  readonly log: Log;
  /** Changes the configuration as the command line asks; it may keep the means to find a place of the file. */
  readonly adapt?: ((config: GatewayConfig, at: ParsedGateway['at']) => GatewayConfig) | undefined;
  /** The certificate that is shown where the gateway listens, for a file that names none any more. */
  readonly shownTls?: (() => TlsIdentity | undefined) | undefined;
  /** Counts that go on through all versions of the file. */
  readonly counters: Counters;
  /** Judges large texts; absent where every text is judged at once. */
  readonly judging?: JudgingPool | undefined;
  /** The version that is served now: its parts stay where the new ones are faulty. */
  readonly before?: ServedFile | undefined;
  /** A mock stands in for every provider, so that no key is needed. */
  readonly areProvidersReplaced?: boolean;
  /** False in a process that is never asked: of what answers a prompt nothing is made there. Absent: it is asked. */
  readonly isAsked?: ((config: GatewayConfig) => boolean) | undefined;
  /** Ends a load for which nobody waits any more: it rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Says what may not be meant. */
  readonly warn: (warnings: readonly DocumentFault[]) => void;
  /** Remarks that count where a file is served to others. */
  readonly remarks?: ((config: GatewayConfig) => readonly Remark[]) | undefined;
  /** The only Motif that is used: what may not be meant of another one is not said. Absent: all of them are. */
  readonly motifUsed?: ((config: GatewayConfig) => string) | undefined;
}

/** The parts of the world that loading needs. */
export type LoadWorld = Pick<World, 'env' | 'now' | 'monotonic' | 'send'>;

/**
 * Reads a gateway file into something that can answer, or throws with all that is wrong with it. While another version
 * of it is served, only a fault of the file itself is thrown: a document, certificate or word list that cannot be read
 * must not keep a revoked token alive, so that part stays as it was, and a Motif whose part never was gets no prompts.
 */
export async function loadGateway(source: GatewaySource, world: LoadWorld, options: LoadOptions): Promise<ServedFile> {
  const { log, adapt = (read) => read, counters, judging, before, warn, signal } = options;
  const { config: read, faults, warnings, at } = await readConfig(source, world, options);
  const keeper = new PartKeeper(faults, { isStrict: before === undefined });
  const adapted = adapt(read, at);
  const config = {
    ...adapted,
    audit: adapted.audit && { ...adapted.audit, file: auditPath(adapted.audit.file, source) },
    providers: keeper.keep('providers', adapted.providers, before?.config.providers),
    policies: keeper.keep('policies', adapted.policies, before?.config.policies),
  };
  const isAsked = options.isAsked?.(config) ?? true;
  const { tls: paths } = config.listen;
  // One that is named no more is shown until the next start.
  const tls = paths
    ? await keeper.read(['listen', 'tls'], before?.tls, () => readTls(paths, source))
    : (options.shownTls?.() ?? before?.tls);
  keepApart(read, source);
  const used = options.motifUsed?.(read);
  const empty: Remark[] = [];
  const knowledge = await keepKnowledge(config, keeper, before, async (each) => {
    const path = ['knowledge', each.name, 'files'];
    const isUsed = used === undefined || read.motifs.get(used)?.knowledge.includes(each.name) === true;
    const skipped: SkippedFile = (file, reason, fault) => {
      if (isUsed && fault !== undefined) empty.push({ path, expected: leftOut(file, reason) });
    };
    const readDocuments = async (pattern: string): Promise<readonly KnowledgeDocument[]> => {
      const documents = await source.readDocuments(pattern, skipped, signal);
      for (const expected of isUsed ? documentRemarks(pattern, documents) : []) empty.push({ path, expected });
      return documents;
    };
    const found = await readingFiles(source, () =>
      readKnowledge(each, { readDocuments, isAsked, signal }, before?.knowledge),
    );
    needDocuments(each, found, before?.knowledge.get(each.name));
    return found;
  });
  source.forgetOthers();
  const ofTls = tls && paths && certificateRemark(paths.cert, tls.cert, world.now(), shownCertificate);
  const placed = ({ path, expected }: Remark): DocumentFault => {
    return { file: source.name, ...at(path), path: pathText(path), expected };
  };
  const remarks = [
    ...(ofTls === undefined ? [] : [{ path: ['listen', 'tls', 'cert'], expected: ofTls }]),
    ...(options.remarks?.(config) ?? []),
    ...empty,
  ];
  warn([...warnings, ...remarks.map(placed)]);
  for (const [part, reason] of keeper.faulty) log.error('a part of the gateway file is faulty', { part, reason });
  for (const part of before?.faultyParts ?? [])
    if (!keeper.faulty.has(part)) log.warn('a part of the gateway file is good again', { part });
  // No function that is made here may stay: it would keep the version before, and that one all that were before it.
  const parts = assemblyParts(knowledge, world, log);
  const asked = isAsked ? config : { ...config, providers: new Map(), policies: new Map(), motifs: new Map() };
  return {
    config,
    access: await inTurns(createAccess(asked, { ...parts, counters })),
    motifs: await inTurns(assembleMotifs(asked, { ...parts, pool: judging, secrets: tls && privateKeysIn(tls.key) })),
    tls,
    knowledge,
    faultyParts: [...keeper.faulty.keys()],
  };
}

/** The parts with which Motifs are assembled in this process. */
export function assemblyParts(
  knowledge: ReadonlyMap<string, Knowledge>,
  world: Pick<World, 'now' | 'monotonic' | 'send'>,
  log: Log,
): AssemblyParts {
  return {
    send: world.send,
    now: () => world.now(),
    monotonic: () => world.monotonic(),
    sleep: patientSleep,
    random: Math.random,
    knowledge,
    log,
  };
}

interface ReadConfig {
  readonly config: GatewayConfig;
  /** Of files and secrets that it names. */
  readonly faults: readonly DocumentFault[];
  readonly warnings: readonly DocumentFault[];
  readonly at: ParsedGateway['at'];
}

async function readConfig(
  source: GatewaySource,
  world: LoadWorld,
  { before, areProvidersReplaced = false, motifUsed }: LoadOptions,
): Promise<ReadConfig> {
  const text = await readingFiles(source, source.readText);
  const { name: file, readFile, readInside } = source;
  const known = { env: world.env, now: world.now(), before: before?.config.policies };
  const parsed = await parseGatewayFile(text, { file, readFile, readInside, ...known, areProvidersReplaced });
  const { config } = parsed;
  const faults = [...parsed.namedFaults, ...parsed.missingSecrets];
  if (config === undefined || (before === undefined && faults.length > 0))
    throw toFaultError(source.name, [...parsed.faults, ...faults]);
  const used = motifUsed?.(config);
  return { config, faults, warnings: parsed.warnings.filter(({ path }) => isAbout(path, used)), at: parsed.at };
}

/** Returns a function that says each warning once, until it is gone: a file is read again and again. */
export function warnOfNew(say: (line: string) => void): (warnings: readonly DocumentFault[]) => void {
  let told: ReadonlySet<string> = new Set();
  return (warnings) => {
    const nameOf = ({ path, expected }: DocumentFault): string => `${path} ${expected}`;
    for (const warning of warnings.filter((each) => !told.has(nameOf(each)))) say(faultLine(warning));
    told = new Set(warnings.map(nameOf));
  };
}

async function keepKnowledge(
  config: GatewayConfig,
  keeper: PartKeeper,
  before: ServedFile | undefined,
  read: (each: KnowledgeConfig) => Promise<Knowledge>,
): Promise<ReadonlyMap<string, Knowledge>> {
  const kept = new Map<string, Knowledge>();
  for (const each of config.knowledge.values()) {
    const last = before?.knowledge.get(each.name);
    const found = await keeper.read(['knowledge', each.name], last && { ...last, top: each.top }, () => read(each));
    if (found !== undefined) kept.set(each.name, found);
  }
  return kept;
}

/**
 * Throws where all documents of a pattern are gone or empty that were served, or all of a knowledge base: a folder that
 * was moved, a volume that is not there, or a file that was emptied must not leave a Motif without its knowledge.
 */
function needDocuments({ files }: KnowledgeConfig, { matched }: Knowledge, last: Knowledge | undefined): void {
  if (last === undefined || last.matched.size === 0) return;
  const lost = files.filter((pattern) => !matched.has(pattern) && (matched.size === 0 || last.matched.has(pattern)));
  if (lost.length === 0) return;
  const names = lost.map((pattern) => defuseLine(pattern)).join(', ');
  throw new MotifError('usage', `${names}: no such file with text any more; what it held before stays in use`);
}

/** Warnings of a pattern of documents: that it matches none, or one without text. */
export function documentRemarks(pattern: string, documents: readonly KnowledgeDocument[]): readonly string[] {
  if (documents.length === 0) return [emptyPatternWords(pattern)];
  const empty = documents.filter((each) => !hasText(each));
  return empty.map(({ name }) => leftOut(name, 'holds no text'));
}

export function leftOut(file: string, reason: string): string {
  return `leaves out ${defuseLine(file)}: it ${reason}`;
}

/** A name without an ending may be that of a folder. */
function emptyPatternWords(pattern: string): string {
  const name = pattern.replace(/\/+$/, '');
  const isEnding = /\.[^/]*$/.test(name);
  const hint = isEnding || hasWildcard(name) ? '' : `; the files of a folder: ${name}/**/*.md`;
  return `names ${pattern}: no such file${hint}`;
}

function isAbout(path: string, motifId: string | undefined): boolean {
  return motifId === undefined || !/^motifs\b/.test(path) || isWithin(path, ['motifs', motifId]);
}

/** Not the world's: that one ends with the first signal, and a request that is drained may still have to wait. */
async function patientSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal });
}

async function readTls(paths: TlsIdentity, source: GatewaySource): Promise<TlsIdentity> {
  try {
    const identity = { cert: await source.readFile(paths.cert), key: await source.readFile(paths.key) };
    needTlsPair(identity, paths);
    return identity;
  } catch (error) {
    if (error instanceof FileFault) throw toNamedFileError(source.name, error);
    if (error instanceof TlsFault) throw new MotifError('usage', `${paths[error.part]} ${error.message}`);
    throw new MotifError('usage', `${paths.cert} and ${paths.key} are not a certificate and its key`, { cause: error });
  }
}

/** Private keys of a PEM text without the ends of its lines, which an answer may break elsewhere. */
function privateKeysIn(pem: string): readonly string[] {
  const found = pem.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]+)-----END/g);
  return Array.from(found, ([, body = '']) => body.replaceAll(/\s+/g, ''));
}

const faultsShownMax = 20;

function toFaultError(name: string, faults: readonly DocumentFault[]): MotifError {
  return faultyFile(`${defuseLine(name)} cannot be served as it is`, faults, {
    shownMax: faultsShownMax,
    hint: suiteHint(name, faults),
  });
}
