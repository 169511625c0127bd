import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assistant, chatLines, replying, system, user } from '../../support/rooms/chat.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { answered } from '../../support/service.ts';

const scripted = () => replying();
const code = { body: { ...answered, response: 'Here:\n\n```sh\nls -l\n```\n\n```python\nprint(1)\n```\n' } };

describe('/extract and /export', () => {
  test.each([
    { typed: '/extract', stdout: 'ls -l\n' },
    { typed: '/extract 2', stdout: 'print(1)\n' },
    { typed: '/extract python', stdout: 'print(1)\n' },
  ])('$typed prints a code block', async ({ typed, stdout }) => {
    const run = await chatLines(['one', typed], [], { scripted: replying({ one: code }) });
    expect(run.stdout).toBe(code.body.response + stdout);
  });

  test.each([
    { name: 'code.py', content: 'print(1)\n' },
    { name: 'fix.sh', content: 'ls -l\n' },
    { name: 'notes.txt', content: 'ls -l\n' },
    { name: './out', content: 'ls -l\n' },
  ])('/extract $name takes the file alone', async ({ name, content }) => {
    const run = await chatLines(['one', `/extract ${name}`], [], { scripted: replying({ one: code }) });
    expect(run.stderr).toContain(`written to ${name}\n`);
    expect(readFileSync(join(run.world.folder, name), 'utf8')).toBe(content);
  });

  test('/extract of a language that no block has makes no file of that name', async () => {
    const run = await chatLines(['one', '/extract pyton'], [], { scripted: replying({ one: code }) });
    expect(run.stderr).toContain('no code block pyton');
    expect(existsSync(join(run.world.folder, 'pyton'))).toBe(false);
  });

  test('into a file, with a name that has blanks', async () => {
    const run = await chatLines(['one', '/extract 2 "my code.py"'], [], { scripted: replying({ one: code }) });
    expect(readFileSync(join(run.world.folder, 'my code.py'), 'utf8')).toBe('print(1)\n');
  });

  test.each(['/extract python code.py', '/copy code.py', '/export code.py'])(
    '%s says that it takes the place of what a file held',
    async (typed) => {
      const run = await chatLines(['one', typed, typed], [], { scripted: replying({ one: code }) });
      expect(run.stderr.match(/written to code\.py.*/g)).toEqual([
        'written to code.py',
        'written to code.py, in place of what it held',
      ]);
    },
  );

  test('/copy puts the last answer into a file, with one line break at its end', async () => {
    const run = await chatLines(['one', '/copy last.txt'], [], { scripted: scripted() });
    expect(run.stderr).toContain('written to last.txt\n');
    expect(readFileSync(join(run.world.folder, 'last.txt'), 'utf8')).toBe('re: one\n');
  });

  test.each([
    {
      typed: '/extract last.txt',
      says: /no code block last\.txt\n[^]*the whole answer into a file: \/copy last\.txt\n/,
    },
    { typed: '/save last.txt', says: /a file of it: \/export last\.txt; of the last answer alone: \/copy last\.txt\n/ },
  ])('the way into a file stands where it was looked for: $typed', async ({ typed, says }) => {
    expect((await chatLines(['one', typed], [], { scripted: scripted() })).stderr).toMatch(says);
  });

  test.each(['/save Kettles, 2.5 l', '/save v1.2'])('a title is no name of a file: %s', async (typed) => {
    expect((await chatLines(['one', typed], [], { scripted: scripted() })).stderr).not.toContain('/copy');
  });

  test('what is not there is a failure', async () => {
    const run = await chatLines(['one', '/extract 3'], [], { scripted: replying({ one: code }) });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toEqual(saying('no code block 3', '2 code blocks: 1 sh, 2 python'));
    expect(await chatLines(['/extract'])).toMatchObject({ exitCode: 2 });
    const none = await chatLines(['one', '/extract'], [], { scripted: scripted() });
    expect(none.stderr.match(/no code block/g)).toHaveLength(1);
  });

  test.each([
    { typed: '/export messages out', mode: 0o600 },
    { typed: '/copy out', mode: 0o666 & ~process.umask() },
  ])('$typed: a conversation is for nobody else to read, an answer is a file as any other', async ({ typed, mode }) => {
    const run = await chatLines(['one', typed], [], { scripted: scripted() });
    expect(statSync(join(run.world.folder, 'out')).mode & 0o777).toBe(mode);
  });

  test('messages are what --messages reads', async () => {
    const run = await chatLines(['one', '/export messages all.json'], ['-s', 'Be brief.'], { scripted: scripted() });
    const exported = readFileSync(join(run.world.folder, 'all.json'), 'utf8');
    expect(JSON.parse(exported)).toEqual([system('Be brief.'), user('one'), assistant('re: one')]);
    const next = await chatLines(['two'], ['--messages', 'all.json'], {
      scripted: scripted(),
      files: { 'all.json': exported },
    });
    expect(next.sent[0]).toHaveLength(4);
  });

  test.each(['/export', '/export markdown', '/export md'])('%s prints it for people', async (typed) => {
    const run = await chatLines(['one', typed], [], { scripted: scripted() });
    expect(run.stdout).toEqual(saying('re: one\n# one', '## You', '## Motif'));
  });

  test('a file that the chat wrote is written once more, though it was read since', async () => {
    const lines = ['one', '/export c.md', '/file c.md', 'two', '/export c.md', 'three'];
    const run = await chatLines(lines, [], { scripted: scripted() });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.sent).toHaveLength(3);
    expect(readFileSync(join(run.world.folder, 'c.md'), 'utf8')).toContain('re: ');
  });

  test.each([
    { name: 'a file of a person', lines: ['/file n.md', 'one', '/export n.md'] },
    {
      name: 'one changed by a person since',
      lines: ['one', '/export n.md', 'change', '/file n.md', 'two', '/export n.md'],
    },
  ])('$name that was read is not written over', async ({ lines }) => {
    let path = '';
    const own = scripted();
    const send: typeof own.send = async (request, options) => {
      if (request.body.includes('"change"')) {
        // In the same tick of the clock of files.
        const { mtime } = statSync(path);
        writeFileSync(path, 'changed');
        utimesSync(path, mtime, mtime);
      }
      return own.send(request, options);
    };
    const run = await chatLines(lines, [], {
      files: lines.includes('change') ? {} : { 'n.md': 'mine' },
      scripted: { ...own, send },
      prepare: ({ folder }) => void (path = join(folder, 'n.md')),
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('/export: n.md is also an input of this command');
    expect(readFileSync(path, 'utf8')).toBe(lines.includes('change') ? 'changed' : 'mine');
  });

  test('nothing is written over a conversation', async () => {
    const first = await chatLines(['one'], [], { scripted: scripted() });
    const run = await chatLines(['/export json ~/.local/state/motif/conversations/x.jsonl'], ['-c'], {
      after: first.world,
    });
    expect(run).toMatchObject({ exitCode: 2, kept: first.kept });
    expect(run.stderr).toContain('is where motif keeps conversations');
  });

  test.each([
    ['all.md', '# one\n'],
    ['all.txt', '# one\n'],
    ['./all', '# one\n'],
    ['all.json', '{'],
  ])('/export %s: a file alone is written in the format of its ending', async (name, begins) => {
    const run = await chatLines(['one', `/export ${name}`], [], { scripted: scripted() });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\n' });
    expect(readFileSync(join(run.world.folder, name), 'utf8').startsWith(begins)).toBe(true);
  });

  test('a word that is no format and no file is a mistake, and nothing is written', async () => {
    const run = await chatLines(['one', '/export all'], [], { scripted: scripted() });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toEqual(saying('only markdown, json, messages', '/export markdown FILE'));
    expect(existsSync(join(run.world.folder, 'all'))).toBe(false);
  });
});
