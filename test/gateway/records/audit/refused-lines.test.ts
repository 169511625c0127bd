import { describe, expect, test } from 'vitest';
import { testGateway } from '../../../support/rooms/gateway.ts';
import { memoryAudit } from '../../../support/rooms/audit/memory-audit.ts';

describe('refused prompts of a token', () => {
  const linesOf = ({ text }: { readonly text: string }) =>
    text
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { readonly token_id?: string; readonly status?: number; readonly refused?: number },
      );
  const refusal = { decision: 'refused', status: 403, reason: 'tenant_wrong' } as const;

  test('have 60 lines a minute, and one with the number of the others once it is over', async () => {
    const { audit, memory, record, minute } = await memoryAudit();
    for (let each = 0; each < 100; each++) expect(await record(refusal)).toBe(true);
    expect(linesOf(memory)).toHaveLength(60);
    await record({ ...refusal, tokenId: 't2' });
    await record({ ...refusal, status: 429 });
    await record();
    expect(linesOf(memory)).toHaveLength(63);
    await minute();
    await record(refusal);
    await audit.close();
    const lines = linesOf(memory);
    expect(lines.filter(({ refused }) => refused !== undefined)).toMatchObject([
      { token_id: 't1', status: 403, refused: 40 },
    ]);
    expect(lines.filter(({ status }) => status === 403)).toHaveLength(63);
  });

  test('that wait for their number get it when the audit closes', async () => {
    const { audit, memory, record } = await memoryAudit();
    for (let each = 0; each < 1000; each++) await record(refusal);
    await audit.close();
    expect(linesOf(memory).slice(59)).toMatchObject([
      { status: 403 },
      { refused: 940 },
      { event: 'seal', final: true },
    ]);
  });

  test('of each reason have 60 lines, whatever the status is', async () => {
    const { memory, record } = await memoryAudit();
    for (const [status, reason] of [
      [400, 'malformed_json'],
      [400, 'no_messages'],
      [413, 'body_too_large'],
      [415, 'unsupported_media_type'],
    ] as const)
      for (let each = 0; each < 70; each++) await record({ ...refusal, status, reason });
    expect(linesOf(memory)).toHaveLength(240);
  });

  test('that a provider refused have a line each, as what passed has', async () => {
    const { memory, record } = await memoryAudit();
    for (let each = 0; each < 70; each++) await record({ ...refusal, status: 429, provider: 'openai' });
    for (let each = 0; each < 70; each++) await record();
    expect(linesOf(memory)).toHaveLength(140);
  });
});

test.each([
  { name: 'empty', length: '15', isEmpty: true },
  { name: 'of a message', length: '57', isEmpty: undefined },
  { name: 'of no known length', length: undefined, isEmpty: undefined },
])('of a 403 the audit says whether the prompt was empty: $name', async ({ length, isEmpty }) => {
  const gateway = await testGateway();
  const headers = { 'x-service-tenant-id': 'wrong', 'content-length': length };
  expect((await gateway.ask({ headers })).status).toBe(403);
  const [line] = gateway.audited();
  expect(line).toMatchObject({ status: 403, reason: 'tenant_wrong' });
  expect(line?.['empty']).toBe(isEmpty);
});
