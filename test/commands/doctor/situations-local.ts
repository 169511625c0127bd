import { writeFileSync } from 'node:fs';
import { afterWay, network, type Situation } from '../../support/rooms/doctor.ts';
import { givenAway, logIn, loggedIn, profileFile } from '../../support/rooms/login.ts';
import { testEnv, testToken, testUrl } from '../../support/motif.ts';

/** Faults on this machine. */
export const localSituations: readonly Situation[] = [
  {
    name: 'nothing is set',
    setup: async () => ({ env: {} }),
    exitCode: 3,
    layer: 'settings',
    says: 'no profile and no MOTIF_URL',
    hint: 'motif login ADDRESS',
    ok: ['files'],
    skipped: network,
  },
  {
    name: 'a profile that is not there',
    argv: ['-p', 'nobody'],
    exitCode: 3,
    layer: 'settings',
    says: 'no profile "nobody"',
    skipped: network,
  },
  {
    name: 'an address without a Motif',
    setup: async () => ({ env: { MOTIF_URL: 'https://gw.example' } }),
    exitCode: 3,
    layer: 'settings',
    says: 'names no Motif',
    skipped: network,
  },
  {
    name: 'a timeout that is none',
    setup: async () => ({ env: { ...testEnv, MOTIF_TIMEOUT: 'soon' } }),
    exitCode: 2,
    layer: 'settings',
    says: 'MOTIF_TIMEOUT must be a duration',
    skipped: network,
  },
  {
    name: 'plain http to another machine',
    argv: ['--url', 'http://gw.example/api/v1/apps/m'],
    exitCode: 2,
    layer: 'settings',
    says: 'plain http',
    hint: '--allow-http',
    skipped: network,
  },
  {
    name: 'no token: the way is looked at all the same',
    setup: async () => ({ env: { MOTIF_URL: testUrl } }),
    exitCode: 3,
    layer: 'settings',
    says: 'there is no token',
    hint: 'motif login',
    ok: ['dns', 'connect', 'tls'],
    skipped: afterWay,
  },
  {
    name: 'a token that cannot be sent',
    setup: async () => ({ env: { MOTIF_URL: testUrl, MOTIF_TOKEN: 'two words' } }),
    exitCode: 2,
    layer: 'settings',
    says: 'holds a space',
    ok: ['tls'],
    skipped: afterWay,
  },
  {
    name: 'a broken profile',
    setup: async () => {
      const world = await loggedIn([testUrl, '-p', 'staging']);
      writeFileSync(profileFile(world, 'staging'), '{"url": ');
      return { after: world, env: {} };
    },
    exitCode: 3,
    layer: 'settings',
    says: 'cannot be used: line 1',
    ok: ['files'],
    skipped: network,
  },
  {
    name: 'files of another user',
    setup: async () => {
      const after = await loggedIn([testUrl]);
      return { after, env: {}, ...givenAway(profileFile(after, 'support-bot')) };
    },
    exitCode: 3,
    layer: 'settings',
    says: 'belongs to another user',
    hint: 'sudo',
    skipped: network,
  },
  {
    name: 'a token file that is not there',
    setup: async () => ({ env: { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: 'gone.txt' } }),
    exitCode: 2,
    layer: 'files',
    says: 'MOTIF_TOKEN_FILE: gone.txt',
    ok: ['tls'],
    skipped: afterWay,
  },
  {
    name: 'a CA file that is none',
    argv: ['--cacert', 'ca.pem'],
    setup: async () => ({ files: { 'ca.pem': 'no PEM' } }),
    exitCode: 2,
    layer: 'files',
    says: 'ca.pem',
    ok: ['proxy'],
    skipped: ['dns', 'connect', 'tls', ...afterWay],
  },
  {
    name: 'a client certificate without its key',
    argv: ['--cert', 'client.pem'],
    exitCode: 2,
    layer: 'files',
    says: '--cert and --key go together',
  },
  {
    name: 'a locked keyring',
    setup: async () => ({
      after: (await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' })).world,
      keyring: 'locked',
      env: {},
    }),
    exitCode: 12,
    layer: 'keyring',
    says: 'is locked',
    hint: '--token-store file',
    ok: ['settings', 'files', 'tls'],
    skipped: afterWay,
  },
  {
    name: 'a token command that fails',
    setup: async () => ({
      after: await withCommand(),
      env: {},
      run: () => ({ code: 4, stdout: '', stderr: 'vault sealed' }),
    }),
    exitCode: 3,
    layer: 'token',
    says: 'ended with code 4',
    hint: '--token-command',
    ok: ['keyring', 'tls'],
    skipped: ['http', 'tenant', 'clock'],
  },
];

async function withCommand() {
  const { world } = await logIn([testUrl, '--token-command', 'vault read', '--no-verify'], {
    run: () => ({ code: 0, stdout: testToken, stderr: '' }),
  });
  return world;
}
