import { randomBytes } from 'node:crypto';
import { TransportError } from '../../errors.ts';
import { createCounters } from '../../gateway/access/counters.ts';
import { type GatewayConfig, unlimited } from '../../gateway/config.ts';
import { type AssemblyParts, assembleMotifs } from '../../gateway/assembly.ts';
import { createLoad, type Gateway, type ReadyMotif } from '../../gateway/contract.ts';
import { createGateway } from '../../gateway/gateway.ts';
import { createMetrics } from '../../gateway/records/metrics.ts';
import { createPromptIds } from '../../gateway/prompt-id.ts';
import { Refusal } from '../../gateway/refusal.ts';
import type { GatewayInside } from '../../suites/gateway-inside.ts';
import { pathWord } from '../../text/defuse.ts';
import { revealHeader, Secret } from '../../text/secret.ts';
import { atOnce } from '../../text/turns.ts';
import type { HttpRequest, Send } from '../../wire/http.ts';
import type { World } from '../../world/world.ts';
import type { ConnectionFlags } from '../shared/flags/connection.ts';
import type { EmbeddedFlags } from '../shared/flags/embedded.ts';
import { assemblyParts, loadGateway, warnOfNew } from './load.ts';
import { guardedPolicies, withChange } from './changed-policy.ts';
import { type PromptNote, PromptNotes, gatewayFactsOf } from './observer.ts';
import { mocked, replacedProvider, withoutOutside } from './mocked.ts';
import { createPlainLog } from '../../gateway/records/log.ts';
import { demoSource } from './demo-source.ts';
import { gatewayFileSource, keepFromOutputs } from './source.ts';
import { type Destination, embeddedSettings, promptLimits } from '../shared/connection/destination.ts';
import type { Run } from '../shared/run.ts';
import { needMotif } from './needed-motif.ts';
import { createTemporaryToken, type TemporaryToken, withTemporaryToken } from './temporary-token.ts';

/** Never looked up: what is asked of it goes no further than this process. */
const embeddedBaseUrl = 'http://embedded.localhost';

interface EmbeddedOptions {
  readonly isUnlimited?: boolean;
  readonly isMockUntold?: boolean;
}

/** Makes the gateway, a caller that it lets in, and the means to ask it. The audit of the file is not written. */
export async function openEmbedded(
  run: Run<EmbeddedFlags & ConnectionFlags>,
  { isUnlimited = false, isMockUntold = false }: EmbeddedOptions = {},
): Promise<Destination> {
  const { world, flags, notice } = run;
  const settings = embeddedSettings(run);
  const log = createPlainLog(notice, toldAnyway);
  const temporary: TemporaryToken = { ...createTemporaryToken(flags.motif), user: flags.as };
  const isMocked = !flags.live;
  const source = flags.local === undefined ? demoSource() : gatewayFileSource(flags.local, world);
  let placeOf: InsideParts['placeOf'] = () => ({ file: source.name, line: 1 });
  const { config, access, motifs, knowledge } = await loadGateway(source, world, {
    log,
    warn: warnOfNew((line) => notice(`warning: ${line}`)),
    counters: createCounters(world),
    areProvidersReplaced: isMocked,
    adapt: (read, at) => {
      placeOf = (policy) => ({ file: source.name, ...at(['policies', policy]) });
      if (!isMocked) return withTemporaryToken(read, temporary);
      const { id } = needMotif(read, temporary.motifId, '--motif');
      const { config: inside, notAsked } = withoutOutside(mocked(read), id);
      const replaced = replacedProvider(read, id);
      if (!isMockUntold && replaced !== undefined) notice(`a mock answers in place of ${replaced}; --live asks it`);
      if (notAsked.length > 0) notice(`not asked without --live: ${notAsked.join(', ')}`);
      return withTemporaryToken(isUnlimited ? withoutLimits(inside) : inside, temporary);
    },
    motifUsed: (read) => needMotif(read, temporary.motifId, '--motif').id,
  });
  keepFromOutputs(config, source, world);
  const parts = assemblyParts(knowledge, world, log);
  const newPromptId = createPromptIds({ now: () => world.now(), random: randomBytes });
  const open = (by: GatewayConfig, of: ReadonlyMap<string, ReadyMotif>): Gateway =>
    createGateway(by, {
      access,
      motifs: of,
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      newPromptId,
      audit: undefined,
      metrics: createMetrics(),
      log,
      load: createLoad(),
    });
  const { id } = needMotif(config, temporary.motifId, '--motif');
  const from = sourceFlag(flags);
  return {
    settings: {
      ...settings,
      baseUrl: { value: embeddedBaseUrl, from, level: 'flag' },
      motifId: { value: id, from, level: 'flag' },
      token: { value: { kind: 'variable', name: from, text: '' }, from: 'this run, which made it', level: 'flag' },
    },
    tools: toolsOf(createEmbeddedSend(open(config, motifs), world), world),
    connection: {
      target: { baseUrl: embeddedBaseUrl, motifId: id },
      asked: `Motif ${id} of ${flags.local ?? 'the demo'}, on the gateway in this process`,
      token: new Secret(temporary.token.text),
      tokenFrom: 'the embedded gateway',
      tenant: settings.tenant,
      tenantAdvice: tenantAdvice(config, run),
      traceparent: world.env.TRACEPARENT,
      connection: { connectTimeoutMs: settings.connectTimeout.value },
      ...promptLimits(settings),
    },
    inside: createInside({ config, motifs, id, isMocked, open, world, parts, placeOf }),
  };
}

