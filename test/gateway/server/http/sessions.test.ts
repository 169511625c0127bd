import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

test.skipIf(tlsMissing)(
  `a session goes on over a reload, unless that brings another certificate ${tlsMissing ?? ''}`,
  async () => {
    const { good, selfSigned } = certificates();
    const { port, server } = await listening({ tls: good });
    const isReused = (session?: Buffer) => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2', session });
      onTestFinished(() => void socket.destroy());
      return new Promise<{ reused: boolean; session: Buffer | undefined }>((resolve, reject) => {
        const told = () => resolve({ reused: socket.isSessionReused(), session: socket.getSession() });
        socket.once('secureConnect', told).once('error', reject);
      });
    };
    const { session } = await isReused();
    expect(await isReused(session)).toMatchObject({ reused: true });
    server.setTls(good);
    expect(await isReused(session)).toMatchObject({ reused: true });
    server.setTls(selfSigned);
    expect(await isReused(session)).toMatchObject({ reused: false });
    server.setTls(good);
    expect(await isReused(session)).toMatchObject({ reused: true });
  },
);
