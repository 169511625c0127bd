import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../src/wire/http.ts';
import { motif, type MotifSetup, testEnv } from '../../../support/motif.ts';
import { service } from '../../../support/service.ts';

const pem = (label: string, body = 'TWFkZSB1cA==') => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const files = {
  'ca.pem': pem('CERTIFICATE', 'Y2E='),
  'extra.pem': pem('CERTIFICATE', 'ZXh0cmE='),
  'system.pem': pem('CERTIFICATE', 'c3lz'),
  'client.crt': pem('CERTIFICATE', 'Y2xpZW50'),
  'client.key': pem('PRIVATE KEY', 'a2V5'),
};

/** Runs a prompt and gives back the connection that the service was asked over. */
async function connect(args: readonly string[], setup: MotifSetup = {}) {
  const scripted = service();
  const run = await motif(['prompt', ...args, 'hi'], { send: scripted.send, files, ...setup });
  return { ...run, connection: scripted.requests[0]?.options.connection };
}

async function moreRoots(connection: Connection | undefined): Promise<string> {
  return ((await connection?.moreRoots?.()) ?? []).join('');
}

describe('whom to trust', () => {
  test.each([
    { args: ['--cacert', 'ca.pem'], env: {} },
    { args: [], env: { MOTIF_CACERT: 'ca.pem' } },
    { args: ['--cacert', 'ca.pem'], env: { MOTIF_CACERT: 'no-such-file' } },
  ])('$args $env', async ({ args, env }) => {
    const { exitCode, connection } = await connect(args, { env: { ...testEnv, ...env } });
    expect(exitCode).toBe(0);
    expect(connection?.ca).toEqual([files['ca.pem']]);
  });

  test.each([
    { env: { NODE_EXTRA_CA_CERTS: 'extra.pem' }, has: ['extra.pem'] },
    { env: { SSL_CERT_FILE: 'system.pem' }, has: ['system.pem'] },
    { env: { NODE_EXTRA_CA_CERTS: 'extra.pem', SSL_CERT_FILE: 'system.pem' }, has: ['extra.pem', 'system.pem'] },
    { env: { NODE_EXTRA_CA_CERTS: 'no-such-file', SSL_CERT_FILE: 'system.pem' }, has: ['system.pem'] },
    { env: { NODE_EXTRA_CA_CERTS: '', SSL_CERT_FILE: 'client.key' }, has: [] },
  ] as const)('the roots of $env wait until they are needed', async ({ env, has }) => {
    const { exitCode, connection, stderr } = await connect([], { env: { ...testEnv, ...env } });
    expect({ exitCode, stderr, ca: connection?.ca }).toEqual({ exitCode: 0, stderr: '', ca: undefined });
    const roots = await moreRoots(connection);
    for (const name of ['extra.pem', 'system.pem', 'client.key'] as const) {
      expect(roots.includes(files[name]), name).toBe((has as readonly string[]).includes(name));
    }
  });
});

describe('who we are', () => {
  const identity = ['--cert', 'client.crt', '--key', 'client.key'];

  test.each([
    { mode: 0o600, says: '' },
    { mode: 0o400, says: '' },
    { mode: 0o640, says: 'motif: the key client.key can be read by others; chmod 600 it\n' },
    { mode: 0o604, says: 'motif: the key client.key can be read by others; chmod 600 it\n' },
  ])('a key of mode $mode', async ({ mode, says }) => {
    const prepare: MotifSetup['prepare'] = ({ folder }) => chmodSync(join(folder, 'client.key'), mode);
    const { exitCode, connection, stderr } = await connect(identity, { prepare });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: says });
    expect(connection?.clientCertificate?.cert).toBe(files['client.crt']);
    expect(connection?.clientCertificate?.key.reveal()).toBe(files['client.key']);
    expect(JSON.stringify(connection)).not.toContain('a2V5');
  });

  test('-q is silent about the mode of a key', async () => {
    const prepare: MotifSetup['prepare'] = ({ folder }) => chmodSync(join(folder, 'client.key'), 0o644);
    expect(await connect(['-q', ...identity], { prepare })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

const der = Buffer.from([0x30, 0x82, 0x01, 0x00, 0x02, 0x01]);
const passphrase = 'is protected by a passphrase, which motif never asks for';

describe('a file that does not do', () => {
  test.each([
    { args: ['--cacert', 'nowhere.pem'], says: '--cacert: nowhere.pem: no such file' },
    { args: ['--cacert', '.'], says: '--cacert: .: is a folder' },
    { args: ['--cacert', 'text'], says: '--cacert: text holds no certificate in PEM form', next: 'openssl x509' },
    { args: ['--cacert', 'der'], says: '--cacert: der holds no certificate in PEM form', next: 'openssl x509' },
    { args: ['--cacert', 'client.key'], says: 'client.key holds no certificate in PEM form' },
    { args: [], env: { MOTIF_CACERT: 'text' }, says: 'MOTIF_CACERT: text holds no certificate' },
    { args: ['--cert', 'client.crt'], says: '--cert and --key go together' },
    { args: ['--key', 'client.key'], says: '--cert and --key go together' },
    { args: [], env: { MOTIF_CERT: 'client.crt' }, says: '--cert and --key go together' },
    { args: ['--cert', 'client.key', '--key', 'client.crt'], says: '--cert: client.key holds no certificate' },
    {
      args: ['--cert', 'client.crt', '--key', 'client.crt'],
      says: '--key: client.crt holds no private key',
      next: 'openssl pkey',
    },
    { args: ['--cert', 'client.crt', '--key', 'der'], says: '--key: der holds no private key in PEM form' },
    { args: ['--cert', 'client.crt', '--key', 'locked'], says: passphrase, next: 'openssl pkey -in FILE -out NEW' },
    { args: ['--cert', 'client.crt', '--key', 'locked-rsa'], says: passphrase, next: 'of mode 600' },
  ])('$args $env', async ({ args, env = {}, says, next = '' }) => {
    const run = await motif(['prompt', ...args, 'hi'], {
      env: { ...testEnv, ...env },
      files: {
        ...files,
        text: 'no certificate\n',
        der,
        locked: pem('ENCRYPTED PRIVATE KEY'),
        'locked-rsa': pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nTWFk'),
      },
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
    expect(run.stderr).toContain(next);
    expect(run.stderr).not.toMatch(/a2V5|TWFk/);
  });
});
