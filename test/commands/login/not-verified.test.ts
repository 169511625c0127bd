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
    /motif: not verified: signed by a CA.*\n {2}is it signed by a private CA\?.*--cacert FILE\n {2}a CA file .*: motif profile set cacert FILE -p \S+\n {2}another address .*: motif login ADDRESS -p \S+\n {2}once that .*: motif doctor -p .+\n$/,
  );
});

test('an address without a host behind it: how to mend it; after a 404 in place of what is next', async () => {
  const mend = 'another address for this profile: motif login ADDRESS -p support-bot\n';
  const gone = new TransportError('network', 'there is no host', { layer: 'dns', sent: false });
  expect((await logIn(address, service(gone))).stderr).toContain(`  ${mend}`);
  const missing = await logIn(address, service({ status: 404, body: { error: 'x' } }));
  expect(missing.stderr).toContain(
    'motif: another address on this host: motif profile set url ADDRESS -p support-bot; on another one: motif login',
  );
  const failed = await logIn(address, service({ status: 500, body: { error: 'x' } }));
  expect(failed.stderr).not.toContain('another address');
});

test.each([
  { name: 'no host', reply: refused(), other: 'https://gw.example:8443/api/v1/apps/support-bot' },
  { name: 'a 404 of the host', reply: { status: 404, body: '' }, other: 'https://gw.example/motif/api/v1/apps/hr' },
  { name: 'a 404 of another host', reply: { status: 404, body: '' }, other: 'https://b.example/api/v1/apps/hr' },
])('the address can be mended as was said: $name', async ({ reply, other }) => {
  const { world: after, stderr } = await logIn(address, service(reply));
  const told = [...stderr.matchAll(/motif ((?:login|profile set url) ADDRESS -p [\w-]+)/g)].map(
    ([, words = '']) => words,
  );
  expect(told).not.toEqual([]);
  const typed = [];
  for (const words of told) {
    const argv = words.replace('ADDRESS', other).split(' ');
    const given = argv[0] === 'login' ? ['--force', '--token-stdin'] : [];
    typed.push(await motif([...argv, ...given], { env: {}, after, stdin: testToken, ...service() }));
  }
  expect(typed.map(({ exitCode }) => exitCode)).toContain(0);
  expect(typed.at(-1)!.exitCode).toBe(0);
});

test('the name of a profile in the place of an address', async () => {
  const { world: after } = await logIn(address, service({ status: 400, body: { error: 'x' } }));
  const run = await motif(['login', 'support-bot', '--token-stdin'], { after, stdin: testToken });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(
    'name of a profile, where its address belongs\n  to log in to it again: motif login -p support-bot\n',
  );
});
