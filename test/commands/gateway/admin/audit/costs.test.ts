import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';

const gateway = `audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: 'http://127.0.0.1:1/v1', prices: { m: { prompt: 1000, completion: 2000 } } } }
motifs: { bot: { provider: up } }
`;

const run = auditCommand(async () => {
  const { audit: writer, memory, record } = await memoryAudit();
  const asked = { team: 'support', provider: 'up', model: 'm' };
  await record({ ...asked, usage: { prompt: 1000, completion: 500, isEstimated: false } });
  await record(asked);
  await record({ ...asked, team: 'sales' });
  await record({ team: 'sales', provider: 'free', model: 'f' });
  await writer.close();
  return { 'gateway.yaml': gateway, 'audit.jsonl': memory.text };
});

test.each([
  { price: 0.5, says: '0.00075' },
  { price: 0.0001, says: '<0.000001' },
  { price: 0, says: '0.00' },
])('a million tokens for $price: a small cost is no 0.00', async ({ price, says }) => {
  const priced = gateway.replace('prompt: 1000, completion: 2000', `prompt: ${price}, completion: ${price}`);
  const { stdout } = await run(['stats', '--by', 'team'], { 'gateway.yaml': priced });
  expect(stdout.split('\n').find((line) => line.startsWith('support'))).toContain(`  ${says}  `);
});

describe('a cost that lacks prompts, or is none', () => {
  const lacks = 'motif: the cost lacks 1 prompt, which has no price: f of free\n';
  const unpriced = gateway.replace(/, prices: .*(?= \} \})/, '');
  const elsewhere = gateway.replace('prices: { m:', 'prices: { other:');

  test.each([
    { name: 'a price for some', file: gateway, head: 'seals intact', notice: lacks },
    {
      name: 'prices, and none for what was asked',
      file: elsewhere,
      head: 'no prompt has a price, so no cost',
      notice: 'motif: the cost lacks 4 prompts, which have no price: m of up, f of free\n',
    },
    { name: 'no prices', file: unpriced, head: 'no prices in the gateway file, so no cost', notice: '' },
    {
      name: 'a faulty gateway file',
      file: 'providers: 3\n',
      head: 'no gateway file, so no cost',
      notice: '',
    },
  ])('$name: the head and the notice say so', async ({ file, head, notice }) => {
    const { stdout, stderr } = await run(['stats', '--by', 'team', 'audit.jsonl'], { 'gateway.yaml': file });
    expect(stderr).toBe(notice);
    expect(stdout.split('\n')[0]!.endsWith(` · ${head}`)).toBe(true);
    const page = ['stats', '--by', 'team', 'audit.jsonl', '--report', 'html=page.html'];
    const { world } = await run(page, { 'gateway.yaml': file });
    const html = readFileSync(join(world.folder, 'page.html'), 'utf8');
    expect(html).toContain(head);
    expect(html.includes('the cost lacks')).toBe(notice !== '');
    if (notice !== '') expect(html).toContain(`<p class="warn">${notice.replace('motif: ', '').trim()}</p>`);
  });
});

test('sums in a document have no digits that say nothing', async () => {
  const priced = gateway.replace('prompt: 1000, completion: 2000', 'prompt: 0.1, completion: 0.2');
  const { stdout } = await run(['stats', '--by', 'team', '--json'], { 'gateway.yaml': priced });
  const numbers = stdout.match(/\d+\.\d+/g)!;
  expect(numbers.length).toBeGreaterThan(3);
  expect(numbers.filter((number) => number.split('.')[1]!.length > 9)).toEqual([]);
});
