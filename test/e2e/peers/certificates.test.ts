import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addresses, serviceName } from '../../support/servers/network.ts';
import { type Peers, peersMissing, ports, startPeers } from '../../support/servers/peers.ts';
import { missingPrograms } from '../../support/processes/programs.ts';
import { certificates } from '../../support/servers/tls.ts';
import { ask, expectAnswer, token } from './ask.ts';

let peers: Peers;
let files: ReturnType<typeof writeFiles>;
beforeAll(async () => {
  if (peersMissing !== undefined) return;
  peers = await startPeers();
  files = writeFiles();
});
afterAll(async () => await peers?.close());
beforeEach(({ skip }) => skip(peersMissing !== undefined, peersMissing));

function writeFiles() {
  const { ca, client, selfSigned } = certificates();
  return {
    ca: peers.file('private-ca.pem', ca),
    otherCa: peers.file('other-ca.pem', selfSigned.cert),
    bundle: peers.file('bundle.pem', `two roots\n${selfSigned.cert}\n${ca}`),
    clientCert: peers.file('client.crt', client.cert),
    clientKey: peers.file('client.key', client.key, 0o600),
    openKey: peers.file('open.key', client.key),
    strangerCert: peers.file('stranger.crt', selfSigned.cert),
    strangerKey: peers.file('stranger.key', selfSigned.key, 0o600),
    none: peers.file('no-such-file.pem'),
  };
}

const origin = `https://${serviceName}`;
const at = (port: number) => `${origin}:${port}`;
const refusal = { code: 6, stdout: '', received: [] };

describe('whom to trust', () => {
  test.each([
    { name: '--cacert', given: () => ({ args: ['--cacert', files.ca] }) },
    { name: 'MOTIF_CACERT', given: () => ({ env: { MOTIF_CACERT: files.ca } }) },
    { name: 'MOTIF_CACERT with several roots', given: () => ({ env: { MOTIF_CACERT: files.bundle } }) },
    { name: 'NODE_EXTRA_CA_CERTS', given: () => ({ env: { NODE_EXTRA_CA_CERTS: files.ca } }) },
    { name: 'SSL_CERT_FILE', given: () => ({ env: { SSL_CERT_FILE: files.ca } }) },
    {
      name: 'SSL_CERT_FILE beside another --cacert',
      given: () => ({ args: ['--cacert', files.otherCa], env: { SSL_CERT_FILE: files.ca } }),
    },
    {
      name: 'SSL_CERT_FILE beside a NODE_EXTRA_CA_CERTS that is not there',
      given: () => ({ env: { NODE_EXTRA_CA_CERTS: files.none, SSL_CERT_FILE: files.ca } }),
    },
    {
      name: '--cacert, by an IPv6 address',
      given: () => ({ args: ['--cacert', files.ca] }),
      to: `https://[${addresses.ipv6}]`,
    },
  ])('$name', async ({ given, to = origin }) => {
    const asked = await ask(peers, to, given());
    expectAnswer(asked);
    expect(asked.received[0]?.headers).toMatchObject({ authorization: `Bearer ${token}` });
  });

  test("the system's own bundle", async () => {
    const other = await startPeers({ etc: { 'ssl/certs/ca-certificates.crt': certificates().ca } });
    try {
      expectAnswer(await ask(other, origin));
      expect(await ask(other, at(ports.selfSigned))).toMatchObject(refusal);
    } finally {
      await other.close();
    }
  });

  test.each([
    { name: 'nobody', env: {} },
    { name: 'another CA', env: { MOTIF_CACERT: () => files.otherCa }, next: 'does not hold the CA that signed it' },
    { name: 'a CA file that is not there', env: { SSL_CERT_FILE: () => files.none } },
    { name: 'any certificate, as NODE_TLS_REJECT_UNAUTHORIZED says', env: { NODE_TLS_REJECT_UNAUTHORIZED: () => '0' } },
  ])('$name is no reason to trust a private CA', async ({ env, next }) => {
    const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value()]));
    const asked = await ask(peers, origin, { env: given });
    expect(asked).toMatchObject(refusal);
    expect(asked.stderr).toMatch(/^motif: the certificate of gw.motif.test:443 is signed by a CA that is not trusted/);
    expect(asked.stderr).toContain(next ?? '--cacert FILE, MOTIF_CACERT or NODE_EXTRA_CA_CERTS');
  });

  test('Node does not claim that certificates are not checked', async () => {
    const asked = await ask(peers, origin, {
      args: ['--cacert', files.ca],
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    });
    expectAnswer(asked);
    expect(asked.stderr).toBe('');
  });
});

