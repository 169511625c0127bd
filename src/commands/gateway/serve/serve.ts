import { constants } from 'node:os';
import type { Command } from 'commander';
import { CommandEnded, Interrupted, MotifError } from '../../../errors.ts';
import { type Counters, createCounters } from '../../../gateway/access/counters.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { createStdoutFile } from '../../../gateway/records/audit/stdout-file.ts';
import { JudgingThreads } from '../../../gateway/server/judging-threads.ts';
import { createLog, type Log, logLevels } from '../../../gateway/records/log.ts';
import { type Served, serve, type ServedFile, type ServeParts } from '../../../gateway/server/serve.ts';
import { announceReady, countersOfWorker, isWorker, leavePool, workerCount } from '../../../gateway/server/workers.ts';
import { printLines } from '../../../terminal/output.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { counted } from '../../../text/sizes.ts';
import { FileFault, type World } from '../../../world/world.ts';
import { declare } from '../../shared/declare.ts';
import { choice, file, type FlagsOf, flags, number, text, toggle } from '../../shared/flags.ts';
import type { Run } from '../../shared/run.ts';
import { loadGateway } from '../load.ts';
import { demoSource, gatewayFileSource, type GatewaySource } from '../source.ts';
import { addressOf, toListenError } from '../address.ts';
import { mocked, withoutOutside } from '../mocked.ts';
import { createPlainLog } from '../plain-log.ts';
import { serveWithWorkers } from './worker-pool.ts';
import { createTemporaryToken, type TemporaryToken, motifOf, withTemporaryToken } from '../temporary-token.ts';
import { watchFiles } from './watch.ts';

export const serveFlags = flags(
  {
    config: file('-c, --config <file>', 'the gateway file'),
    port: number('--port <n>', 'listen there instead of where the file says; 0 takes a free port', {
      from: 0,
      to: 65_535,
    }),
    mock: toggle('--mock', 'a mock stands in for every provider, and no policy asks outside: no key is needed', {
      needs: ['config'],
    }),
    motif: text('--motif <id>', 'with a command: which Motif it gets, if there are several'),
    logLevel: choice('--log-level <level>', logLevels, `${logLevels.join(', ')} (default info; warn on a terminal)`),
  },
  { heading: 'The gateway' },
);

type ServeRun = Run<FlagsOf<typeof serveFlags>>;

export function registerServe(command: Command, world: World): void {
  declare(
    command,
    world,
    {
      summary: 'run the gateway on this machine: your gateway file, or the demo Motif without one',
      examples: [
        'motif serve                        the demo; prints its address and token',
        'motif serve -c gateway.yaml        yours; a changed file is read again',
        'motif serve -- npm test            up for a command, down after it',
        'motif serve -c gateway.yaml --mock -- npm test',
      ],
      operands: [['[command...]', 'gets MOTIF_URL, MOTIF_TOKEN and MOTIF_TENANT_ID; its exit code is the result', []]],
      flags: [serveFlags],
    },
    runServe,
  );
}

export async function runServe(run: ServeRun, words: readonly string[]): Promise<void> {
  const { world, flags: typed } = run;
  if (words.length === 1 && /\.ya?ml$/.test(words[0] ?? '')) {
    throw new MotifError('usage', 'a gateway file is named by a flag', { hint: 'motif serve -c FILE' });
  }
  const log = createServeLog(run);
  const counters = isWorker() ? countersOfWorker() : createCounters(world);
  const judging = new JudgingThreads({
    program: new URL('./judging-thread.js', import.meta.url),
    monotonic: () => world.monotonic(),
    log,
  });
  const stage: Stage = {
    run,
    world,
    log,
    counters,
    judging,
    areProvidersReplaced: typed.mock === true,
    notAsked: new Set(),
  };
  if (words.length > 0) return await serveFor(words, stage);
  if (typed.config === undefined) return await serveDemo(stage);
  await serveFile(gatewayFileSource(typed.config, world), stage);
}

interface Stage {
  readonly run: ServeRun;
  readonly world: World;
  readonly log: Log;
  readonly counters: Counters;
  readonly judging: JudgingThreads;
  readonly areProvidersReplaced: boolean;
  /** Policies of which a person was told that they are not asked. */
  readonly notAsked: Set<string>;
}

