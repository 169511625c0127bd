import { randomBytes } from 'node:crypto';
import { TransportError } from '../../errors.ts';
import { ByteBudget } from '../../gateway/access/byte-budget.ts';
import { createCounters } from '../../gateway/access/counters.ts';
import type { GatewayConfig, ProviderConfig } from '../../gateway/config.ts';
import type { Gateway } from '../../gateway/contract.ts';
import { createGateway } from '../../gateway/gateway.ts';
import type { Log, LogFields } from '../../gateway/records/log.ts';
import { createMetrics } from '../../gateway/records/metrics.ts';
import { createPromptIds } from '../../gateway/prompt-id.ts';
import { Refusal } from '../../gateway/refusal.ts';
import { Secret } from '../../text/secret.ts';
import type { HttpReply, HttpRequest, Send } from '../../wire/http.ts';
import type { World } from '../../world/world.ts';
import type { ConnectionFlags } from '../shared/connection-flags.ts';
import type { EmbeddedFlags } from '../shared/embedded-flags.ts';
import { loadGateway } from './load.ts';
import { demoSource, fileSource } from './source.ts';
import type { Notice } from '../shared/notices.ts';
import { type Destination, embeddedSettings } from '../shared/destination.ts';
import type { Run } from '../shared/run.ts';
import { createGuest, type Guest, motifOf, withGuest } from './temporary-token.ts';

/** Never looked up: what is asked of it goes no further than this process. */
const embeddedBaseUrl = 'http://embedded.localhost';

/** Makes the gateway, a caller that it lets in, and the means to ask it. The audit of the file is not written. */
export async function openEmbedded(run: Run<EmbeddedFlags & ConnectionFlags>): Promise<Destination> {
  const { world, flags, notice } = run;
  const settings = embeddedSettings(run);
  const log = createNoticeLog(notice);
  const guest: Guest = { ...createGuest(flags.motif), user: flags.as };
  const isMocked = !flags.live;
  const { config, access, motifs } = await loadGateway(
    flags.local === undefined ? demoSource() : fileSource(flags.local, world),
    world,
    {
      log,
      counters: createCounters(world),
      areProvidersReplaced: isMocked,
      adapt: (read) => withGuest(isMocked ? mocked(read) : read, guest),
      motifUsed: (read) => motifOf(read, guest.motifId).id,
    },
  );
  const gateway = createGateway(config, {
    access,
    motifs,
    now: () => world.now(),
    monotonic: () => world.monotonic(),
    newPromptId: createPromptIds({ now: () => world.now(), random: randomBytes }),
    audit: undefined,
    metrics: createMetrics(),
    log,
    load: { inFlight: 0, bodies: new ByteBudget() },
  });
  const { id } = motifOf(config, guest.motifId);
  const from = flags.demo ? '--demo' : '--local';
  return {
    settings: {
      ...settings,
      baseUrl: { value: embeddedBaseUrl, from, level: 'flag' },
      motifId: { value: id, from, level: 'flag' },
      token: { value: { kind: 'variable', name: from, text: '' }, from: 'this run, which made it', level: 'flag' },
    },
    tools: {
      send: createEmbeddedSend(gateway, world),
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      sleep: (ms, signal) => world.sleep(ms, signal),
    },
    connection: {
      target: { baseUrl: embeddedBaseUrl, motifId: id },
      asked: `Motif ${id} of ${flags.local ?? 'the demo'}, on the gateway in this process`,
      token: new Secret(guest.token.text),
      tokenFrom: 'the embedded gateway',
      tenant: settings.tenant?.value,
      connection: { connectTimeoutMs: settings.connectTimeout.value },
      timeoutMs: settings.timeout.value,
      retries: settings.retries.value,
    },
  };
}

/** Each provider quotes the knowledge instead of asking a model; a mock of the file stays as it is. */
function mocked(config: GatewayConfig): GatewayConfig {
  const mock = { mode: 'quote', script: [], latencyMs: 0, failRate: 0, seed: 0 } as const;
  const replace = (each: ProviderConfig): ProviderConfig =>
    each.kind === 'mock' ? each : { ...each, kind: 'mock', key: undefined, headers: {}, mock };
  return { ...config, providers: new Map([...config.providers].map(([name, each]) => [name, replace(each)])) };
}

/** Carries a request to the gateway function as a socket would, and gives up at the same moment. */
function createEmbeddedSend(gateway: Gateway, world: Pick<World, 'monotonic'>): Send {
  return async function send(request, { deadlineAt, signal }) {
    signal?.throwIfAborted();
    const startedAt = world.monotonic();
    const late = AbortSignal.timeout(Math.ceil(Math.max(1, deadlineAt - startedAt)));
    const body = new TextEncoder().encode(request.body);
    const reply = await gateway({
      method: request.method,
      path: new URL(request.url).pathname,
      headers: { ...plainHeaders(request), 'content-length': String(body.length) },
      readBody: async (bytesMax) => {
        if (body.length > bytesMax) throw new Refusal('body_too_large');
        return body;
      },
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    signal?.throwIfAborted();
    if (late.aborted) {
      const hint = '--timeout allows more time';
      throw new TransportError('timeout', 'the embedded gateway did not answer in time', {
        layer: 'http',
        sent: true,
        hint,
      });
    }
    return toReply(reply, body.length, world.monotonic() - startedAt);
  };
}

function plainHeaders({ headers }: HttpRequest): Record<string, string> {
  const plain = (value: HttpRequest['headers'][string]): string => {
    if (typeof value === 'string') return value;
    return 'scheme' in value ? `${value.scheme} ${value.token.reveal()}` : value.reveal();
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, plain(value)]));
}

function toReply(reply: Awaited<ReturnType<Gateway>>, sentBytes: number, totalMs: number): HttpReply {
  const body = new TextEncoder().encode(reply.body);
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: totalMs, totalMs, sentBytes };
  return { status: reply.status, headers: reply.headers, body, timings: { ...timings, receivedBytes: body.length } };
}

/** What a failure or a block tells anyway. */
const toldAnyway: ReadonlySet<string> = new Set(['prompt_id', 'motif', 'status']);

/** What a gateway would log is said to the person, who runs it. */
function createNoticeLog(notice: Notice): Log {
  const say = (message: string, fields: LogFields = {}) => {
    const facts = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === null || toldAnyway.has(name) ? [] : [`${name} ${value}`],
    );
    notice(facts.length === 0 ? message : `${message} (${facts.join(', ')})`);
  };
  return { error: say, warn: say, info: () => undefined, debug: () => undefined };
}
