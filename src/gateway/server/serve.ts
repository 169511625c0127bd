import { MotifError } from '../../errors.ts';
import { inTurnOnce, inTurns } from '../../text/turns.ts';
import type { Access } from '../access/access.ts';
import { type AdminServer, startAdminServer } from './admin-server.ts';
import type { AppendFile } from '../records/audit/append-file.ts';
import { Audits } from './audits.ts';
import type { Knowledge } from '../assembly.ts';
import type { GatewayConfig } from '../config.ts';
import { changeWords, versionChanges } from '../records/config-changes.ts';
import { createLoad, type Gateway, type GatewayReply, type GatewayRequest, type ReadyMotif } from '../contract.ts';
import { createGateway } from '../gateway.ts';
import { watchClocks } from './clock-watch.ts';
import { growSlowly } from './heap-growth.ts';
import { type HttpLimits, httpLimits } from './http/limits.ts';
import { createHttpServer, type HttpParts, type HttpServer, type TlsIdentity } from './http/server.ts';
import type { JudgingThreads } from './judging-threads.ts';
import { logMinuteCounts } from '../records/minute-counts.ts';
import { createMetrics, type MetricsSnapshot, refusedFile, soonestEnds } from '../records/metrics.ts';
import { createPromptIds } from '../prompt-id.ts';
import { repeat } from './repeat.ts';
import { Standstill } from './standstill.ts';

/** A gateway file that was read, found good, and made into something that can answer. */
export interface ServedFile {
  readonly config: GatewayConfig;
  readonly access: Access;
  readonly motifs: ReadonlyMap<string, ReadyMotif>;
  readonly tls: TlsIdentity | undefined;
  /** By name, for the next version of the file. */
  readonly knowledge: ReadonlyMap<string, Knowledge>;
  /** Paths in the gateway file whose documents, certificates or lists cannot be read. */
  readonly faultyParts: readonly string[];
}

export interface ServeParts extends Pick<HttpParts, 'log' | 'processorMs'> {
  /** Reads the gateway file as it is now; rejects if it is not good, and says why. What was served before goes on. */
  load(before: ServedFile | undefined): Promise<ServedFile>;
  /** True where the gateway file is another one than was read last, and nobody is writing it. */
  hasChanged?(seen: { readonly late: boolean }): Promise<boolean>;
  openAppend(path: string): Promise<AppendFile>;
  /** False where the system has no file descriptor left, which Node hides: it drops new connections without a word. */
  readonly hasDescriptors?: () => Promise<boolean>;
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Judges large texts; absent where every text is judged at once. */
  readonly judging?: JudgingThreads | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** False in a worker: the process above it has the admin port. */
  readonly hasAdmin?: boolean;
  /** True where others serve the file already, so that an audit file which cannot be opened is no reason not to. */
  readonly isServedElsewhere?: boolean;
  /** Hears what has changed with each version that is applied. */
  readonly applied?: ((changed: string) => void) | undefined;
}

export interface Served {
  readonly port: number;
  readonly adminPort: number | undefined;
  snapshot(): MetricsSnapshot;
  /** False if the file was not good, in which case nothing has changed. */
  reload(): Promise<boolean>;
  /** Answers what has come in, and resolves when everything is closed. */
  drain(): Promise<void>;
  /** The most milliseconds that `drain` waits for answers. */
  readonly drainMsMax: number;
}

/** Beyond the longest wait for a provider, to judge and send what it said. */
const drainSlackMs = 5000;
const probeEveryMs = 1000;

/** Listens, and answers until it is drained. Rejects if the file is not good or the port not free. */
export async function serve(parts: ServeParts): Promise<Served> {
  const first = await parts.load(undefined);
  // Many documents take long to read, and a token that was revoked meanwhile must not be accepted for a moment.
  const hasChanged = await parts.hasChanged?.({ late: true }).catch(() => false);
  let fault: unknown;
  const noteFault = (error: unknown): ServedFile => {
    fault = error;
    return first;
  };
  const running = new Running(parts, hasChanged === true ? await parts.load(first).catch(noteFault) : first);
  await running.start();
  // The faulty file was read by now, so that nobody would read it again and tell of it.
  if (fault !== undefined) running.refuse(fault);
  return running;
}

