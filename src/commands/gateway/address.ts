import { MotifError } from '../../errors.ts';
import type { GatewayConfig } from '../../gateway/config.ts';
import { FileFault } from '../../world/world.ts';

/** The address of a gateway that listens like this, from this machine. */
export function addressOf({ host, tls }: GatewayConfig['listen'], port: number): string {
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const listenWords: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is for the administrator of this machine alone',
  EADDRNOTAVAIL: 'is at no address of this machine',
  ENOTFOUND: 'is at a host that has no address',
};

/**
 * The failure of a start whose configuration is good, in words: the port is in use, and the like. A port that was typed
 * stands in no file, and the demo has none.
 */
export function toListenError(error: unknown, { listen, admin }: GatewayConfig, typedPort?: number): unknown {
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
  return new MotifError('io', `${place} ${words}`, {
    hint: [
      ...(code === 'EADDRINUSE' ? ['is another motif serve running?'] : []),
      isTyped ? 'choose another: --port N; --port 0 takes any free one' : inFile,
    ],
    cause: error,
  });
}
