import { expect, test } from 'vitest';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';

const hit = (policy: string, rule: string, action: 'block' | 'redact') =>
  ({ policy, rule, on: 'prompt', action, message: 0, start: 0, length: 3 }) as const;

const run = auditCommand(async () => ({}));

test('counts prompts in which an exception freed what a policy found, and whether a provider got them', async () => {
  const { audit: writer, memory, record } = await memoryAudit();
  const excepted = [hit('no-pii', 'card', 'block'), hit('no-pii', 'card', 'block')];
  await record({ provider: 'up', excepted });
  await record({ provider: null, excepted: [...excepted, hit('no-pii', 'email', 'redact')] });
  await record({ excepted: [hit('other', 'email', 'redact')] });
  await writer.close();
  const config = {
    event: 'config',
    time: '2026-11-21T11:00:00.000Z',
    hash: 'c',
    motifs: { bot: { policies: ['no-pii'] } },
  };
  const files = { 'audit.jsonl': `${JSON.stringify(config)}\n${memory.text}` };
  const { stdout } = await run(['stats', 'audit.jsonl', '--policy', 'no-pii'], files);
  expect(stdout).toMatch(
    /no-pii judged 3 .*; exceptions freed findings in 2 prompts: card in 2, email in 1 \(1 reached a provider\)\nit found nothing else\n$/,
  );
  const json = await run(['stats', 'audit.jsonl', '--policy', 'no-pii', '--json'], files);
  expect(JSON.parse(json.stdout)).toMatchObject({
    policy: {
      excepted: {
        prompts: 2,
        reached_provider: 1,
        rules: [
          { rule: 'card', prompts: 2 },
          { rule: 'email', prompts: 1 },
        ],
      },
    },
  });
  const list = await run(['list', 'audit.jsonl', '--rule', 'no-pii/card'], files);
  expect(list.stdout.match(/no-pii\/card excepted/g)).toHaveLength(2);
});
