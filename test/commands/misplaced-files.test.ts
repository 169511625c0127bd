import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';

const files = {
  'prompts.txt': 'Hello\n',
  'check.xml': '<testsuites/>\n',
  'tickets.csv': 'id,text\n1,Hello\n',
  'gateway.yaml': 'providers: { mock: { kind: mock } }\nmotifs: { bot: { provider: mock } }\n',
};

test.each([
  { argv: ['check', 'prompts.txt', '--demo'], says: 'cases.csv with the columns prompt and expect' },
  { argv: ['check', '--demo', '--report', 'junit', 'check.xml'], says: '--report KIND=FILE, as in --report junit=' },
  {
    argv: ['batch', '--demo', 'tickets.csv'],
    says: 'no column is called prompt\n  name the one to send: --column NAME',
  },
  { argv: ['admin', 'create', 'b', '--provider', 'ollama'], says: 'one more is a line under providers of the file' },
])('$argv: what is wrong with the file, and what to do', async ({ argv, says }) => {
  const run = await motif(argv, { env: {}, files });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});

test('-o json writes a file of that name, and says so off a terminal too', async () => {
  const run = await motif(['prompt', '--demo', '-o', 'json', 'Hello'], { env: {}, files: {} });
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).toContain('written: json, which is a file; --json prints the result as JSON');
});

test.each([
  ['prompt', '--demo', 'hi', '-o', 'no dir/x'],
  ['batch', '--demo', 'prompts.txt', '-o', 'no dir/x.jsonl'],
  ['check', '--demo', '--report', 'json=no dir/x.json'],
  ['check', 'init', 'no dir/x.motif.yaml'],
  ['check', 'init', '--attacks', 'no dir/x.motif.yaml'],
  ['check', 'add', '--demo', '--suite', 'no dir/x.motif.yaml', 'hi'],
  ['admin', 'init', 'no dir/gateway.yaml'],
  ['admin', 'rotate', 'bot', '--token-out', 'no dir/x'],
])(
  'a new file in a folder that is not there is refused before anything is done, with the way out: %j',
  async (...argv) => {
    const run = await motif(argv, { env: {}, files });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /no dir\/\S+ is in a folder that does not exist\n {2}make it first: mkdir -p 'no dir'\n$/,
    );
  },
);
