import { existsSync, linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';
import { newToken } from '../../src/gateway/access/token.ts';
import { file } from '../support/rooms/admin.ts';
import { memoryAudit } from '../support/rooms/audit.ts';

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

test.each([
  { name: 'an empty file', text: '' },
  { name: 'an earlier token', text: `${newToken().text}\n` },
])('--token-out replaces $name', async ({ text }) => {
  const run = await motif(['admin', 'rotate', '--token-out', 't.txt'], { env: {}, files: { ...files, 't.txt': text } });
  expect(run.exitCode).toBe(0);
  expect(readFileSync(join(run.world.folder, 't.txt'), 'utf8')).toMatch(/^mtf_\w{49}\n$/);
});
