import { expect, test } from 'vitest';
import { testGateway, type TestRequest } from '../support/rooms/gateway.ts';

/** Of a client that has no token, or another one. */
const unknown: [string, TestRequest][] = [
  ['no Motif', { path: '/api/v1/apps/none/prompts' }],
  ['no path', { path: '/' }],
  ['another method', { method: 'GET' }],
  ['no token', { headers: { authorization: undefined } }],
  ['a wrong token', { headers: { authorization: 'Bearer wrong' } }],
];
const known: [string, TestRequest][] = [
  ['a good prompt', {}],
  ['another tenant', { headers: { 'x-service-tenant-id': 'other' } }],
  ['another type', { headers: { 'content-type': 'text/plain' } }],
  ['no JSON', { body: '{"messages":' }],
  ['a large body', { body: 'x'.repeat(70_000) }],
];

test.each(unknown)('a reply to %s names no token', async (_, request) => {
  const gateway = await testGateway();
  expect((await gateway.ask(request)).holder).toBe(undefined);
});

test.each(known)('a reply to %s names the token that was accepted, be it an answer or not', async (_, request) => {
  const gateway = await testGateway();
  expect((await gateway.ask(request)).holder).toMatch(/^bot \S+$/);
});

test('so does one where the provider is away', async () => {
  const gateway = await testGateway({ provider: () => Promise.reject(new Error('away')) });
  const { status, holder } = await gateway.ask();
  expect([status, holder]).toEqual([500, expect.stringMatching(/^bot /)]);
});
