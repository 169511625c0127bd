import type { SecureContext } from 'node:tls';
import { MotifError } from '../errors.ts';
import type { Connection } from '../wire/http.ts';

/**
 * Whom a connection trusts and who it says it is. Contexts are kept, because reading Node's roots once more for every
 * socket would cost 20 ms each.
 */
export class Trust {
  readonly #contexts = new WeakMap<Connection, Map<'proxy' | 'origin', SecureContext>>();
  readonly #moreRoots = new WeakMap<Connection, readonly string[]>();

  /** The client certificate is for the service: a proxy never sees it. */
  async context(connection: Connection, shownTo: 'proxy' | 'origin'): Promise<SecureContext> {
    const known = this.#contexts.get(connection) ?? new Map<'proxy' | 'origin', SecureContext>();
    this.#contexts.set(connection, known);
    const context = known.get(shownTo) ?? (await this.#create(connection, shownTo));
    known.set(shownTo, context);
    return context;
  }

  /** Reads the roots that were kept for this case; false if there is nothing new to trust. */
  async widen(connection: Connection): Promise<boolean> {
    if (connection.moreRoots === undefined || this.#moreRoots.has(connection)) return false;
    const roots = await connection.moreRoots();
    this.#moreRoots.set(connection, roots);
    this.#contexts.delete(connection);
    return roots.length > 0;
  }

  async #create(connection: Connection, shownTo: 'proxy' | 'origin'): Promise<SecureContext> {
    const tls = await import('node:tls');
    const added = [...(connection.ca ?? []), ...(this.#moreRoots.get(connection) ?? [])];
    const shown = shownTo === 'origin' ? connection.clientCertificate : undefined;
    try {
      return tls.createSecureContext({
        minVersion: 'TLSv1.2',
        ...(added.length === 0 ? {} : { ca: [...tls.rootCertificates, ...added] }),
        ...(shown === undefined ? {} : { cert: shown.cert, key: shown.key.reveal() }),
      });
    } catch (error) {
      throw unusable(error, shown !== undefined);
    }
  }
}

/** OpenSSL's own error may quote the key, so nothing but its code is kept. */
function unusable(error: unknown, withCertificate: boolean): MotifError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') {
    return new MotifError('usage', 'the client certificate and its key do not belong together', {
      hint: 'check --cert and --key (MOTIF_CERT, MOTIF_KEY)',
      cause: code,
    });
  }
  const what = withCertificate ? 'the client certificate, its key or the CA file' : 'the CA file';
  return new MotifError('usage', `${what} could not be used (${code ?? 'unknown reason'})`, {
    hint: 'PEM text is expected, and a key without a passphrase',
    cause: code,
  });
}
