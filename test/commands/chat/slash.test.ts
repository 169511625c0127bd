import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assistant, chatLines, chatTyping, replying, system, user } from '../../support/rooms/chat.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { answered, blocked } from '../../support/service.ts';

const scripted = () => replying();
const conversationIn = (kept: Readonly<Record<string, string>>) =>
  Object.keys(kept).find((name) => /^[0-9a-z]+\.jsonl$/.test(name)) ?? '';
const code = { body: { ...answered, response: 'Here:\n\n```sh\nls -l\n```\n\n```python\nprint(1)\n```\n' } };

describe('a text that begins with a slash', () => {
  test.each([
    { typed: '/hepl', says: 'did you mean /help?' },
    { typed: '/quit', says: 'there is no command /quit; nothing was sent' },
    { typed: '/usr/bin is missing', says: 'there is no command /usr/bin' },
    { typed: '/', says: 'there is no command /' },
    { typed: '/HELP', says: 'did you mean /help?' },
  ])('$typed is never sent', async ({ typed, says }) => {
    const run = await chatLines([typed]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', sent: [] });
    expect(run.stderr).toEqual(saying(says));
  });

  test.each([
    ['//etc/hosts: what is it?', '/etc/hosts: what is it?'],
    ['///', '//'],
    [' /help', ' /help'],
  ])('%s sends %s', async (typed, text) => {
    expect((await chatLines([typed])).sent).toEqual([[user(text)]]);
  });
});

test('/system shows, sets and removes the system message', async () => {
  const run = await chatLines(['/system', '/system Be brief.', 'one', '/system', '/system ""', 'two'], [], {
    scripted: scripted(),
  });
  expect(run.stderr).toEqual(saying('there is no system message', 'is set', '\nBe brief.\n', 'is removed'));
  expect(run.sent).toEqual([
    [system('Be brief.'), user('one')],
    [user('one'), assistant('re: one'), user('two')],
  ]);
});

describe('/file', () => {
  const files = { 'a.md': 'A\n', 'b c.md': 'B\n' };

  test('sends files with the next message, and no later one', async () => {
    const run = await chatLines(['/file a.md', '/file b c.md', '/file', 'look', 'two'], [], {
      files,
      scripted: scripted(),
    });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toEqual(saying('a.md (2 bytes)', 'b c.md (2 bytes)'));
    expect(run.sent[0]).toEqual([user('look\n\n--- a.md ---\nA\n\n--- b c.md ---\nB')]);
    expect(run.sent[1]?.at(-1)).toEqual(user('two'));
  });
});

test('/retry asks for another answer in the place of the last one', async () => {
  let turn = 0;
  const counting = replying();
  const run = await chatLines(['one', 'two', '/retry', 'three'], [], {
    scripted: {
      requests: counting.requests,
      async send(request, options) {
        turn += 1;
        const reply = await counting.send(request, options);
        const text = new TextDecoder().decode(reply.body).replace(/re: (\w+)/, `answer ${turn}`);
        return { ...reply, body: new TextEncoder().encode(text) };
      },
    },
  });
  expect(run.stdout).toBe('answer 1\nanswer 2\nanswer 3\nanswer 4\n');
  expect(run.sent[2]).toEqual(run.sent[1]);
  expect(run.sent[3]).toEqual([user('one'), assistant('answer 1'), user('two'), assistant('answer 3'), user('three')]);
});

test('/retry sends a blocked text again only because it is told to', async () => {
  const run = await chatLines(['secret', 'one', '/undo', '/retry'], [], {
    scripted: replying({ secret: { body: blocked } }),
  });
  expect(run.sent.map((messages) => messages.map(({ content }) => content))).toEqual([['secret'], ['one'], ['one']]);
});

test('/undo takes the last turn back, as often as there is one', async () => {
  const run = await chatLines(['one', 'two', '/undo', 'three', '/undo', '/undo', '/undo'], ['-s', 'Be brief.'], {
    scripted: scripted(),
  });
  expect(run.sent[2]).toEqual([system('Be brief.'), user('one'), assistant('re: one'), user('three')]);
  expect(run).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toEqual(saying('1 turn left', '0 turns left', 'there is no turn to take back'));
});

test('/undo says which turn it took back, and after a block takes back the text that was blocked', async () => {
  const run = await chatLines(['one', 'secret', '/undo', 'two', '/undo', '/undo', 'three'], [], {
    scripted: replying({ secret: { body: blocked } }),
  });
  expect(run.sent.slice(2)).toEqual([[user('one'), assistant('re: one'), user('two')], [user('three')]]);
  expect(run.stderr).toEqual(
    saying(
      'the text that was not answered is taken back, 1 turn left; /edit brings it back',
      'taken back with its answer: "two", 1 turn left; /edit brings its text back',
      'taken back with its answer: "one", 0 turns left',
    ),
  );
  expect(run.stderr).not.toContain('secret');
});

test('/undo of an empty answer leaves the turn before it', async () => {
  const run = await chatLines(['one', 'empty', '/undo', 'two'], [], {
    scripted: replying({ empty: { body: { ...answered, response: '' } } }),
  });
  expect(run.sent[2]).toEqual([user('one'), assistant('re: one'), user('two')]);
});

test('/messages counts what would be sent, and apart from it what the Motif added', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 };
  const run = await chatLines(['/messages', 'one', '/messages', '/undo', '/messages'], [], {
    scripted: replying({ one: { body: { ...answered, usage } } }),
  });
  expect(run.stderr.match(/^\d+ messages?, .*$/gm)).toEqual([
    '0 messages, about 0 tokens, before what you type next',
    '2 messages, about 7 tokens, before what you type next; the Motif added about 99 of its own',
    '0 messages, about 0 tokens, before what you type next; the Motif added about 99 of its own',
  ]);
});

