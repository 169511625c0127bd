import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';
import type { FakeWorld } from '../../../../support/world.ts';

/** Statistics of a day at whose noon one prompt passed and two were empty, and the page that they wrote. */
async function statsRun(...flags: readonly string[]) {
  const { audit, memory, record } = await memoryAudit();
  await record();
  for (const user of ['ana', 'bo']) await record({ user, decision: 'refused', status: 400, reason: 'no_messages' });
  await audit.close();
  const files = { 'audit.jsonl': memory.text };
  let at = Date.UTC(2026, 10, 22, 12);
  // Each look at the clock is a millisecond later than the one before.
  const setup = { env: {}, files, prepare: (world: FakeWorld) => void Object.assign(world, { now: () => at++ }) };
  return await motif(['admin', 'audit', 'stats', 'audit.jsonl', ...flags], setup);
}

async function stats(...flags: readonly string[]): Promise<string> {
  return (await statsRun(...flags)).stdout;
}

test('a prompt without messages, by which login and doctor try a token, counts as none', async () => {
  const text = await stats('--by', 'user');
  expect(text).toContain('1 prompt on 1 day (UTC) · 2 empty prompts of login or doctor left out · 1 file');
  expect(text).not.toContain('refused');
  expect(JSON.parse(await stats('--json'))).toMatchObject({
    empty_prompts: 2,
    total: { prompts: 1, decisions: { refused: 0 } },
  });
});

test.each([
  { decision: 'refused', status: 403, reason: 'tenant_missing' },
  { decision: 'refused', status: 429, reason: 'limited', refused: 3 },
  { decision: 'failed', status: 503, reason: 'motif_unavailable' },
] as const)('an empty prompt that was not read counts as none: $status', async (facts) => {
  const { audit, memory, record } = await memoryAudit();
  await record();
  await record({ ...facts, isEmpty: true });
  await record(facts);
  await audit.close();
  const run = await motif(['admin', 'audit', 'stats', 'audit.jsonl', '--json'], {
    env: {},
    files: { 'audit.jsonl': memory.text },
  });
  const count = 'refused' in facts ? facts.refused : 1;
  expect(JSON.parse(run.stdout)).toMatchObject({
    empty_prompts: count,
    total: { prompts: 1 + count, decisions: { [facts.decision]: count } },
  });
});

test.each([
  { name: 'a decision', flags: ['--decision', 'pass'], says: 'only decision pass', filters: { decision: 'pass' } },
  {
    name: 'a Motif and a user, of whom there is no prompt',
    flags: ['--motif', 'bot', '--user', 'bo'],
    says: 'only motif bot, user bo',
    filters: { motif: 'bot', user: 'bo' },
  },
])('says which prompts are counted alone, so that no share is read as one of all: $name', async (row) => {
  const { world, stdout } = await statsRun(...row.flags, '--report', 'html=page.html');
  expect(stdout).toContain(` (UTC) · ${row.says} · `);
  const html = readFileSync(join(world.folder, 'page.html'), 'utf8');
  expect(html).toMatch(new RegExp(`<title>motif audit: (?:[-0-9]+, )?${row.says}</title>`));
  expect(html).toMatch(new RegExp(`<h1>Audit (?:[-0-9]+, )?${row.says}</h1>`));
  const document: unknown = JSON.parse(await stats(...row.flags, '--json'));
  expect(document).toMatchObject({ filters: row.filters, summary: expect.stringContaining(row.says) as unknown });
});

test.each([
  { by: 'policy', isSaid: true },
  { by: 'motif,rule', isSaid: true },
  { by: 'motif', isSaid: false },
])('by $by: that a policy is counted only where it found something is said $isSaid', async ({ by, isSaid }) => {
  expect((await stats('--by', by)).includes(' counts the prompts in which it found something')).toBe(isSaid);
});

