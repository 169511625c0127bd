import { expect, test } from 'vitest';
import { motif, testEnv, testUrl } from '../../support/motif.ts';

test.each([
  [['login', testUrl, '--token-file', 'in'], {}],
  [['prompt', 'hi', '--cacert', 'in'], testEnv],
  [['prompt', 'hi', '-S', 'in'], testEnv],
  [['batch', 'in', '-o', 'o.jsonl'], testEnv],
  [['check', '--replay', 'in', 's.motif.yaml'], testEnv],
  [['admin', 'replay', 'g.yaml', 'in', '-c', 'g.yaml'], {}],
])('%j: a folder is not looked for elsewhere', async (argv, env) => {
  const gateway = 'providers: { m: { kind: mock } }\nmotifs: { a: { provider: m } }\n';
  const files = { 'in/a.txt': 'x', 'g.yaml': gateway, 's.motif.yaml': 'cases:\n  - prompt: x\n' };
  const run = await motif(argv, { env, files });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/\bin: is a folder\n {2}name a file in it\n/);
});