test('/messages shows exactly what would be sent', async () => {
  const run = await chatLines(['one', '/messages'], ['-s', 'Be\nbrief.'], { scripted: scripted() });
  expect(run.stderr).toContain('system:\n  Be\n  brief.\nuser:\n  one\nassistant:\n  re: one\n3 messages, about ');
  expect(run.stdout).toBe('re: one\n');
});

test('/usage tells of the last turn and of the conversation, blocked turns too', async () => {
  const run = await chatLines(['one', 'secret', '/usage'], [], { scripted: replying({ secret: { body: blocked } }) });
  expect(run.stderr).toEqual(
    saying('motif         support-bot', 'tokens 0 + 0 = 0', 'tokens 7 in 1 turn', 'blocked       1 turn'),
  );
});

describe('saved conversations', () => {
  test('/save keeps one that was not to be kept', async () => {
    const run = await chatLines(['one', '/save Kettle talk', 'two'], ['--no-save'], { scripted: scripted() });
    const [[, text] = ['', '']] = Object.entries(run.kept);
    expect(text).toEqual(saying('Kettle talk', 're: one', 're: two'));
    expect(run.stderr.match(/saved in/g)).toHaveLength(1);
  });

  test('/save says of one that is saved already where it is', async () => {
    const run = await chatLines(['one', '/save'], [], { scripted: scripted() });
    expect(run.stderr).not.toContain('will be saved');
    expect(run.stderr.match(/saved in/g)).toHaveLength(2);
  });

  test('one whose file was deleted meanwhile can still be seen and exported', async () => {
    const first = await chatLines(['one'], [], { scripted: scripted() });
    const file = join(first.world.home ?? '', '.local/state/motif/conversations', conversationIn(first.kept));
    const run = await chatLines(['two', '/messages', '/export messages'], ['-c'], {
      after: first.world,
      scripted: {
        requests: [],
        async send(request, options) {
          unlinkSync(file);
          return await replying().send(request, options);
        },
      },
    });
    expect(run).toMatchObject({ exitCode: 0, kept: {} });
    expect(run.stderr).toEqual(saying('not saved for now', 'was deleted meanwhile', 'user:\n  one\n', '4 messages'));
    expect(run.stdout).toEqual(saying('re: two\n', '"content": "re: one"'));
  });

  test('/save keeps nothing where the environment says that nothing is to be kept', async () => {
    const run = await chatLines(['one', '/save'], ['--demo'], { env: { MOTIF_NO_HISTORY: '1' } });
    expect(run).toMatchObject({ exitCode: 2, kept: {} });
    expect(run.stderr).toContain('MOTIF_NO_HISTORY');
  });

  test('/load goes on with one by its title, /clear begins another with the same system message', async () => {
    const first = await chatLines(['one'], ['-s', 'old'], { scripted: scripted() });
    const run = await chatLines(['zero', '/load one', 'two', '/clear', 'three'], [], {
      scripted: scripted(),
      after: first.world,
    });
    expect(run.stderr).toEqual(
      saying('going on with "one" (1 turn)', 'a new conversation; the one before stays: /load'),
    );
    expect(run.sent).toEqual([
      [user('zero')],
      [system('old'), user('one'), assistant('re: one'), user('two')],
      [system('old'), user('three')],
    ]);
  });

  test.each([
    { typed: '/load', exitCode: 2 },
    { typed: '/load nobody', exitCode: 2 },
  ])('$typed: $exitCode', async ({ typed, exitCode }) => {
    expect(await chatLines([typed])).toMatchObject({ exitCode, sent: [] });
  });

  test('/fork leaves the first one as it was', async () => {
    const run = await chatLines(['one', '/fork Another', 'two'], [], { scripted: scripted() });
    const texts = Object.values(run.kept).filter((text) => text.includes('re: one'));
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => text.includes('re: two'))).toHaveLength(1);
  });

  test('/fork without a title makes one that no other conversation has', async () => {
    const lines = ['one', '/fork', '/title', '/fork', '/title'];
    const run = await chatLines(lines, [], { scripted: scripted() });
    expect(run.stderr).toMatch(/copy "one \(2\)"[^]*\none \(2\)\n[^]*\none \(3\)\n/);
  });

  test('/title shows and sets it', async () => {
    const run = await chatLines(['/title', 'one', '/title', '/title Kettles', '/title'], [], { scripted: scripted() });
    expect(run.stderr).toMatch(/no title yet[^]*\none\n[^]*the title is set\nKettles\n$/);
  });

  test.each([
    {
      name: 'none before',
      lines: ['/save Kettles'],
      says: /called "Kettles" now and will be saved with its first turn in /,
    },
    { name: 'the same', lines: ['one', '/title Kettles', '/save Kettles'], says: /this conversation is saved in / },
    {
      name: 'another',
      lines: ['one', '/fork Ducks', '/save Kettles'],
      says: /this conversation, "Ducks" before, is called "Kettles" now and is saved in /,
    },
  ])('/save with a title says that it has it: $name', async ({ lines, says }) => {
    const run = await chatLines(lines, [], { scripted: scripted() });
    expect(run.stderr).toMatch(says);
  });

  test.each(['/title', '/save', '/fork'])('%s refuses a title that another conversation has', async (command) => {
    const first = await chatLines(['one', '/title Kettles', '/title Kettles'], [], { scripted: scripted() });
    expect(first.stderr.match(/the title is set/g)).toHaveLength(2);
    const run = await chatTyping([`${command} Kettles\r`], [], { after: first.world });
    expect(run.stderr).toMatch(/there is a conversation "Kettles" already: (\w+)\s+to go on with it: \/load \1\s/);
    expect(run.stderr).not.toContain('the title is set');
  });

  test.each(['/title', '/save', '/fork'])('%s in a script takes the next free title, and goes on', async (command) => {
    const lines = ['one', '/title Kettles', '/clear', 'two', `${command} Kettles`, 'three', '/title'];
    const run = await chatLines(lines, [], { scripted: scripted() });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(
      /there is a conversation "Kettles" already: \w+; this one gets the title "Kettles \(2\)"\n/,
    );
    expect(run.sent.map((messages) => messages.at(-1)?.content)).toEqual(['one', 'two', 'three']);
    expect(run.stderr).toMatch(/^Kettles \(2\)$/m);
  });

  test.each(['/title', '/save'])('%s in a script leaves the number that it took itself as it is', async (command) => {
    const lines = ['one', '/title Kettles', '/clear', 'two', `${command} Kettles`, `${command} Kettles`, '/title'];
    const run = await chatLines(lines, [], { scripted: scripted() });
    expect(run.stderr).toMatch(/^Kettles \(2\)$/m);
  });
});

test.each(['/profile one two', '/extract 1 a.md b.md', '/export json a b'])(
  '%s: words that mean nothing are no mistake to pass over',
  async (typed) => {
    const run = await chatLines(['one', typed], [], { scripted: replying({ one: code }) });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('does not know what to do with');
  },
);

test('/edit needs a terminal', async () => {
  expect(await chatLines(['one', '/edit'])).toMatchObject({ exitCode: 2 });
});

test('/exit leaves, and what stands behind it is not read', async () => {
  expect(await chatLines(['one', '/exit', 'two'], [], { scripted: scripted() })).toMatchObject({
    exitCode: 0,
    stdout: 're: one\n',
  });
});
