import type { Command } from 'commander';
import { Interrupted, MotifError } from '../../../errors.ts';
import { createCounters } from '../../../gateway/access/counters.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { JudgingThreads } from '../../../gateway/server/judging-threads.ts';
import { boundedWrite, createLog, createPlainLog, type Log } from '../../../gateway/records/log.ts';
import type { ServedFile } from '../../../gateway/server/serve.ts';
import {
  announceReady,
  askForPlace,
  askForVersions,
  countersOfWorker,
  isForeignWorker,
  isLaterWorker,
  isWorker,
  leavePool,
  type ListenPlace,
} from '../../../gateway/server/workers.ts';
import { workerCount } from '../../../gateway/server/worker-pool.ts';
import { counted } from '../../../text/sizes.ts';
import { ownThread } from '../../../world/threads.ts';
import type { World } from '../../../world/world.ts';
import { declare } from '../../shared/declare.ts';
import { type LoadOptions, warnOfNew } from '../load.ts';
import { gatewayFileSource, type GatewaySource } from '../source.ts';
import { addressOf } from '../address.ts';
import { adminCommand } from '../admin-command.ts';
import { unaskedMotifs } from '../unasked-motifs.ts';
import { AppliedVersions, loadInWorker, placeOnceRead } from './versions.ts';
import { serveWithWorkers } from './worker-pool.ts';
import { serveDemo, serveFor } from './beside.ts';
import {
  adapted,
  attend,
  keepHangups,
  type KeptHangups,
  serveFlags,
  type ServeRun,
  type Stage,
  start,
  type StartOptions,
} from './stage.ts';

export function registerServe(command: Command, world: World): void {
  declare(command, world, {
    summary: 'run the gateway on this machine: your gateway file, or the demo Motif without one',
    examples: [
      'motif serve                  # the demo; prints its address and token',
      'motif serve -c gateway.yaml  # yours; a changed file is read again',
      'motif serve -- npm test      # the demo, only while the command runs',
      'motif serve -c gateway.yaml --mock -- npm test',
    ],
    operands: [['[command...]', 'gets MOTIF_URL, MOTIF_TOKEN and MOTIF_TENANT_ID; its exit code is the result', []]],
    flags: [serveFlags],
    run: runServe,
  });
}

/** The time that what was written last has to be taken by its reader. */
const readerMs = 1000;

/** A pipe that nobody reads, of the log or the audit, would keep a gateway that was told to end for ever. */
async function runServe(run: ServeRun, words: readonly string[]): Promise<void> {
  const { world } = run;
  const endWrites = world.writeFreely();
  await serveAsTyped(run, words).finally(leavePool);
  const isToldToEnd = isWorker() || world.interrupted.aborted;
  // A thread that waits for a reader all the same is ended by a signal alone.
  if (isToldToEnd && !(await endWrites(readerMs))) throw new Interrupted('SIGTERM', { isTold: true });
}

async function serveAsTyped(run: ServeRun, words: readonly string[]): Promise<void> {
  const { world, flags: typed } = run;
  if (isForeignWorker(world.env)) {
    throw new MotifError('usage', 'motif serve was started as a worker of another program', {
      hint: 'start it as a process of its own (pm2: exec_mode fork); listen.workers starts more of them',
    });
  }
  if (words.length === 1 && /\.ya?ml$/.test(words[0] ?? '')) {
    throw new MotifError('usage', 'a gateway file is named by a flag', { hint: 'motif serve -c FILE' });
  }
  // Beside a command the lines stand among those of the command, which are plain more often than not.
  const isPlain = isForPerson(run) || (words.length > 0 && typed.logLevel === undefined && !typed.quiet);
  const log = isPlain ? createPlainLog(run.notice, notForPeople) : createJsonLog(run);
  const counters = isWorker() ? countersOfWorker({ log, monotonic: () => world.monotonic() }) : createCounters(world);
  const mainThread = ownThread();
  const judging = new JudgingThreads({
    program: new URL('./judging-thread.js', import.meta.url),
    monotonic: () => world.monotonic(),
    processorMs: (thread) => world.processorMs(thread),
    ownThread: mainThread,
    log,
  });
  const stage: Stage = {
    run,
    world,
    log,
    counters,
    judging,
    processorMs: () => world.processorMs(mainThread),
    areProvidersReplaced: typed.mock === true,
    // The process above the workers reads the same file, and tells it once.
    warn: isWorker() ? () => undefined : warnOfNew((line) => log.warn(isPlain ? `warning: ${line}` : line)),
    // The caller of the demo, and a command, get a token of their own.
    remarks:
      words.length > 0 || typed.config === undefined
        ? undefined
        : (config) => unaskedMotifs(config, world.now(), typed),
    applied: isWorker() || !isForPerson(run) ? undefined : (changed) => sayApplied(run, changed),
    told: new Set(),
  };
  if (words.length > 0) return await serveFor(words, stage);
  if (typed.config === undefined) return await serveDemo(stage);
  await serveFile(gatewayFileSource(typed.config, world, { isWatched: true }), stage);
}

/** The hash of the gateway file tells a person nothing, and what has changed in it is said in a line of its own. */
const notForPeople: ReadonlySet<string> = new Set(['config', 'new', 'changed', 'gone']);

