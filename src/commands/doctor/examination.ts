import { createClient, type Knock } from '../../client/client.ts';
import { type Layer, MotifError, TransportError } from '../../errors.ts';
import { isExempt } from '../../settings/proxy.ts';
import type { Settings, TokenSource } from '../../settings/resolve.ts';
import { fetchToken } from '../../settings/token-source.ts';
import type { Secret } from '../../text/secret.ts';
import type { Connection, ProxyRoute, Reach } from '../../wire/http.ts';
import { motifUrl, type Target } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { readCertificates } from '../shared/certificates.ts';
import {
  findProxy,
  requireTarget,
  requireToken,
  resolveSettings,
  toConnection,
  tokenAdvice,
} from '../shared/connection.ts';
import { type FilesSight, lookAtFiles } from './files.ts';
import type { ConnectionFlags } from '../shared/connection-flags.ts';
import { type EmbeddedFlags, isEmbedded } from '../shared/embedded-flags.ts';
import { tenantNote } from '../shared/verify.ts';
import type { Run } from '../shared/run.ts';
import { chooseTarget } from '../target.ts';

export type LayerName = 'settings' | 'files' | 'keyring' | Layer | 'token' | 'tenant' | 'clock';

/** Nobody waits for a doctor as long as for an answer. */
const patienceMsMax = 30_000;

/** All that could be found out; what is undefined was not reached, because something before it failed. */
export interface Facts {
  readonly settings: Settings | undefined;
  /** The gateway is in this process, so nothing lies on the way to it. */
  readonly isEmbedded: boolean;
  readonly target: Target | undefined;
  readonly files: FilesSight | undefined;
  /** What reading files of the person had to say. */
  readonly remarks: readonly string[];
  /** The name of the one that answers; null for none. */
  readonly keyring: string | null;
  readonly way: Way | undefined;
  readonly token: Secret | undefined;
  readonly reach: Reach | undefined;
  readonly knock: Knock | undefined;
  /** This machine's clock when the service had answered. */
  readonly now: number;
  /** The first thing that is wrong with each layer. */
  readonly faults: ReadonlyMap<LayerName, MotifError>;
}

export interface Way {
  readonly proxy: ProxyRoute | undefined;
  /** NO_PROXY names the service. */
  readonly isExempt: boolean;
}

/** The embedded gateway has no address, no profile and no way to it: its file, its token and its tenant rule are left. */
async function examineEmbedded(run: Run<ConnectionFlags & EmbeddedFlags>): Promise<Facts> {
  const { world } = run;
  const { faults, on } = createFaults();
  const remarks: string[] = [];
  const service = await on('settings', async () => {
    const { open } = await chooseTarget({ ...run, notice: (text) => void remarks.push(text) });
    return open();
  });
  const client = service && createClient(service.connection, service.tools, { notice: () => undefined });
  const knock = client && (await on('http', () => client.knock(world.interrupted)));
  keepKnockFault(knock, faults);
  return {
    settings: service?.settings,
    isEmbedded: true,
    target: service?.connection.target,
    files: await on('files', () => lookAtFiles(undefined, world)),
    remarks,
    keyring: (await world.keyring.probe()) ?? null,
    way: undefined,
    token: service?.connection.token,
    reach: undefined,
    knock,
    now: world.now(),
    faults,
  };
}

/** Goes as far as it can: what fails is kept under its layer, and only what needs it is left out. */
export async function examine(run: Run<ConnectionFlags & EmbeddedFlags>): Promise<Facts> {
  const { world } = run;
  if (isEmbedded(run.flags)) return examineEmbedded(run);
  const { faults, on } = createFaults();
  const remarks: string[] = [];
  const remark = (text: string) => void remarks.push(text);
  const settings = await on('settings', () => resolveSettings({ ...run, notice: remark }));
  const target = settings && (await on('settings', () => requireTarget(settings, world)));
  const source = settings && target && (await on('settings', () => requireToken(settings, target).value));
  const files = await on('files', () => lookAtFiles(settings?.profile, world));
  const token = source && (await on(layerOf(source), () => fetchToken(source, world, remark, settings?.timeout.value)));
  if (token !== undefined) world.redactor.add(token);
  const keyring = (await world.keyring.probe()) ?? null;
  const certificates = settings && (await on('files', () => readCertificates(settings, world, remark)));
  const way = settings && target && (await on('proxy', () => findWay(settings, target, world)));
  const local = { settings, isEmbedded: false, target, files, remarks, keyring, way, token, faults };
  if (settings === undefined || target === undefined || certificates === undefined || way === undefined) {
    return { ...local, reach: undefined, knock: undefined, now: world.now() };
  }

  const connection = toConnection(settings, certificates, way.proxy);
  const reach = await lookAlong(settings, target, connection, world);
  await on('tls', () => {
    if (reach.failure !== null) throw reach.failure;
  });
  const isOpen = reach.failure === null && token !== undefined;
  const knock = isOpen ? await on('http', () => knockAt({ settings, target, token, connection }, world)) : undefined;
  if (knock?.status === 401 && settings.tenant === undefined) knock.failure?.withNote(tenantNote);
  keepKnockFault(knock, faults);
  return { ...local, reach, knock, now: world.now() };
}

/** Keeps the first fault of each layer. What reaching the service throws knows its own layer. */
function createFaults() {
  const faults = new Map<LayerName, MotifError>();
  async function on<T>(layer: LayerName, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MotifError)) throw error;
      const at = error instanceof TransportError ? error.layer : layer;
      if (!faults.has(at)) faults.set(at, error);
      return undefined;
    }
  }
  return { faults, on };
}

/** Where a token that cannot be had is missing. */
function layerOf(source: TokenSource): LayerName {
  if (source.kind === 'variable') return 'settings';
  if (source.kind === 'path') return 'files';
  const layers = { file: 'files', keyring: 'keyring', command: 'token' } as const;
  return layers[source.record.store];
}

function keepKnockFault(knock: Knock | undefined, faults: Map<LayerName, MotifError>): void {
  if (knock?.failure !== undefined) faults.set(layerOfStatus(knock.status), knock.failure);
}

function layerOfStatus(status: number): LayerName {
  if (status === 401) return 'token';
  return status === 403 ? 'tenant' : 'http';
}

function findWay(settings: Settings, target: Target, world: World): Way {
  const exempt = [world.env.no_proxy, world.env.NO_PROXY].find((list) => list?.trim());
  return {
    proxy: findProxy(settings, target, world),
    isExempt: isExempt(new URL(target.baseUrl), exempt),
  };
}

async function lookAlong(settings: Settings, target: Target, connection: Connection, world: World): Promise<Reach> {
  await world.expectShortRun();
  return world.probe(motifUrl(target), {
    connection,
    deadlineAt: world.monotonic() + patienceMs(settings),
    signal: world.interrupted,
  });
}

interface Visitor {
  readonly settings: Settings;
  readonly target: Target;
  readonly token: Secret;
  readonly connection: Connection;
}

async function knockAt({ settings, target, token, connection }: Visitor, world: World): Promise<Knock> {
  const client = createClient(
    {
      target,
      token,
      tokenFrom: settings.token?.from ?? '',
      ...(settings.token === undefined ? {} : { tokenAdvice: tokenAdvice(settings.token.value) }),
      tenant: settings.tenant?.value,
      connection,
      timeoutMs: patienceMs(settings),
      retries: 0,
    },
    world,
    { notice: () => undefined },
  );
  return client.knock(world.interrupted);
}

function patienceMs({ timeout }: Settings): number {
  return Math.min(timeout.value, patienceMsMax);
}
