import { isWorker, stdoutOfWorker } from '../../../gateway/server/workers.ts';
import type { Counters } from '../../../gateway/access/counters.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import type { AppendFile } from '../../../gateway/records/audit/append-file.ts';
import { createStdoutFile } from '../../../gateway/records/audit/stdout-file.ts';
import { httpLimits } from '../../../gateway/server/http/limits.ts';
import type { JudgingThreads } from '../../../gateway/server/judging-threads.ts';
import { type Log, logLevels } from '../../../gateway/records/log.ts';
import { type Served, serve, type ServedFile, type ServeParts } from '../../../gateway/server/serve.ts';
import { plainWord } from '../../../text/defuse.ts';
import { FileFault, type World } from '../../../world/world.ts';
import { choice, file, type FlagsOf, flags, number, textFlag, toggle } from '../../shared/flags/flags.ts';
import type { Run } from '../../shared/run.ts';
import { loadGateway, type LoadOptions } from '../load.ts';
import { type GatewaySource, openAudit } from '../source.ts';
import { findListenError } from '../address.ts';
import { mocked, withoutOutside } from '../mocked.ts';
import { createChangeCheck, watchFiles } from './watch.ts';

export const serveFlags = flags(
  {
    config: file('-c, --config <file>', 'the gateway file'),
    port: number(
      '--port <n>',
      'answer prompts there, not where the file says (its admin port stays); 0: any free one',
      {
        from: 0,
        to: 65_535,
      },
    ),
    mock: toggle('--mock', 'a mock stands in for every provider, and no policy asks outside: no key is needed', {
      needs: ['config'],
    }),
    motif: textFlag('--motif <id>', 'with a command: which Motif it gets, if there are several'),
    logLevel: choice(
      '--log-level <level>',
      logLevels,
      `${logLevels.join(', ')} (default info; warn on a terminal and with a command)`,
    ),
  },
  { heading: 'The gateway' },
);

export type ServeRun = Run<FlagsOf<typeof serveFlags>>;

export interface Stage {
  readonly run: ServeRun;
  readonly world: World;
  readonly log: Log;
  readonly counters: Counters;
  readonly judging: JudgingThreads;
  /** Milliseconds that the main thread has used of processors. */
  readonly processorMs: () => number;
  readonly areProvidersReplaced: boolean;
  /** Says what may not be meant. */
  readonly warn: LoadOptions['warn'];
  readonly remarks: LoadOptions['remarks'];
  /** Tells a person what has changed in a file that was read again. */
  readonly applied: ServeParts['applied'];
  /** The facts that a person was told, each once. */
  readonly told: Set<string>;
}

/** The configuration with what the command line makes different from the file. */
export function adapted(config: GatewayConfig, stage: Stage): GatewayConfig {
  const { flags: typed } = stage.run;
  const { listen } = config;
  const placed = typed.port === undefined ? config : { ...config, listen: { ...listen, port: typed.port } };
  if (!stage.areProvidersReplaced) return placed;
  const { config: inside, notAsked } = withoutOutside(mocked(placed));
  const replaced = [...placed.providers].filter(([, { kind }]) => kind !== 'mock').map(([name]) => name);
  if (stage.world.stderr.isTerminal) tellOnce('a mock answers in place of', replaced, stage);
  tellOnce('not asked with --mock:', notAsked, stage);
  return inside;
}

/** Says it of those names of which it was not said before, for a file is read again. */
function tellOnce(words: string, names: readonly string[], { run, told }: Stage): void {
  const untold = names.filter((name) => !told.has(`${words} ${name}`));
  if (untold.length > 0) run.notice(`${words} ${untold.join(', ')}`);
  for (const name of untold) told.add(`${words} ${name}`);
}

/** Takes what is to be done at each SIGHUP. */
export type KeptHangups = (reload: () => void) => void;

/** Hears SIGHUP from now on: one that comes before there is something to read again, in a long start, is kept. */
export function keepHangups(world: Pick<World, 'onHangup'>): KeptHangups {
  let isOwed = false;
  let reloadNow = (): void => void (isOwed = true);
  world.onHangup(() => reloadNow());
  return (reload) => {
    reloadNow = reload;
    if (isOwed) reload();
  };
}

