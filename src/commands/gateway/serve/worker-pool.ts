import { MotifError } from '../../../errors.ts';
import { startAdminServer } from '../../../gateway/server/admin-server.ts';
import type { Log } from '../../../gateway/records/log.ts';
import { repeat } from '../../../gateway/server/repeat.ts';
import type { ServedFile } from '../../../gateway/server/serve.ts';
import { Standstill } from '../../../gateway/server/standstill.ts';
import { startWorkers } from '../../../gateway/server/worker-pool.ts';
import type { World } from '../../../world/world.ts';
import { findListenError } from '../address.ts';
import type { LoadOptions } from '../load.ts';
import { connectionsMaxFor, type KeptHangups, type Stage, writerToStdout } from './stage.ts';
import type { AppliedVersions } from './versions.ts';
import { watchFiles } from './watch.ts';

interface WorkerStage extends LoadOptions {
  readonly world: World;
  readonly versions: AppliedVersions;
  readonly say: (port: number) => void;
  readonly applied: Stage['applied'];
  readonly onHangup: KeptHangups;
}

/** The process above the workers: it answers no prompt, starts those who do, and knows how they are. */
export async function serveWithWorkers(
  count: number,
  first: ServedFile,
  { versions, say, onHangup, ...options }: WorkerStage,
): Promise<void> {
  const { world, log, counters } = options;
  const { config } = first;
  const { admin, listen } = config;
  // The workers say what is wrong with a new version; here it is kept, and told once what has changed.
  const follow = versions.follow(first, world, { ...options, log: silent });
  const standstill = new Standstill({
    monotonic: () => world.monotonic(),
    every: repeat,
    wake: () => readUntilGood(versions, follow, options),
  });
  let pool: Awaited<ReturnType<typeof startWorkers>>;
  const adminServer =
    admin &&
    (await startAdminServer(admin.host, admin.port, {
      isReady: () => pool?.isReady() === true,
      hanging: () => pool?.hanging() ?? [],
      snapshots: async () => (await pool?.snapshots()) ?? [],
    }).catch(async (error: unknown) => {
      throw await findListenError(error, config, world);
    }));
  const stopLooking = standstill.watch();
  try {
    pool = await startWorkers(count, {
      log,
      monotonic: () => world.monotonic(),
      processorMs: () => world.processorMs(),
      counters,
      async versions() {
        await standstill.look();
        return versions.kept;
      },
      read: () => versions.read,
      place: () => ({ host: listen.host, port: listen.port, tls: listen.tls && versions.tls }),
      write: writerToStdout(world),
      untakenMax: await connectionsMaxFor(config.limits.inFlight, world),
      signal: world.interrupted,
    });
    if (pool === undefined) throw new MotifError('io', 'no worker could listen; the lines above say why');
    onHangup(() => {
      pool?.reload();
      void follow();
    });
    if (!world.interrupted.aborted) say(pool.port);
    await watchFiles(versions.source, world, { changed: follow, signal: world.interrupted });
    await pool.drain();
  } finally {
    stopLooking();
    await adminServer?.close();
  }
}

const rereadMs = 1000;

/**
 * Reads a gateway file that has changed while this process stood still, until it is a good one: the workers may serve a
 * version of it that never was read here, and one that starts by the version before would accept a revoked token.
 */
async function readUntilGood(
  { source }: AppliedVersions,
  follow: () => Promise<boolean>,
  { world, log }: Pick<WorkerStage, 'world' | 'log'>,
): Promise<void> {
  if (!(await source.hasChanged()) || (await follow())) return;
  log.error('the gateway file has changed while this process stood still; no worker starts until it can be read');
  while (!world.interrupted.aborted && !(await follow())) await world.sleep(rereadMs).catch(() => undefined);
}

const silent: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
