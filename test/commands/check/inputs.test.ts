import { expect, test } from 'vitest';
import { motif } from '../../support/motif.ts';
import '../../support/rooms/gateway-loaded.ts';

const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));
const head = 'id,prompt,expect\n';

test.each([
  { name: 'CSV with a NUL byte', file: 'c.csv', content: bytes(head, 'a,x', 0, 'y,blocked\n'), says: 'binary' },
  { name: 'CSV that is not UTF-8', file: 'c.csv', content: bytes(head, 'a,', 0xff, ',blocked\n'), says: 'not UTF-8' },
  {
    name: 'CSV with a row too short',
    file: 'c.csv',
    content: `${head}a,b\n`,
    says: 'c.csv:2: the header names 3 columns',
  },
  { name: 'CSV with an open quote', file: 'c.csv', content: `${head}a,"b,blocked\n`, says: 'no closing quote' },
  {
    name: 'CSV with a column twice',
    file: 'c.csv',
    content: 'prompt,prompt,expect\na,b,blocked\n',
    says: 'has "prompt" twice',
  },
  {
    name: 'CSV that separates by bars',
    file: 'bars.csv',
    content: 'prompt|expect\nOpening hours?|answered\n',
    says: 'bars.csv:1: there is no column prompt, only "prompt|expect"\n  "|" seems to separate its columns: save it with commas',
  },
  {
    name: 'TSV that separates by semicolons',
    file: 'c.tsv',
    content: 'prompt;expect\nHi, when?;answered\n',
    says: '";" seems to separate its columns: save it with tabs',
  },
  {
    name: 'CSV with an outcome that there is not',
    file: 'c.csv',
    content: 'prompt,expect\nHi,Refused\n',
    says: 'c.csv:2:4: expect must be one of answered, blocked; found "Refused"',
  },
  {
    name: 'CSV with an outcome that there is not, behind quoted text of two lines',
    file: 'c.csv',
    content: '\r\n"prompt","expect"\r\nHi,blocked\r\n\r\n"say ""a, b""\nßé 👋",maybe\r\n',
    says: 'c.csv:6:7: expect must be one of answered, blocked; found "maybe"',
  },
  {
    name: 'CSV of semicolons with an ID that stands there twice',
    file: 'c.csv',
    content: 'prompt;expect;id\nHi;blocked;a\nHo;blocked;a\n',
    says: 'c.csv:3:12: id',
  },
  {
    name: 'CSV with other capitals',
    file: 'c.csv',
    content: 'Prompt,Expected\nHi,answered\n',
    says: 'c.csv:1: there is no column prompt, only "Prompt", "Expected"; rename "Prompt" to prompt',
  },
  {
    name: 'CSV with almost the name of a column',
    file: 'c.csv',
    content: 'prompt,Expected\nHi,answered\n',
    says: 'the column "Expected" is unknown; did you mean expect?',
  },
  { name: 'CSV without rows', file: 'c.csv', content: head, says: 'the file has no rows' },
  {
    name: 'JSONL with a key twice',
    file: 'c.jsonl',
    content: '{"prompt":"a","prompt":"b","expect":"blocked"}\n',
    says: 'c.jsonl:1:',
  },
  {
    name: 'JSONL nested too deep',
    file: 'c.jsonl',
    content: `{"prompt":${'['.repeat(5000)}${']'.repeat(5000)}}\n`,
    says: 'c.jsonl:1:',
  },
  {
    name: 'JSONL that is no object',
    file: 'c.jsonl',
    content: '[1]\n',
    says: 'c.jsonl:1: a row of JSONL is one object',
  },
  {
    name: 'a suite in JSON with a faulty case',
    file: 's.json',
    content: '{"cases":[{"prompt":"a","expect":"answred"}]}',
    says: 's.json:1:34: cases[0].expect must be one of answered, blocked; found "answred"',
  },
  {
    name: 'a suite with the name of a text and a faulty case',
    file: 's.txt',
    content: 'cases:\n  - prompt: a\n    expect: answred\n',
    says: 's.txt:3:13: cases[0].expect must be one of answered, blocked; found "answred"',
  },
  {
    name: 'YAML that is not UTF-8',
    file: 's.motif.yaml',
    content: bytes('cases: [{ prompt: ', 0xff, ' }]'),
    says: 's.motif.yaml',
  },
  {
    name: 'YAML with a tag',
    file: 's.motif.yaml',
    content: 'cases: !!js [{ prompt: a }]',
    says: 's.motif.yaml:1:8: tags are not read',
  },
  {
    name: 'YAML of many aliases',
    file: 's.motif.yaml',
    content: `a: &a [${'x,'.repeat(200)}]\ncases: [${'*a,'.repeat(200)}]\n`,
    says: 's.motif.yaml',
  },
  { name: 'YAML nested too deep', file: 's.motif.yaml', content: `cases: ${'['.repeat(500)}`, says: 'nested too deep' },
])('$name is refused with its place, and nothing is sent', async ({ file, content, says }) => {
  const run = await motif(['check', '--demo', file], { env: {}, files: { [file]: content } });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
});

test.each([
  {
    name: 'a byte order mark, CRLF and no last newline',
    content: bytes(0xef, 0xbb, 0xbf, 'id,prompt,expect\r\na,Opening hours?,answered'),
  },
  { name: 'blank lines', content: `${head}\n\na,Opening hours?,answered\n\n` },
  { name: 'semicolons, as many spreadsheets write them,', content: 'prompt;expect\nOpening hours, please?;answered\n' },
  { name: 'tabs', content: 'prompt\texpect\nOpening hours, please?\tanswered\n' },
  { name: 'an outcome with capitals and blanks', content: 'prompt,expect\nOpening hours?,Answered \nHi,ANSWERED\n' },
  { name: 'a quoted line break', content: `${head}a,"Opening\nhours?",answered\n` },
  {
    name: 'names of methods as columns',
    content: 'id,prompt,expect,__proto__,constructor\na,Opening hours?,answered,x,y\n',
  },
])('$name is no obstacle', async ({ content }) => {
  const run = await motif(['check', '--demo', 'c.csv'], { env: {}, files: { 'c.csv': content } });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});

test('what looks like a hole of a template is sent as it stands', async () => {
  const suite = 'cases:\n  - { prompt: "Opening hours? ${HOME} {{x}}", provider_saw: { contains: "${HOME} {{x}}" } }\n';
  const run = await motif(['check', '--demo', 's.motif.yaml'], {
    env: { HOME: '/root' },
    files: { 's.motif.yaml': suite },
  });
  expect(run.exitCode).toBe(0);
});
