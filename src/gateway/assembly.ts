import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { atOnce, inTurns, nextRoundIfAny, type Piecework, roundsUntil } from '../text/turns.ts';
import type { GatewayConfig, KnowledgeConfig, MotifConfig } from './config.ts';
import type { Asking, JudgingPool, ReadyMotif } from './contract.ts';
import type { Provider, Side, Verdict } from './vocabulary.ts';
import type { RetrievedPassage } from './knowledge/message.ts';
import { readPassages } from './knowledge/passages.ts';
import { LaterIndex } from './knowledge/later-index.ts';
import { createIndex, type KnowledgeIndex } from './knowledge/search.ts';
import { type Log, type LogFields, unaskedNote } from './records/log.ts';
import { createPolicy } from './policies/index.ts';
import { withNotedFailures } from './policies/noted-failures.ts';
import { preparePolicies } from './policies/preparing.ts';
import { inspectNow, isPure, judge, judgeNow } from './policies/judging.ts';
import type { InquiryLimits, Policy, PolicyParts } from './policies/policy.ts';
import { WorkBudget, policyWorkDefault } from './policies/readings/work-budget.ts';
import { withFallback } from './providers/fallback.ts';
import { FileSecrets } from './providers/file-secrets.ts';
import { createProvider } from './providers/index.ts';
import type { ProviderParts } from './providers/upstream.ts';

export interface KnowledgeParts {
  /** The files of a pattern with their texts, each by its path from the folder of the gateway file on. */
  readDocuments(pattern: string): Promise<readonly KnowledgeDocument[]>;
  /** False where nobody searches them, so that no index is made. */
  readonly isAsked?: boolean;
  /** Ends the reading, and the making of an index that is waited for: it rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface KnowledgeDocument {
  readonly name: string;
  readonly text: string;
}

export interface AssemblyParts extends ProviderParts, PolicyParts {
  readonly knowledge: ReadonlyMap<string, Knowledge>;
  /** Secrets beside those of the configuration. */
  readonly secrets?: readonly string[] | undefined;
  /** Absent: everything is judged at once. */
  readonly pool?: JudgingPool | undefined;
  now(): number;
  monotonic(): number;
  readonly send: ProviderParts['send'];
  readonly log: Log;
}

/** The Motifs of a configuration that can be asked; one that needs a part that is not there is left out. */
export function* assembleMotifs(config: GatewayConfig, parts: AssemblyParts): Piecework<Map<string, ReadyMotif>> {
  const secrets = new FileSecrets(config, parts.secrets);
  const holdsSecret = (name: string): boolean => secrets.inAnyWords(name) !== name;
  const partsOf = (facts: LogFields) => ({ ...parts, holdsSecret, onUnasked: unaskedNote(parts.log, facts) });
  const providers = new Map<string, Provider>();
  for (const [name, each] of config.providers) {
    providers.set(name, createProvider(each, partsOf({ provider: name }), secrets));
    yield;
  }
  const policies = new Map<string, Policy>();
  for (const [name, each] of config.policies) {
    const note = (reason: string): void =>
      parts.log.warn('a policy could not be asked', { policy: name, reason: secrets.inAnyWords(reason) });
    policies.set(name, withNotedFailures(createPolicy(each, partsOf({ policy: name })), note));
    yield;
  }
  const { knowledge } = parts;
  const isWhole = (motif: MotifConfig): boolean =>
    providers.has(motif.provider) &&
    (motif.fallback === undefined || providers.has(motif.fallback.provider)) &&
    motif.policies.every((name) => policies.has(name)) &&
    motif.knowledge.every((name) => knowledge.has(name));
  const assemble = (motif: MotifConfig): ReadyMotif => ({
    config: motif,
    provider: providerOf(motif, providers, parts),
    judge: judgeOf(motif, named(motif.policies, policies), config, parts),
    retrieve: retrieverOf(named(motif.knowledge, knowledge)),
    knowledgeMade: allMade(named(motif.knowledge, knowledge)),
  });
  if (parts.pool !== undefined) yield* preparePolicies([...policies.values()]);
  const motifs = new Map<string, ReadyMotif>();
  for (const [id, motif] of config.motifs) {
    if (isWhole(motif)) motifs.set(id, assemble(motif));
    yield;
  }
  return motifs;
}

/** The knowledge of one Motif alone, for whoever asks what it would be given. */
export async function assembleKnowledge(
  { knowledge }: MotifConfig,
  config: GatewayConfig,
  parts: KnowledgeParts,
): Promise<ReadyMotif['retrieve']> {
  return retrieverOf(await Promise.all(knowledge.map((name) => readKnowledge(need(name, config.knowledge), parts))));
}

