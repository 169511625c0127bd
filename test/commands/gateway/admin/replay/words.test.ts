import { describe, expect, test } from 'vitest';
import { knowledgeMessage } from '../../../../../src/gateway/knowledge/message.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';

const fileOf = (policies: string): string => `audit: { file: audit.jsonl, text: true }
providers: { mock: { kind: mock } }
policies:
  words: { kind: words, words: [forbidden] }
  phone: { kind: pii, entities: [phone] }
motifs: { bot: { provider: mock, policies: [${policies}] } }
`;

async function replay(words: readonly string[], files: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await motif(['admin', 'replay', 'next.yaml', ...words], { env: {}, files });
  return stdout;
}

test.each([
  { name: 'two rules in one text', text: 'Call +49 30 901820, forbidden', isSaid: true },
  { name: 'two rules, each in a text of its own', text: 'Call +49 30 901820\nforbidden', isSaid: false },
])('the rules of the table add up to more than the texts: $name', async ({ text, isSaid }) => {
  const files = { 'gateway.yaml': fileOf('words, phone'), 'next.yaml': fileOf(''), 'a.txt': `${text}\n` };
  const stdout = await replay(['a.txt', '--motif', 'bot'], files);
  expect(stdout).toMatch(/words\/word +\+1 +0 +-1\n/);
  expect(stdout.includes('\na text in which several rules find something counts at each of them\n')).toBe(isSaid);
});

const alike = 'both files decide alike';

test.each([
  { name: 'nothing was blocked', decision: 'pass', says: `${alike}\n` },
  {
    name: 'a prompt was blocked',
    decision: 'block',
    says: `${alike} on the kept texts; blocked prompts were not kept, and may pass now\n`,
  },
] as const)('files that decide alike, where $name', async ({ decision, says }) => {
  const { audit, memory, record } = await memoryAudit();
  await record({
    texts: { messagesJson: JSON.stringify([{ role: 'user', content: 'Hello' }]), responseJson: '"Hello"' },
  });
  await record({ decision });
  await audit.close();
  const files = { 'gateway.yaml': fileOf('words'), 'next.yaml': fileOf('words'), 'audit.jsonl': memory.text };
  expect(await replay([], files)).toContain(says);
});

test('with --accessible each row is a sentence', async () => {
  const files = { 'gateway.yaml': fileOf(''), 'next.yaml': fileOf('words'), 'a.txt': 'forbidden\n' };
  const argv = ['admin', 'replay', 'next.yaml', 'a.txt', '--motif', 'bot', '--accessible'];
  const { stdout } = await motif(argv, { env: { NO_COLOR: '1' }, files, stdout: { columns: 120 } });
  expect(stdout).toContain('\nbot, words/word: pass -1, redact 0, block +1\n');
  expect(stdout).toMatch(/\n\S+: Motif bot, change pass -> block, place message 1, characters 1-9\n/);
});

test('rows of a file with a long name are told apart by their lines', async () => {
  const long = `${'saved-'.repeat(12)}conversation.jsonl`;
  const lines = [{ prompt: 'forbidden' }, { prompt: 'forbidden too' }].map((each) => JSON.stringify(each));
  const files = { 'gateway.yaml': fileOf(''), 'next.yaml': fileOf('words'), [long]: `${lines.join('\n')}\n` };
  const stdout = await replay([long, '--motif', 'bot'], files);
  expect(stdout).toMatch(/^…\S+conversation.jsonl:1 .*\n…\S+conversation.jsonl:2 /m);
});

test.each([
  { name: 'a table without a column prompt', file: 'a.csv', text: 'id,text\n1,Hello\n', words: [] },
  {
    name: 'a table without the column that was named',
    file: 'a.csv',
    text: 'id,text\n1,a\n',
    words: ['--column', 'txt'],
  },
  { name: 'JSONL without a field prompt', file: 'a.jsonl', text: '{"id":1,"text":"Hello"}\n', words: [] },
])('$name is a usage error that names its columns and --column', async ({ file, text, words }) => {
  const files = { 'gateway.yaml': fileOf(''), 'next.yaml': fileOf('words'), [file]: text };
  const run = await motif(['admin', 'replay', 'next.yaml', file, ...words], { env: {}, files });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`${file} has id, text: --column NAME says which of them holds the prompt`);
});

const outputRow = (row: object): string =>
  JSON.stringify({ index: 0, id: null, key: '0a-0b-0c', blocked: false, response: null, ...row });

test.each([
  { name: 'JSONL before JSONL', files: { 'a.jsonl': '{"text":"forbidden"}\n', 'b.jsonl': '{"prompt":"Hello"}\n' } },
  { name: 'JSONL behind JSONL', files: { 'b.jsonl': '{"prompt":"Hello"}\n', 'a.jsonl': '{"text":"forbidden"}\n' } },
  {
    name: 'a table beside the output of its batch',
    files: { 'a.csv': 'text\nforbidden\n', 'out.jsonl': `${outputRow({ response: 'Hello' })}\n` },
  },
])('a file without a prompt is refused, whatever other files hold: $name', async ({ files }) => {
  const all = { 'gateway.yaml': fileOf(''), 'next.yaml': fileOf('words'), ...files };
  const run = await motif(['admin', 'replay', 'next.yaml', ...Object.keys(files)], { env: {}, files: all });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/no text to judge in a\.\w+\n.*a\.\w+ has text: --column NAME says which/);
});

