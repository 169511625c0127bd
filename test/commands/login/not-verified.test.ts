import { expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { documentOf, filesHolding, logIn } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { refused, type Scripted, service } from '../../support/service.ts';

const address = [testUrl, '--token-stdin'] as const;

const unclear: readonly [string, Scripted | Error][] = [
  ['500', { status: 500, body: { error: 'x' } }],
  ['502 with HTML', { status: 502, body: '<html>' }],
  ['503', { status: 503, body: { error: 'draining' } }],
  ['302', { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' }],
  ['a refused connection', refused()],
];
test.each(unclear)('%s says "not verified" and saves', async (_name, reply) => {
  const run = await logIn([...address, '--json'], service(reply));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('not verified');
  expect(documentOf(run)).toMatchObject({ ok: true, verified: false });
  expect(filesHolding(run.world.home ?? '', testToken)).toHaveLength(1);
  expect(run.stderr).toMatch(
    /is stored and in use \((?:not verified, for the reason below|saved, but)[^]*motif: not verified: .*(\n {2}.+)*\n {2}once that .*: motif doctor -p .+\n$/,
  );
  expect(run.stderr).not.toContain('next:');
});

test('a reply that was lost is no prompt that may have run: an empty one was sent', async () => {
  const lost = new TransportError('network', 'closed', { layer: 'http', sent: true, isReplyLost: true });
  const run = await logIn(address, service(lost));
  expect(run.stderr).toContain('not verified: closed');
  expect(run.stderr).not.toContain('may have worked on the prompt');
});

test('a certificate that is not trusted: the last words are why, and --cacert', async () => {
  const hint = ['is it signed by a private CA? name its PEM file: --cacert FILE'];
  const untrusted = new TransportError('network', 'signed by a CA that is not trusted here', {
    layer: 'tls',
    sent: false,
    hint,
  });
  const run = await logIn(address, service(untrusted));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toMatch(
    /motif: not verified: signed by a CA.*\n {2}is it signed by a private CA\?.*--cacert FILE\n {2}a CA file .*: motif profile set cacert FILE -p \S+\n {2}another address .*: motif profile set url ADDRESS -p \S+\n {2}once that .*: motif doctor -p .+\n$/,
  );
});

test('an address without a host behind it: how to mend it; after a 404 in place of what is next', async () => {
  const mend = 'another address for this profile: motif profile set url ADDRESS -p support-bot\n';
  const gone = new TransportError('network', 'there is no host', { layer: 'dns', sent: false });
  expect((await logIn(address, service(gone))).stderr).toContain(`  ${mend}`);
  const missing = await logIn(address, service({ status: 404, body: { error: 'x' } }));
  expect(missing.stderr).toMatch(new RegExp(`motif: ${mend}$`));
  expect((await logIn(address, service({ status: 500, body: { error: 'x' } }))).stderr).not.toContain(mend);
});

test('the name of a profile in the place of an address', async () => {
  const { world: after } = await logIn(address, service({ status: 400, body: { error: 'x' } }));
  const run = await motif(['login', 'support-bot', '--token-stdin'], { after, stdin: testToken });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(
    'name of a profile, where its address belongs\n  to log in to it again: motif login -p support-bot\n',
  );
});