export interface StartOptions extends Stage {
  readonly hasAdmin: boolean;
  readonly isServedElsewhere?: boolean;
  adapt?(config: GatewayConfig): GatewayConfig;
  readonly shownTls?: LoadOptions['shownTls'];
}

/** Descriptors of everything but connections: the audit, the log, the files of a reload. */
const otherDescriptorsMax = 128;

/**
 * The number of clients that leave descriptors for providers and files: whoever opens connections must not keep a
 * revoked token alive because the gateway file cannot be read. Linux alone tells how many there are.
 */
export async function connectionsMaxFor(inFlight: number, { files }: World): Promise<number> {
  const told = await files.read('/proc/self/limits', { bytesMax: 64 * 1024 }).then(
    ({ bytes }) => new TextDecoder().decode(bytes),
    () => '',
  );
  const descriptors = Number(/^Max open files +(\d+)/m.exec(told)?.[1] ?? Infinity);
  const kept = Math.min(Math.ceil((descriptors * 2) / 3), inFlight + otherDescriptorsMax);
  return Math.min(httpLimits.connectionsMax, descriptors - kept);
}

/**
 * Opens the file of an audit and makes it 0600, though `touch` or a rotation made it otherwise: it tells who asked and
 * when, and with `text: true` what.
 */
export async function openPrivateAudit(
  path: string,
  source: GatewaySource,
  { files, log }: { readonly files: World['files']; readonly log: Log },
): Promise<AppendFile> {
  const file = await openAudit(path, source, files);
  const privacy = file.makePrivate();
  if (privacy === 'made private')
    log.warn('the audit file could be read by others; its mode is 0600 now', { file: path });
  if (privacy === 'open') log.warn(`others can read the audit file; its owner types chmod 600 ${plainWord(path)}`);
  return file;
}

/** Writes lines of the audit to stdout; those of a worker go there by the process above it. */
export function writerToStdout(world: World): (text: string) => Promise<void> {
  return isWorker() ? stdoutOfWorker() : (lines) => world.writeRecord(lines);
}

/** Stdout as the file of an audit, unless it leads nowhere: its lines would be lost, and every answer go out. */
function openStdout(world: World): AppendFile {
  if (!world.stdout.isDiscarded) return createStdoutFile(writerToStdout(world));
  throw new FileFault('stdout', 'ENOTFILE', 'is closed, or /dev/null; no line of the audit would be kept');
}

export async function start(first: ServedFile, source: GatewaySource, options: StartOptions): Promise<Served> {
  const { world, log, hasAdmin, isServedElsewhere = false, ...more } = options;
  let early: ServedFile | undefined = first;
  const parts: ServeParts = {
    load(before) {
      const loaded = early;
      early = undefined;
      return loaded === undefined ? loadGateway(source, world, { log, before, ...more }) : Promise.resolve(loaded);
    },
    openAppend: async (path) =>
      path === '-' ? openStdout(world) : await openPrivateAudit(path, source, { files: world.files, log }),
    hasDescriptors: () =>
      world.files.list('/').then(
        () => true,
        (error: unknown) => !(error instanceof FileFault && /^E[MN]FILE$/.test(error.code)),
      ),
    limits: { connectionsMax: await connectionsMaxFor(first.config.limits.inFlight, world) },
    now: () => world.now(),
    monotonic: () => world.monotonic(),
    processorMs: options.processorMs,
    random: (bytes) => world.random(bytes),
    hasChanged: createChangeCheck(source, world),
    log,
    judging: options.judging,
    hasAdmin,
    isServedElsewhere,
    applied: options.applied,
  };
  return await serve(parts).catch(async (error: unknown) => {
    throw await findListenError(error, first.config, world, options.run.flags.port);
  });
}

/** Serves until it is asked to end, and reads what has changed meanwhile. */
export async function attend(
  served: Served,
  source: GatewaySource,
  signal: AbortSignal,
  { world, log }: Pick<Stage, 'world' | 'log'>,
): Promise<void> {
  const unsettled = (names: readonly string[]): void =>
    log.warn('files are written without a pause of 2.4 s; what they say is not in force', { files: names });
  await watchFiles(source, world, { changed: () => served.reload(), unsettled, signal });
  await served.drain();
}
