import { createRedactor } from '../text/redact.ts';
import { createChildRunner } from './child.ts';
import { createFiles } from './files/files.ts';
import { createInput } from './input.ts';
import { createKeyring } from './keyring.ts';
import { limitLookups } from './lookup-limit.ts';
import { createOutputs, isTerminalAt } from './output.ts';
import { watchSignals } from './signals.ts';
import { onContinue, suspend } from './suspension.ts';
import { createSleep, monotonic } from './clock.ts';
import { outliveTerminals } from './terminal-mode.ts';
import { threadMs } from './threads.ts';
import type { World } from './world.ts';

export { endBySignal } from './signals.ts';

/**
 * The process as a World. Called once, before anything else: it takes the token out of the environment and starts to
 * hear signals. Whatever most runs do without is loaded when it is first used.
 */
export function realWorld(): World {
  const env = takeEnvironment();
  keepEnvironmentOutOfReports(env);
  if (isTerminalAt(0)) outliveTerminals();
  const { interrupted, ...signals } = watchSignals();
  const { platform } = process;
  const run = createChildRunner({ env, interrupted });
  const sleep = createSleep(interrupted);
  return {
    stdin: createInput(interrupted),
    ...createOutputs(interrupted),
    env,
    platform,
    self: [process.execPath, process.argv[1] ?? ''],
    nodeVersion: process.versions.node,
    get home() {
      return homeOf(env);
    },
    uid: process.getuid?.(),
    now: Date.now,
    monotonic,
    processorMs,
    sleep,
    newId,
    random: (bytes) => process.getBuiltinModule('node:crypto').randomBytes(bytes),
    files: createFiles('', { interrupted, clock: { monotonic, sleep } }),
    run,
    keyring: createKeyring({ run, platform, newId }),
    ...createSender(),
    probe: async (url, options) => {
      const { createProbe } = await import('../transport/probe.ts');
      limitLookups(options);
      return createProbe({ now: monotonic })(url, options);
    },
    redactor: createRedactor(),
    interrupted,
    ...signals,
    suspend,
    onContinue,
  };
}

/** The environment, without a prototype: no name of a variable can be mistaken for an inherited member. */
function takeEnvironment(): World['env'] {
  const env: World['env'] = Object.assign(Object.create(null), process.env);
  delete process.env.MOTIF_TOKEN;
  // It is not obeyed, and Node would say that it is.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // Obeyed by terminal/style.ts alone: chalk throws while it loads where this is -1.
  delete process.env.FORCE_COLOR;
  return env;
}

/** Node's diagnostic reports hold every variable, and a crash or a signal writes one where they are switched on. */
function keepEnvironmentOutOfReports(env: World['env']): void {
  const options = `${env.NODE_OPTIONS} ${process.execArgv.join(' ')}`;
  if (!options.includes('report') || process.report === undefined) return;
  process.report.reportOnFatalError = false;
  process.report.reportOnSignal = false;
  process.report.reportOnUncaughtException = false;
}

/** HOME counts if it is a whole path; otherwise the system's list of users is asked, which may not know this one. */
function homeOf(env: World['env']): string | undefined {
  if (env.HOME?.startsWith('/')) return env.HOME;
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir;
  } catch {
    return undefined;
  }
}

function newId(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(5).toString('hex');
}

function processorMs(thread?: string): number {
  if (thread !== undefined) return threadMs(thread);
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** One sender for the whole run, so that connections are reused. */
function createSender(): Pick<World, 'send' | 'expectShortRun' | 'readyToSend'> {
  let loading: Promise<World['send']> | undefined;
  let isShort = false;
  const read = async () => {
    const { createSend } = await import('../transport/send.ts');
    if (isShort) hurryWebAssembly();
    return createSend({ now: monotonic, timeOfDay: Date.now });
  };
  // One that failed, as where no file descriptor was left, is tried again: a gateway goes on after that.
  const load = () =>
    (loading ??= read().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  let loaded: World['send'] | undefined;
  const firstSend: World['send'] = async (request, options) => {
    limitLookups(options);
    loaded = await load();
    return loaded(request, options);
  };
  return {
    send: (request, options) => (loaded ?? firstSend)(request, options),
    expectShortRun: async () => {
      isShort = true;
      await load();
    },
    readyToSend: async () => void (await load()),
  };
}

/**
 * On Node 20 the optimising compiler of WebAssembly delays the end of a short run; later versions only lose by this. It
 * comes after everything is loaded, because a changed flag makes Node compile its own modules anew.
 */
function hurryWebAssembly(): void {
  if (process.versions.node.startsWith('20.')) {
    process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only');
  }
}