class Running implements Served {
  readonly #parts: ServeParts;
  readonly #metrics = createMetrics();
  readonly #audits: Audits;
  readonly #newPromptId: () => string;
  readonly #load = createLoad(growSlowly);
  readonly #server: HttpServer;
  readonly #standstill: Standstill;
  #served: ServedFile;
  #gateway: Gateway | undefined;
  #admin: AdminServer | undefined;
  #isReady = false;
  /** True while the file as it is now is not the one that is served. */
  #isRefused = false;
  #stopWatching = (): void => undefined;
  /** The last reload, until it is done. */
  #underWay: Promise<boolean> | undefined;
  #drained: Promise<void> | undefined;
  port = 0;

  constructor(parts: ServeParts, served: ServedFile) {
    this.#parts = parts;
    this.#served = served;
    this.#newPromptId = createPromptIds(parts);
    this.#audits = new Audits({
      ...parts,
      open: (path) => parts.openAppend(path),
      every: repeat,
      metrics: this.#metrics,
      arrived: () => {
        this.#gateway = this.#connect(this.#served, { isAuditGood: true });
        this.#audits.present?.recordConfig(this.#served.config);
      },
    });
    this.#standstill = new Standstill({ ...parts, every: repeat, wake: () => this.#rereadChanged({ late: true }) });
    this.#server = createHttpServer({
      gateway: this.#answer,
      newPromptId: this.#newPromptId,
      metrics: this.#metrics,
      ...parts,
      limits: { ...httpLimits, ...parts.limits },
      tls: served.tls,
      noteConnection: () => parts.judging?.noteConnection(),
    });
  }

  readonly #answer = (request: GatewayRequest): Promise<GatewayReply> => {
    const waking = this.#standstill.look();
    return waking === undefined ? this.#gateway!(request) : waking.then(() => this.#gateway!(request));
  };

  /** Asks by the newest version of the file before a 401 is answered. */
  readonly #askNewest = async (request: GatewayRequest, known: Gateway): Promise<GatewayReply | undefined> => {
    await this.#rereadChanged({ late: false });
    return this.#gateway === known ? undefined : await this.#gateway!(request);
  };

  /** Reads the file if it has changed, once for all who ask. A reload under way may have begun before the change. */
  async #rereadChanged(seen: { readonly late: boolean }): Promise<void> {
    await this.#underWay;
    const hasChanged = await this.#parts.hasChanged?.(seen).catch(() => false);
    await (this.#underWay ?? (hasChanged ? this.reload() : undefined));
  }

  get adminPort(): number | undefined {
    return this.#admin?.port;
  }

  async start(): Promise<void> {
    const { listen, admin, audit } = this.#served.config;
    let isAuditGood = true;
    if (this.#parts.isServedElsewhere) isAuditGood = await this.#audits.change(audit);
    else await this.#audits.start(audit);
    this.#gateway = this.#connect(this.#served, { isAuditGood });
    if (admin !== undefined && this.#parts.hasAdmin !== false) {
      const answers = { isReady: () => this.#isReady, snapshots: async () => [this.snapshot()] };
      this.#admin = await startAdminServer(admin.host, admin.port, answers);
    }
    this.port = await this.#server.listen(listen.host, listen.port).catch(async (error: unknown) => {
      await this.#admin?.close();
      throw error;
    });
    // Only now, for a gateway whose port is in use has judged nothing; and no request is read before this.
    this.#audits.present?.recordConfig(this.#served.config);
    this.#isReady = true;
    this.#parts.judging?.begin(this.#served.config.policies.values());
    this.#stopWatching = this.#watchMachine();
    // Others may have said meanwhile that they have read a change, and nobody knew yet that this one listens.
    this.#standstill.wake();
  }

  #watchMachine(): () => void {
    const { log, hasDescriptors } = this.#parts;
    const metrics = this.#metrics;
    const stops = [logMinuteCounts({ metrics, log, every: repeat }), watchClocks({ ...this.#parts, every: repeat })];
    const probe = (): void => {
      void hasDescriptors?.().then((has) => {
        if (!has) metrics.count('dropped', { reason: 'descriptors' });
      });
    };
    stops.push(this.#standstill.watch());
    if (hasDescriptors !== undefined) stops.push(repeat(probeEveryMs, probe));
    return () => {
      for (const stop of stops) stop();
    };
  }

  #connect(file: ServedFile, { isAuditGood }: { readonly isAuditGood: boolean }): Gateway {
    const metrics = this.#metrics;
    const audit = this.#audits.present;
    metrics.clear('configs');
    metrics.set('configs', 1, { hash: file.config.hash });
    metrics.clear('tokenExpiry');
    for (const { motif, id, at } of soonestEnds(file.config))
      metrics.set('tokenExpiry', at / 1000, { motif, token: id });
    metrics.clear('faultyParts');
    const faultyParts = isAuditGood ? file.faultyParts : [...file.faultyParts, 'audit.file'];
    for (const part of faultyParts) metrics.set('faultyParts', 1, { part });
    metrics.set('limits', 1, { scope: 'machine' });
    const own = { newPromptId: this.#newPromptId, audit, metrics, load: this.#load, askNewest: this.#askNewest };
    return createGateway(file.config, { ...this.#parts, ...file, ...own, newestAccess: () => this.#served.access });
  }

  snapshot(): MetricsSnapshot {
    this.#metrics.set('inFlight', this.#load.inFlight);
    return this.#metrics.snapshot();
  }

  readonly #reloadInTurn = inTurnOnce(() => this.#reload());

  reload(): Promise<boolean> {
    const reloaded = this.#reloadInTurn();
    this.#underWay = reloaded;
    void reloaded.then(() => {
      if (this.#underWay === reloaded) this.#underWay = undefined;
    });
    return reloaded;
  }

  async #reload(): Promise<boolean> {
    const { log } = this.#parts;
    const before = this.#served;
    // First, whatever the file says: a rotated audit file is let go even where the gateway file is faulty.
    await this.#audits.reopen();
    try {
      const next = await this.#parts.load(this.#served);
      const isAuditGood = await this.#audits.change(next.config.audit);
      const gateway = this.#connect(next, { isAuditGood });
      this.#audits.present?.recordConfig(next.config);
      if (next.tls !== undefined) this.#server.setTls(next.tls);
      this.#gateway = gateway;
      this.#parts.judging?.renew(next.config.policies.values());
      this.#served = next;
      this.#metrics.count('reloads', { result: 'applied' });
      const changes = await inTurns(versionChanges(before, next));
      const facts = { config: next.config.hash, ...changes };
      // As loud as the refusal before it, and said once.
      if (this.#isRefused && this.#parts.applied === undefined)
        log.warn('the gateway file was read again, and this time it is applied', facts);
      else log.info('the gateway file was read again', facts);
      this.#parts.applied?.(changeWords(changes, before, next));
      this.#isRefused = false;
      if (!isSamePlace(before.config, next.config)) log.warn('a changed listen or admin holds from the next start');
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  /** Tells of a gateway file that is not applied, for this reason. */
  refuse(error: unknown): void {
    this.#metrics.count('reloads', { result: 'refused' });
    this.#metrics.set('faultyParts', 1, { part: refusedFile });
    this.#isRefused = true;
    const facts = { reason: reasonOf(error), config: this.#served.config.hash };
    this.#parts.log.error('the gateway file was not applied; the one before it stays', facts);
  }

  get drainMsMax(): number {
    return this.#served.config.limits.providerTimeoutMs + drainSlackMs;
  }

  drain(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  async #drain(): Promise<void> {
    const { log } = this.#parts;
    this.#isReady = false;
    log.info('draining', { in_flight: this.#load.inFlight });
    await this.#server.drain(this.drainMsMax);
    this.#stopWatching();
    this.#parts.judging?.close();
    await this.#audits.close();
    await this.#admin?.close();
    log.info('drained');
  }
}

/** With every line that stands below the message: that is where a fault of the file says its place. */
function reasonOf(error: unknown): readonly string[] {
  if (error instanceof MotifError) return [error.message, ...error.notes];
  return [error instanceof Error ? error.message : String(error)];
}

function isSamePlace(before: GatewayConfig, after: GatewayConfig): boolean {
  return JSON.stringify([before.listen, before.admin]) === JSON.stringify([after.listen, after.admin]);
}
