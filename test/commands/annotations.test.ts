import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, testEnv, testUrl } from '../support/motif.ts';

const gateway = 'providers: { mock: { kind: mock } }\nmotifs: { bot: { provider: mock } }\n';
const next = `policies: { house: { kind: words, words: [hello] } }\n${gateway.replace('provider: mock', 'provider: mock, policies: [house]')}`;

const commands = [
  { words: ['admin', 'validate', 'wrong.yaml'], file: 'wrong.yaml' },
  { words: ['admin', 'replay', 'next.yaml', 'lines.txt'], file: 'next.yaml' },
  { words: ['check', 's.motif.yaml', '--local', 'gateway.yaml'], file: 's.motif.yaml' },
];

const workspaces = [
  { name: 'this folder', of: (folder: string) => folder, shown: () => '' },
  { name: 'the one above', of: dirname, shown: (folder: string) => `${basename(folder)}/` },
  { name: 'another one', of: (folder: string) => `${folder}-2`, shown: () => '' },
  { name: 'not known', of: () => undefined, shown: () => '' },
];

test.each(commands.flatMap((command) => workspaces.map((workspace) => ({ ...command, ...workspace }))))(
  'motif $words.0 $words.1 names files from the top of what GitHub checked out, where that is $name',
  async ({ words, file, of, shown }) => {
    const files = {
      'gateway.yaml': gateway,
      'next.yaml': next,
      'wrong.yaml': gateway.replace('provider: mock', 'provider: nobody'),
      'lines.txt': 'hello\n',
      's.motif.yaml': 'cases:\n  - { id: greets, prompt: hello, expect: blocked }\n',
    };
    const run = await motif(words, {
      env: { GITHUB_ACTIONS: 'true' },
      files,
      prepare: ({ env, folder }) => Object.assign(env, { GITHUB_WORKSPACE: of(folder) }),
    });
    expect(`${run.stdout}${run.stderr}`).toMatch(/^::(error|warning) file=/m);
    const named = [...`${run.stdout}${run.stderr}`.matchAll(/^::\w+ file=([^,]*),/gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set([`${shown(run.world.folder)}${file}`]));
  },
);

describe('a file with faults', () => {
  const files = {
    'bad.yaml': `tenant: acme\n${gateway.replace('provider: mock', 'provider: nobody')}`,
    'bad.motif.yaml': 'cases:\n  - { id: a, prompt: hi }\n  - { id: b, promt: hi }\n',
    'cases.csv': 'prompt,expect\nhi,answered\nhi,answred\n',
    'rows.csv': 'prompt,note\nhi,a\nhi\n',
    'm.json': '[\n  {"role": "user",\n}]',
    'columns.csv': 'promt,expect\nhi,answered\n',
  };

  test.each([
    { words: ['admin', 'validate', 'bad.yaml'], place: 'bad.yaml,line=3', line: 3 },
    { words: ['admin', 'show', '-c', 'bad.yaml'], place: 'bad.yaml,line=3', line: 3 },
    { words: ['serve', '-c', 'bad.yaml'], place: 'bad.yaml,line=3', line: 3 },
    { words: ['prompt', '--local', 'bad.yaml', 'hi'], place: 'bad.yaml,line=3', line: 3 },
    { words: ['check', 'bad.motif.yaml'], place: 'bad.motif.yaml,line=3', line: 3 },
    { words: ['check', 'bad.motif.yaml', '--list'], place: 'bad.motif.yaml,line=3', line: 3 },
    { words: ['check', 'cases.csv'], place: 'cases.csv,line=3', line: 3 },
    { words: ['prompt', '--messages', 'm.json'], place: 'm.json,line=3', line: undefined },
    { words: ['check', 'columns.csv'], place: 'columns.csv,line=1', line: undefined },
    { words: ['batch', 'rows.csv', '--column', 'prompt', '-o', 'o.jsonl'], place: 'rows.csv,line=3', line: undefined },
  ])('motif $words: its line is shown beside the file, and stands in the document', async ({ words, place, line }) => {
    const actions = await motif(words, { env: { ...testEnv, GITHUB_ACTIONS: 'true' }, files });
    expect(actions.exitCode).toBe(2);
    expect(actions.stderr.match(/^::error .*$/gm)).toEqual([expect.stringContaining(`::error file=${place},title=`)]);
    expect((await motif(words, { files })).stderr).not.toContain('::error');
    if (words[0] === 'serve' || words.includes('--list')) return;
    const json = await motif([...words, '--json'], { files });
    const { error } = JSON.parse(json.stdout) as { error: { message: string; detail: { line: number }[] | null } };
    if (line === undefined) expect(error.message).toMatch(/^\w+\.csv:\d: |^--messages: m\.json, line 3, /);
    else expect(error.detail).toEqual([expect.objectContaining({ line, message: expect.any(String) as string })]);
  });
});

test('a check that could not begin is an error of its job, and nothing is added elsewhere', async () => {
  const env = { MOTIF_URL: testUrl };
  const files = { 's.motif.yaml': 'cases: [{ prompt: hello }]\n' };
  const job = await motif(['check'], { env: { ...env, GITHUB_ACTIONS: 'true' }, files });
  expect(job.exitCode).toBe(3);
  expect(job.stderr).toMatch(/^::error title=motif check::there is no token for .*%0Athis job has no MOTIF_TOKEN; /m);
  expect((await motif(['check'], { env, files })).stderr).not.toContain('::error');
  const merge = await motif(['check', 'merge', 'gone.json'], { env: { GITHUB_ACTIONS: 'true' }, files });
  expect(merge.stderr).toMatch(/^::error title=motif check merge::gone\.json: no such file/m);
  const prompt = await motif(['prompt', 'hi'], { env: { ...env, GITHUB_ACTIONS: 'true' } });
  expect(prompt.stderr).not.toContain('::error');
});
