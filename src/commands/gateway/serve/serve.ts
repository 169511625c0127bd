import { constants } from 'node:os';
import type { Command } from 'commander';
import { CommandEnded, Interrupted, MotifError } from '../../../errors.ts';
import { type Counters, createCounters } from '../../../gateway/access/counters.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { createStdoutFile } from '../../../gateway/records/audit/stdout-file.ts';
import { JudgingThreads } from '../../../gateway/server/judging-threads.ts';
import { createLog, type Log, type LogLevel, logLevels } from '../../../gateway/records/log.ts';
import { type Served, serve, type ServedFile, type ServeParts } from '../../../gateway/server/serve.ts';
import { announceReady, countersOfWorker, isWorker, leavePool, workerCount } from '../../../gateway/server/workers.ts';
import { printLines } from '../../../terminal/output.ts';
import { FileFault, type World } from '../../../world/world.ts';
import { declare } from '../../shared/declare.ts';
import { choice, file, type FlagsOf, flags, text } from '../../shared/flags.ts';
import type { Run } from '../../shared/run.ts';
import { loadGateway } from '../load.ts';
import { demoSource, fileSource, type GatewaySource } from '../source.ts';
import { addressOf, toListenError } from '../address.ts';
import { serveWithWorkers } from './worker-pool.ts';
import { createGuest, type Guest, motifOf, withGuest } from '../temporary-token.ts';
import { watchFiles } from './watch.ts';

const serveFlags = flags(
  {
    config: file('-c, --config <file>', 'the gateway file'),
    motif: text('--motif <id>', 'with a command: which Motif it gets, if there are several'),
    logLevel: choice('--log-level <level>', logLevels, `${logLevels.join(', ')} (default info; warn on a terminal)`),
  },
  { heading: 'The gateway' },
);

type ServeFlags = FlagsOf<typeof serveFlags>;

export function registerServe(command: Command, world: World): void {
  declare(
    command,
    world,
    {
      summary: 'Run the gateway on this machine: your gateway file, or the demo Motif without one',
      examples: [
        'motif serve                        the demo; prints its address and token',
        'motif serve -c gateway.yaml        yours; a changed file is read again',
        'motif serve -- npm test            up for a command, down after it',
      ],
      operands: [['[command...]', 'gets MOTIF_URL, MOTIF_TOKEN and MOTIF_TENANT_ID; its exit code is the result', []]],
      flags: [serveFlags],
    },
    runServe,
  );
}

export async function runServe(run: Run<ServeFlags>, words: readonly string[]): Promise<void> {
  const { world, flags: typed } = run;
  if (words.length === 1 && /\.ya?ml$/.test(words[0] ?? '')) {
    throw new MotifError('usage', 'a gateway file is named by a flag', { hint: 'motif serve -c FILE' });
  }
  const log = createLog({ write: boundedWrite(world), now: () => world.now(), level: levelOf(run) });
  const counters = isWorker() ? countersOfWorker() : createCounters(world);
  const judging = new JudgingThreads({
    program: new URL('./judging-thread.js', import.meta.url),
    monotonic: () => world.monotonic(),
    log,
  });
  const stage: Stage = { ...run, log, counters, judging };
  if (words.length > 0) return await serveFor(words, stage);
  if (typed.config === undefined) return await serveDemo(stage);
  await serveFile(fileSource(typed.config, world), stage);
}

interface Stage extends Run<ServeFlags> {
  readonly log: Log;
  readonly counters: Counters;
  readonly judging: JudgingThreads;
}

function levelOf({ world: { stderr }, flags: { logLevel, quiet } }: Run<ServeFlags>): LogLevel {
  return logLevel ?? (quiet ? 'error' : stderr.isTerminal ? 'warn' : 'info');
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
  const { world, notice, log, counters } = stage;
  const first = await loadGateway(source, world, stage);
  const { listen, motifs } = first.config;
  const workers = workerCount(listen.workers);
  const say = (port: number): void => {
    log.info('listening', { address: addressOf(listen, port), motifs: motifs.size, workers });
    if (world.stderr.isTerminal) notice(`${motifs.size} Motifs on ${addressOf(listen, port)}`);
  };
  if (workers > 1 && !isWorker()) return await serveWithWorkers(workers, first.config, { world, log, counters, say });
  if (isWorker()) return await serveAsWorker(first, source, stage);
  const served = await start(first, source, { ...stage, hasAdmin: true });
  world.onHangup(() => void served.reload());
  say(served.port);
  await attend(served, source, world.interrupted, world);
}

async function serveAsWorker(first: ServedFile, source: GatewaySource, stage: Stage): Promise<void> {
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
function besides(guest: Guest): (config: GatewayConfig) => GatewayConfig {
  return (config) => {
    const listen = { ...config.listen, host: '127.0.0.1', port: 0, workers: 1, tls: undefined };
    return withGuest({ ...config, listen, admin: undefined }, guest);
  };
}

async function serveDemo(stage: Stage): Promise<void> {
  const { world, notice, log } = stage;
  if (await world.files.info('gateway.yaml')) notice('gateway.yaml is not used; motif serve -c gateway.yaml serves it');
  const { served, url, token } = await startBeside(demoSource(), createGuest(undefined), stage);
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
  const { world, flags } = stage;
  const source = flags.config === undefined ? demoSource() : fileSource(flags.config, world);
  const { served, url, token, tenant } = await startBeside(source, createGuest(flags.motif), stage);
  const env = { MOTIF_URL: url, MOTIF_TOKEN: token, ...(tenant !== undefined && { MOTIF_TENANT_ID: tenant }) };
  const ended = await world.run({ command, args, env, inheritsEnv: true, sharesStreams: true });
  await served.drain();
  if (ended.failure === 'not-found' || ended.failure === 'not-started') {
    const reason = ended.failure === 'not-found' ? 'no such program' : ended.stderr;
    throw new MotifError('usage', `the command could not be started: ${reason}`, { hint: 'motif serve -- COMMAND' });
  }
  // What a shell says of a program that was ended by a signal.
  const signals: Readonly<Record<string, number | undefined>> = constants.signals;
  throw new CommandEnded(ended.code ?? 128 + (signals[ended.signal ?? ''] ?? 0));
}

interface Beside {
  readonly served: Served;
  readonly url: string;
  readonly token: string;
  readonly tenant: string | undefined;
}

async function startBeside(source: GatewaySource, guest: Guest, stage: Stage): Promise<Beside> {
  const adapt = besides(guest);
  const first = await loadGateway(source, stage.world, { ...stage, adapt });
  const served = await start(first, source, { ...stage, hasAdmin: false, adapt });
  const { id } = motifOf(first.config, guest.motifId);
  const url = `${addressOf(first.config.listen, served.port)}/api/v1/apps/${encodeURIComponent(id)}`;
  return { served, url, token: guest.token.text, tenant: first.config.tenant };
}
