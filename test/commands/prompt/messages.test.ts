import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../fixtures/any-text.ts';
import { prompt, usageError } from '../../support/rooms/prompt.ts';

const user = (content: string) => ({ role: 'user', content });

describe('the composed user message', () => {
  test.each([
    { name: 'words, joined by spaces', argv: ['How', 'long?'], text: 'How long?' },
    { name: 'one quoted word keeps its inner spaces and lines', argv: ['a  b\nc'], text: 'a  b\nc' },
    { name: 'after -- a word may begin with a dash', argv: ['--', '-1', 'is', '--odd'], text: '-1 is --odd' },
    { name: 'a name is text: nothing is read', argv: ['notes.md'], text: 'notes.md' },
    { name: 'an at sign is text', argv: ['@notes.md'], text: '@notes.md' },
    {
      name: 'a hole in words is text',
      argv: ['${name}', '--var', 'name=x', '-t', 'plain.txt'],
      text: 'plain\n\n${name}',
    },
    { name: 'one file stands without a heading', argv: ['-f', 'notes.md'], text: 'Notes' },
    { name: 'a hole in a file is text', argv: ['-f', 'hole.txt'], text: '${name}' },
    {
      name: 'several files stand under their names, in the order given',
      argv: ['-f', 'notes.md', '-f', 'a.txt'],
      text: '--- notes.md ---\nNotes\n\n--- a.txt ---\nA',
    },
    { name: 'a quoted glob, sorted', argv: ['-f', '[ab].txt'], text: '--- a.txt ---\nA\n\n--- b.txt ---\nB' },
    { name: 'a glob that finds one file', argv: ['-f', 'no*.md'], text: 'Notes' },
    { name: 'a glob over folders', argv: ['-f', 'deep/**/*.txt'], text: 'Deep' },
    { name: 'words before files', argv: ['-f', 'notes.md', 'Sum', 'up'], text: 'Sum up\n\nNotes' },
    { name: 'a template before words', argv: ['the', 'words', '-t', 'plain.txt'], text: 'plain\n\nthe words' },
    {
      name: 'template, words, files, stdin',
      argv: ['-f', 'notes.md', 'words', '-t', 'plain.txt'],
      stdin: 'piped\n',
      text: 'plain\n\nwords\n\nNotes\n\npiped',
    },
    { name: 'an empty file leaves no gap', argv: ['words', '-f', 'empty.txt'], stdin: 'piped', text: 'words\n\npiped' },
    { name: 'unicode and control characters pass', argv: ['é\u0007😀\u202e'], text: 'é\u0007😀\u202e' },
  ])('$name', async ({ argv, stdin, text }) => {
    const files = {
      'notes.md': 'Notes\n',
      'a.txt': 'A\n',
      'b.txt': 'B',
      'hole.txt': '${name}\n',
      'plain.txt': 'plain\n',
      'empty.txt': '',
      'deep/er/c.txt': 'Deep\n',
    };
    const run = await prompt(argv, { files, ...(stdin === undefined ? {} : { stdin }) });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'Hello from the service\n', messages: [user(text)] });
  });
});

test('any words behind -- are sent as they are, and anything but words is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText(20), { maxLength: 4 }), async (words) => {
      const run = await prompt(['--', ...words], { stdin: '' });
      const text = words.join(' ');
      // Nothing tells U+FFFD that was typed from the one that Node puts where bytes are no UTF-8.
      const fault = text.includes('\ufffd') ? 'not valid UTF-8' : text.trim() === '' ? 'nothing to send' : undefined;
      expect(run).toMatchObject(fault === undefined ? { exitCode: 0, text } : usageError(fault));
    }),
  );
});

describe('the messages array', () => {
  const files = {
    'system.txt': 'From a file',
    'array.json': '[{"role":"tool","content":"t"},{"role":"user","content":"earlier"}]',
    'object.json': '\ufeff{"model":"x","messages":[{"role":"user","content":"inside","name":"ana"}]}',
  };
  test.each([
    { name: '-s', argv: ['-s', 'Be brief', 'hi'], messages: [{ role: 'system', content: 'Be brief' }, user('hi')] },
    {
      name: '-S',
      argv: ['-S', 'system.txt', 'hi'],
      messages: [{ role: 'system', content: 'From a file' }, user('hi')],
    },
    {
      name: 'each -m in its order, split at the first colon alone',
      argv: ['hi', '-m', 'user:a: b', '-m', 'assistant:c', '-m', 'system:d'],
      messages: [user('a: b'), { role: 'assistant', content: 'c' }, { role: 'system', content: 'd' }, user('hi')],
    },
    {
      name: '--messages with an array, foreign roles too',
      argv: ['--messages', 'array.json', 'hi'],
      messages: [{ role: 'tool', content: 't' }, user('earlier'), user('hi')],
    },
    {
      name: '--messages alone is a prompt',
      argv: ['--messages', 'array.json'],
      messages: [{ role: 'tool', content: 't' }, user('earlier')],
    },
    { name: '-m alone is a prompt', argv: ['-m', 'user:only'], messages: [user('only')] },
    {
      name: 'everything, however the flags are ordered',
      argv: ['last', '-m', 'assistant:third', '--messages', 'array.json', '-s', 'first'],
      messages: [
        { role: 'system', content: 'first' },
        { role: 'tool', content: 't' },
        user('earlier'),
        { role: 'assistant', content: 'third' },
        user('last'),
      ],
    },
  ])('$name', async ({ argv, messages }) => {
    const run = await prompt(argv, { files });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.messages).toEqual(messages);
  });

  test('--messages takes an object that holds them, a byte order mark before it', async () => {
    const run = await prompt(['--messages', 'object.json'], { files });
    expect(run).toMatchObject({ exitCode: 0, messages: [{ role: 'user', content: 'inside' }] });
  });

  test('--messages - reads them from stdin, which is then no part of the text', async () => {
    const run = await prompt(['--messages', '-', 'hi'], { stdin: files['array.json'] });
    expect(run.messages).toEqual([{ role: 'tool', content: 't' }, user('earlier'), user('hi')]);
  });

  test.each([['-'], ['-f', '-']])('stdin is named by %s %s', async (...argv) => {
    const run = await prompt(['words', ...argv.filter(Boolean)], { stdin: 'piped\n' });
    expect(run).toMatchObject({ exitCode: 0, text: 'words\n\npiped' });
  });
});

