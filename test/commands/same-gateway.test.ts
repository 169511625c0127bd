import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif } from '../support/motif.ts';
import '../support/rooms/gateway-loaded.ts';

const tokens = Array.from(
  { length: 30 },
  (_, at) => `{ id: t-${at + 10}, sha256: "${String(at).padStart(64, '0')}" }`,
).join(', ');
const other = `tenant: acme
listen: { port: 18080 }
audit: { file: audit.jsonl }
providers: { m: { kind: mock } }
motifs:
  many: { provider: m, tokens: [${tokens}] }
  none: { provider: m }
`;

describe('a command that admin prints for a gateway file of another name goes to that file', () => {
  test.each([
    { name: 'create of a Motif that is there', argv: ['create', 'many'] },
    { name: 'rotate of one that has tokens', argv: ['rotate', 'many'] },
    { name: 'rotate beside others', argv: ['rotate', 'many', '--keep'] },
    { name: 'revoke without a token', argv: ['revoke', 'many'] },
    { name: 'revoke with an empty name', argv: ['revoke', 'many', ''] },
    { name: 'revoke of all', argv: ['revoke', 'many', '--all'] },
  ])('$name', async ({ argv }) => {
    const run = await motif(['admin', ...argv, '-c', 'my other.yaml'], { env: {}, files: { 'my other.yaml': other } });
    const said = run.stdout + run.stderr;
    const commands = [
      ...said.matchAll(/motif admin (?:show|create|rotate|revoke|try|audit|validate|replay)\b[^\n;]*/g),
    ];
    expect(commands, said).not.toEqual([]);
    for (const [command] of commands) expect(command).toContain("-c 'my other.yaml'");
  });

  test('init of a file of another name', async () => {
    const run = await motif(['admin', 'init', 'my other.yaml'], { env: {} });
    expect(run.stderr).toContain(
      "motif serve -c 'my other.yaml' serves it; motif admin create -c 'my other.yaml' adds Motifs",
    );
  });
});

test.each([
  { flags: [], port: 8080 },
  { flags: ['--port', '18080'], port: 18080 },
])('admin init $flags writes the port that its lines to log in have', async ({ flags, port }) => {
  const run = await motif(['admin', 'init', ...flags, '--json'], { env: {} });
  expect(JSON.parse(run.stdout)).toMatchObject({ ok: true });
  expect(run.stdout).toContain(`http://127.0.0.1:${port}/api/v1/apps/support-bot`);
  const text = readFileSync(join(run.world.folder, 'gateway.yaml'), 'utf8');
  expect(text).toMatch(new RegExp(`^listen: \\{ host: 127\\.0\\.0\\.1, port: ${port} \\}$`, 'm'));
  expect(await motif(['admin', 'validate'], { env: {}, after: run.world })).toMatchObject({ exitCode: 0 });
});