test('a provider that was asked for no model by name is told apart from none that was asked', async () => {
  const line = {
    time: '2026-11-22T08:00:00.000Z',
    prompt_id: '01M80R00000000000000000000',
    motif: 'bot',
    decision: 'pass',
    usage: { total_tokens: 2, prompt_tokens: 1, completion_tokens: 1 },
  };
  const asked = [
    { provider: 'up', model: 'm' },
    { provider: 'mock', model: null },
    { provider: null, model: null },
  ];
  const text = asked.map((each) => `${JSON.stringify({ ...line, ...each })}\n`).join('');
  const priced = 'providers: { up: { kind: openai, prices: { m: { prompt: 1, completion: 1 } } } }\nmotifs: {}\n';
  const setup = { env: {}, files: { 'audit.jsonl': text, 'gateway.yaml': priced } };
  const of = (by: string) => motif(['admin', 'audit', 'stats', 'audit.jsonl', '--by', by], setup);
  const both = await of('provider,model');
  expect(both.stdout).toMatch(/^mock +none named +1 /m);
  expect(both.stdout).toMatch(/^none asked {2,}1 /m);
  expect(both.stderr).toContain('no price: provider mock, no model named');
  expect((await of('model')).stdout).toMatch(/^none +2 /m);
});

test.each([
  { flags: ['--since', '7d'], days: 7, when: 'in 7 days' },
  { flags: ['--since', '1h'], days: 1, when: 'on 1 day' },
  { flags: ['--since', '36h'], days: 2, when: 'in 2 days' },
  { flags: ['--since', '7d', '--until', '2d'], days: 5, when: 'in 5 days' },
  { flags: ['--since', '2026-11-20'], days: 2, when: 'from 2026-11-20 to 2026-11-21' },
  { flags: ['--since', '2026-11-20', '--until', '2026-11-23'], days: 3, when: 'from 2026-11-20 to 2026-11-22' },
])('$flags are $days days, $when', async ({ flags, days, when }) => {
  expect(JSON.parse(await stats('--json', ...flags))).toMatchObject({ days });
  expect(await stats(...flags)).toContain(` ${when} (UTC)`);
});

test('a policy says which prompts it did not judge, and whether a provider got them', async () => {
  const { audit, memory, record } = await memoryAudit();
  const ms = { policy: '0', provider: '0', total: '1' };
  const found = { policy: 'no-pii', on: 'prompt', message: 0, start: 0, length: 3 } as const;
  await record({ hits: [{ ...found, rule: 'email', action: 'redact' }], decision: 'redact', provider: 'up' });
  await record({ hits: [{ ...found, rule: 'card', action: 'block' }], decision: 'block' });
  await record({ motif: 'other', provider: 'up' });
  await record({ decision: 'refused', status: 400, reason: 'malformed_json', ms });
  await record({ decision: 'failed', status: 503, reason: 'overloaded', ms });
  await record({ decision: 'failed', status: 502, reason: 'provider 500', provider: 'up' });
  await audit.close();
  const motifs = { bot: { policies: ['no-pii'] }, other: { policies: [] } };
  const config = JSON.stringify({ event: 'config', time: '2026-11-21T11:00:00.000Z', hash: 'c', motifs });
  const words = ['admin', 'audit', 'stats', 'audit.jsonl', '--policy', 'no-pii', '--json'];
  const { stdout } = await motif(words, { env: {}, files: { 'audit.jsonl': `${config}\n${memory.text}` } });
  expect(JSON.parse(stdout)).toMatchObject({
    policy: {
      judged: 3,
      not_judged: { refused: 1, failed: 1, without_policy: 1, reached_provider: 1 },
      rules: [
        { rule: 'email', found: 1, blocked: 0, redacted: 1 },
        { rule: 'card', found: 1, blocked: 1, redacted: 0 },
      ],
    },
  });
});

