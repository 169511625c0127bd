import { constants } from 'node:os';
import { CommandEnded, Interrupted, MotifError } from '../../../errors.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import type { Served } from '../../../gateway/server/serve.ts';
import { printLines } from '../../../terminal/output.ts';
import { defuseLine, shellWord } from '../../../text/defuse.ts';
import { demoName, type Serving, servingVariable } from '../../shared/connection/serving.ts';
import { flagWords } from '../../shared/flags/typed-command.ts';
import { loadGateway } from '../load.ts';
import { demoSource } from '../demo-source.ts';
import { gatewayFileSource, type GatewaySource } from '../source.ts';
import { addressOf } from '../address.ts';
import { needMotif } from '../needed-motif.ts';
import { createTemporaryToken, type TemporaryToken, withTemporaryToken } from '../temporary-token.ts';
import { watchFiles } from './watch.ts';
import { adapted, attend, serveFlags, type Stage, start } from './stage.ts';

/** The configuration of a gateway beside a command: one worker on a free local port, with the temporary token. */
function besideConfig(temporary: TemporaryToken, stage: Stage): (config: GatewayConfig) => GatewayConfig {
  const port = stage.run.flags.port ?? 0;
  return (config) => {
    const inside = adapted(config, stage);
    const listen = { ...inside.listen, host: '127.0.0.1', port, workers: 1, tls: undefined };
    return withTemporaryToken({ ...inside, listen, admin: undefined }, temporary);
  };
}

/** A gateway file that lies here is most likely meant, but only `-c` names one. */
async function noticeUnusedFile({ run, world }: Stage): Promise<void> {
  if ((await world.files.info('gateway.yaml')) === undefined) return;
  run.notice('gateway.yaml is not used; motif serve -c gateway.yaml serves it');
}

export async function serveDemo(stage: Stage): Promise<void> {
  const { world, log } = stage;
  await noticeUnusedFile(stage);
  const { served, url, token } = await startBeside(demoSource(), createTemporaryToken(undefined), stage);
  await printLines(
    [
      'The demo Motif: no model, a mock quotes a small handbook. Ctrl-C ends it.',
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
  await attend(served, demoSource(), world.interrupted, stage);
  if (world.interrupted.reason instanceof Interrupted && world.interrupted.reason.signal === 'SIGHUP') {
    throw world.interrupted.reason;
  }
}

/** Variables that say where prompts go and who asks: the command gets those of this gateway alone. */
const placeVariables = ['MOTIF_PROFILE', 'MOTIF_ID', 'MOTIF_TOKEN_FILE', 'MOTIF_TENANT_ID'];

export async function serveFor([command = '', ...args]: readonly string[], stage: Stage): Promise<void> {
  const { run, world } = stage;
  const { config, motif } = run.flags;
  if (config === undefined) await noticeUnusedFile(stage);
  const source = config === undefined ? demoSource() : gatewayFileSource(config, world, { isWatched: true });
  const folder = world.files.absolute('.');
  const gateway = config === undefined ? demoName : world.files.absolute(config);
  const { served, url, token, tenant, audit, secretVariables } = await startBeside(
    source,
    createTemporaryToken(motif),
    stage,
  );
  if (audit !== undefined && world.stderr.isTerminal)
    run.notice(`the prompts of this command stand in the audit of the gateway file, too: ${audit}`);
  const serving: Serving = {
    url,
    folder,
    gateway,
    words: ['motif serve', ...flagWords([serveFlags], run.flags)].join(' '),
  };
  const env = {
    MOTIF_URL: url,
    MOTIF_TOKEN: token,
    ...(tenant !== undefined && { MOTIF_TENANT_ID: tenant }),
    [servingVariable]: JSON.stringify(serving),
  };
  const running = world.run({
    command,
    args,
    env,
    inheritsEnv: true,
    // A profile, token or Motif of somewhere else would lead the command astray.
    withoutEnv: new Set([...secretVariables, ...placeVariables]),
    sharesStreams: true,
  });
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, world.interrupted]);
  const watching = watchFiles(source, world, { changed: () => served.reload(), signal });
  const end = async (): Promise<void> => {
    over.abort();
    await watching;
    await served.drain();
  };
  // Whatever happens to the command, no gateway is left that would keep the program from ending.
  const ended = await running.catch(async (error: unknown) => {
    await end();
    throw error;
  });
  await end();
  // A whole command line in quotes is a program of that name.
  const isLine = args.length === 0 && /\s/.test(command);
  const hint = isLine
    ? `a command line needs a shell: motif serve -- sh -c ${shellWord(defuseLine(command, 200))}`
    : 'motif serve -- COMMAND';
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
  /** The file of the audit; undefined where there is none. */
  readonly audit: string | undefined;
  readonly secretVariables: ReadonlySet<string>;
}

async function startBeside(source: GatewaySource, temporary: TemporaryToken, stage: Stage): Promise<Beside> {
  const adapt = besideConfig(temporary, stage);
  const first = await loadGateway(source, stage.world, { ...stage, adapt });
  const served = await start(first, source, { ...stage, hasAdmin: false, adapt });
  const { id } = needMotif(first.config, temporary.motifId, '--motif');
  const url = `${addressOf(first.config.listen, served.port)}/api/v1/apps/${encodeURIComponent(id)}`;
  return {
    served,
    url,
    token: temporary.token.text,
    tenant: first.config.tenant,
    audit: first.config.audit?.file,
    secretVariables: first.config.secretVariables,
  };
}