describe('templates', () => {
  test.each([
    { name: 'each hole, as often as it stands', template: '${a}-${b}-${a}', vars: ['a=1', 'b=2'], text: '1-2-1' },
    { name: 'an empty value', template: '[${a}]', vars: ['a='], text: '[]' },
    { name: 'a value with an equals sign', template: '${a}', vars: ['a=x=y'], text: 'x=y' },
    { name: 'a value with lines, quotes and dollars', template: '${a}', vars: ['a=$&\n"$1"'], text: '$&\n"$1"' },
    { name: 'no holes', template: 'cost: $5 {a} $a', vars: [], text: 'cost: $5 {a} $a' },
    {
      name: 'a value is never filled again',
      template: '${a}${b}',
      vars: ['a=${b}', 'b=${a}'],
      text: '${b}${a}',
    },
    {
      name: 'names of several words',
      template: 'Dear ${first name}, size ${größe}',
      vars: ['first name=Ana', 'größe=L'],
      text: 'Dear Ana, size L',
    },
    {
      name: 'holes of other tools are text',
      template: '{{a}} <%= a %> ${a}',
      vars: ['a=1'],
      text: '{{a}} <%= a %> 1',
    },
  ])('$name', async ({ template, vars, text }) => {
    const argv = ['-t', 't.txt', ...vars.flatMap((each) => ['--var', each])];
    const run = await prompt(argv, { files: { 't.txt': template } });
    expect(run).toMatchObject({ exitCode: 0, text });
    expect(run.stderr).not.toContain('--var');
  });

  test('a value that no hole takes is told', async () => {
    const argv = ['-t', 't.txt', '--var', 'name=Ana', '--var', 'nam=Bo', '--var', 'x=1'];
    const run = await prompt(argv, { files: { 't.txt': 'Hello ${name}' } });
    expect(run).toMatchObject({ exitCode: 0, text: 'Hello Ana' });
    expect(run.stderr).toContain('motif: --var nam is not used: t.txt has no ${nam}; did you mean name?\n');
    expect(run.stderr).toContain('motif: --var x is not used: t.txt has no ${x}\n');
  });

  test.each([
    {
      name: 'a missing variable',
      template: 'one\ntwo\n${who}',
      vars: ['what=x'],
      says: ['t.txt', 'line 3', '${who}', '--var who='],
    },
    {
      name: 'a misspelled one',
      template: '${style}',
      vars: ['stile=x'],
      says: ['--var stile is given: did you mean --var style=VALUE, or ${stile} in the template?'],
    },
    {
      name: 'the object prototype holds no values',
      template: '${constructor}',
      vars: [],
      says: ['line 1', '${constructor}'],
    },
    {
      name: 'a missing variable of several words',
      template: '${first name}',
      vars: ['name=x'],
      says: ['there is no value for ${first name}', "give one: --var 'first name=VALUE'"],
    },
    { name: 'a --var without a value', template: 'x', vars: ['who'], says: ['--var', 'name=value'] },
    { name: 'a --var given twice', template: '${a}', vars: ['a=1', 'a=2'], says: ['a', 'twice'] },
  ])('$name is a usage error', async ({ template, vars, says }) => {
    const argv = ['-t', 't.txt', ...vars.flatMap((each) => ['--var', each])];
    const run = await prompt(argv, { files: { 't.txt': template } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    for (const words of says) expect(run.stderr).toContain(words);
  });

  test('--var without a template is a usage error, for it would change nothing', async () => {
    const run = await prompt(['hi', '--var', 'a=1']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain('-t');
  });
});

test.each([
  { role: 'asistant', says: 'motif: m.json: messages[1] has the role "asistant"; did you mean assistant?\n' },
  { role: 'User', says: 'motif: m.json: messages[1] has the role "User"; did you mean user?\n' },
  { role: 'developer', says: '' },
  { role: 'tool', says: '' },
])('a role that looks mistyped is said and sent as it is: $role', async ({ role, says }) => {
  const messages = [user('hi'), { role, content: 'x' }];
  const run = await prompt(['--messages', 'm.json'], { files: { 'm.json': JSON.stringify(messages) } });
  expect(run).toMatchObject({ exitCode: 0, stderr: says, messages });
});