/** The passages of a knowledge base, ready to be searched. */
export interface Knowledge {
  readonly index: KnowledgeIndex<RetrievedPassage>;
  readonly top: number;
  /** The SHA-256 of each document, by its name. */
  readonly documents: ReadonlyMap<string, string>;
  /** The patterns that match a document with text in it. */
  readonly matched: ReadonlySet<string>;
  /** Resolves once it has an index; absent where it had one from the start. */
  readonly firstMade?: Promise<void> | undefined;
}

/**
 * Reads a knowledge base. In a reload its index stays where no document has changed; else the one before answers until
 * that of the new documents is made, for what else has changed must not wait for that.
 */
export async function readKnowledge(
  { name: base, files, top }: KnowledgeConfig,
  parts: KnowledgeParts,
  before?: ReadonlyMap<string, Knowledge>,
): Promise<Knowledge> {
  const found = await Promise.all(files.map((pattern) => parts.readDocuments(pattern)));
  const texts = new Map(found.flat().map(({ name, text }) => [name, text]));
  const rounds = roundsUntil(parts.signal);
  const documents = await inTurns(digestsOf(texts), rounds);
  const matched = new Set(files.filter((_, at) => found[at]!.some(hasText)));
  const empty = atOnce(createIndex<RetrievedPassage>([]));
  if (parts.isAsked === false) return { index: empty, top, documents, matched };
  if (before === undefined) return { index: await inTurns(indexOf(texts, base), rounds), top, documents, matched };
  const last = before.get(base);
  if (last !== undefined && isDeepStrictEqual([...documents], [...last.documents]))
    return { ...last, top, documents, matched };
  const make = () => inTurns(indexOf(texts, base), nextRoundIfAny);
  const index = new LaterIndex(last?.index ?? empty, make);
  return { index, top, documents, matched, firstMade: last === undefined ? index.made : last.firstMade };
}

/** Bytes that are hashed before others may have their turn: 1 ms. */
const bytesPerPiece = 256 * 1024;

function* digestsOf(texts: ReadonlyMap<string, string>): Piecework<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const [name, text] of texts) {
    const bytes = Buffer.from(text);
    const hash = createHash('sha256');
    for (let from = 0; from < bytes.length; from += bytesPerPiece) {
      hash.update(bytes.subarray(from, from + bytesPerPiece));
      yield;
    }
    digests.set(name, hash.digest('base64'));
  }
  return digests;
}

function* indexOf(texts: ReadonlyMap<string, string>, base: string): Piecework<KnowledgeIndex<RetrievedPassage>> {
  const passages: RetrievedPassage[] = [];
  for (const [file, text] of texts) {
    for (const [at, passage] of (yield* readPassages(text, basename(file))).entries()) {
      passages.push({ base, file, number: at + 1, ...passage });
      yield;
    }
  }
  return yield* createIndex(passages);
}

/** False for a document that somebody emptied, or that is written at this moment. */
export function hasText({ text }: KnowledgeDocument): boolean {
  return text.trim() !== '';
}

function named<T>(names: readonly string[], all: ReadonlyMap<string, T>): T[] {
  return names.map((name) => need(name, all));
}

function need<T>(name: string, all: ReadonlyMap<string, T>): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`the gateway file was checked, and yet ${name} is not in it`);
  return found;
}

function providerOf(motif: MotifConfig, providers: ReadonlyMap<string, Provider>, parts: AssemblyParts): Provider {
  const provider = need(motif.provider, providers);
  const { fallback } = motif;
  if (fallback === undefined) return provider;
  return withFallback(provider, need(fallback.provider, providers), {
    model: fallback.model,
    on: fallback.on,
    monotonic: () => parts.monotonic(),
    notice({ status, message, detail }, promptId) {
      const about = { provider: provider.name, fallback: fallback.provider, motif: motif.id, prompt_id: promptId };
      parts.log.warn('a provider failed, its fallback is asked', { ...about, status, reason: message, detail });
    },
  });
}

/** The most bytes of UTF-8 that are judged at once; more go to the pool. Bytes, for letters of three take longer. */
const inlineBytesMax = 16 * 1024;
/** The most texts that are judged at once: an empty one takes 10 us, one with words of orders 50. */
const inlineTextsMax = 256;
/** The work that judging at once may take, far beyond what so many characters need unless they are built to. */
const inlineWorkMax = 2_000_000;
/** Findings take so many times the memory of the bytes in which a webhook told them. */
const heldPerByte = 8;
/** Shorter texts are judged at once even where others of the same token were costly, unless short ones were, too. */
const shortCharactersMax = 1024;
/** The most texts that take little time where they are as short as that together, unless they are built to. */
const shortTextsMax = 16;

/**
 * Small texts are judged at once, because to hand them to another thread would take longer. Large ones, and small ones
 * that turn out to be costly, go to the pool; and only a policy that asks outside has to be waited for.
 */
