import { formatDuration } from '../../text/durations.ts';
import { shellWord } from '../../text/defuse.ts';
import { motifUrl } from '../../wire/request.ts';
import type { Facts, LayerName } from './examination.ts';
import { after, lookAtConnect, lookAtDns, lookAtProxy, lookAtTls, type Sight } from './way.ts';
import { tokenOrigin } from '../shared/setting-rows.ts';

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** One line of the report, and what stands below it. */
export interface Finding {
  readonly layer: LayerName;
  readonly status: Status;
  readonly message: string;
  readonly notes: readonly string[];
  readonly hints: readonly string[];
}

/** What is said of each layer where nothing is wrong with it; undefined where it was not reached. */
const layerTable: readonly { readonly layer: LayerName; look: (facts: Facts) => Sight | undefined }[] = [
  { layer: 'settings', look: lookAtSettings },
  { layer: 'files', look: lookAtFiles },
  { layer: 'keyring', look: lookAtKeyring },
  { layer: 'proxy', look: lookAtProxy },
  { layer: 'dns', look: lookAtDns },
  { layer: 'connect', look: lookAtConnect },
  { layer: 'tls', look: lookAtTls },
  { layer: 'http', look: lookAtHttp },
  { layer: 'token', look: lookAtToken },
  { layer: 'tenant', look: lookAtTenant },
  { layer: 'clock', look: lookAtClock },
];

/** What a minute of difference explains is rare: a token, or a certificate, that is not valid yet. */
const skewMsMax = 60_000;

const onTheWay: ReadonlySet<LayerName> = new Set(['proxy', 'dns', 'connect', 'tls'] as const);
const notNeeded: Sight = { message: 'not needed: the gateway is in this process' };

export function toFindings(facts: Facts): readonly Finding[] {
  return layerTable.map(({ layer, look }) => {
    const fault = facts.faults.get(layer);
    const sight = facts.isEmbedded && onTheWay.has(layer) ? notNeeded : look(facts);
    const notes = [...(fault?.notes ?? []), ...(sight?.notes ?? [])];
    const hints = [...(fault?.hints ?? []), ...(sight?.hints ?? [])];
    if (fault !== undefined) return { layer, status: 'failed', message: fault.message, notes, hints };
    if (sight === undefined) return { layer, status: 'skipped', message: 'not reached', notes, hints };
    return { layer, status: sight.isWarning ? 'warning' : 'ok', message: sight.message, notes, hints };
  });
}

function lookAtSettings({ settings, target }: Facts): Sight | undefined {
  if (settings === undefined || target === undefined) return undefined;
  const { profile } = settings;
  return { message: `${motifUrl(target)}, ${profile === undefined ? 'no profile' : `profile ${profile}`}` };
}

function lookAtFiles({ files, remarks }: Facts): Sight | undefined {
  if (files === undefined) return undefined;
  const open = files.open.map(({ path, mode }) => `${path} (mode 0${mode.toString(8)})`);
  const hints = files.open.map(({ path, wanted }) => `chmod ${wanted.toString(8)} ${shellWord(path)}`);
  if (open.length > 0) {
    return { message: `others can get at ${open.join(', ')}`, isWarning: true, notes: remarks, hints };
  }
  const [first, ...rest] = remarks;
  if (first !== undefined) return { message: first, isWarning: true, notes: rest };
  if (files.folder === undefined) return { message: 'nothing is stored, for there is no home folder' };
  return { message: files.isEmpty ? `nothing is stored in ${files.folder}` : `${files.folder} is open to you alone` };
}

function lookAtKeyring({ keyring, settings, token }: Facts): Sight | undefined {
  const who = keyring === null ? 'no keyring answers' : `${keyring} answers`;
  const from = settings && tokenOrigin(settings);
  if (from === undefined || from === null) return { message: who };
  if (!isInKeyring(settings)) return { message: `${who}; it is not needed, the token comes from ${from}` };
  return token && { message: `${who} and holds the token of ${settings?.token?.from}` };
}

function isInKeyring(settings: Facts['settings']): boolean {
  const source = settings?.token?.value;
  return source?.kind === 'profile' && source.record.store === 'keyring';
}

function lookAtHttp({ knock }: Facts): Sight | undefined {
  if (knock === undefined) return undefined;
  const { status, timings } = knock;
  return { message: `${status} to an empty prompt, which asks no model${after(timings.totalMs)}` };
}

function lookAtToken({ token, settings, knock }: Facts): Sight | undefined {
  const isAccepted = knock !== undefined && (knock.failure === undefined || knock.failure.kind === 'auth');
  if (!isAccepted || token === undefined || settings === undefined) return undefined;
  const source = settings.token?.value;
  const isPrinted = source?.kind === 'profile' && source.record.store === 'command';
  const from = `${tokenOrigin(settings)}${isPrinted ? ', which was run' : ''}`;
  return { message: `${String(token)} is accepted; it comes from ${from}` };
}

function lookAtTenant({ settings, knock }: Facts): Sight | undefined {
  if (knock === undefined || knock.failure !== undefined) return undefined;
  const tenant = settings?.tenant;
  return { message: tenant === undefined ? 'none is sent, none is needed' : `${tenant.value} from ${tenant.from}` };
}

function lookAtClock({ knock, now }: Facts): Sight | undefined {
  if (knock === undefined) return undefined;
  if (knock.serviceTime === undefined) return { message: 'the service does not say what time it has' };
  const skewMs = now - knock.serviceTime;
  const apart = formatDuration(Math.abs(skewMs));
  if (Math.abs(skewMs) <= skewMsMax) return { message: `within a minute of the service's clock` };
  return {
    message: `this machine's clock is ${apart} ${skewMs < 0 ? 'behind' : 'ahead of'} the service's`,
    isWarning: true,
    hints: ['set it: tokens and certificates are valid from one moment to another'],
  };
}
