import { MotifError } from '../../errors.ts';
import type { GatewayConfig } from '../../gateway/config.ts';
import { fileRemedy, openFilesHint } from '../../text/file-remedies.ts';
import { FileFault, type World } from '../../world/world.ts';

/** The address of a gateway that listens like this, from this machine. */
export function addressOf({ host, tls }: Pick<GatewayConfig['listen'], 'host' | 'tls'>, port: number): string {
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const listenWords: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is for the administrator of this machine alone',
  EADDRNOTAVAIL: 'is at no address of this machine',
  ENOTFOUND: 'is at a host that has no address',
  EMFILE: 'cannot be opened, for too many files are open',
  ENFILE: 'cannot be opened, for too many files are open on this system',
};

/** The same, where both ports of the file may be taken: the admin port comes first, and hides the other. */
export async function findListenError(
  error: unknown,
  config: GatewayConfig,
  world: Pick<World, 'probe' | 'monotonic'>,
  typedPort?: number,
): Promise<unknown> {
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const { listen, admin } = config;
  const isAdmin = code === 'EADDRINUSE' && port === admin?.port && port !== listen.port && listen.port !== 0;
  const isOtherTaken = isAdmin && (await answers(listen, world));
  return toListenError(error, config, { typedPort, isOtherTaken });
}

const probeMs = 1000;

async function answers({ host, port }: GatewayConfig['listen'], world: Pick<World, 'probe' | 'monotonic'>) {
  const deadlineAt = world.monotonic() + probeMs;
  const address = addressOf({ host, tls: undefined }, port);
  return (await world.probe(address, { connection: { connectTimeoutMs: probeMs }, deadlineAt })).failure === null;
}

/**
 * The failure of a start whose configuration is good, in words: the port is in use, and the like. A port that was typed
 * stands in no file, and the demo has none.
 */
export function toListenError(
  error: unknown,
  { listen, admin }: GatewayConfig,
  {
    typedPort,
    isOtherTaken = false,
  }: { readonly typedPort?: number | undefined; readonly isOtherTaken?: boolean } = {},
): unknown {
  if (error instanceof FileFault) return new MotifError('io', `${error.path}: ${error.message}`, { cause: error });
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const words = listenWords[code ?? ''];
  if (words === undefined) return error;
  const isAdmin = admin !== undefined && port === admin.port && port !== listen.port;
  const part = code === 'EADDRINUSE' || code === 'EACCES' ? 'port' : 'host';
  const key = `${isAdmin ? 'admin' : 'listen'}.${part}`;
  const place = isAdmin ? `${admin.host}:${admin.port}` : `${listen.host}:${listen.port}`;
  const isTyped = part === 'port' && !isAdmin && typedPort !== undefined;
  const inFile = `choose another in the gateway file: ${key}${isAdmin ? '' : '; or for this run: motif serve -c FILE --port N'}`;
  if (isOtherTaken) {
    const ports = typedPort === undefined ? 'admin.port and listen.port' : 'admin.port; and another --port N';
    return new MotifError('io', `${place} ${words}, and so is ${listen.host}:${listen.port}`, {
      hint: ['is another motif serve running?', `choose others in the gateway file: ${ports}`],
      cause: error,
    });
  }
  if (fileRemedy(code ?? '') === 'open files')
    return new MotifError('io', `${place} ${words}`, { hint: openFilesHint, cause: error });
  return new MotifError('io', `${place} ${words}`, {
    hint: [
      ...(code === 'EADDRINUSE' ? ['is another motif serve running?'] : []),
      isTyped ? 'choose another: --port N; --port 0 takes any free one' : inFile,
    ],
    cause: error,
  });
}
