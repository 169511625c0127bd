import { expect, test } from 'vitest';
import { motif, testEnv } from '../support/motif.ts';
import { onTerminal } from '../support/rooms/prompt.ts';
import { service } from '../support/service.ts';

/** Variables that motif, or something in it, reads. */
const variables = `NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM CI HOME XDG_CONFIG_HOME XDG_STATE_HOME
  MOTIF_CONFIG_DIR PAGER EDITOR VISUAL TRACEPARENT AI_AGENT ACCESSIBLE GITHUB_ACTIONS GITHUB_STEP_SUMMARY
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE NODE_EXTRA_CA_CERTS
  MOTIF_URL MOTIF_ID MOTIF_TOKEN MOTIF_TOKEN_FILE MOTIF_TENANT_ID MOTIF_TIMEOUT MOTIF_CONNECT_TIMEOUT MOTIF_RETRIES
  MOTIF_CACERT MOTIF_CERT MOTIF_KEY MOTIF_NO_STDIN MOTIF_PROFILE MOTIF_NO_HISTORY MOTIF_BLOCKED_NOTICE`.split(/\s+/);
const values = ['', '0', '-1', '1e999', 'NaN', '/dev/null', 'x'.repeat(70_000), '%00', '\u202e\u009b', '[::1', 'a\nb'];
const commands = [['prompt', 'hi'], ['prompt', '--json', 'hi'], ['whoami'], ['help', 'scripts']];

test.each([
  { argv: ['whoami'] },
  { argv: ['profile', 'list'] },
  { argv: ['login', 'https://gw.example/api/v1/apps/a'] },
])('$argv: a MOTIF_CONFIG_DIR that is no absolute path is named, and not taken for no profiles', async ({ argv }) => {
  const run = await motif(argv, { env: { MOTIF_CONFIG_DIR: 'own/motif' } });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('MOTIF_CONFIG_DIR must be an absolute path; found "own/motif"');
});

test.each([{ argv: ['prompt', 'hi'] }, { argv: ['prompt', '--dry-run', 'hi'] }, { argv: ['whoami'] }])(
  '$argv: nor is it needed where all comes from the environment',
  async ({ argv }) => {
    const run = await motif(argv, { env: { ...testEnv, MOTIF_CONFIG_DIR: 'own/motif' }, ...service() });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain('the profile in use is left out: MOTIF_CONFIG_DIR must be an absolute path');
  },
);

test('a token is made all the same where MOTIF_CONFIG_DIR is no absolute path', async () => {
  const run = await motif(['admin', 'init', '--token-out', 't.txt'], { env: { MOTIF_CONFIG_DIR: 'own/motif' } });
  expect(run).toMatchObject({ exitCode: 0 });
});

test.each(variables)('whatever stands in %s, no command ends with 70, and none obeys it', async (variable) => {
  for (const [index, value] of values.entries()) {
    const argv = commands[(index + variables.indexOf(variable)) % commands.length] ?? [];
    const terminal = index % 2 === 0 ? onTerminal : {};
    const run = await motif(argv, { env: { ...testEnv, [variable]: value }, ...terminal, ...service() });
    expect(run.exitCode, `${argv.join(' ')} with ${JSON.stringify(value.slice(0, 20))}: ${run.stderr}`).not.toBe(70);
    expect(run.stdout + run.stderr).not.toMatch(/[\u202e\u009b]/);
  }
});
