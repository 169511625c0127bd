import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../src/errors.ts';
import { Secret } from '../../../src/text/secret.ts';
import { createSend } from '../../../src/transport/send.ts';
import type { HttpReply } from '../../../src/wire/http.ts';
import { tlsMissing } from '../../support/servers/tls.ts';
import { networkCases } from './cases.ts';
import type { NetworkCase, Scene } from './scenes.ts';

const canary = 'canary-token-0123456789';

describe.concurrent('each injection ends in its own words, within its deadline', () => {
  test.for(networkCases.map((entry) => [entry.name, entry] as const))('%s', async ([, entry], { skip }) => {
    skip(entry.needsTls === true && tlsMissing !== undefined, tlsMissing);
    const scene = await entry.start();
    const startedAt = Date.now();
    try {
      const outcome = await ask(entry, scene).catch((error: unknown) => error);
      expect(Date.now() - startedAt).toBeLessThan(Math.min(limitOf(entry), 60_000) + 1500);
      if (entry.replies === undefined) judgeFailure(outcome, entry);
      else judgeReply(outcome, entry.replies);
    } finally {
      await Promise.all(scene.servers.map((server) => server.close()));
    }
  });
});

test('there are at least 120 injections, each under a name of its own', () => {
  expect(new Set(networkCases.map(({ name }) => name)).size).toBe(networkCases.length);
  expect(networkCases.length).toBeGreaterThanOrEqual(120);
});

function limitOf({ deadlineMs = 5000, connectTimeoutMs = 5000, fails }: NetworkCase): number {
  return fails?.sent === false ? Math.min(deadlineMs, connectTimeoutMs) : deadlineMs;
}

function ask(entry: NetworkCase, { url, connection, lookup }: Scene): Promise<HttpReply> {
  const send = createSend({ now: () => Date.now(), ...(lookup === undefined ? {} : { lookup }) });
  const { deadlineMs = 5000, connectTimeoutMs = 5000, bodyBytesMax = 2 ** 20, requestBytes = 20 } = entry;
  return send(
    {
      method: 'POST',
      url: `${url}/api/v1/apps/m/prompts`,
      headers: { 'content-type': 'application/json', authorization: { scheme: 'Bearer', token: new Secret(canary) } },
      body: JSON.stringify({ text: 'x'.repeat(requestBytes) }),
    },
    { connection: { connectTimeoutMs, ...connection }, deadlineAt: Date.now() + deadlineMs, bodyBytesMax },
  );
}

function judgeFailure(outcome: unknown, { fails, name }: NetworkCase): void {
  expect(outcome, name).toBeInstanceOf(TransportError);
  const error = outcome as TransportError;
  const { kind, layer, sent } = error;
  expect({ kind, layer, sent, message: error.message }, name).toMatchObject({
    kind: fails?.kind,
    layer: fails?.layer,
    sent: fails?.sent,
    message: expect.stringContaining(fails?.says ?? ''),
  });
  expect(error.hints.join('\n'), name).toContain(fails?.hint ?? '');
  if (fails?.isReplyLost !== undefined) expect(error.isReplyLost, name).toBe(fails.isReplyLost);
  if (!error.isReplyLost && !error.isDeadline) expect(error.hints.length, name).toBeGreaterThan(0);
  expect(`${error.message}${error.hints.join('')}`, name).toMatch(/^[^\p{Cc}]+$/u);
  const all = JSON.stringify([error, error.message, error.stack, error.cause, error.hints, error.notes]);
  expect(all, name).not.toMatch(/canary/);
}

function judgeReply(outcome: unknown, { status, bodyBytes }: NonNullable<NetworkCase['replies']>): void {
  if (outcome instanceof Error) throw outcome;
  const reply = outcome as HttpReply;
  expect(reply.status).toBe(status);
  if (bodyBytes !== undefined) expect(reply.body.length).toBe(bodyBytes);
}
