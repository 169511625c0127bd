import { MotifError } from '../../../errors.ts';
import { startAdminServer } from '../../../gateway/server/admin-server.ts';
import type { Counters } from '../../../gateway/access/counters.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import type { Log } from '../../../gateway/records/log.ts';
import { startWorkers } from '../../../gateway/server/workers.ts';
import type { World } from '../../../world/world.ts';
import { toListenError } from '../address.ts';

export interface WorkerStage {
  readonly world: Pick<World, 'interrupted' | 'onHangup'>;
  readonly log: Log;
  readonly counters: Counters;
  readonly say: (port: number) => void;
}

/** The process above the workers: it answers no prompt, starts those who do, and knows how they are. */
export async function serveWithWorkers(
  count: number,
  config: GatewayConfig,
  { world, log, counters, say }: WorkerStage,
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
    const pool = await startWorkers(count, { log, counters });
    if (pool === undefined) throw new MotifError('io', 'no worker could listen; its lines above say why');
    isReady = () => pool.isReady();
    snapshots = () => pool.snapshots();
    world.onHangup(() => pool.reload());
    say(pool.port);
    await asked(world.interrupted);
    await pool.drain();
  } finally {
    await adminServer?.close();
  }
}

async function asked(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