function toolsOf(send: Send, world: World): Destination['tools'] {
  return {
    send,
    now: () => world.now(),
    monotonic: () => world.monotonic(),
    sleep: (ms, signal) => world.sleep(ms, signal),
  };
}

/**
 * Words for a caller whom the tenant rule of the file does not let in. The variable is about the service:
 * a CI job has it for other steps.
 */
function tenantAdvice({ tenant }: GatewayConfig, { world, flags }: Run<EmbeddedFlags>): string {
  const ignored = world.env.MOTIF_TENANT_ID ? ` (MOTIF_TENANT_ID does not count beside ${sourceFlag(flags)})` : '';
  const owner = flags.local === undefined ? 'the demo' : pathWord(flags.local);
  return tenant === undefined
    ? `leave --tenant out: ${owner} has no tenant`
    : `send the tenant of ${owner}: --tenant ${pathWord(tenant)}${ignored}`;
}

function sourceFlag({ demo }: EmbeddedFlags): '--demo' | '--local' {
  return demo ? '--demo' : '--local';
}

interface InsideParts {
  readonly config: GatewayConfig;
  readonly motifs: ReadonlyMap<string, ReadyMotif>;
  readonly id: string;
  readonly isMocked: boolean;
  readonly open: (config: GatewayConfig, motifs: ReadonlyMap<string, ReadyMotif>) => Gateway;
  readonly world: World;
  readonly parts: AssemblyParts;
  readonly placeOf: Parameters<typeof guardedPolicies>[2];
}

/** The gateway with its one Motif watched. Made when it is first used: an ordinary prompt is not watched. */
function createInside(inside: InsideParts): GatewayInside {
  const { config, motifs, id, isMocked, open, world, parts, placeOf } = inside;
  const notes = new PromptNotes();
  const own = motifs.get(id)!;
  let gateway: Gateway | undefined;
  return {
    isMocked,
    policies: guardedPolicies(own.config.policies, config, placeOf, () => world.now()),
    observe(answer) {
      gateway ??= open(config, new Map([[id, notes.watch(own)]]));
      const note: PromptNote = { answer, hits: [], excepted: [], providerSaw: undefined };
      const send = createEmbeddedSend(gateway, world, (signal) => notes.add(signal, note));
      return { send, sight: () => gatewayFactsOf(note) };
    },
    async changed(change) {
      const changed = withChange(config, id, change);
      const assembled = atOnce(assembleMotifs(changed, parts)).get(id)!;
      // Its knowledge and its provider are those of the Motif as it stands.
      const ready = { ...assembled, provider: own.provider, retrieve: own.retrieve };
      return createInside({ ...inside, config: changed, motifs: new Map([[id, ready]]) });
    },
  };
}

/** A run of thousands of cases costs nobody anything, and is not what a limit a minute was meant for. */
function withoutLimits(config: GatewayConfig): GatewayConfig {
  return { ...config, motifs: new Map([...config.motifs].map(([id, motif]) => [id, { ...motif, limits: unlimited }])) };
}

/** Carries a request to the gateway function as a socket would, and gives up at the same moment. */
function createEmbeddedSend(
  gateway: Gateway,
  world: Pick<World, 'monotonic'>,
  began: (signal: AbortSignal) => void = () => undefined,
): Send {
  return async function send(request, { deadlineAt, signal, failed }) {
    signal?.throwIfAborted();
    const startedAt = world.monotonic();
    const deadline = createDeadline(deadlineAt - startedAt, signal);
    const body = Buffer.from(request.body);
    began(deadline.signal);
    const reply = await gateway({
      method: request.method,
      path: new URL(request.url).pathname,
      headers: plainHeaders(request),
      readBody: async (bytesMax) => {
        if (body.length > bytesMax) throw new Refusal('body_too_large');
        return body;
      },
      signal: deadline.signal,
    }).finally(() => deadline.clear());
    reply.taken?.();
    // Signals and timers get their turn, as they do where a socket is waited for.
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const totalMs = world.monotonic() - startedAt;
    const timings = { dnsMs: null, connectMs: null, tlsMs: null, totalMs, sentBytes: body.length };
    // Whatever was judged at once gave no timer its turn.
    if (deadline.signal.aborted || startedAt + totalMs >= deadlineAt) {
      failed?.({ ...timings, firstByteMs: null, receivedBytes: 0 });
      throw new TransportError('timeout', 'the embedded gateway did not answer in time', {
        layer: 'http',
        sent: true,
        isDeadline: true,
      });
    }
    const answer = new TextEncoder().encode(reply.body);
    const { status, headers } = reply;
    return {
      status,
      headers,
      body: answer,
      timings: { ...timings, firstByteMs: totalMs, receivedBytes: answer.length },
    };
  };
}

/**
 * A signal that aborts with another or when its time is over. Cleared, it leaves nothing behind: `AbortSignal.timeout`
 * and `AbortSignal.any` would keep a timer and a reference for each of ten thousand prompts that were over long ago.
 */
function createDeadline(ms: number, signal: AbortSignal | undefined): { signal: AbortSignal; clear(): void } {
  const either = new AbortController();
  const timer = setTimeout(() => either.abort(), Math.ceil(Math.max(1, ms))).unref();
  const onAbort = (): void => either.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  return {
    signal: either.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function plainHeaders({ headers }: HttpRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, revealHeader(value)]));
}

/** Fields that a failure or a block tells anyway. */
const toldAnyway: ReadonlySet<string> = new Set(['prompt_id', 'motif', 'status']);
