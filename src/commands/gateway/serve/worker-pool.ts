import { MotifError } from '../../../errors.ts';
import { startAdminServer } from '../../../gateway/server/admin-server.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import type { Log } from '../../../gateway/records/log.ts';
import { startCrew } from '../../../gateway/server/workers.ts';
import type { World } from '../../../world/world.ts';
import { toListenError } from '../address.ts';

export interface CrewParts {
  readonly world: Pick<World, 'interrupted' | 'onHangup'>;
  readonly log: Log;
  readonly say: (port: number) => void;
}

/** The process above the workers: it answers no prompt, starts those who do, and knows how they are. */
export async function serveWithCrew(
  count: number,
  config: GatewayConfig,
  { world, log, say }: CrewParts,
): Promise<void> {
  const { admin } = config;
  let isReady = () => false;
  let snapshots: Parameters<typeof startAdminServer>[2]['snapshots'] = async () => [];
  const adminServer =
    admin &&
    (await startAdminServer(admin.host, admin.port, {
      isReady: () => isReady(),
      snapshots: () => snapshots(),
    }).catch((error: unknown) => {
      throw toListenError(error, config);
    }));
  try {
    const crew = await startCrew(count, log);
    if (crew === undefined) throw new MotifError('io', 'no worker came to listen; what it said stands above');
    isReady = () => crew.isReady();
    snapshots = () => crew.snapshots();
    world.onHangup(() => crew.reload());
    say(crew.port);
    await asked(world.interrupted);
    await crew.drain();
  } finally {
    await adminServer?.close();
  }
}

async function asked(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