test.each([
  {
    name: 'rows without the field of the prompt',
    text: '{"prompt":"Hello"}\n{"text":"forbidden"}\n',
    says: '1 row not judged: without a prompt (--column NAME)\n',
    counts: { rows_without_prompt: 1 },
  },
  {
    name: 'rows of a batch that were blocked or failed',
    text: [{ response: 'Hello' }, { blocked: true }, {}].map((row) => `${outputRow(row)}\n`).join(''),
    says: '1 prompt not judged: blocked then, no text kept\n1 prompt not judged: refused or failed then\n',
    counts: { blocked: 1, refused_or_failed: 1 },
  },
])('of a file that is judged in part the rest is counted: $name', async ({ text, says, counts }) => {
  const files = { 'gateway.yaml': fileOf(''), 'next.yaml': fileOf('words'), 'a.jsonl': text };
  expect(await replay(['a.jsonl'], files)).toContain(says);
  const document = JSON.parse(await replay(['a.jsonl', '--json'], files)) as object;
  expect(document).toMatchObject({ judged: 1, not_judged: counts });
  // Beside an input the rows of an output wait to be joined.
  const joined = await replay(['a.jsonl', 'in.jsonl', '--json'], { ...files, 'in.jsonl': '{"prompt":"Other"}\n' });
  expect(JSON.parse(joined)).toMatchObject({ judged: 2, not_judged: counts });
});

describe('a change that several texts of one prompt make', () => {
  const withBase = (policies: string): string =>
    `knowledge: { handbook: { files: shop.md } }\n${fileOf(policies).replace('] } }', '], knowledge: [handbook] } }')}`;
  const passage = { source: 'shop: Hours', titles: '', text: 'forbidden hours' };
  const messages = [
    { role: 'system', content: knowledgeMessage([passage]) },
    { role: 'user', content: 'forbidden?' },
  ];
  const shown = async (columns: number | undefined, kept = messages): Promise<string> => {
    const { audit, memory, record } = await memoryAudit();
    await record({ texts: { messagesJson: JSON.stringify(kept), responseJson: '"Hello"' } });
    await audit.close();
    const files = { 'gateway.yaml': withBase(''), 'next.yaml': withBase('words'), 'shop.md': '# Hours\nOpen.\n' };
    const { stdout } = await motif(['admin', 'replay', 'next.yaml'], {
      env: { NO_COLOR: '1' },
      files: { ...files, 'audit.jsonl': memory.text },
      stdout: columns === undefined ? {} : { columns },
    });
    return stdout;
  };

  test('names the message of the client first, and how many places more', async () => {
    expect(await shown(undefined)).toMatch(/pass -> block {2}message 1, characters 1-9, and 1 more place\n/);
  });

  test('names the base of a passage as the gateway file does', async () => {
    const kept = [messages[0]!, { role: 'user', content: 'Hello' }];
    expect(await shown(undefined, kept)).toContain('passage 1 of handbook (shop: Hours), characters 1-9\n');
  });

  test('is folded below its column on a narrow terminal', async () => {
    const lines = (await shown(64)).split('\n');
    const at = lines.findIndex((line) => line.startsWith('prompt '));
    const start = lines[at]!.indexOf('place');
    expect(lines[at + 1]!.slice(start)).toMatch(/^message 1,/);
    expect(lines[at + 2]).toMatch(new RegExp(`^ {${start}}\\S`));
    expect(lines.filter((line) => line.length > 64)).toEqual([]);
  });
});

test('prompts that were not judged are counted under one reason, in words as in the document', async () => {
  const { audit, memory, record } = await memoryAudit();
  const texts = { messagesJson: JSON.stringify([{ role: 'user', content: 'Hello' }]), responseJson: '"Hello"' };
  const entries = [{ texts }, {}, {}, { decision: 'refused' }, { decision: 'failed' }, { decision: 'block' }] as const;
  for (const entry of entries) await record(entry);
  await audit.close();
  const files = { 'gateway.yaml': fileOf('words'), 'next.yaml': fileOf('phone'), 'audit.jsonl': memory.text };
  const stdout = await replay([], files);
  expect(stdout.match(/^.* not judged: .*$/gm)).toEqual([
    '1 prompt not judged: blocked then, no text kept',
    '2 prompts not judged: refused or failed then',
    '2 prompts not judged: audited without text',
  ]);
  const document = JSON.parse(await replay(['--json'], files)) as { readonly not_judged: object };
  const counts = { blocked: 1, refused_or_failed: 2, without_text: 2, without_motif: 0, rows_without_prompt: 0 };
  expect(document.not_judged).toEqual({ ...counts, torn: 0, foreign: 0, left_out_at: [] });
});
