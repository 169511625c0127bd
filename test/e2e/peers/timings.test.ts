import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addresses, serviceName } from '../../support/servers/network.ts';
import { type Peers, peersMissing, ports, proxies, startPeers } from '../../support/servers/peers.ts';
import { certificates } from '../../support/servers/tls.ts';
import { ask, expectAnswer } from './ask.ts';

let peers: Peers;
beforeAll(async () => {
  if (peersMissing === undefined) peers = await startPeers({ proxies: true });
});
afterAll(async () => await peers?.close());
beforeEach(({ skip }) => skip(peersMissing !== undefined, peersMissing));

/** The phases that -v names, in its order. */
function phasesOf(stderr: string): readonly string[] {
  const line = stderr.split('\n').find((text) => text.includes('first byte')) ?? '';
  return [
    ...line.matchAll(/(?:^| · )(connection reused|dns|connect|tls|first byte|total|sent|received|attempts)/g),
  ].map(([, phase]) => phase ?? '');
}

const rest = ['first byte', 'total', 'sent', 'received', 'attempts'];

test.each([
  { way: 'http by address', to: `http://${addresses.service}`, proxy: '', phases: ['connect'] },
  { way: 'http by name', to: `http://${serviceName}`, proxy: '', phases: ['dns', 'connect'] },
  { way: 'https by name', to: `https://${serviceName}`, proxy: '', phases: ['dns', 'connect', 'tls'] },
  { way: 'http by squid', to: `http://${serviceName}`, proxy: proxies.squid, phases: ['connect'] },
  { way: 'https by squid', to: `https://${serviceName}`, proxy: proxies.squid, phases: ['connect', 'tls'] },
  {
    way: 'https by squid over TLS, which is named',
    to: `https://${serviceName}:${ports.https}`,
    proxy: proxies.squidOverTls,
    phases: ['dns', 'connect', 'tls'],
  },
  { way: 'https by tinyproxy', to: `https://${serviceName}`, proxy: proxies.tinyproxy, phases: ['connect', 'tls'] },
])('-v names the phases of a new connection and none of a kept one: $way', async ({ to, proxy, phases }) => {
  const options = { args: ['-v', '--cacert', peers.file('ca.pem', certificates().ca)], env: { ALL_PROXY: proxy } };
  const fresh = await ask(peers, to, options);
  expectAnswer(fresh);
  expect(phasesOf(fresh.stderr)).toEqual([...phases, ...rest]);
  expect(fresh.stderr).toMatch(/attempts 1$/m);

  peers.service.refusals.push(429);
  const kept = await ask(peers, to, options);
  expectAnswer(kept);
  expect(kept.received).toHaveLength(2);
  expect(phasesOf(kept.stderr)).toEqual(['connection reused', ...rest]);
  expect(kept.stderr).toMatch(/attempts 2$/m);
});
