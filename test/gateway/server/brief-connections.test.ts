import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../src/gateway/contract.ts';
import { countRounds } from '../../support/rounds.ts';
import { listening, reply } from '../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../support/servers/tls.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: gw\r\n\r\n`;
const connections = 150;
/** Of a record, which is read as a whole. */
const inRecord = 300;
const asks = 5;

test.skipIf(tlsMissing).each([
  { who: 'strangers', first: '/nothing' },
  { who: 'holders of a token', first: '/known' },
])(
  'an open connection that asks one at a time waits for few of the records of 150 $who that flood',
  async ({ first }) => {
    let begun = 0;
    const gateway: Gateway = async ({ path }) => {
      begun += 1;
      return reply(path === '/known' ? 200 : 404, '{}');
    };
    // No connection is closed meanwhile, however many requests wait.
    const limits = { waitingMax: 1_000_000 };
    const { port } = await listening({ gateway, limits, tls: certificates().good });
    const open = async (path: string): Promise<Socket> => {
      const below = connect(port, '127.0.0.1');
      const socket = connectTls({ socket: below, rejectUnauthorized: false }).on('error', () => undefined);
      onTestFinished(() => void below.destroy());
      socket.write(get(path));
      await once(socket, 'data');
      return socket;
    };
    const neighbour = await open('/known');
    const flooding = await Promise.all(Array.from({ length: connections }, () => open(first)));
    for (const socket of flooding) socket.resume().write(get('/nothing').repeat(inRecord * 2));
    const heard = begun;
    await expect.poll(() => begun, { interval: 1 }).toBeGreaterThan(heard + 100);
    const rounds = countRounds();
    for (let asked = 0; asked < asks; asked++) {
      neighbour.write(get('/known'));
      await once(neighbour, 'data');
    }
    expect(rounds.passed()).toBeLessThan(60);
    expect(begun).toBeLessThan(connections * inRecord);
  },
  30_000,
);