function judgeOf(
  motif: MotifConfig,
  policies: readonly Policy[],
  config: GatewayConfig,
  parts: AssemblyParts,
): ReadyMotif['judge'] {
  if (policies.length === 0) return (_side, texts) => ({ decision: 'pass', hits: [], texts });
  const { providerTimeoutMs, policyWork } = config.limits;
  const { pool } = parts;
  const limitsOf = (side: Side, asking: Asking): InquiryLimits => ({
    deadlineAt: parts.monotonic() + providerTimeoutMs,
    signal: asking.signal,
    traceparent: asking.traceparent,
    policyWork,
    ...(pool && { inTurn: (part) => pool.inTurn(asking, part), inspectWholes: wholesIn(pool, side, asking) }),
    received: (bytes) => (asking.held?.take(bytes * heldPerByte) === false ? new Error('no room') : undefined),
  });
  const areAllPure = policies.every(isPure);
  const pureConfigs = named(motif.policies, config.policies).filter((_, index) => isPure(policies[index]!));
  const wholeConfigs = named(motif.policies, config.policies).filter((_, index) => policies[index]!.judgesWhole);
  const wholesIn = (threads: JudgingPool, side: Side, asking: Asking) => (texts: readonly string[]) => {
    if (bytesOf(texts, charactersOf(texts)) <= inlineBytesMax) return undefined;
    const job = { ...asking, policies: wholeConfigs, areAll: false, side, texts, policyWork };
    // A thread that broke has judged nothing, so that each of these policies has failed.
    return threads.inspect(job).then((inspected) => ('outcomes' in inspected ? inspected.outcomes : []));
  };
  const judgeInPool = async (
    side: Side,
    texts: readonly string[],
    asking: Asking,
    threads: JudgingPool,
    isSmall: boolean,
  ): Promise<Verdict> => {
    const job = { ...asking, policies: pureConfigs, areAll: areAllPure, side, texts, policyWork, isSmall };
    const inspected = await threads.inspect(job);
    if ('verdict' in inspected) return inspected.verdict;
    // Thousands of findings may have come, and more than one token's at once.
    return await threads.inTurn(asking, () => judge(policies, side, texts, limitsOf(side, asking), inspected));
  };
  const judgeHere = (
    side: Side,
    texts: readonly string[],
    asking: Asking,
    threads: JudgingPool,
    characters: number,
  ): Verdict | Promise<Verdict> => {
    const clock = threads.clock(asking.holder, characters, characters < shortCharactersMax);
    const budget = new WorkBudget(Math.min(inlineWorkMax, policyWork ?? policyWorkDefault), clock);
    const found = areAllPure ? judgeNow(policies, side, texts, budget) : inspectNow(policies, side, texts, budget);
    clock.stop(budget.isExceeded);
    if (budget.isExceeded) return judgeInPool(side, texts, asking, threads, true);
    return 'decision' in found ? found : judge(policies, side, texts, limitsOf(side, asking), { outcomes: found });
  };
  return (side, texts, asking) => {
    if (pool === undefined) {
      if (areAllPure) return judgeNow(policies, side, texts, new WorkBudget(policyWork));
      return judge(policies, side, texts, limitsOf(side, asking));
    }
    const characters = charactersOf(texts);
    const isShort = characters < shortCharactersMax;
    const areMany = bytesOf(texts, characters) > inlineBytesMax || texts.length > inlineTextsMax;
    const isForPool = (): boolean => areMany || pool.isCostly(asking.holder, isShort);
    if (isForPool()) return judgeInPool(side, texts, asking, pool, !areMany);
    // A hundred texts of one token may have waited for their turns before the first of them was found to be costly.
    const work = () =>
      isForPool() ? judgeInPool(side, texts, asking, pool, !areMany) : judgeHere(side, texts, asking, pool, characters);
    return pool.inTurn(asking, work, isShort && texts.length <= shortTextsMax, { characters, texts: texts.length });
  };
}

/** In place of bytes their characters, where these alone tell which side of the limit they are on. */
function bytesOf(texts: readonly string[], characters: number): number {
  const isClear = characters > inlineBytesMax || 3 * characters <= inlineBytesMax;
  return isClear ? characters : texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function charactersOf(texts: readonly string[]): number {
  let characters = 0;
  for (const text of texts) characters += text.length;
  return characters;
}

function allMade(bases: readonly Knowledge[]): Promise<unknown> | undefined {
  const made = bases.map(({ firstMade }) => firstMade).filter((each) => each !== undefined);
  return made.length === 0 ? undefined : Promise.all(made);
}

function retrieverOf(bases: readonly Knowledge[]): ReadyMotif['retrieve'] {
  return (question) => bases.flatMap(({ index, top }) => index.search(question, top));
}
