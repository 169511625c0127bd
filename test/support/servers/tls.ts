import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** The private CA that signed all of these but the self-signed one. */
  readonly ca: string;
  readonly good: Identity;
  readonly wrongName: Identity;
  readonly expired: Identity;
  /** Good, with the name of the expired one. */
  readonly renewed: Identity;
  readonly notYetValid: Identity;
  readonly selfSigned: Identity;
  readonly client: Identity;
}

/** The reason to skip tests of TLS, if any. On CI they fail instead of being skipped. */
export const tlsMissing = findWhyNot();

let made: Certificates | undefined;

/** Made once a process, with the system's openssl, because Node itself can sign no certificate. */
export function certificates(): Certificates {
  made ??= make();
  return made;
}

function findWhyNot(): string | undefined {
  if (spawnSync('openssl', ['version']).status === 0 || process.env.CI === 'true') return undefined;
  return 'openssl is not installed';
}

const authorityConfig = `
[ca]
default_ca = own
[own]
dir = .
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;

const localNames = 'DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1,DNS:gw.motif.test,IP:10.99.0.1,IP:fd99::1';
const longAgo = { from: '20200101000000Z', to: '20210101000000Z' };
const farAhead = { from: '20990101000000Z', to: '21000101000000Z' };
const now = { from: '20200101000000Z', to: '20990101000000Z' };

/** A certificate that signs itself, with a key of this kind in the words of openssl. */
export function selfSignedBy(...kind: readonly string[]): Identity {
  const folder = mkdtempSync(join(tmpdir(), 'motif-test-tls-'));
  const files = ['-keyout', 'own.key', '-out', 'own.crt', '-days', '90', '-subj', '/CN=own'];
  try {
    execFileSync('openssl', ['req', '-x509', '-nodes', '-newkey', ...kind, ...files], { cwd: folder, stdio: 'pipe' });
    return { cert: readFileSync(join(folder, 'own.crt'), 'utf8'), key: readFileSync(join(folder, 'own.key'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function make(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'motif-test-tls-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const own = (name: string, ...more: string[]) =>
    openssl('req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-days', '30', ...more);
  /** `openssl ca` is the one subcommand of OpenSSL 3.0 that sets both ends of the validity. */
  const signed = (name: string, subjectNames: string, { from, to } = now): Identity => {
    openssl('req', '-new', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${subjectNames}\n`);
    const files = ['-in', `${name}.csr`, '-out', `${name}.crt`, '-extfile', `${name}.ext`, '-cert', 'ca.crt'];
    const dates = ['-startdate', from, '-enddate', to];
    openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-keyfile', 'ca.key', ...files, ...dates);
    return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
  };
  try {
    writeFileSync(join(folder, 'ca.cnf'), authorityConfig);
    writeFileSync(join(folder, 'index'), '');
    own('ca', '-subj', '/CN=motif test CA', '-addext', 'basicConstraints=critical,CA:TRUE');
    own('self', '-subj', '/CN=self', '-addext', `subjectAltName=${localNames}`);
    return {
      ca: read('ca.crt'),
      good: signed('good', localNames),
      wrongName: signed('wrong', 'DNS:other.example,DNS:*.wild.example'),
      expired: signed('expired', localNames, longAgo),
      renewed: signed('expired', localNames),
      notYetValid: signed('early', localNames, farAhead),
      selfSigned: { cert: read('self.crt'), key: read('self.key') },
      client: signed('client', 'DNS:client.example'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
