import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asNobody } from '../../support/processes/child.ts';
import { startMotif } from '../../support/processes/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a folder of documents that may not be read is a warning of validate', async () => {
  const folder = temporaryFolder('/tmp');
  const locked = join(folder, 'docs/locked');
  mkdirSync(locked, { recursive: true });
  writeFileSync(join(folder, 'docs/a.md'), 'hello');
  writeFileSync(join(locked, 'b.md'), 'hidden');
  const text = 'providers: { mock: { kind: mock } }\nknowledge: { kb: { files: docs/**/*.md } }\n';
  writeFileSync(join(folder, 'gateway.yaml'), `${text}motifs: { bot: { provider: mock, knowledge: [kb] } }\n`);
  for (const path of [folder, join(folder, 'docs')]) chmodSync(path, 0o755);
  chmodSync(locked, 0);
  onTestFinished(() => chmodSync(locked, 0o755));
  const { ended } = startMotif(['admin', 'validate', join(folder, 'gateway.yaml')], { within: asNobody });
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain(`knowledge.kb.files leaves out ${locked}: it cannot be read: permission denied`);
});
