import type { ClientSettings, ClientTools } from '../client/client.ts';
import { resolve, type Settings } from '../settings/resolve.ts';
import type { World } from '../world/world.ts';
import { openConnection, resolveSettings } from './shared/connection.ts';
import { type ConnectionFlags, settingFlags } from './shared/connection-flags.ts';
import { type EmbeddedFlags, isEmbedded } from './shared/embedded-flags.ts';
import type { Notice } from './shared/notices.ts';

/** The one Motif of the demo. */
const demoMotifId = 'support-bot';

/** Where prompts go: everything the client needs, and what it is to be shown as. */
export interface Destination {
  readonly settings: Settings;
  readonly connection: ClientSettings;
  readonly tools: ClientTools;
}

export interface DestinationChoice {
  readonly settings: Settings;
  /** Gets the token and reads the certificates; nothing is asked yet. */
  readonly open: () => Promise<Destination>;
}

export interface DestinationOptions {
  /** The demo's gateway is made when it is opened: a person has the prompt before it, and its one Motif is known. */
  readonly isDemoLate?: boolean;
}

/** The embedded gateway where a flag asks for it, else the Motif that the settings name. */
export async function chooseDestination(
  flags: ConnectionFlags & EmbeddedFlags,
  world: World,
  notice: Notice,
  { isDemoLate = false }: DestinationOptions = {},
): Promise<DestinationChoice> {
  if (isDemoLate && flags.demo && flags.motif === undefined) return chooseLateDemo(flags, world, notice);
  if (isEmbedded(flags)) {
    const { openEmbedded } = await import('./gateway/embedded.ts');
    const service = await openEmbedded(flags, world, notice);
    return { settings: service.settings, open: async () => service };
  }
  const settings = await resolveSettings(flags, world, notice);
  return {
    settings,
    open: async () => ({ settings, connection: await openConnection(settings, world, notice), tools: world }),
  };
}

function chooseLateDemo(flags: ConnectionFlags & EmbeddedFlags, world: World, notice: Notice): DestinationChoice {
  return {
    settings: { ...settingsAlone(flags, world), motifId: { value: demoMotifId, from: '--demo', level: 'flag' } },
    async open() {
      const { openEmbedded } = await import('./gateway/embedded.ts');
      return openEmbedded(flags, world, notice);
    },
  };
}

/** No profile and no variable says who or where: the gateway is here, and its caller is made with it. */
export function settingsAlone(flags: ConnectionFlags, { env }: World): Settings {
  const { url: _url, motif: _motif, ...texts } = settingFlags(flags);
  const alone = { ...env, MOTIF_URL: undefined, MOTIF_ID: undefined, MOTIF_TENANT_ID: undefined };
  return resolve({ flags: texts, allowHttp: false, isProfileNamed: false }, alone, undefined);
}
