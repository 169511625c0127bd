import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { motif, type MotifSetup, testToken, testUrl } from '../support/motif.ts';
import { file } from '../support/rooms/admin.ts';
import { memoryAudit } from '../support/rooms/audit/memory-audit.ts';
import { way } from '../support/rooms/doctor.ts';
import { loggedIn } from '../support/rooms/login.ts';
import { prompt } from '../support/rooms/prompt.ts';
import { service } from '../support/service.ts';

const page = readFileSync('src/manual/json.md', 'utf8');
const gatewayFile = file.replaceAll('provider: openai', 'provider: mock');
const suite = 'cases:\n  - { prompt: hi, expect: answered }\n';

/** All keys of a document down to the items of its lists; words that a person chose are no keys. */
function keysOf(value: unknown, depth = 0): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > 2) return [];
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each, depth));
  // A line of the audit is on a page of its own.
  return Object.entries(value).flatMap(([key, each]) => [key, ...(key === 'entry' ? [] : keysOf(each, depth + 1))]);
}

const commands: readonly { readonly argv: readonly string[]; readonly setup?: MotifSetup }[] = [
  { argv: ['whoami'] },
  { argv: ['doctor'], setup: { probe: way() } },
  { argv: ['profile', 'list'] },
  { argv: ['profile', 'show'] },
  { argv: ['profile', 'use', 'support-bot'] },
  { argv: ['profile', 'set', 'timeout', '2m'] },
  { argv: ['profile', 'rename', 'support-bot', 'other'] },
  { argv: ['login', testUrl, '--force', '--token-stdin'], setup: { stdin: testToken } },
  { argv: ['logout'] },
  { argv: ['history', 'list'] },
  { argv: ['history', 'search', 'one'] },
  { argv: ['history', 'show'] },
  { argv: ['history', 'rename', 'Kettles', 'Ducks'] },
  { argv: ['history', 'delete', 'Kettles', '--yes'] },
  { argv: ['history', 'prune', '--older-than', '1d', '--yes'] },
  { argv: ['admin', 'show'] },
  { argv: ['admin', 'show', '--expiring', '30d'] },
  { argv: ['admin', 'try', 'My card is 4111 1111 1111 1111, or 4111 1111 1111 1112', '--as', 'ana'] },
  { argv: ['admin', 'validate'] },
  { argv: ['admin', 'init', 'new.yaml'] },
  { argv: ['admin', 'create', 'bot', '--provider', 'mock', '--token-out', 't.txt'] },
  { argv: ['admin', 'rotate'] },
  { argv: ['admin', 'revoke', 't1'] },
  { argv: ['admin', 'audit', 'AUDITED'] },
  { argv: ['check', 's.motif.yaml', '--list'] },
  { argv: ['check', 's.motif.yaml', '--dry-run'] },
  { argv: ['check', 'add', 'hi', '--suite', 's.motif.yaml'] },
];

test.each(commands)('$argv: every key of its document stands on the page json', async ({ argv, setup = {} }) => {
  const after = await loggedIn([testUrl]);
  await prompt(['--save', 'Kettles', 'one'], { after });
  const audit = await memoryAudit();
  await audit.record({});
  await audit.audit.close();
  const id = /"prompt_id":"(\w+)"/.exec(audit.memory.text)?.[1] ?? '';
  const files = { 'gateway.yaml': gatewayFile, 'audit.jsonl': audit.memory.text, 's.motif.yaml': suite };
  const words = argv.map((word) => (word === 'AUDITED' ? id : word));
  const run = await motif([...words, '--json'], { after, env: {}, files, ...service(), ...setup });
  expect(run.stdout, run.stderr).not.toBe('');
  const keys = new Set(keysOf(JSON.parse(run.stdout)));
  expect([...keys].filter((key) => !page.includes(`\`${key}\``) && !page.includes(`"${key}"`))).toEqual([]);
});
