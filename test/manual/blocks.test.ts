import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { judge } from '../../src/gateway/policies/judging.ts';
import type { Side } from '../../src/gateway/vocabulary.ts';
import { batch, rowsOf } from '../support/rooms/batch.ts';
import { doctor, layersOf } from '../support/rooms/doctor.ts';
import { documentOf } from '../support/rooms/login.ts';
import { motif, testEnv } from '../support/motif.ts';
import { policy } from '../support/rooms/policies.ts';
import type { HttpRequest } from '../../src/wire/http.ts';
import { blocked, service, toReply } from '../support/service.ts';
import { readWrittenTexts } from '../support/texts/written-examples.ts';

/** Blocks of the README and the pages that are no shell; `examples.test.ts` types those that are. */
const blocks = readWrittenTexts().flatMap(({ name, blocks: found }) =>
  found.map((block) => ({ ...block, page: name.replace(/^.*\/|\.md$/g, '') })),
);

function block(page: string, language: string, holds = ''): string {
  const found = blocks.filter((each) => each.page === page && each.language === language && each.text.includes(holds));
  expect(found).toHaveLength(1);
  return found[0]!.text;
}

test('a block is of a language that is run or compared', () => {
  const languages = new Set(
    blocks.map(({ page, language }) => (/^(?:sh|yaml)$/.test(language) ? language : `${page} ${language}`)),
  );
  const known = ['sh', 'yaml', 'README console', 'chat-keys console', 'network console', 'blocked text', 'deploy ini'];
  expect([...languages].filter((language) => !known.includes(language) && !language.endsWith(' json'))).toEqual([]);
});

describe('YAML', () => {
  const files = blocks.filter(({ language }) => language === 'yaml');
  test.each(files.map(({ page, text }) => ({ page, text, first: text.trim().split('\n')[0] })))(
    '$page: $first ... can be read',
    ({ text }) => expect(parse(text)).toBeTypeOf('object'),
  );

  test('the file of the page on policies is one, and does what the page says', async () => {
    const files = { 'gateway.yaml': block('policies', 'yaml', 'no-keys: { kind: secrets') };
    const run = await motif(['admin', 'try', 'Is AKIAIOSFODNN7EXAMPLE a key?'], { env: {}, files });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('Is [AWS_ACCESS_KEY] a key?');
  });

  test('the suite of the page on suites can be run', async () => {
    const files = { 'page.motif.yaml': block('suites', 'yaml'), 'cases.csv': 'id,prompt,expect\na,Hello,answered\n' };
    const run = await motif(['check', 'page.motif.yaml', '--list'], { files });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    for (const id of ['greets', 'remembers', 'card-number', 'key-is-hidden', 'answer-leak', 'a'])
      expect(run.stdout).toMatch(new RegExp(`(?<![\\w-])${id}(?![\\w-])`));
  });
});

describe('JSON', () => {
  const toDocument = (text: string) => JSON.parse(text.startsWith('{') ? text : `{${text}}`) as Record<string, object>;

  test('the document of an answer has the keys of the page, in their order', async () => {
    const shown = toDocument(block('json', 'json', '"response"'));
    const real = documentOf(await motif(['prompt', '--json', 'hi'], service()));
    expect(Object.keys(shown)).toEqual(Object.keys(real));
    expect(Object.keys(shown.usage ?? {})).toEqual(Object.keys(real.usage ?? {}));
  });

  test('an error has the keys of the page', async () => {
    const shown = toDocument(block('json', 'json', '"hint"'));
    const real = documentOf(await motif(['prompt', '--json', 'hi'], service({ status: 401, body: { error: 'no' } })));
    expect(Object.keys(shown.error ?? {})).toEqual(Object.keys(real.error ?? {}));
  });

  test('a line of a batch has the keys of the page, in their order', async () => {
    const shown = toDocument(block('batch', 'json'));
    const run = await batch(['rows.jsonl'], { files: { 'rows.jsonl': '{"id":1,"prompt":"hi"}\n' } });
    expect(Object.keys(shown)).toEqual(Object.keys(rowsOf(run.stdout)[0] ?? {}));
  });
});

test('a webhook is asked as the page on policies shows, and its reply is read so', async () => {
  const [question, reply] = ['"texts"', '"findings"'].map((key) => block('policies', 'json', key));
  const asked: string[] = [];
  const send = ({ body }: HttpRequest) => {
    asked.push(String(body));
    return Promise.resolve(toReply({ status: 200, body: reply! }));
  };
  const { on, texts } = JSON.parse(question!) as { readonly on: Side; readonly texts: readonly string[] };
  const one = policy('webhook', { url: 'https://checks.example/v1' }, 'redact', { send, monotonic: () => 1_000 });
  const { texts: left } = await judge([one], on, texts, { deadlineAt: 60_000 });
  expect(asked.map((body) => JSON.parse(body) as unknown)).toEqual([JSON.parse(question!)]);
  expect(left).toEqual([texts[0], 'Say 🔥 about the [TOPIC].']);
});

describe('transcripts', () => {
  test('a block is told in the words of the page', async () => {
    const { stderr } = await motif(['prompt', 'hi'], service({ body: blocked }));
    const settled = (text: string) => text.replaceAll(/(prompt_id )[\w.]+/g, '$1ID');
    expect(settled(stderr)).toBe(settled(block('blocked', 'text')));
  });

  test('the layers of doctor are those of the page, and the rows above them', async () => {
    const lines = block('network', 'console').split('\n');
    const run = await doctor();
    const layers = lines.flatMap((line) => /^(?:ok|warning|failed|skipped) +(\w+)/.exec(line)?.[1] ?? []);
    const rows = lines.flatMap((line) => /^(profile|url|token) {2}/.exec(line)?.[1] ?? []);
    expect(layers).toEqual(Object.keys(layersOf(await doctor(['--json']))));
    for (const row of rows) expect(run.stdout).toMatch(new RegExp(`^${row} {2}`, 'm'));
    const onTerminal = await doctor([], { env: { ...testEnv, NO_COLOR: '1' }, stdout: { columns: 80 } });
    for (const text of [lines.join('\n'), onTerminal.stdout]) expect(text).toMatch(/^setting +value +from$/m);
    expect(lines[1]).toMatch(/^motif \S+, Node \S+, linux$/);
    expect(run.stdout.split('\n')[0]).toMatch(/^motif \S+, Node \S+, linux$/);
  });
});

test('what systemd and Kubernetes start is a command with flags that exist', async () => {
  const [, unit = ''] = /^ExecStart=\S+ motif (.*)$/m.exec(block('deploy', 'ini')) ?? [];
  const [, list = ''] = /args: \[(.*)\]/.exec(block('deploy', 'yaml')) ?? [];
  expect(list.split(', ').join(' ')).toBe(unit);
  const run = await motif(unit.replace('/etc/motif/gateway.yaml', 'gone.yaml').split(' '), { env: {} });
  expect(run).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toContain('gone.yaml: no such file');
});
