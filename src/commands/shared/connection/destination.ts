import type { ClientSettings, ClientTools } from '../../../client/client.ts';
import { resolve, type Settings } from '../../../settings/resolve.ts';
import type { GatewayInside } from '../../../suites/gateway-inside.ts';
import { type ConnectionFlags, settingFlags } from '../flags/connection.ts';
import type { Run } from '../run.ts';

/** Everything that the client needs to send prompts to one Motif, and the settings that it is shown with. */
export interface Destination {
  readonly settings: Settings;
  readonly connection: ClientSettings;
  readonly tools: ClientTools;
  /** Of a gateway in this process alone. */
  readonly inside?: GatewayInside;
}

/** The time for one prompt with its origin, or the cap of a command that waits less, which no setting moves. */
export function promptTime(
  { timeout }: Settings,
  capMs = Infinity,
): Pick<ClientSettings, 'timeoutMs' | 'timeoutSource'> {
  if (timeout.value > capMs) return { timeoutMs: capMs };
  const more = (duration: string): string => `--timeout ${duration}`;
  return { timeoutMs: timeout.value, timeoutSource: { from: timeout.from, more } };
}

/** Time and retries of one prompt, each with its origin. */
export function promptLimits(
  settings: Settings,
): Pick<ClientSettings, 'timeoutMs' | 'timeoutSource' | 'retries' | 'retriesFrom'> {
  const { retries } = settings;
  return { ...promptTime(settings), retries: retries.value, retriesFrom: retries.from };
}

/** Settings for a gateway in this process: no profile and no variable says who or where. */
export function embeddedSettings({ world: { env }, flags }: Run<ConnectionFlags>): Settings {
  const { url: _url, motif: _motif, ...texts } = settingFlags(flags);
  const alone = { ...env, MOTIF_URL: undefined, MOTIF_ID: undefined, MOTIF_TENANT_ID: undefined };
  return {
    ...resolve({ flags: texts, allowHttp: false, isProfileNamed: false }, alone, undefined),
    emptyVariables: [],
  };
}
