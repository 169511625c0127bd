import { expect, test } from 'vitest';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';

const warning = {
  policy: 'no-pii',
  rule: 'card',
  on: 'prompt',
  action: 'warn',
  message: 0,
  start: 0,
  length: 3,
} as const;

test('refused prompts that share a line are all counted, and listed with their number', async () => {
  const { audit, memory, record } = await memoryAudit();
  await record({ hits: [warning] });
  for (let each = 0; each < 1300; each++) await record({ decision: 'refused', status: 403, reason: 'tenant_wrong' });
  await audit.close();
  const ask = async (...words: string[]) =>
    await motif(['admin', 'audit', ...words, 'audit.jsonl'], { env: {}, files: { 'audit.jsonl': memory.text } });
  expect(JSON.parse((await ask('stats', '--policy', 'no-pii', '--json')).stdout)).toMatchObject({
    total: { prompts: 1301, decisions: { warn: 1, refused: 1300 } },
    policy: { not_judged: { refused: 1300 } },
  });
  expect((await ask('list', '--decision', 'refused')).stdout.trimEnd().split('\n').at(-1)).toMatch(
    /tenant_wrong {2}1,240 prompts$/,
  );
  expect((await ask('verify')).exitCode).toBe(0);
});
