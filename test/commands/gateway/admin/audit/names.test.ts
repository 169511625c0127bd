import { describe, expect, test } from 'vitest';
import { policyKinds } from '../../../../../src/gateway/policies/index.ts';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';

const gateway = `audit: { file: audit.jsonl }
providers: { up: { kind: mock } }
motifs: { bot: { provider: up } }
`;

/** The audit of one prompt in which a card was found. */
async function audit(): Promise<string> {
  const { audit: writer, memory, record } = await memoryAudit();
  const hit = {
    policy: 'no-pii',
    rule: 'card',
    on: 'prompt',
    action: 'block',
    message: 0,
    start: 0,
    length: 3,
  } as const;
  await record({ decision: 'block', hits: [hit], user: 'ana', team: 'sales' });
  await writer.close();
  return memory.text;
}

const run = auditCommand(async () => ({ 'gateway.yaml': gateway, 'audit.jsonl': await audit() }));

test('a rule that was found and is configured is suggested once', async () => {
  const files = { 'gateway.yaml': `${gateway}policies: { no-pii: { kind: pii, entities: all } }\n` };
  const { stderr } = await run(['list', '--rule', 'nonsense'], files);
  expect(stderr.match(/[ ,]card,/g)).toHaveLength(1);
});

describe('a name that stands nowhere', () => {
  test.each([
    { name: 'a rule', words: ['list', '--rule', 'crad'], says: 'a rule crad', hint: 'did you mean card?' },
    { name: 'a rule as a document', words: ['list', '--rule', 'crad', '--json'], says: 'a rule crad', hint: 'card' },
    {
      name: 'a rule of another policy',
      words: ['list', '--rule', 'no-pi/card'],
      says: 'a rule no-pi/card',
      hint: 'did you mean no-pii/card?',
    },
    { name: 'a policy', words: ['list', '--policy', 'nonsense'], says: 'a policy nonsense', hint: 'there is no-pii' },
    {
      name: 'the policy that is counted',
      words: ['stats', '--policy', 'no-pi'],
      says: 'a policy no-pi',
      hint: 'did you mean no-pii?',
    },
    {
      name: 'a rule of stats',
      words: ['stats', '--rule', 'nonsense'],
      says: 'a rule nonsense',
      hint: 'there are card, no-pii/card',
    },
    { name: 'a Motif', words: ['list', '--motif', 'bto'], says: 'a Motif bto', hint: 'did you mean bot?' },
  ])('$name is a usage error, for nothing found would be good news', async ({ words, says, hint }) => {
    const { exitCode, stdout, stderr } = await run(words);
    expect(exitCode).toBe(2);
    const told = words.includes('--json') ? stdout : stderr;
    expect(told).toContain(`no line and no configuration names ${says}`);
    expect(told).toContain(hint);
  });

  test.each([
    { name: 'a rule of a configured kind', words: ['--rule', 'iban'] },
    { name: 'a policy of the gateway file', words: ['--policy', 'spare'] },
    { name: 'a Motif of a config line', words: ['--motif', 'idle'] },
  ])('$name that found nothing is known', async ({ words }) => {
    const config = `{"event":"config","time":"2026-11-21T11:00:00.000Z","hash":"c","policies":{"no-pii":{"kind":"pii"}},"motifs":{"idle":{"policies":["no-pii"]}}}\n`;
    const { exitCode, stderr } = await run(['list', ...words], {
      'gateway.yaml': `${gateway}policies: { spare: { kind: length, max_chars: 9 } }\n`,
      'audit.jsonl': config + (await audit()),
    });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('no prompt fits') as string,
    });
  });
});

/** A rule of each kind, as a file may name one that found nothing yet. */
const ownRules: Readonly<Record<string, string>> = {
  words: 'word',
  regex: 'pattern',
  pii: 'iban',
  secrets: 'aws_access_key',
  injection: 'jailbreak',
  invisible: 'zero_width',
  length: 'length',
  urls: 'image_url',
  schema: 'schema_type',
  webhook: 'off_topic',
};

test.each(Object.keys(policyKinds).map((kind) => ({ kind, rule: ownRules[kind] })))(
  'a rule of the kind $kind is known before it finds anything, and no other is',
  async ({ kind, rule }) => {
    const config = `{"event":"config","time":"2026-11-21T11:00:00.000Z","hash":"c","policies":{"own":{"kind":"${kind}"}}}\n`;
    const codeFor = async (name: string) => (await run(['list', '--rule', name], { 'audit.jsonl': config })).exitCode;
    expect([await codeFor(`own/${rule}`), await codeFor('own/NO SUCH')]).toEqual([0, 2]);
  },
);

test.each([
  { name: 'nothing is configured', policies: '', hint: 'no rule was found yet\n' },
  {
    name: 'a policy lists its rules',
    policies: 'policies: { spy: { kind: injection } }\n',
    hint: 'no rule was found yet; configured: override_instructions, reveal_prompt',
  },
])('a rule where none was found: $name', async ({ policies, hint }) => {
  const { exitCode, stderr } = await run(['list', '--rule', 'nonsense'], {
    'gateway.yaml': gateway + policies,
    'audit.jsonl': '',
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(hint) as string });
});

test.each([
  { flags: ['--user', 'anna'], says: 'no line has the user anna; did you mean ana?' },
  { flags: ['--team', 'hr'], says: 'no line has the team hr\n' },
  { flags: ['--token-id', 't9'], says: 'no line has the token t9; did you mean t1?' },
])('a caller that no line has is told by list and by stats, with exit 0: $flags', async ({ flags, says }) => {
  for (const words of [['list'], ['list', '--json'], ['stats'], ['stats', '--json']]) {
    const told = await run([...words, ...flags]);
    expect(told.exitCode).toBe(0);
    expect(told.stderr).toContain(`motif: ${says}`);
  }
  expect((await run(['list', '--user', 'ana', '--decision', 'failed'])).stderr).toBe(
    'motif: no prompt fits these flags\n',
  );
});
