import type { checkServerIdentity, SecureContext } from 'node:tls';
import { MotifError } from '../errors.ts';
import type { Connection } from '../wire/http.ts';

type ShownTo = 'proxy' | 'origin';

/**
 * Roots that a connection trusts and the certificate it shows. Contexts are kept, because reading Node's roots once
 * more for every socket would cost 20 ms each.
 */
export class Trust {
  readonly #contexts = new WeakMap<Connection, Map<ShownTo, Promise<SecureContext>>>();
  readonly #moreRoots = new WeakMap<Connection, Promise<readonly string[]>>();

  /** The client certificate is for the service: a proxy never sees it. */
  context(connection: Connection, shownTo: ShownTo): Promise<SecureContext> {
    const known = this.#contexts.get(connection) ?? new Map<ShownTo, Promise<SecureContext>>();
    this.#contexts.set(connection, known);
    const context = known.get(shownTo) ?? this.#create(connection, shownTo);
    known.set(shownTo, context);
    return context;
  }

  /** True once all the roots that there are have been asked for. */
  isWide(connection: Connection): boolean {
    return connection.moreRoots === undefined || this.#moreRoots.has(connection);
  }

  /** Trusts the roots that were kept for this case, too; they are read once, however many requests ask. */
  async widen(connection: Connection): Promise<boolean> {
    if (!this.isWide(connection)) {
      this.#moreRoots.set(connection, connection.moreRoots?.() ?? Promise.resolve([]));
      this.#contexts.delete(connection);
    }
    return ((await this.#moreRoots.get(connection)) ?? []).length > 0;
  }

  async #create(connection: Connection, shownTo: ShownTo): Promise<SecureContext> {
    const [tls, { X509Certificate }] = await Promise.all([import('node:tls'), import('node:crypto')]);
    const added = [...(connection.ca ?? []), ...((await this.#moreRoots.get(connection)) ?? [])];
    const shown = shownTo === 'origin' ? connection.clientCertificate : undefined;
    try {
      // A context takes a CA that it cannot read without a word.
      for (const pem of connection.ca ?? []) new X509Certificate(pem);
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

/** Node 22.23 finds an IPv6 address in no certificate, so OpenSSL, which does, is asked before it. */
export async function addressCheck(): Promise<typeof checkServerIdentity> {
  const [crypto, tls] = await Promise.all([import('node:crypto'), import('node:tls')]);
  return (host, certificate) =>
    new crypto.X509Certificate(certificate.raw).checkIP(host) === undefined
      ? tls.checkServerIdentity(host, certificate)
      : undefined;
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
