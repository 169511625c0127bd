import { existsSync, linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';
import { newToken } from '../../src/gateway/access/token.ts';
import { file } from '../support/rooms/admin.ts';
import { memoryAudit } from '../support/rooms/audit/memory-audit.ts';

const suite = 'cases:\n  - { prompt: hi, expect: answered }\n';
const files = {
  'gateway.yaml': file.replaceAll('provider: openai', 'provider: mock'),
  'smoke.motif.yaml': suite,
  'notes.txt': 'remember the milk\n',
  'system.txt': 'be brief',
  'in.txt': 'one\ntwo\n',
};

async function runBeside(argv: readonly string[]) {
  const audit = await memoryAudit();
  await audit.record({});
  await audit.audit.close();
  const given = { ...files, 'audit.jsonl': audit.memory.text };
  const run = await motif(argv, {
    env: {},
    files: given,
    prepare({ folder }) {
      symlinkSync('gateway.yaml', join(folder, 'soft'));
      linkSync(join(folder, 'gateway.yaml'), join(folder, 'hard'));
    },
  });
  return { run, given };
}

test.each([
  ...['gateway.yaml', 'audit.jsonl', 'notes.txt', 'soft', 'hard', './gateway.yaml', 'gone/t.txt', '.'].flatMap(
    (name) => [
      ['admin', 'rotate', '--keep', '--token-out', name],
      ['admin', 'create', 'y', '--provider', 'mock', '--token-out', name],
      ['admin', 'init', 'new.yaml', '--token-out', name],
    ],
  ),
  ['admin', 'init', 'new.yaml', '--token-out', 'new.yaml'],
  ['admin', 'init', 'new.yaml', '--token-out', '../work/new.yaml'],
  ...['audit.jsonl', 'gateway.yaml', 'soft', 'hard', '.', 'gone/page.html'].map((name) => [
    'admin',
    'audit',
    'stats',
    'audit.jsonl',
    '--report',
    `html=${name}`,
  ]),
  ...['smoke.motif.yaml', 'gateway.yaml', 'soft', 'hard'].map((name) => [
    'check',
    'smoke.motif.yaml',
    '--local',
    'gateway.yaml',
    '--report',
    `html=${name}`,
  ]),
  ['check', 'smoke.motif.yaml', '--local', 'gateway.yaml', '--report', 'html=audit.jsonl'],
  ['admin', 'audit', 'stats', 'in.txt', '--report', 'html=audit.jsonl'],
  ['prompt', 'hi', '--local', 'gateway.yaml', '-o', 'audit.jsonl'],
  ['batch', 'in.txt', '--local', 'gateway.yaml', '-o', 'audit.jsonl'],
  ['prompt', 'hi', '--local', 'gateway.yaml', '-o', 'gateway.yaml'],
  ['prompt', 'hi', '--local', 'gateway.yaml', '-o', 'hard'],
  ['prompt', 'hi', '--demo', '-S', 'system.txt', '-o', 'system.txt'],
  ['batch', 'in.txt', '--local', 'gateway.yaml', '-o', 'gateway.yaml'],
  ['batch', 'in.txt', '--demo', '-S', 'system.txt', '-o', 'system.txt'],
  ['batch', 'in.txt', '--demo', '-o', './in.txt'],
])(
  'an output that is something else ends with 2 and leaves every file as it is: %s %s %s %s %s %s',
  async (...argv) => {
    const { run, given } = await runBeside(argv);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/(?:-o|--token-out|--report): /);
    for (const [name, text] of Object.entries(given)) {
      expect(readFileSync(join(run.world.folder, name), 'utf8')).toBe(text);
    }
    expect(existsSync(join(run.world.folder, 'new.yaml'))).toBe(false);
  },
);

const held = newToken();
const gatewayFile = (tokens: string): string =>
  `providers: { mock: { kind: mock } }\nmotifs:\n  bot: { provider: mock, tokens: [${tokens}] }\n  other: { provider: mock }\n`;
const known = gatewayFile(`{ id: t1, sha256: "${held.sha256}" }`);
const ended = gatewayFile(`{ id: t1, sha256: "${held.sha256}", expires: 2026-01-01 }`);
const ofUser = gatewayFile(`{ id: t1, sha256: "${held.sha256}", user: ana }, { id: t2, sha256: "${'b'.repeat(64)}" }`);
const unknown = gatewayFile('');
const rotate = ['admin', 'rotate', 'bot'];
const create = ['admin', 'create', 'more'];

test.each([
  { name: 'an empty file', argv: rotate, gateway: known, text: '' },
  { name: 'the token that this rotation ends', argv: rotate, gateway: known, text: `${held.text}\n` },
  { name: 'the token that is named for it', argv: [...rotate, 't1'], gateway: ofUser, text: held.text },
  { name: 'a token that has ended', argv: create, gateway: ended, text: held.text },
  { name: 'in a rotation a token that was revoked', argv: rotate, gateway: unknown, text: held.text },
  { name: 'any token, by --force', argv: [...create, '--force'], gateway: known, text: held.text },
  {
    name: 'any token at first, by --force',
    argv: ['admin', 'init', 'x.yaml', '--force'],
    gateway: '',
    text: held.text,
  },
])('--token-out replaces $name', async ({ argv, gateway, text }) => {
  const run = await motif([...argv, '--token-out', 't.txt'], {
    env: {},
    files: { 'gateway.yaml': gateway, 't.txt': text },
  });
  expect(run).toMatchObject({ exitCode: 0 });
  const written = readFileSync(join(run.world.folder, 't.txt'), 'utf8');
  expect(written).toMatch(/^mtf_\w{49}\n$/);
  expect(written).not.toContain(held.text);
});

test.each([
  { argv: create, gateway: known, says: 't.txt holds the token t1 of bot, which stays valid' },
  { argv: [...rotate, '--keep'], gateway: known, says: 't.txt holds the token t1 of bot, which stays valid' },
  { argv: ['admin', 'rotate', 'other'], gateway: known, says: 't.txt holds the token t1 of bot, which stays valid' },
  { argv: [...rotate, 't2'], gateway: ofUser, says: 't.txt holds the token t1 of bot, which stays valid' },
  { argv: create, gateway: unknown, says: 't.txt holds a token that the gateway file does not know' },
  { argv: ['admin', 'init', 'x.yaml'], gateway: known, says: 't.txt holds a token already' },
])('$argv --token-out over it ends with 2 and changes nothing: $says', async ({ argv, gateway, says }) => {
  const given = { 'gateway.yaml': gateway, 't.txt': held.text };
  const run = await motif([...argv, '--token-out', 't.txt'], { env: {}, files: given });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`--token-out: ${says}\n`);
  expect(run.stderr).toContain('--force');
  expect(run.stderr).not.toContain(held.text);
  for (const [name, text] of Object.entries(given)) {
    expect(readFileSync(join(run.world.folder, name), 'utf8')).toBe(text);
  }
  expect(existsSync(join(run.world.folder, 'x.yaml'))).toBe(false);
});
