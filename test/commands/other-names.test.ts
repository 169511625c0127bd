import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';

test.each([
  { argv: ['profile', 'delete', 'prod'], says: 'motif logout NAME' },
  { argv: ['profile', 'rm', 'prod'], says: 'motif logout NAME' },
  { argv: ['history', 'rm', '3f2a'], says: 'did you mean delete?' },
  { argv: ['history', 'ls'], says: 'did you mean list?' },
  { argv: ['history', 'find', 'kettle'], says: 'did you mean search?' },
  { argv: ['history', 'grep', 'kettle'], says: 'did you mean search?' },
  { argv: ['history', 'cat', '3f2a'], says: 'did you mean show?' },
  { argv: ['profile', 'ls'], says: 'did you mean list?' },
  { argv: ['profile', 'cat', 'prod'], says: 'did you mean show?' },
  { argv: ['admin', 'list'], says: 'did you mean show?' },
  { argv: ['admin', 'delete', 'bot'], says: 'motif admin revoke' },
  { argv: ['logs'], says: 'motif admin audit list' },
  { argv: ['ask', 'hi'], says: 'to send a prompt: motif prompt "..."' },
  { argv: ['hello'], says: 'to send a prompt: motif prompt "hello"' },
  { argv: ['What is 7x8?'], says: 'to send a prompt: motif prompt "..."' },
  { argv: ['constructor'], says: 'to send a prompt: motif prompt "constructor"' },
  { argv: ['-p', 'staging', 'prompt', 'hi'], says: '-p goes behind the command: motif prompt -p NAME' },
  { argv: ['-pstaging', 'prompt', 'hi'], says: '-p goes behind the command: motif prompt -p NAME' },
  { argv: ['--profile', 'mine', 'prompt'], says: '--profile goes behind the command: motif prompt --profile NAME' },
  { argv: ['--config=F', 'admin', 'show'], says: '--config goes behind the command: motif admin show --config FILE' },
  { argv: ['admin', '-c', 'F', 'show'], says: '-c goes behind the command: motif admin show -c FILE' },
  { argv: ['admin', 'create', 'x', '--policy', 'a', 'b'], says: '--policy once for each: --policy NAME --policy' },
  { argv: ['prompt', '--stream', 'hi'], says: 'answers come whole' },
  { argv: ['check', '--report', 'json,html', 'x'], says: '--report once for each: --report KIND[=FILE] --report' },
  { argv: ['models'], says: 'motif profile list shows your Motifs; motif admin show those of a gateway file' },
  { argv: ['audit'], says: 'did you mean motif admin audit?' },
  { argv: ['export'], says: 'did you mean motif history export?' },
  { argv: ['policy'], says: 'a page of the manual: motif help policies' },
  { argv: ['admin', 'stats'], says: 'did you mean motif admin audit stats?' },
  { argv: ['admin', 'audit', '--since', '1h'], says: '--since is a flag of motif admin audit list' },
  { argv: ['admin', '--decision', 'block'], says: '--decision is a flag of motif admin audit list' },
  { argv: ['admin', 'audit', 'list', '--by', 'user'], says: '--by is a flag of motif admin audit stats' },
  { argv: ['admin', 'create', 'a', '--grace', '1h'], says: '--grace is a flag of motif admin rotate' },
  { argv: ['admin', 'show', '--expires', '30d'], says: 'did you mean --expiring?\n  --expires is a flag of motif' },
  { argv: ['prompt', '--retry', '0', 'hi'], says: 'did you mean --retries?' },
  { argv: ['batch', '--retry=0', 'in.jsonl'], says: 'did you mean --retries?' },
  { argv: ['chat', '--max-retries', '0'], says: 'did you mean --retries?' },
  { argv: ['help', 'admin', 'rotat'], says: 'motif admin has no rotat\n  did you mean rotate?' },
  { argv: ['help', 'admin', 'tokn'], says: 'motif admin has no tokn\n  its verbs: init, ' },
  {
    argv: ['admin', 'audit', 'list', '--limit', '5'],
    says: 'the newest ones stand last: motif admin audit list | tail',
  },
  { argv: ['admin', 'audit', 'list', '-n', '5'], says: 'the newest ones stand last: motif admin audit list | tail' },
  { argv: ['chat', '--list'], says: 'motif history list shows saved conversations' },
  { argv: ['help', 'openai'], says: 'motif help gateway, motif help http-api' },
  { argv: ['hlep'], says: 'did you mean help?' },
  { argv: ['admin', 'hlep'], says: 'did you mean help?' },
  { argv: ['promt', 'hi'], says: 'did you mean prompt?' },
  { argv: ['What is 7x8?'], says: 'motif: a command has to come first\n' },
  { argv: ['use', 'staging'], says: 'did you mean motif profile use?' },
  { argv: ['switch', 'staging'], says: 'did you mean motif profile use?' },
  { argv: ['merge', 'a'], says: 'did you mean motif batch merge?\n  did you mean motif check merge?\n' },
  { argv: ['rotate'], says: 'did you mean motif admin rotate?' },
  { argv: ['verify'], says: 'did you mean motif admin audit verify?' },
  { argv: ['words'], says: 'to send a prompt: motif prompt "words"' },
  { argv: ['openai'], says: 'motif help http-api' },
  { argv: ['admin', 'nosuch'], says: "unknown command 'nosuch'\n  its verbs: init, validate, schema, create," },
  { argv: ['profile', 'nosuch'], says: 'its verbs: list, use, show, set, rename\n' },
  { argv: ['history', 'nosuch'], says: 'its verbs: list, search, show,' },
  { argv: ['admin', 'add', 'x'], says: 'did you mean create?' },
  { argv: ['admin', 'tokens'], says: 'motif admin show --tokens' },
  { argv: ['admin', 'create', 'x', '--team', 'a'], says: 'a key of the Motif in the gateway file: motif help gateway' },
  { argv: ['admin', 'revoke', '--token', 'x'], says: 'motif admin revoke --token-stdin < FILE' },
  { argv: ['admin', 'audit', 'list', '--last', '5'], says: 'motif admin audit list | tail' },
  { argv: ['check', '--junit', 'x.xml'], says: 'did you mean --report KIND=FILE? as in --report junit=check.xml' },
  { argv: ['check', '-o', 'x.xml'], says: 'did you mean --report KIND=FILE?' },
  { argv: ['check', 'merge', 'a', '--format', 'junit'], says: 'did you mean --report KIND=FILE?' },
  { argv: ['prompt', '--format', 'json', 'hi'], says: 'as a JSON document: --json' },
  { argv: ['whoami', '--no-color'], says: '--color never, or NO_COLOR=1' },
  { argv: ['batch', '--stdin'], says: 'what comes through a pipe is read without a flag' },
  { argv: ['prompt', '--temperature', '0', 'hi'], says: 'belong to the Motif' },
  { argv: ['batch', '-f', 'rows.txt'], says: 'the file of the rows stands without a flag' },
  {
    argv: ['prompt', '--demo', '-t', 'Is this angry? ${text}'],
    says: '-t takes the name of a file: write the template into',
  },
  { argv: ['prompt', '--demo', '-S', 'Answer in one sentence'], says: '-s takes a system message itself' },
])('motif $argv: a mistake that names the command for it', async ({ argv, says }) => {
  const run = await motif(argv, { env: {} });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});

test('motif history export --json: the document names the format', async () => {
  const { exitCode, stdout } = await motif(['history', 'export', 'x', '--json'], { env: {} });
  expect(exitCode).toBe(2);
  expect(stdout).toContain('as JSON: --format json');
});

test('motif --json prompt: the document says that the flag goes behind the command', async () => {
  const { exitCode, stdout } = await motif(['--json', 'prompt', 'hi'], { env: {} });
  expect(exitCode).toBe(2);
  expect(stdout).toContain('--json goes behind the command: motif prompt --json');
});
