import { expect } from 'vitest';
import { type AuditParts, createAudit } from '../../../src/gateway/records/audit/audit.ts';
import { type Counters, createCounters } from '../../../src/gateway/access/counters.ts';
import { createAccess } from '../../../src/gateway/access/access.ts';
import { type AssemblyParts, assembleMotifs, type Knowledge, readKnowledge } from '../../../src/gateway/assembly.ts';
import type { Provider, ProviderRequest } from '../../../src/gateway/vocabulary.ts';
import {
  createLoad,
  type GatewayParts,
  type GatewayReply,
  type GatewayRequest,
  type ReadyMotif,
} from '../../../src/gateway/contract.ts';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { createMetrics } from '../../../src/gateway/records/metrics.ts';
import { createPromptIds } from '../../../src/gateway/prompt-id.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import { newToken } from '../../../src/gateway/access/token.ts';
import { parsed } from '../../gateway/file/config-file.ts';
import { atOnce } from '../../../src/text/turns.ts';

export const tokens = { bot: newToken(), quiet: newToken() };

/** Motif `bot` has policies, a system message and knowledge; `quiet` has nothing but a provider. */
export const gatewayFile = `tenant: acme
limits: { body: 64KiB, messages: 4, provider_timeout: 20s, in_flight: 3 }
audit: { file: audit.jsonl }
providers: { mock: { kind: mock } }
policies:
  no-word: { kind: words, words: [forbidden] }
  hide: { kind: words, words: [hideme], action: redact }
  note: { kind: words, words: [noteworthy], action: warn }
knowledge:
  handbook: { files: handbook.md, top: 1 }
motifs:
  bot:
    provider: mock
    model: m-1
    params: { temperature: 0 }
    system: You answer for Acme.
    users: [ana]
    limits: { in_flight: 9 }
    policies: [no-word, hide, note]
    knowledge: [handbook]
    tokens: [{ id: t1, sha256: ${tokens.bot.sha256}, user: ana }]
  quiet:
    provider: mock
    limits: { rpm: 2 }
    tokens: [{ id: t2, sha256: ${tokens.quiet.sha256} }]
`;

interface GatewaySetup {
  readonly file?: string;
  /** Effect of the provider; absent: it answers `fine`. */
  readonly provider?: Provider['ask'];
  /** Called for each piece that is written to the audit file. */
  readonly write?: (text: string) => Promise<void>;
  readonly handbook?: string;
  readonly judging?: GatewayParts['judging'];
  /** The way to webhooks. */
  readonly send?: AssemblyParts['send'];
  /** Absent: those of this process. */
  readonly counters?: Counters;
  /** Parts of every Motif in place of those that the file makes. */
  readonly motif?: Partial<ReadyMotif>;
}

export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  /** Beside a content type and the token of Motif `bot`; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly messages?: readonly unknown[];
  /** Instead of an object with the messages. */
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Its body never comes. */
  readonly stalls?: boolean;
  /** Called while its body comes in. */
  readonly meanwhile?: () => void;
  /** Hears of the bytes of its body that the gateway is given, and that nobody else holds. */
  readonly given?: (bytes: Uint8Array) => void;
}

type TestReply = GatewayReply & { readonly json: Record<string, unknown> };

/** The gateway as a function, its provider a script, its clock a number. */
export async function testGateway({
  file = gatewayFile,
  provider = answering('fine'),
  handbook = '',
  ...setup
}: GatewaySetup = {}) {
  const config = await parsed(file);
  const asked: ProviderRequest[] = [];
  const audited: string[] = [];
  const logged: string[] = [];
  const clock = { at: Date.UTC(2026, 10, 21, 12), tick: 0 };
  const metrics = createMetrics();
  const log = createLog({ write: (line) => void logged.push(line), now: () => clock.at, level: 'debug' });
  const write = setup.write ?? (async (text: string) => void audited.push(text));
  const open: AuditParts['open'] = async () => ({ write, isCurrent: () => true, close: async () => undefined });
  const auditParts = { open, now: () => clock.at, every: () => () => undefined, random: randomBytes, log, metrics };
  const audit = config.audit && (await createAudit(config.audit, auditParts));
  const scripted: Provider = {
    name: 'mock',
    kind: 'mock',
    ask(request, limits) {
      asked.push(request);
      return provider(request, limits);
    },
  };
  const readDocuments = async (name: string) => [{ name, text: handbook }];
  const knowledge = new Map<string, Knowledge>();
  for (const [name, each] of config.knowledge) knowledge.set(name, await readKnowledge(each, { readDocuments }));
  const motifs = atOnce(
    assembleMotifs(config, {
      send: setup.send ?? (() => Promise.reject(new Error('nothing is sent'))),
      now: () => clock.at,
      monotonic: () => clock.tick,
      sleep: async () => undefined,
      random: () => 0.5,
      knowledge,
      log,
    }),
  );
  const load = createLoad();
  const gateway = createGateway(config, {
    access: atOnce(
      createAccess(config, {
        now: () => clock.at,
        counters:
          setup.counters ??
          createCounters({ now: () => clock.at, monotonic: () => clock.at, sinceBoot: () => clock.at }),
      }),
    ),
    motifs: new Map([...motifs].map(([id, motif]) => [id, { ...motif, provider: scripted, ...setup.motif }])),
    now: () => clock.at,
    monotonic: () => (clock.tick += 1),
    newPromptId: createPromptIds({ now: () => clock.at, random: randomBytes }),
    audit,
    metrics,
    log,
    load,
    judging: setup.judging,
  });
  return {
    asked,
    logged,
    clock,
    load,
    metrics,
    audit,
    audited: () =>
      audited
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async ask(request: TestRequest = {}): Promise<TestReply> {
      const reply = await gateway(toRequest(request));
      return { ...reply, json: JSON.parse(reply.body) as Record<string, unknown> };
    },
  };
}

function randomBytes(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

export function answering(text: string, usage = { prompt: 3, completion: 4, isEstimated: false }): Provider['ask'] {
  return async () => ({ text, finishReason: 'stop', usage });
}

function toRequest({
  method = 'POST',
  path = '/api/v1/apps/bot/prompts',
  headers = {},
  messages,
  body,
  stalls = false,
  meanwhile,
  given,
  signal,
}: TestRequest): GatewayRequest {
  const text = body ?? JSON.stringify({ messages: messages ?? [{ role: 'user', content: 'hello' }] });
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return {
    method,
    path,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.bot.text}`, ...headers },
    signal: signal ?? new AbortController().signal,
    async readBody(bytesMax, received) {
      if (stalls) await new Promise(() => undefined);
      meanwhile?.();
      if (bytes.length > bytesMax) throw new Refusal('body_too_large');
      const refusal = received?.(bytes.length);
      if (refusal !== undefined) throw refusal;
      const own = bytes.slice();
      given?.(own);
      return own;
    },
  };
}

/** Form of every failure. */
export function expectFailure({ status, json, headers }: TestReply, expected: { status: number; code: string }): void {
  expect({ status, code: json.code }).toEqual(expected);
  expect(Object.keys(json)).toEqual(['error', 'code', 'prompt_id']);
  expect(json.prompt_id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(headers['content-type']).toBe('application/json');
}
