import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../../src/gateway/records/audit/line.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';

const prompts: readonly Partial<AuditEntry>[] = [
  { team: 'customer-support-of-the-north', user: 'anastasia.papadopoulou@example.com', motif: 'support-bot' },
  {
    team: 'sales',
    decision: 'block',
    hits: [
      { policy: 'no-pii', rule: 'uk_driving_licence', on: 'prompt', action: 'block', message: 0, start: 0, length: 3 },
    ],
  },
];

async function audit(): Promise<string> {
  const { audit: writer, memory, record } = await memoryAudit();
  for (const prompt of prompts) await record(prompt);
  await writer.close();
  return memory.text;
}

describe('stats on a terminal', () => {
  const stats = async (columns: number, words: readonly string[]) => {
    const setup = { env: { NO_COLOR: '1' }, files: { 'audit.jsonl': await audit() }, stdout: { columns } };
    const { stdout } = await motif(['admin', 'audit', 'stats', ...words, 'audit.jsonl'], setup);
    return stdout.trimEnd().split('\n');
  };

  test.each([60, 80, 132])('a table of many keys stays within %i columns, with its prompts', async (columns) => {
    const lines = await stats(columns, ['--by', 'day,motif,policy,rule,user,team']);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    const head = lines.find((line) => line.startsWith('day'))!;
    expect(head).toMatch(/^day +motif +policy +rule +user +team +prompts/);
  });

  test('columns for which there is no room are named', async () => {
    const words = ['--by', 'day,motif,policy,rule,user,team'];
    expect((await stats(80, words)).join(' ')).toMatch(
      /left out at this width: .*\bp50, +p95; a wider window, a pipe and --json have all/,
    );
    expect((await stats(200, words)).join()).not.toContain('left out');
  });

  test.each([40, 80, 132])('one row of no key has no bar at %i columns, which nobody misses', async (columns) => {
    const text = (await stats(columns, ['--policy', 'no-pii'])).join('\n');
    expect(text).toMatch(/^prompts /m);
    expect(text).not.toMatch(/█|the bars/);
  });

  test('bars are narrower on a narrow terminal, and said to be missing where even those do not fit', async () => {
    const bars = async (columns: number, by: string) => (await stats(columns, ['--by', by])).join('\n');
    expect(await bars(132, 'policy,day')).toContain(`${'█'.repeat(10)} `);
    expect(await bars(72, 'policy,day')).toMatch(/ █{4} /);
    const without = 'left out at this width: the bars';
    const texts = await Promise.all([60, 70, 80, 90, 100].map((columns) => bars(columns, 'day,motif,team')));
    expect(texts.filter((text) => !text.includes('█') && !text.includes('left out at this width'))).toEqual([]);
    expect(texts.join()).toContain(without);
  });

  test('in colour the lines hold the same text', async () => {
    const coloured = async (env: Record<string, string>) => {
      const setup = { env, files: { 'audit.jsonl': await audit() }, stdout: { columns: 80 } };
      return (await motif(['admin', 'audit', 'stats', '--policy', 'no-pii', 'audit.jsonl'], setup)).stdout;
    };
    const text = await coloured({ FORCE_COLOR: '1' });
    expect(text).toContain('\u001b[2m');
    expect(text.replace(/\u001b\[\d+m/g, '')).toBe(await coloured({ NO_COLOR: '1' }));
  });

  test('without any prompt there is no table of keys', async () => {
    expect(await stats(80, ['--by', 'day,motif', '--since', '2030-01-01'])).toHaveLength(1);
  });

  test('with --accessible each row is a sentence, without columns and bars', async () => {
    const words = ['--by', 'team,rule', '--policy', 'no-pii', '--accessible'];
    const shown = (await stats(200, words)).slice(1);
    expect(shown.join('\n').replace(/\d+ ms/g, 'N ms')).toMatch(
      /^customer-support-of-the-north, no finding: prompts 1, block 0, redact 0, tokens [\d,]+, p50 N ms, p95 N ms\nsales, uk_driving_licence: prompts 1, block 100.0 %, redact 0, tokens [\d,]+\nno-pii judged .*\nuk_driving_licence: found 1, blocked 1, redacted 0, let through 0$/,
    );
    for (const line of await stats(60, words)) expect(line.length).toBeLessThanOrEqual(60);
  });
});