/** JSON lines for programs; plain warnings and errors are for a person, or stand beside a command. */
function createJsonLog({ world, flags: { logLevel, quiet } }: ServeRun): Log {
  const level = logLevel ?? (quiet ? 'error' : 'info');
  const lost = (count: number): void => log.warn('lines of the log were left out, for nobody read it', { count });
  const log = createLog({
    write: boundedWrite((line) => world.stderr.write(line), lost),
    now: () => world.now(),
    level,
  });
  return log;
}

function isForPerson({ world, flags: { logLevel, quiet } }: Pick<ServeRun, 'world' | 'flags'>): boolean {
  return world.stderr.isTerminal && logLevel === undefined && !quiet;
}

function sayApplied({ flags: { config }, notice }: ServeRun, changed: string): void {
  notice(`${config} was read again; ${changed}`);
}

/** The most Motifs whose addresses a person is shown. */
const motifsShownMax = 5;

async function serveFile(source: GatewaySource, stage: Stage): Promise<void> {
  const { run, world, log } = stage;
  const onHangup = keepHangups(world);
  let written: GatewayConfig['listen'] | undefined;
  let place = isWorker() ? await placeOnceRead(source, world, askForPlace, world.interrupted) : undefined;
  const adapt = (config: GatewayConfig): GatewayConfig => {
    written = config.listen;
    return atPlace(adapted(config, stage), place);
  };
  const versions = new AppliedVersions(source);
  // Once, for a changed number of workers holds from the next start.
  let isAsked: boolean | undefined;
  const shownTls = (): ServedFile['tls'] => place?.tls;
  const options = {
    ...stage,
    adapt,
    shownTls,
    isAsked: ({ listen }: GatewayConfig) => (isAsked ??= isWorker() || workerCount(listen.workers) === 1),
  };
  const first = await loadFirst(source, versions, world, { ...options, signal: world.interrupted });
  // Told to end while it read its files, it has nothing to finish.
  if (first === undefined || world.interrupted.aborted) return;
  const { listen, motifs } = first.config;
  const workers = workerCount(listen.workers);
  const say = (port: number): void => {
    log.info('listening', { address: addressOf(listen, port), motifs: motifs.size, workers });
    if (!world.stderr.isTerminal) return;
    const address = addressOf(listen, port);
    const ids = [...motifs.keys()].slice(0, motifsShownMax);
    const more =
      motifs.size > ids.length ? [`  and ${motifs.size - ids.length} more: ${adminCommand(run.flags, 'show')}`] : [];
    const lines = ids.map((id) => `  ${address}/api/v1/apps/${encodeURIComponent(id)}`);
    const printed = written === undefined ? [] : otherAddress(written, port);
    const head = `${counted(motifs.size, 'Motif')} on ${address}; Ctrl-C ends it`;
    run.notice([head, ...lines, ...more, ...printed].join('\n'));
  };
  if (workers > 1 && !isWorker())
    return await serveWithWorkers(workers, first, { ...options, versions, say, onHangup });
  versions.forget();
  // From then on a file that names another place is told to hold from the next start.
  const listens = (): void => void (place = undefined);
  if (isWorker()) return await serveAsWorker(first, source, { ...stage, adapt, shownTls, onHangup, listens });
  const served = await start(first, source, { ...stage, adapt, hasAdmin: true });
  onHangup(() => void served.reload());
  say(served.port);
  await attend(served, source, world.interrupted, stage);
}

/** The first version of the file; undefined where the load was ended, for the gateway is to end. */
async function loadFirst(
  source: GatewaySource,
  versions: AppliedVersions,
  world: World,
  options: LoadOptions,
): Promise<ServedFile | undefined> {
  try {
    if (isWorker()) return await loadInWorker(source, world, options, askForVersions);
    return await versions.load(world, options);
  } catch (error) {
    if (options.signal?.aborted === true && error === options.signal.reason) return undefined;
    throw error;
  }
}

/** A line for whoever serves at another port than the file has, for what `admin` prints has that of the file. */
function otherAddress(written: GatewayConfig['listen'], port: number): readonly string[] {
  if (written.publicUrl !== undefined || written.port === 0 || written.port === port) return [];
  return [`  motif admin create and motif admin show print the port of the file, ${written.port}; listen.port sets it`];
}

/** The configuration of a worker, which listens where the others do, with a certificate only if they have one. */
function atPlace(config: GatewayConfig, place: ListenPlace | undefined): GatewayConfig {
  if (place === undefined) return config;
  const tls = place.tls && config.listen.tls;
  return { ...config, listen: { ...config.listen, host: place.host, port: place.port, tls } };
}

interface WorkerOptions extends Omit<StartOptions, 'hasAdmin'> {
  readonly onHangup: KeptHangups;
  readonly listens: () => void;
}

async function serveAsWorker(
  first: ServedFile,
  source: GatewaySource,
  { onHangup, listens, ...stage }: WorkerOptions,
): Promise<void> {
  const { world } = stage;
  const served = await start(first, source, { ...stage, hasAdmin: false, isServedElsewhere: isLaterWorker() });
  listens();
  const drain = new AbortController();
  onHangup(() => void served.reload());
  announceReady(served.port, {
    drain() {
      drain.abort();
      return served.drainMsMax;
    },
    reload: () => void served.reload(),
    snapshot: () => served.snapshot(),
  });
  await attend(served, source, AbortSignal.any([world.interrupted, drain.signal]), stage);
}
