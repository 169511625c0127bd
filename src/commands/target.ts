import type { Service } from '../conversations/conversation.ts';
import type { Settings } from '../settings/resolve.ts';
import { openConnection, resolveSettings } from './shared/connection/connection.ts';
import type { ConnectionFlags } from './shared/flags/connection.ts';
import { type Destination, embeddedSettings } from './shared/connection/destination.ts';
import { type EmbeddedFlags, isEmbedded } from './shared/flags/embedded.ts';
import type { Run } from './shared/run.ts';

const demoMotifId = 'support-bot';

type TargetFlags = ConnectionFlags & EmbeddedFlags & { readonly blockedNotice?: string | undefined };

/** A Motif that prompts can be sent to, once it is opened. */
export interface Target {
  readonly settings: Settings;
  /** The service that answers, as a conversation keeps it. */
  readonly service: Service;
  /** Gets the token and reads the certificates; nothing is asked yet. */
  readonly open: () => Promise<Destination>;
}

interface TargetOptions {
  /** The demo's gateway is made when it is opened: a person has the prompt before it, and its one Motif is known. */
  readonly isDemoLate?: boolean;
  /** Limits of the gateway file are not obeyed where a mock answers. */
  readonly isUnlimited?: boolean;
  /** No prompt is sent, or it was told before: that a mock answers in place of a provider goes without saying. */
  readonly isMockUntold?: boolean;
}

/** The embedded gateway where a flag asks for it, else the Motif that the settings name. */
export async function chooseTarget(run: Run<TargetFlags>, options: TargetOptions = {}): Promise<Target> {
  const { world, flags, notice } = run;
  if (options.isDemoLate && flags.demo && flags.motif === undefined) {
    const motifId = { value: demoMotifId, from: '--demo', level: 'flag' } as const;
    return { settings: { ...embeddedSettings(run), motifId }, service: 'demo', open: () => openEmbedded(run) };
  }
  if (isEmbedded(flags)) {
    const destination = await openEmbedded(run, options);
    return { settings: destination.settings, service: flags.demo ? 'demo' : 'local', open: async () => destination };
  }
  const settings = await resolveSettings(run);
  return {
    settings,
    service: settings.baseUrl?.value,
    open: async () => ({ settings, connection: await openConnection(settings, world, notice), tools: world }),
  };
}

/** The gateway is large, so it is loaded when a flag asks for it. */
async function openEmbedded(run: Run<TargetFlags>, options: TargetOptions = {}): Promise<Destination> {
  return (await import('./gateway/embedded.ts')).openEmbedded(run, options);
}