test('an IPv6 address that the certificate does not name', async () => {
  const asked = await ask(peers, `https://[${addresses.ipv6}]:${ports.wrongName}`, { args: ['--cacert', files.ca] });
  expect(asked).toMatchObject(refusal);
  expect(asked.stderr).toContain('the certificate of [fd99::1]:9002 is for another name: other.example');
});

test.each([
  { port: ports.expired, says: 'has expired', next: "check this machine's clock first" },
  { port: ports.notYetValid, says: 'is not valid yet', next: "check this machine's clock first" },
  { port: ports.wrongName, says: 'is for another name: other.example', next: 'check the host in the address' },
  { port: ports.selfSigned, says: 'is self-signed and not trusted here', next: 'does not hold the CA that signed it' },
  { port: ports.oldTls, says: 'TLS version that is too old', next: 'tell the administrator' },
  { port: ports.http, says: 'does not speak TLS: wrong scheme or port?', next: 'write http://' },
])('nginx on port $port: $says', async ({ port, says, next }) => {
  const asked = await ask(peers, at(port), { args: ['--cacert', files.ca] });
  expect(asked).toMatchObject(refusal);
  expect(asked.stderr).toContain(`gw.motif.test:${port} `);
  expect(asked.stderr).toContain(says);
  expect(asked.stderr).toContain(next);
});

test('plain http to the TLS port of nginx', async () => {
  const asked = await ask(peers, `http://${serviceName}:${ports.https}`);
  expect(asked).toMatchObject({ ...refusal, code: 4 });
  expect(asked.stderr).toContain('write https:// in the address');
});

test('a clock that is years behind is named as the reason', async ({ skip }) => {
  const missing = missingPrograms('faketime');
  skip(missing !== undefined, missing);
  const network = { ...peers.network, inside: [...peers.network.inside, 'faketime', '2012-03-04 05:06:07'] };
  const asked = await ask({ ...peers, network }, origin, { args: ['--cacert', files.ca] });
  expect(asked).toMatchObject(refusal);
  expect(asked.stderr).toContain("is not valid yet\n  check this machine's clock first");
});

describe('who we are', () => {
  const service = at(ports.clientCertificate);

  test('a certificate that the service trusts is shown to it', async () => {
    const { ca, clientCert, clientKey } = files;
    const asked = await ask(peers, service, { args: ['--cacert', ca, '--cert', clientCert, '--key', clientKey] });
    expectAnswer(asked);
    expect(asked.stderr).toBe('');
    expect(asked.received[0]?.headers['x-client']).toBe('CN=client');
  });

  test('a key that others can read is used, and said', async () => {
    const { ca, clientCert, openKey } = files;
    const asked = await ask(peers, service, { env: { MOTIF_CACERT: ca, MOTIF_CERT: clientCert, MOTIF_KEY: openKey } });
    expectAnswer(asked);
    expect(asked.stderr).toBe(`motif: the key ${openKey} can be read by others; chmod 600 it\n`);
  });

  test.each([
    { name: 'none', given: () => [], says: 'the service asks for a client certificate: --cert FILE and --key FILE' },
    {
      name: 'one that the service does not trust',
      given: () => ['--cert', files.strangerCert, '--key', files.strangerKey],
      says: 'the service did not accept the client certificate',
    },
  ])('$name', async ({ given, says }) => {
    const asked = await ask(peers, service, { args: ['--cacert', files.ca, ...given()] });
    expect(asked).toMatchObject({ ...refusal, code: 4 });
    expect(asked.stderr).toContain(says);
  });
});
