import { MotifError } from '../../../errors.ts';
import type { Settings, Sourced } from '../../../settings/resolve.ts';
import { checkPathHint } from '../../../text/defuse.ts';
import { isEncryptedKey, Secret } from '../../../text/secret.ts';
import { decodeUtf8, Utf8Fault } from '../../../text/utf8.ts';
import type { Connection } from '../../../wire/http.ts';
import { FileFault, type World } from '../../../world/world.ts';
import type { Notice } from '../notices.ts';

export type Certificates = Pick<Connection, 'ca' | 'moreRoots' | 'clientCertificate'>;

const pemBytesMax = 4 * 1024 * 1024;

/** Bundles of the roots that a system's administrator trusts; the first that is there counts. */
const systemBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Reads the roots to trust beside Node's own, and the client certificate. The system's roots are read when needed. */
export async function readCertificates(settings: Settings, world: World, notice: Notice): Promise<Certificates> {
  const { cacert, cert, key, profile } = settings;
  const read = async (name: PemKey, from: Sourced<string>) =>
    addingHint(() => readPem(from, contents[name], world), from.level === 'profile' ? removing(name, profile) : []);
  if ((cert === undefined) !== (key === undefined)) {
    throw new MotifError('usage', 'a client certificate needs its key: --cert and --key go together');
  }
  return {
    moreRoots: () => readMoreRoots(world),
    ...(cacert === undefined ? {} : { ca: [(await read('cacert', cacert)).text] }),
    ...(cert === undefined || key === undefined
      ? {}
      : {
          clientCertificate: {
            cert: (await read('cert', cert)).text,
            key: secretOf(await read('key', key), key, notice),
          },
        }),
  };
}

/** Throws what a prompt would end with, if the file of this key of a profile is no such PEM. */
export async function checkPem(name: PemKey, path: string, world: World): Promise<void> {
  await readPem({ value: path, from: name, level: 'flag' }, contents[name], world);
}

export function isPemKey(key: string): key is PemKey {
  return Object.hasOwn(contents, key);
}

/** Without its file the profile can still be used. */
function removing(name: PemKey, profile = ''): readonly string[] {
  return [`or without one: motif profile set ${name} "" -p ${profile}`];
}

async function addingHint<T>(work: () => Promise<T>, hints: readonly string[]): Promise<T> {
  return await work().catch((error: unknown) => {
    if (error instanceof MotifError) error.hints = [...error.hints, ...hints];
    throw error;
  });
}

function secretOf({ text, mode }: PemFile, key: Sourced<string>, notice: Notice): Secret {
  if (isEncryptedKey(text)) {
    throw new MotifError(
      'usage',
      `${key.from}: ${key.value} is protected by a passphrase, which motif never asks for`,
      {
        hint: 'keep it without one, in a file of mode 600: openssl pkey -in FILE -out NEW',
      },
    );
  }
  if ((mode & 0o077) !== 0) notice(`the key ${key.value} can be read by others; chmod 600 it`);
  return new Secret(text);
}

/** A kind of PEM file, and the command that makes one of its binary form. */
interface Content {
  readonly label: RegExp;
  readonly name: string;
  readonly convert: string;
}

const certificate: Content = {
  label: /^-----BEGIN ([A-Z0-9]+ )?CERTIFICATE-----/m,
  name: 'certificate',
  convert: 'openssl x509 -in FILE -out NEW',
};

const privateKey: Content = {
  label: /^-----BEGIN ([A-Z0-9]+ )?PRIVATE KEY-----/m,
  name: 'private key',
  convert: 'openssl pkey -in FILE -out NEW',
};

type PemKey = 'cacert' | 'cert' | 'key';

const contents: Readonly<Record<PemKey, Content>> = { cacert: certificate, cert: certificate, key: privateKey };

interface PemFile {
  readonly text: string;
  readonly mode: number;
}

async function readPem(
  { value: path, from }: Sourced<string>,
  { label, name, convert }: Content,
  world: World,
): Promise<PemFile> {
  try {
    const { bytes, info } = await world.files.read(path, { bytesMax: pemBytesMax });
    const text = decodeUtf8(bytes);
    if (label.test(text)) return { text, mode: info.mode };
  } catch (error) {
    if (error instanceof FileFault)
      throw new MotifError('usage', `${from}: ${path}: ${error.message}`, { hint: checkPathHint(path, error.code) });
    if (!(error instanceof Utf8Fault)) throw error;
  }
  throw new MotifError('usage', `${from}: ${path} holds no ${name} in PEM form`, {
    hint: `is it the right file? a binary one is converted by: ${convert}`,
  });
}

/** Reads further roots; a file that is not there or is no PEM adds none. */
async function readMoreRoots(world: World): Promise<readonly string[]> {
  const { NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: named } = world.env;
  const texts: string[] = [];
  for (const path of [extra, named, await firstExisting(systemBundles, world)]) {
    if (path === undefined || path === '') continue;
    const pem = await readPem({ value: path, from: path, level: 'environment' }, certificate, world).catch(
      () => undefined,
    );
    if (pem !== undefined) texts.push(pem.text);
  }
  return texts;
}

async function firstExisting(paths: readonly string[], { files }: World): Promise<string | undefined> {
  for (const path of paths) if ((await files.info(path)) !== undefined) return path;
  return undefined;
}