/** JSON lines for programs; on a terminal a person gets warnings and errors as plain lines. */
function createServeLog({ world, flags: typed, notice }: ServeRun): Log {
  const isShown = world.stderr.isTerminal && typed.logLevel === undefined && !typed.quiet;
  if (isShown) return createPlainLog(notice);
  const level = typed.logLevel ?? (typed.quiet ? 'error' : 'info');
  return createLog({ write: boundedWrite(world), now: () => world.now(), level });
}

/** The configuration with what the command line makes different from the file. */
function adapted(config: GatewayConfig, stage: Stage): GatewayConfig {
  const { flags: typed, notice } = stage.run;
  const { listen } = config;
  const placed = typed.port === undefined ? config : { ...config, listen: { ...listen, port: typed.port } };
  if (!stage.areProvidersReplaced) return placed;
  const { config: inside, notAsked } = withoutOutside(mocked(placed));
  const untold = notAsked.filter((name) => !stage.notAsked.has(name));
  if (untold.length > 0) notice(`not asked with --mock: ${untold.join(', ')}`);
  for (const name of untold) stage.notAsked.add(name);
  return inside;
}

/** A log that nobody reads must not fill the memory. */
const unreadLinesMax = 10_000;

function boundedWrite({ stderr }: World): (line: string) => void {
  let unread = 0;
  return (line) => {
    if (unread >= unreadLinesMax) return;
    unread += 1;
    void stderr.write(line).then(() => (unread -= 1));
  };
}

async function serveFile(source: GatewaySource, stage: Stage): Promise<void> {
  const { run, world, log, counters } = stage;
  const adapt = (config: GatewayConfig): GatewayConfig => adapted(config, stage);
  const first = await loadGateway(source, world, { ...stage, adapt, isTolerant: isWorker() });
  const { listen, motifs } = first.config;
  const workers = workerCount(listen.workers);
  const say = (port: number): void => {
    log.info('listening', { address: addressOf(listen, port), motifs: motifs.size, workers });
    if (world.stderr.isTerminal) run.notice(`${counted(motifs.size, 'Motif')} on ${addressOf(listen, port)}`);
  };
  if (workers > 1 && !isWorker()) return await serveWithWorkers(workers, first.config, { world, log, counters, say });
  if (isWorker()) return await serveAsWorker(first, source, { ...stage, adapt });
  const served = await start(first, source, { ...stage, adapt, hasAdmin: true });
  world.onHangup(() => void served.reload());
  say(served.port);
  await attend(served, source, world.interrupted, world);
}

async function serveAsWorker(
  first: ServedFile,
  source: GatewaySource,
  stage: Omit<StartOptions, 'hasAdmin'>,
): Promise<void> {
  const { world } = stage;
  try {
    const served = await start(first, source, { ...stage, hasAdmin: false });
    const drain = new AbortController();
    world.onHangup(() => void served.reload());
    announceReady(served.port, {
      drain: () => drain.abort(),
      reload: () => void served.reload(),
      snapshot: () => served.snapshot(),
    });
    await attend(served, source, AbortSignal.any([world.interrupted, drain.signal]), world);
  } finally {
    leavePool();
  }
}

interface StartOptions extends Stage {
  readonly hasAdmin: boolean;
  adapt?(config: GatewayConfig): GatewayConfig;
}

async function start(first: ServedFile, source: GatewaySource, options: StartOptions): Promise<Served> {
  const { world, log, hasAdmin, ...more } = options;
  let early: ServedFile | undefined = first;
  const parts: ServeParts = {
    load(before) {
      const loaded = early;
      early = undefined;
      return loaded === undefined ? loadGateway(source, world, { log, before, ...more }) : Promise.resolve(loaded);
    },
    openAppend: async (path) =>
      path === '-' ? createStdoutFile((text) => world.stdout.write(text)) : await world.files.openAppend(path),
    hasDescriptors: () =>
      world.files.list('/').then(
        () => true,
        (error: unknown) => !(error instanceof FileFault && /^E[MN]FILE$/.test(error.code)),
      ),
    now: () => world.now(),
    monotonic: () => world.monotonic(),
    random: (bytes) => world.random(bytes),
    hasChanged: source.hasChanged,
    log,
    judging: options.judging,
    hasAdmin,
  };
  return await serve(parts).catch((error: unknown) => {
    throw toListenError(error, first.config);
  });
}

