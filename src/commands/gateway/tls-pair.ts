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

/** The keys by which a server can sign in a handshake: with others each one fails, and Node says nothing before. */
const signingKeys: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ed25519', 'ed448']);
const signingCurve = /^(?:prime256v1|secp(?:384|521)r1|brainpoolP(?:256|384|512)r1)$/;

/** The bytes of certificates that OpenSSL takes of a server: beyond them its clients end the handshake. */
const chainBytesMax = 100 * 1024;

/** Throws unless a certificate and a key fit together, and says why where that can be told. */
export function needTlsPair(identity: TlsIdentity, paths: TlsIdentity): void {
  const key = readKey(identity.key, paths.key);
  needShortChain(identity.cert);
  try {
    createSecureContext(identity);
    // Of an empty file, which a disk may leave, TLS says nothing.
    if (new X509Certificate(identity.cert).checkPrivateKey(key)) return;
  } catch (error) {
    throw chainFault(identity.cert, key) ?? weakness(error) ?? error;
  }
  throw chainFault(identity.cert, key) ?? new Error('the key is that of another certificate');
}

/** Throws for the list of all CAs behind a certificate: no client would connect any more. */
function needShortChain(pem: string): void {
  if (pem.length <= chainBytesMax) return;
  const bytes = certificatesIn(pem).reduce((sum, each) => sum + (each?.certificate.raw.length ?? 0), 0);
  const words = 'holds more certificates than clients take: leave out the CAs that they know';
  if (bytes > chainBytesMax) throw new TlsFault('cert', words);
}

/** The fault of a certificate that this OpenSSL takes for too weak; undefined where the error is another one. */
function weakness(error: unknown): TlsFault | undefined {
  const isWeak = /_TOO_(?:SMALL|WEAK)$/.test(String((error as NodeJS.ErrnoException).code));
  const words = 'holds a certificate that is too weak for TLS: make one with RSA of 2048 bits and SHA-256';
  return isWeak ? new TlsFault('cert', words) : undefined;
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
  const key = parseKey(pem);
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
  if (signingKeys.has(kind) || signingCurve.test(details?.namedCurve ?? '')) return key;
  throw new TlsFault('key', 'is of a kind that no client takes: make one with RSA, Ed25519 or the curve P-256');
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new TlsFault('key', 'holds no private key that can be read');
  }
}
