import type { Command } from 'commander';
import type { ClientSettings, ClientTools } from '../client/client.ts';
import { MotifError } from '../errors.ts';
import { resolve, type Settings } from '../settings/resolve.ts';
import type { World } from '../world/world.ts';
import { openConnection, resolveSettings } from './shared/connection.ts';
import { type ConnectionFlags, settingFlags } from './shared/flags.ts';
import type { Notice } from './shared/notices.ts';

/** The one Motif of the demo. */
const demoMotifId = 'support-bot';

/** Where prompts go: everything the client needs, and what it is to be shown as. */
export interface Destination {
  readonly settings: Settings;
  readonly connection: ClientSettings;
  readonly tools: ClientTools;
}

/** A gateway inside this process instead of an address: no port, no login. */
export interface EmbeddedFlags {
  readonly demo?: boolean;
  readonly local?: string;
  readonly live?: boolean;
  readonly as?: string;
}

export function withEmbedded(command: Command): Command {
  return command
    .option('--demo', 'ask the demo Motif, on a gateway in this process')
    .option('--local <file>', 'ask your gateway file, on a gateway in this process')
    .option('--live', 'with --local: ask its providers, not a mock')
    .option('--as <user>', 'with --demo or --local: play this user');
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
  checkFlags(flags);
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

export function isEmbedded(flags: EmbeddedFlags): boolean {
  return flags.demo === true || flags.local !== undefined;
}

/** The flags of an embedded gateway and those of a remote one exclude each other; a mix of them is a mistake. */
function checkFlags(flags: EmbeddedFlags & ConnectionFlags): void {
  const usage = (message: string) => new MotifError('usage', message, { hint: 'motif help prompt' });
  if (flags.demo && flags.local !== undefined) throw usage('--demo and --local both say which gateway to ask');
  if (flags.live && flags.local === undefined) throw usage('--live goes with --local FILE');
  if (flags.as !== undefined && !isEmbedded(flags)) throw usage('--as goes with --demo or --local FILE');
  if (!isEmbedded(flags)) return;
  const remote = { '--url': flags.url, '-p': flags.profile, '--proxy': flags.proxy };
  const name = Object.entries(remote).find(([, value]) => value !== undefined)?.[0];
  if (name !== undefined) throw usage(`${name} is about a service elsewhere, but --demo and --local ask none`);
}