/** Serves until it is asked to end, and reads what has changed meanwhile. */
async function attend(served: Served, source: GatewaySource, signal: AbortSignal, world: World): Promise<void> {
  await watchFiles(source, world, { changed: () => served.reload(), signal });
  await served.drain();
}

/** On a port that is free, so that it never stands in anybody's way. */
function besides(temporary: TemporaryToken, stage: Stage): (config: GatewayConfig) => GatewayConfig {
  const port = stage.run.flags.port ?? 0;
  return (config) => {
    const inside = adapted(config, stage);
    const listen = { ...inside.listen, host: '127.0.0.1', port, workers: 1, tls: undefined };
    return withTemporaryToken({ ...inside, listen, admin: undefined }, temporary);
  };
}

async function serveDemo(stage: Stage): Promise<void> {
  const { run, world, log } = stage;
  const { notice } = run;
  if (await world.files.info('gateway.yaml')) notice('gateway.yaml is not used; motif serve -c gateway.yaml serves it');
  const { served, url, token } = await startBeside(demoSource(), createTemporaryToken(undefined), stage);
  await printLines(
    [
      'The demo Motif: no model is asked, a mock quotes a small handbook. Ctrl-C ends it.',
      '',
      `  address  ${url}`,
      `  token    ${token}`,
      '',
      `export MOTIF_URL=${url} MOTIF_TOKEN=${token}`,
    ].join('\n'),
    world,
    { isSecretShown: true },
  );
  log.info('listening', { address: url });
  await attend(served, demoSource(), world.interrupted, world);
  if (world.interrupted.reason instanceof Interrupted && world.interrupted.reason.signal === 'SIGHUP') {
    throw world.interrupted.reason;
  }
}

async function serveFor([command = '', ...args]: readonly string[], stage: Stage): Promise<void> {
  const { run, world } = stage;
  const { config, motif } = run.flags;
  const source = config === undefined ? demoSource() : gatewayFileSource(config, world);
  const { served, url, token, tenant, secretVariables } = await startBeside(source, createTemporaryToken(motif), stage);
  const env = { MOTIF_URL: url, MOTIF_TOKEN: token, ...(tenant !== undefined && { MOTIF_TENANT_ID: tenant }) };
  const ended = await world.run({
    command,
    args,
    env,
    inheritsEnv: true,
    withoutEnv: secretVariables,
    sharesStreams: true,
  });
  await served.drain();
  const hint = 'motif serve -- COMMAND';
  if (ended.failure === 'not-found')
    throw new MotifError('usage', `no such program ${defuseLine(command, 200)}`, { hint });
  if (ended.failure === 'not-started')
    throw new MotifError('usage', `${defuseLine(command, 200)} could not be started: ${ended.stderr}`, { hint });
  // The code that a shell gives to a program that was ended by a signal.
  const signals: Readonly<Record<string, number | undefined>> = constants.signals;
  throw new CommandEnded(ended.code ?? 128 + (signals[ended.signal ?? ''] ?? 0));
}

interface Beside {
  readonly served: Served;
  readonly url: string;
  readonly token: string;
  readonly tenant: string | undefined;
  readonly secretVariables: ReadonlySet<string>;
}

async function startBeside(source: GatewaySource, temporary: TemporaryToken, stage: Stage): Promise<Beside> {
  const adapt = besides(temporary, stage);
  const first = await loadGateway(source, stage.world, { ...stage, adapt });
  const served = await start(first, source, { ...stage, hasAdmin: false, adapt });
  const { id } = motifOf(first.config, temporary.motifId);
  const url = `${addressOf(first.config.listen, served.port)}/api/v1/apps/${encodeURIComponent(id)}`;
  return {
    served,
    url,
    token: temporary.token.text,
    tenant: first.config.tenant,
    secretVariables: first.config.secretVariables,
  };
}
