import { blackhole } from '../../../support/servers/blackhole.ts';
import { destroy, end, send } from '../../../support/servers/fault-server.ts';
import { answer, failing, named, type NetworkCase, plain, says, type Scene } from '../scenes.ts';

const dns = { kind: 'network', layer: 'dns', sent: false } as const;
const refused = { kind: 'network', layer: 'connect', sent: false, says: 'connection refused by' } as const;

const fullBacklog = async (): Promise<Scene> => {
  const hole = await blackhole();
  return { url: `http://127.0.0.1:${hole.port}`, servers: [hole] };
};

/** A port that nobody listens on any more. */
const nobody =
  (host = '127.0.0.1') =>
  async (): Promise<Scene> => {
    const { servers, url } = await says()();
    await Promise.all(servers.map((server) => server.close()));
    return { url: url.replace('127.0.0.1', host), servers: [] };
  };

/** DNS and TCP. */
export const connectCases: readonly NetworkCase[] = [
  {
    name: 'no such name',
    start: named(failing('ENOTFOUND')),
    fails: { ...dns, says: 'there is no host named motif.test', hint: 'typing mistake' },
  },
  {
    name: 'a name without addresses',
    start: named(failing('ENODATA')),
    fails: { ...dns, says: 'there is no host named motif.test' },
  },
  {
    name: 'a resolver that fails for now',
    start: named(failing('EAI_AGAIN')),
    fails: { ...dns, says: 'could not be looked up just now', hint: 'online' },
  },
  {
    name: 'a resolver that fails for good',
    start: named(failing('EAI_FAIL')),
    fails: { ...dns, says: 'EAI_FAIL' },
  },
  {
    name: 'an answer that is no address',
    start: named([{ address: 'nonsense', family: 4 }]),
    fails: { ...dns, layer: 'connect', says: 'ERR_INVALID_IP_ADDRESS', hint: 'motif doctor' },
  },
  {
    name: 'a label of 64 characters',
    start: () => Promise.resolve({ url: `http://${'a'.repeat(64)}.test`, servers: [] }),
    fails: { ...dns, says: 'there is no host named aaaa' },
  },
  {
    name: 'a resolver that never answers',
    start: named('never'),
    connectTimeoutMs: 200,
    fails: {
      kind: 'timeout',
      layer: 'dns',
      sent: false,
      says: 'looking up motif.test took longer than 0.2 s',
      hint: '--connect-timeout',
    },
  },
  { name: 'nobody listens', start: nobody(), fails: { ...refused, hint: 'is the service running' } },
  {
    name: 'nobody listens on IPv6',
    start: nobody('[::1]'),
    fails: { ...refused, says: 'connection refused by [::1]:' },
  },
  {
    name: 'every address refuses',
    start: named([
      { address: '::1', family: 6 },
      { address: '127.0.0.9', family: 4 },
    ]),
    fails: { ...refused, says: 'connection refused by motif.test:' },
  },
  {
    name: 'a full backlog, the connect limit',
    start: fullBacklog,
    connectTimeoutMs: 300,
    fails: {
      kind: 'timeout',
      layer: 'connect',
      sent: false,
      says: 'did not accept a connection within 0.3 s',
      hint: '--connect-timeout',
    },
  },
  {
    name: 'a full backlog, the total deadline',
    start: fullBacklog,
    deadlineMs: 300,
    fails: {
      kind: 'timeout',
      layer: 'connect',
      sent: false,
      says: 'the time was over before',
    },
  },
  {
    name: 'the first address refuses, the second answers',
    start: named(
      [
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ],
      [send(answer)],
    ),
    replies: { status: 200 },
  },
  {
    name: 'closed at once',
    start: plain(end),
    fails: { kind: 'network', layer: 'http', sent: true, says: 'closed the connection without an answer' },
  },
  {
    name: 'closed at once, both ways',
    start: plain(destroy),
    fails: { kind: 'network', layer: 'http', sent: true, says: '' },
  },
];
