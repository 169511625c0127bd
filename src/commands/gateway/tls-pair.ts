import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { certificatesIn } from '../../gateway/file/certificates.ts';
import type { TlsIdentity } from '../../gateway/server/http/server.ts';
import { plainWord } from '../../text/defuse.ts';
import { isEncryptedKey } from '../../text/secret.ts';

/** A fault of one of the two files, in words that follow its name. */
export class TlsFault extends Error {
  readonly part: keyof TlsIdentity;

  constructor(part: keyof TlsIdentity, words: string) {
    super(words);
    this.part = part;
  }
}

/** Throws unless a certificate and a key fit together, and says why where that can be told. */
export function needTlsPair(identity: TlsIdentity, paths: TlsIdentity): void {
  const key = readKey(identity.key, paths.key);
  try {
    createSecureContext(identity);
    // Of an empty file, which a disk may leave, TLS says nothing.
    if (new X509Certificate(identity.cert).checkPrivateKey(key)) return;
  } catch (error) {
    throw chainFault(identity.cert, key) ?? error;
  }
  throw chainFault(identity.cert, key) ?? new Error('the key is that of another certificate');
}

function chainFault(pem: string, key: KeyObject): TlsFault | undefined {
  const chain = certificatesIn(pem);
  if (chain.length === 0) return new TlsFault('cert', 'holds no certificate');
  if (chain.includes(undefined)) return new TlsFault('cert', 'holds a certificate that cannot be read');
  const isLater = chain.findIndex((each) => each?.certificate.checkPrivateKey(key)) > 0;
  return isLater ? new TlsFault('cert', 'does not begin with the certificate of the key: put that first') : undefined;
}

function readKey(pem: string, path: string): KeyObject {
  if (isEncryptedKey(pem)) {
    const way = `openssl pkey -in ${plainWord(path)} -out NEW-FILE opens it`;
    throw new TlsFault('key', `is encrypted, and nobody types a passphrase here: ${way}`);
  }
  try {
    return createPrivateKey(pem);
  } catch {
    throw new TlsFault('key', 'holds no private key that can be read');
  }
}
