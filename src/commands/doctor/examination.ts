import { createClient, type EmptyPromptReply } from '../../client/client.ts';
import { withMoreTime } from '../../client/failures.ts';
import { type Layer, MotifError, TransportError } from '../../errors.ts';
import { isExempt } from '../../settings/proxy.ts';
import type { Settings, TokenSource } from '../../settings/resolve.ts';
import { fetchToken } from '../../settings/token-source.ts';
import type { Secret } from '../../text/secret.ts';
import type { Connection, ProxyRoute, Reach } from '../../wire/http.ts';
import { motifUrl, type MotifTarget } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { readCertificates } from '../shared/connection/certificates.ts';
import {
  findProxy,
  requireTarget,
  refuseTokenAsName,
  requireToken,
  resolveSettings,
  toConnection,
  adviceFor,
} from '../shared/connection/connection.ts';
import { type StoredFiles, examineFiles } from './files.ts';
import type { ConnectionFlags } from '../shared/flags/connection.ts';
import { promptTime } from '../shared/connection/destination.ts';
import { type EmbeddedFlags, isEmbedded } from '../shared/flags/embedded.ts';
import type { Run } from '../shared/run.ts';
import { chooseTarget } from '../target.ts';
import { motifPlaces } from '../../wire/motif-places.ts';

export type LayerName = 'settings' | 'files' | 'keyring' | Layer | 'token' | 'tenant' | 'clock';

const lackingTenant = 'some services answer this where the tenant alone is missing, and none was sent: --tenant ID';

/** A doctor gives up sooner than a prompt. */
const patienceMsMax = 30_000;

/** Findings on the way to the service; what is undefined was not reached, because something before it failed. */
export interface Examined {
  readonly settings: Settings | undefined;
  /** The gateway is in this process, so nothing lies on the way to it. */
  readonly isEmbedded: boolean;
  readonly target: MotifTarget | undefined;
  readonly files: StoredFiles | undefined;
  /** Notices of reading the person's files. */
  readonly remarks: readonly string[];
  /** The name of the one that answers; null for none. */
  readonly keyring: string | null;
  readonly proxyChoice: ProxyChoice | undefined;
  readonly token: Secret | undefined;
  readonly reach: Reach | undefined;
  readonly reply: EmptyPromptReply | undefined;
  /** This machine's clock when the service had answered. */
  readonly now: number;
  /** The first thing that is wrong with each layer. */
  readonly faults: ReadonlyMap<LayerName, MotifError>;
}

/** The proxy on the way, or why there is none. */
interface ProxyChoice {
  readonly proxy: ProxyRoute | undefined;
  /** NO_PROXY names the service. */
  readonly isExempt: boolean;
}

/** The embedded gateway has no address, profile or way to it: its file, its token and its tenant rule are left. */
async function examineEmbedded(run: Run<ConnectionFlags & EmbeddedFlags>): Promise<Examined> {
  const { world } = run;
  const { faults, on } = createFaults();
  const remarks: string[] = [];
  const service = await on('settings', async () => {
    const { open } = await chooseTarget({ ...run, notice: (text) => void remarks.push(text) }, { isMockUntold: true });
    return open();
  });
  const client = service && createClient(service.connection, service.tools, { notice: () => undefined });
  const reply = client && (await on('http', () => client.sendEmptyPrompt(world.interrupted)));
  keepReplyFault(reply, faults);
  return {
    settings: service?.settings,
    isEmbedded: true,
    target: service?.connection.target,
    files: await on('files', () => examineFiles({}, world)),
    remarks,
    keyring: (await world.keyring.probe()) ?? null,
    proxyChoice: undefined,
    token: service?.connection.token,
    reach: undefined,
    reply,
    now: world.now(),
    faults,
  };
}

