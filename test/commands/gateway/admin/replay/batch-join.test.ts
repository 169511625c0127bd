import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { motif } from '../../../../support/motif.ts';

const present = `providers: { mock: { kind: mock } }
policies:
  words: { kind: words, words: [forbidden] }
motifs:
  bot: { provider: mock, system: Be kind., policies: [words] }
`;
const next = present.replace('kind: words, words: [forbidden]', 'kind: pii, entities: [phone]');

const rows = [
  '{"prompt":"Call +49 30 901820"}',
  '{"id":"b","prompt":"Hello"}',
  '{"prompt":"Hello"}',
  '{"prompt":"Hello"}',
];
const input = rows.map((row) => `${row}\n`).join('');

async function batchOf(words: readonly string[] = [], name = 'in.jsonl', content = input): Promise<string> {
  const files = { 'gateway.yaml': present, [name]: content };
  const { stdout, stderr, exitCode } = await motif(
    ['batch', name, '--local', 'gateway.yaml', '--motif', 'bot', ...words],
    { files },
  );
  expect({ stderr: exitCode === 0 ? '' : stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

async function judged(corpora: readonly string[], files: Record<string, string | Uint8Array>) {
  const { stdout, stderr } = await motif(
    ['admin', 'replay', 'next.yaml', ...corpora, '--motif', 'bot', '--json', '--show-text'],
    { env: {}, files: { 'gateway.yaml': present, 'next.yaml': next, ...files } },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { judged: number; changes: { texts: { messages: unknown[]; answer: string }[] } };
}

test.each([
  { name: 'input first', corpora: ['in.jsonl', 'out.jsonl'] },
  { name: 'output first', corpora: ['out.jsonl', 'in.jsonl'] },
  { name: 'packed', corpora: ['in.jsonl', 'out.jsonl.gz'] },
])('input and output of a batch are joined by key, also rows of equal content: $name', async ({ corpora }) => {
  const output = await batchOf();
  const files = { 'in.jsonl': input, 'out.jsonl': output, 'out.jsonl.gz': gzipSync(output) };
  const { judged: count, changes } = await judged(corpora, files);
  expect(count).toBe(rows.length);
  const [changed] = changes.texts;
  expect(changed).toMatchObject({ messages: [{ content: 'Call +49 30 901820' }] });
  expect(changed!.answer).not.toBeNull();
});

test('input and output of a batch are joined by ID where the batch put its own message before every prompt', async () => {
  const output = await batchOf(['-s', 'Be brief.']);
  expect((await judged(['in.jsonl', 'out.jsonl'], { 'in.jsonl': input, 'out.jsonl': output })).judged).toBe(7);
});

test('input and output of a batch are joined by key where the prompts stand in a column of another name', async () => {
  const table = 'nr,ticket\n1,Call +49 30 901820\n2,Hello\n';
  const output = await batchOf(['--column', 'ticket'], 'in.csv', table);
  const files = { 'in.csv': table, 'out.jsonl': output };
  const { judged: count, changes } = await judged(['in.csv', 'out.jsonl', '--column', 'ticket'], files);
  expect(count).toBe(2);
  expect(changes.texts[0]).toMatchObject({ messages: [{ content: 'Call +49 30 901820' }] });
  expect(changes.texts[0]!.answer).not.toBeNull();
});

test('an output of a batch alone, or an input of other rows, is judged as it is', async () => {
  const output = await batchOf();
  expect((await judged(['out.jsonl'], { 'out.jsonl': output })).judged).toBe(4);
  const other = { 'in.jsonl': '{"prompt":"Other"}\n', 'out.jsonl': output };
  expect((await judged(['in.jsonl', 'out.jsonl'], other)).judged).toBe(5);
});

test('where an input is named and does not fit, the screen says what joins it, and the document counts', async () => {
  const output = await batchOf(['-s', 'Be brief.']);
  const files = { 'gateway.yaml': present, 'next.yaml': next, 'in.jsonl': input, 'out.jsonl': output };
  const argv = ['admin', 'replay', 'next.yaml', 'in.jsonl', 'out.jsonl'];
  const { stdout } = await motif(argv, { env: {}, files });
  expect(stdout).toContain(
    '3 answers judged without their prompts: no row of the input fits (with -t, -s or -f rows are joined by id alone)\n',
  );
  const document = await motif([...argv, '--json'], { env: {}, files });
  expect(JSON.parse(document.stdout)).toMatchObject({ judged: 7, judged_without_prompt: 3 });
});

test.each([
  { corpora: ['out.jsonl'], says: true },
  { corpora: ['in.jsonl', 'out.jsonl'], says: false },
])('of $corpora the screen says: answers judged without their prompts: $says', async ({ corpora, says }) => {
  const files = { 'gateway.yaml': present, 'next.yaml': next, 'in.jsonl': input, 'out.jsonl': await batchOf() };
  const { stdout } = await motif(['admin', 'replay', 'next.yaml', ...corpora], { env: {}, files });
  const line = '4 answers judged without their prompts: name the input of the batch too\n';
  expect(stdout.includes(line)).toBe(says);
});
