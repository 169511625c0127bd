import { formatDuration } from '../../text/durations.ts';
import { shellWord } from '../../text/defuse.ts';
import { usedProfile } from '../../settings/resolve.ts';
import { motifUrl } from '../../wire/request.ts';
import type { Examined, LayerName } from './examination.ts';
import { after, describeConnect, describeDns, describeProxy, describeTls, type LayerWords } from './way.ts';
import { tokenOrigin } from '../shared/connection/setting-rows.ts';

export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

/** One line of the report, and what stands below it. */
export interface LayerFinding {
  readonly layer: LayerName;
  readonly status: Status;
  readonly message: string;
  readonly notes: readonly string[];
  readonly hints: readonly string[];
}

/** Words for each layer where nothing is wrong with it; undefined where it was not reached. */
const layerTable: readonly { readonly layer: LayerName; describe: (facts: Examined) => LayerWords | undefined }[] = [
  { layer: 'settings', describe: describeSettings },
  { layer: 'files', describe: describeStored },
  { layer: 'keyring', describe: describeKeyring },
  { layer: 'proxy', describe: describeProxy },
  { layer: 'dns', describe: describeDns },
  { layer: 'connect', describe: describeConnect },
  { layer: 'tls', describe: describeTls },
  { layer: 'http', describe: describeHttp },
  { layer: 'token', describe: describeToken },
  { layer: 'tenant', describe: describeTenant },
  { layer: 'clock', describe: describeClock },
];

/** A difference that matters: tokens and certificates are not valid yet, or no more. */
const skewMsMax = 60_000;

const onTheWay: ReadonlySet<LayerName> = new Set(['proxy', 'dns', 'connect', 'tls'] as const);
const notNeeded: LayerWords = { message: 'not needed: the gateway is in this process' };

export function toFindings(facts: Examined): readonly LayerFinding[] {
  return layerTable.map(({ layer, describe }) => {
    const fault = facts.faults.get(layer);
    const words = facts.isEmbedded && onTheWay.has(layer) ? notNeeded : describe(facts);
    const notes = [...(fault?.notes ?? []), ...(words?.notes ?? [])];
    const hints = [...(fault?.hints ?? []), ...(words?.hints ?? [])];
    if (fault !== undefined) return { layer, status: 'failed', message: fault.message, notes, hints };
    if (words === undefined) return { layer, status: 'skipped', message: 'not reached', notes, hints };
    return { layer, status: statusOf(words), message: words.message, notes, hints };
  });
}

function statusOf({ isWarning, isUnknown }: LayerWords): Status {
  if (isUnknown === true) return 'skipped';
  return isWarning === true ? 'warning' : 'ok';
}

function describeSettings({ settings, target }: Examined): LayerWords | undefined {
  if (settings === undefined || target === undefined) return undefined;
  const profile = usedProfile(settings);
  return { message: `${motifUrl(target)}, ${profile === undefined ? 'no profile' : `profile ${profile}`}` };
}

function describeStored({ files, remarks }: Examined): LayerWords | undefined {
  if (files === undefined) return undefined;
  const open = files.open.map(({ path, mode }) => `${path} (mode 0${mode.toString(8)})`);
  const hints = files.open.map(({ path, wanted }) => `chmod ${wanted.toString(8)} ${shellWord(path)}`);
  if (open.length > 0) {
    return { message: `other users can reach ${open.join(', ')}`, isWarning: true, notes: remarks, hints };
  }
  const [first, ...rest] = remarks;
  if (first !== undefined) return { message: first, isWarning: true, notes: rest };
  if (files.folder === undefined) return { message: 'nothing is stored, for there is no home folder' };
  return { message: files.isEmpty ? `nothing is stored in ${files.folder}` : `${files.folder} is open to you alone` };
}

function describeKeyring({ keyring, settings, token }: Examined): LayerWords | undefined {
  const who = keyring === null ? 'no keyring answers' : `${keyring} answers`;
  const from = settings && tokenOrigin(settings);
  if (from === undefined || from === null) return { message: who };
  if (!isInKeyring(settings)) return { message: `${who}; it is not needed, the token comes from ${from}` };
  return token && { message: `${who} and holds the token of ${settings?.token?.from}` };
}

function isInKeyring(settings: Examined['settings']): boolean {
  const source = settings?.token?.value;
  return source?.kind === 'profile' && source.record.store === 'keyring';
}

function describeHttp({ reply }: Examined): LayerWords | undefined {
  if (reply === undefined) return undefined;
  const { status, timings } = reply;
  const words =
    status === 400 ? 'it answers: 400, as it should to an empty prompt' : `it answers ${status} to an empty prompt`;
  return { message: `${words} (no model is asked)${after(timings.totalMs)}` };
}

function describeToken({ token, settings, reply }: Examined): LayerWords | undefined {
  const isAccepted = reply !== undefined && (reply.failure === undefined || reply.failure.kind === 'auth');
  if (!isAccepted || token === undefined || settings === undefined) return undefined;
  const source = settings.token?.value;
  const isPrinted = source?.kind === 'profile' && source.record.store === 'command';
  const from = `${tokenOrigin(settings)}${isPrinted ? ', which was run' : ''}`;
  return { message: `${String(token)} is accepted; it comes from ${from}` };
}

function describeTenant({ settings, reply }: Examined): LayerWords | undefined {
  if (reply === undefined || reply.failure !== undefined) return undefined;
  const tenant = settings?.tenant;
  return { message: tenant === undefined ? 'none is sent, none is needed' : `${tenant.value} from ${tenant.from}` };
}

function describeClock({ reply, now }: Examined): LayerWords | undefined {
  if (reply === undefined) return undefined;
  if (reply.serviceTime === undefined) return { message: 'the service does not say what time it has', isUnknown: true };
  const skewMs = now - reply.serviceTime;
  const apart = formatDuration(Math.abs(skewMs));
  if (Math.abs(skewMs) <= skewMsMax) return { message: `within a minute of the service's clock` };
  return {
    message: `this machine's clock is ${apart} ${skewMs < 0 ? 'behind' : 'ahead of'} the service's`,
    isWarning: true,
    hints: ['set it: tokens and certificates are valid only for a time'],
  };
}
