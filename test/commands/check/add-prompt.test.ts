import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/documents/yaml.ts';
import { motif, type Run } from '../../support/motif.ts';
import '../../support/rooms/gateway-loaded.ts';

const read = (run: Run, name: string) => readFileSync(join(run.world.folder, name), 'utf8');

describe('the prompt of check add', () => {
  test('a traceback, added again and again, moves no line of the suite', async () => {
    let suite = 'cases:\n  - id: a\n    prompt: hi\n    tags: [control]\n';
    for (let count = 1; count <= 3; count++) {
      const prompt = `What is wrong? ${count}\nTraceback:\n  File app.py, line 12`;
      const argv = ['check', 'add', '--demo', '--id', `t${count}`, prompt];
      const run = await motif(argv, { env: {}, files: { 'smoke.motif.yaml': suite } });
      const added = `  - id: t${count}\n    prompt: |-\n      ${prompt.replaceAll('\n', '\n      ')}\n`;
      expect(read(run, 'smoke.motif.yaml')).toBe(`${suite}${added}`);
      suite += added;
    }
  });

  test('leaves a byte order mark at the start of the file', async () => {
    const before = '\ufeffcases:\n  - id: a\n    prompt: hi\n';
    const argv = ['check', 'add', '--demo', '--id', 'b', 'Hello'];
    const run = await motif(argv, { env: {}, files: { 'smoke.motif.yaml': before } });
    expect(read(run, 'smoke.motif.yaml')).toBe(`${before}  - id: b\n    prompt: Hello\n`);
  });

  test.each([
    { name: 'words and a pipe', words: ['Explain', 'this'], stdin: 'one\ntwo\n', prompt: 'Explain this\n\none\ntwo' },
    { name: 'a pipe alone', words: [], stdin: 'Opening hours?\n', prompt: 'Opening hours?' },
    { name: '- for a pipe', words: ['-'], stdin: 'Opening hours?\n', prompt: 'Opening hours?' },
    { name: '- behind --, which is text', words: ['--', '-'], stdin: undefined, prompt: '-' },
    { name: 'a pipe that is kept out', words: ['--no-stdin', 'Hello'], stdin: 'more\n', prompt: 'Hello' },
  ])('is $name', async ({ words, stdin, prompt }) => {
    const run = await motif(['check', 'add', '--demo', ...words], { env: {}, ...(stdin !== undefined && { stdin }) });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(parseYaml(read(run, 'smoke.motif.yaml'), '').value).toMatchObject({ cases: [{ prompt }] });
  });

  test.each([
    { name: 'a pipe beside words', words: ['Hello'], stdin: 'a\nb\n', exitCode: 0, says: 'added 2 lines from stdin' },
    {
      name: 'an empty pipe beside words',
      words: ['Hello'],
      stdin: '',
      exitCode: 0,
      says: 'stdin is a pipe with nothing',
    },
    { name: 'nothing at all', words: [], stdin: undefined, exitCode: 2, says: 'the prompt is empty' },
    { name: 'an empty pipe alone', words: [], stdin: '', exitCode: 2, says: 'the prompt is empty' },
    { name: '- twice', words: ['-', '-'], stdin: 'a', exitCode: 2, says: 'can be read only once' },
  ])('$name is said', async ({ words, stdin, exitCode, says }) => {
    const run = await motif(['check', 'add', '--demo', ...words], { env: {}, ...(stdin !== undefined && { stdin }) });
    expect(run).toMatchObject({ exitCode });
    expect(run.stderr).toContain(says);
  });
});