test('a policy of answers alone judged no prompt that was blocked or failed before there was one', async () => {
  const { audit, memory, record } = await memoryAudit();
  const found = { policy: 'no-pii', rule: 'card', action: 'block', message: null, start: 0, length: 3 } as const;
  await record({ provider: 'up' });
  await record({ hits: [{ ...found, on: 'inference' }], decision: 'block', provider: 'up' });
  await record({ hits: [{ ...found, policy: 'words', on: 'prompt', message: 0 }], decision: 'block' });
  await record({ decision: 'failed', status: 502, reason: 'provider 500', provider: 'up' });
  await audit.close();
  const policies = { 'no-pii': { kind: 'pii', on: ['inference'], action: 'block' } };
  const facts = { hash: 'c', policies, motifs: { bot: { policies: ['words', 'no-pii'] } } };
  const config = JSON.stringify({ event: 'config', time: '2026-11-21T11:00:00.000Z', ...facts });
  const files = { 'audit.jsonl': `${config}\n${memory.text}` };
  const words = ['admin', 'audit', 'stats', 'audit.jsonl', '--policy', 'no-pii'];
  const { stdout } = await motif([...words, '--json'], { env: {}, files });
  const { policy } = JSON.parse(stdout) as { readonly policy: unknown };
  expect(policy).toMatchObject({
    judged: 2,
    not_judged: { without_policy: 0, without_answer: 2, reached_provider: 1 },
  });
  const said = 'no-pii judged 2 of 4 prompts under 1 version of the gateway file; not judged: 2 without an answer ';
  expect((await motif(words, { env: {}, files })).stdout).toContain(`${said}(1 reached a provider)`);
});

test('the configurations of a policy are those that the counted prompts were judged by', async () => {
  const { audit, memory, record, minute } = await memoryAudit();
  const config = (hash: string) =>
    JSON.stringify({
      event: 'config',
      time: '2026-11-21T11:00:00.000Z',
      hash,
      motifs: { bot: { policies: ['no-pii'] } },
    });
  for (const hash of ['a', 'b', 'b', 'c']) await record({ config: hash });
  await minute();
  await record({ config: 'd' });
  await audit.close();
  const files = { 'audit.jsonl': `${['a', 'b', 'c', 'd', 'unused'].map(config).join('\n')}\n${memory.text}` };
  const configsOf = async (...flags: readonly string[]) => {
    const words = ['admin', 'audit', 'stats', 'audit.jsonl', '--policy', 'no-pii', '--json', ...flags];
    return (JSON.parse((await motif(words, { env: {}, files })).stdout) as { policy: unknown }).policy;
  };
  expect(await configsOf()).toMatchObject({ judged: 5, configs: 4 });
  expect(await configsOf('--since', '2026-11-21T12:00:30Z')).toMatchObject({ judged: 1, configs: 1 });
});

test.each([
  {
    name: 'as it always was',
    before: {},
    since: null,
    says: '(its kind, action, "on" and Motifs are the same in all)',
  },
  {
    name: 'made a block',
    before: { policies: { 'no-pii': { kind: 'pii', on: ['prompt'], action: 'warn' } } },
    since: '2026-11-21T11:30:00.000Z',
    says: 'its kind, action, "on" and Motifs have not changed since 2026-11-21 11:30 UTC',
  },
  {
    name: 'given to a Motif',
    before: { motifs: { bot: { policies: ['no-pii'] }, other: { policies: [] } } },
    since: '2026-11-21T11:30:00.000Z',
    says: 'have not changed since',
  },
])('a policy that is $name, under two versions of the gateway file', async ({ before, since, says }) => {
  const { audit, memory, record } = await memoryAudit();
  const now = {
    policies: { 'no-pii': { kind: 'pii', on: ['prompt'], action: 'block' }, other: { kind: 'length' } },
    motifs: { bot: { policies: ['no-pii'] }, other: { policies: ['no-pii'] } },
  };
  const config = (minutes: number, hash: string, facts: object) =>
    JSON.stringify({ event: 'config', time: `2026-11-21T11:${minutes}:00.000Z`, hash, ...facts });
  for (const hash of ['a', 'b']) await record({ config: hash });
  await audit.close();
  const lines = [config(10, 'a', { ...now, ...before }), config(30, 'b', now), config(40, 'b', now)];
  const files = { 'audit.jsonl': `${lines.join('\n')}\n${memory.text}` };
  const words = ['admin', 'audit', 'stats', 'audit.jsonl', '--policy', 'no-pii'];
  const { stdout } = await motif(words, { env: {}, files });
  expect(stdout).toContain('no-pii judged 2 of 2 prompts under 2 versions of the gateway file');
  expect(stdout).toContain(says);
  const json = await motif([...words, '--json'], { env: {}, files });
  expect(JSON.parse(json.stdout)).toMatchObject({ policy: { configs: 2, unchanged_since: since } });
});
