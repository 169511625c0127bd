import type { GatewayConfig, KnowledgeConfig, MotifConfig } from './config.ts';
import type { Provider } from './vocabulary.ts';
import type { ReadyMotif } from './contract.ts';
import type { RetrievedPassage } from './knowledge/message.ts';
import { readPassages } from './knowledge/passages.ts';
import { createIndex, type KnowledgeIndex } from './knowledge/search.ts';
import type { Log } from './records/log.ts';
import { createPolicy } from './policies/index.ts';
import { isPure, judge, judgeNow } from './policies/judging.ts';
import type { Policy, PolicyParts } from './policies/policy.ts';
import { withFallback } from './providers/fallback.ts';
import { createProvider } from './providers/index.ts';
import type { ProviderParts } from './providers/upstream.ts';

export interface KnowledgeParts {
  /** The files of a pattern, in the folder of the gateway file, with their texts. */
  readDocuments(pattern: string): Promise<readonly { readonly name: string; readonly text: string }[]>;
}

export interface AssemblyParts extends ProviderParts, PolicyParts {
  readonly knowledge: ReadonlyMap<string, Knowledge>;
  now(): number;
  monotonic(): number;
  readonly send: ProviderParts['send'];
  readonly log: Log;
}

/** The Motifs of a configuration that can be asked; one that needs a part that is not there is left out. */
export function assembleMotifs(config: GatewayConfig, parts: AssemblyParts): Map<string, ReadyMotif> {
  const providers = new Map([...config.providers].map(([name, each]) => [name, createProvider(each, parts)]));
  const policies = new Map([...config.policies].map(([name, each]) => [name, createPolicy(each, parts)]));
  const { knowledge } = parts;
  const isWhole = (motif: MotifConfig): boolean =>
    providers.has(motif.provider) &&
    (motif.fallback === undefined || providers.has(motif.fallback)) &&
    motif.policies.every((name) => policies.has(name)) &&
    motif.knowledge.every((name) => knowledge.has(name));
  const assemble = (motif: MotifConfig): ReadyMotif => ({
    config: motif,
    provider: providerOf(motif, providers, parts.log),
    judge: judgeOf(named(motif.policies, policies), config.limits.providerTimeoutMs, parts),
    retrieve: retrieverOf(named(motif.knowledge, knowledge)),
  });
  return new Map([...config.motifs].filter(([, motif]) => isWhole(motif)).map(([id, motif]) => [id, assemble(motif)]));
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
}

export async function readKnowledge(
  { name: base, files, top }: KnowledgeConfig,
  parts: KnowledgeParts,
): Promise<Knowledge> {
  const documents = (await Promise.all(files.map((pattern) => parts.readDocuments(pattern)))).flat();
  const texts = new Map(documents.map(({ name, text }) => [name, text]));
  const passages = [...texts].flatMap(([file, text]) =>
    readPassages(text, file).map((passage, at) => ({ ...passage, base, file, number: at + 1 })),
  );
  return { index: createIndex(passages), top };
}

function named<T>(names: readonly string[], all: ReadonlyMap<string, T>): T[] {
  return names.map((name) => need(name, all));
}

function need<T>(name: string, all: ReadonlyMap<string, T>): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`the gateway file was checked, and yet ${name} is not in it`);
  return found;
}

function providerOf(motif: MotifConfig, providers: ReadonlyMap<string, Provider>, log: Log): Provider {
  const provider = need(motif.provider, providers);
  if (motif.fallback === undefined) return provider;
  return withFallback(provider, need(motif.fallback, providers), {
    notice({ status, message, detail }) {
      log.warn('a provider failed, its fallback is asked', { motif: motif.id, status, reason: message, detail });
    },
  });
}

/** A Motif all of whose policies look for themselves is judged at once; only a webhook has to be waited for. */
function judgeOf(policies: readonly Policy[], timeoutMs: number, parts: AssemblyParts): ReadyMotif['judge'] {
  if (policies.length === 0) return (_side, texts) => ({ decision: 'pass', hits: [], texts });
  if (policies.every(isPure)) return (side, texts) => judgeNow(policies, side, texts);
  return (side, texts, signal) => judge(policies, side, texts, { deadlineAt: parts.monotonic() + timeoutMs, signal });
}

function retrieverOf(bases: readonly Knowledge[]): ReadyMotif['retrieve'] {
  return (question) => bases.flatMap(({ index, top }) => index.search(question, top));
}
