import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { admin, documentIn, file } from '../../../support/admin.ts';

describe('validate', () => {
  test('a right file, with what is missing on this machine as warnings', async () => {
    const run = await admin(['validate']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'gateway.yaml is valid: 1 Motif, 3 providers, 2 policies\n' });
    expect(run.stderr).toMatch(/warning: gateway.yaml:6:\d+: providers.openai.key needs the variable OPENAI_API_KEY/);
    const { warnings, missing_secrets: missing } = documentIn(await admin(['validate', '--json']));
    expect([warnings, missing]).toMatchObject([[], [{ line: 6, path: 'providers.openai.key' }, { line: 8 }]]);
  });

  test('all faults at once, and as a list with --json', async () => {
    const broken = file.replace('provider: openai', 'provider: opnai').replace('users:', 'user:');
    const run = await admin(['validate'], broken);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /has 2 faults\n {2}gateway.yaml:15:15: motifs.support-bot.provider .*openai\?\n {2}gateway.yaml:17:5: motifs.support-bot.user .*users\?\n$/,
    );
    const { error } = documentIn(await admin(['validate', '--json'], broken)) as { error?: unknown };
    expect(error).toMatchObject({ kind: 'usage', detail: [{ line: 15 }, { line: 17 }] });
  });

  test('what the file names and this machine does not have', async () => {
    const text = `${file}knowledge: { a: { files: [docs/*.md, gone/*.md] }, b: { files: bad.md } }\n`.replace(
      'port: 8080,',
      'port: 8080, tls: { cert: here.crt, key: gone.key },',
    );
    const files = { 'docs/a.md': 'hello', 'bad.md': new Uint8Array([0xff, 0x20]), 'here.crt': 'x' };
    const run = await admin(['validate', '--json'], text, { files });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('warning: gateway.yaml: listen.tls.key names gone.key: no such file or folder');
    expect(documentIn(run).missing_files).toEqual([
      { path: 'listen.tls.key', message: 'names gone.key: no such file or folder' },
      { path: 'knowledge.a.files', message: 'names gone/*.md: no such file' },
      { path: 'knowledge.b.files', message: 'names bad.md: is not UTF-8: byte 1 is 0xff' },
    ]);
  });

  test('schema prints what editors read', async () => {
    const kept = JSON.parse(readFileSync('src/gateway/file/gateway.schema.json', 'utf8')) as unknown;
    expect(JSON.parse((await admin(['schema'], null)).stdout)).toEqual(kept);
  });
});