/** Examines each layer as far as possible: a failure is kept under its layer, and only what needs it is left out. */
export async function examine(run: Run<ConnectionFlags & EmbeddedFlags>): Promise<Examined> {
  const { world } = run;
  if (isEmbedded(run.flags)) return examineEmbedded(run);
  const { faults, on } = createFaults();
  const remarks: string[] = [];
  const remark = (text: string) => void remarks.push(text);
  const settings = await on('settings', () => resolveSettings({ ...run, notice: remark }));
  const named = settings && (await on('settings', () => requireTarget(settings, world)));
  const source = settings && named && (await on('settings', () => requireToken(settings, named, world).value));
  const files = await on('files', () => examineFiles(settings ?? {}, world));
  const fetched =
    source && (await on(layerOf(source), () => fetchToken(source, world, remark, settings.timeout.value)));
  if (fetched !== undefined) world.redactor.add(fetched);
  const token = settings && fetched && (await on('settings', () => refuseTokenAsName(settings, fetched)));
  // An address that holds the token is looked for nowhere.
  const target = fetched !== undefined && token === undefined ? undefined : named;
  const keyring = (await world.keyring.probe()) ?? null;
  const certificates = settings && (await on('files', () => readCertificates(settings, world, remark)));
  const proxyChoice = settings && target && (await on('proxy', () => findProxyChoice(settings, target, world)));
  const local = { settings, isEmbedded: false, target, files, remarks, keyring, proxyChoice, token, faults };
  if (settings === undefined || target === undefined || certificates === undefined || proxyChoice === undefined) {
    return { ...local, reach: undefined, reply: undefined, now: world.now() };
  }

  const connection = toConnection(settings, certificates, proxyChoice.proxy);
  const reach = await lookAlong(settings, target, connection, world);
  await on('tls', () => {
    if (reach.failure !== null) throw reach.failure;
  });
  const isOpen = reach.failure === null && token !== undefined;
  const reply = isOpen
    ? await on('http', () => sendEmptyPromptTo({ settings, target, token, connection }, world))
    : undefined;
  if (reply?.status === 401 && settings.tenant === undefined)
    reply.failure?.withHint(`${lackingTenant} (${motifPlaces(target).tenant})`);
  keepReplyFault(reply, faults);
  return { ...local, reach, reply, now: world.now() };
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

/** The layer that is broken where the token cannot be had. */
function layerOf(source: TokenSource): LayerName {
  if (source.kind === 'variable') return 'settings';
  if (source.kind === 'path') return 'files';
  const layers = { file: 'files', keyring: 'keyring', command: 'token' } as const;
  return layers[source.record.store];
}

function keepReplyFault(reply: EmptyPromptReply | undefined, faults: Map<LayerName, MotifError>): void {
  if (reply?.failure !== undefined) faults.set(layerOfStatus(reply.status), reply.failure);
}

function layerOfStatus(status: number): LayerName {
  if (status === 401) return 'token';
  return status === 403 ? 'tenant' : 'http';
}

async function findProxyChoice(settings: Settings, target: MotifTarget, world: World): Promise<ProxyChoice> {
  return {
    proxy: await findProxy(settings, target, world),
    isExempt: await isExempt(new URL(target.baseUrl), world.env),
  };
}

async function lookAlong(
  settings: Settings,
  target: MotifTarget,
  connection: Connection,
  world: World,
): Promise<Reach> {
  await world.expectShortRun();
  const limit = promptTime(settings, patienceMsMax);
  const reach = await world.probe(motifUrl(target), {
    connection,
    deadlineAt: world.monotonic() + limit.timeoutMs,
    signal: world.interrupted,
  });
  if (reach.failure instanceof TransportError) withMoreTime(reach.failure, limit);
  return reach;
}

interface PromptAccess {
  readonly settings: Settings;
  readonly target: MotifTarget;
  readonly token: Secret;
  readonly connection: Connection;
}

async function sendEmptyPromptTo(
  { settings, target, token, connection }: PromptAccess,
  world: World,
): Promise<EmptyPromptReply> {
  const advice = settings.token && (await adviceFor(settings, settings.token.value, target, world));
  const client = createClient(
    {
      target,
      token,
      tokenFrom: settings.token?.from ?? '',
      ...(advice === undefined ? {} : { tokenAdvice: advice }),
      tenant: settings.tenant,
      isTenantEmpty: settings.emptyVariables.includes('MOTIF_TENANT_ID'),
      connection,
      ...promptTime(settings, patienceMsMax),
      retries: 0,
    },
    world,
    { notice: () => undefined },
  );
  return client.sendEmptyPrompt(world.interrupted);
}
