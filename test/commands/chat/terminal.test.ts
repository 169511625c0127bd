import { describe, expect, test } from 'vitest';
import { assistant, chatLines, chatTyping, leave, replying, stuck, unhurried, user } from '../../support/rooms/chat.ts';
import { saying } from '../../support/rooms/prompt.ts';
import { blocked, refused, type ScriptedService } from '../../support/service.ts';

const down = refused({ transient: false });
const up = '\u001b[A';

describe('a person at a terminal', () => {
  test('types, reads answers, and leaves with Ctrl-D', async () => {
    const run = await chatTyping(['one\r', 'two\r']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\nre: two\n' });
    expect(run.sent[1]).toEqual([user('one'), assistant('re: one'), user('two')]);
    expect(run.stderr).toEqual(saying('talking to support-bot', 'support-bot · tokens 3 + 4 = 7 · ', '14 in 2 turns'));
    expect(run.stderr.match(/saved in/g)).toHaveLength(1);
  });

  test('reads the tokens of the turns that stand, and beside them those that were paid for in all', async () => {
    const run = await chatTyping(['one\r', 'two\r', '/undo\r', 'three\r', '/usage\r', leave]);
    expect(run.stderr).toEqual(saying('14 in 2 turns\n', '14 in 2 turns (21 paid for)\n'));
    expect(run.stderr).toMatch(/^conversation +tokens 14 in 2 turns \(21 paid for\)$/m);
  });

  test.each(['exit', 'quit', 'exit '])('leaves with %j, as in other chats, and nothing is sent', async (typed) => {
    expect(await chatTyping([`${typed}\r`, 'one\r'])).toMatchObject({ exitCode: 0, sent: [] });
  });

  test.each([
    { typed: '/quit', says: 'did you mean /exit?' },
    { typed: '/q', says: 'did you mean /exit?' },
    { typed: '/new', says: 'did you mean /clear?' },
    { typed: '/resume', says: 'did you mean /load?' },
    { typed: '/model', says: 'did you mean /profile?' },
    { typed: '/constructor', says: '/help lists them' },
  ])('$typed is not sent, and says the command for it', async ({ typed, says }) => {
    const run = await chatTyping([`${typed}\r`]);
    expect(run).toMatchObject({ exitCode: 0, sent: [] });
    expect(run.stderr).toContain(says);
  });

  test('is not sent what is empty', async () => {
    expect(await chatTyping(['\r', '   \r', '/exit\r'])).toMatchObject({ exitCode: 0, sent: [] });
  });

  test.each([
    { name: 'no connection', reply: down, says: 'connection refused' },
    { name: 'a token that is not accepted', reply: { status: 401, body: '' }, says: 'the token came from MOTIF_TOKEN' },
    { name: 'a service that fails', reply: { status: 500, body: { error: 'down' } }, says: 'the service said: down' },
    { name: 'a service outside its contract', reply: { body: 'x' }, says: 'the service answered 200, but' },
  ])('goes on after $name, and /retry sends the text again', async ({ reply, says }) => {
    const replies = replying();
    let turn = 0;
    const scripted: ScriptedService = {
      requests: replies.requests,
      send: (request, options) =>
        (turn += 1) === 2 ? replying({ two: reply }).send(request, options) : replies.send(request, options),
    };
    const run = await chatTyping(['one\r', 'two\r', '/retry\r'], [], { scripted });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\nre: two\n' });
    expect(run.stderr).toEqual(saying(says));
    expect(run.sent.at(-1)).toEqual([user('one'), assistant('re: one'), user('two')]);
  });

  test('gets the text of a failed turn back with Up, and with /edit', async () => {
    const scripted = replying({ one: down });
    const run = await chatTyping(['one\r', `${up} again\r`, 'one\r', '/edit\r', ' and again\r'], [], { scripted });
    expect(run.sent.map((messages) => messages.at(-1)?.content)).toEqual(['one', 'one again', 'one', 'one and again']);
  });

  test('changes a blocked text with /edit: the new one is sent, and the old one never again', async () => {
    const scripted = replying({ 'my card': { body: blocked } });
    const run = await chatTyping(['my card\r', '/edit\r', '\u0015my question\r'], [], { scripted });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: my question\n' });
    expect(run.sent).toEqual([[user('my card')], [user('my question')]]);
    expect(run.stderr).toEqual(saying('blocked by policy (motif support-bot', 'saved nowhere'));
    expect(Object.values(run.kept).join('')).not.toContain('my card');
  });

  test('stops a request with Ctrl-C and goes on', async () => {
    const scripted = stuck();
    const typed = async function* () {
      yield 'wait\r';
      await scripted.asked;
      yield* unhurried(['\u0003', 'one\r', leave]);
    };
    const run = await chatTyping([], [], { scripted, stdin: { typed: typed() } });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\n', signal: undefined });
    expect(run.stderr).toContain('stopped; Up or /edit brings the text back, /retry sends it');
    expect(run.sent).toEqual([[user('one')]]);
  });

  test('finds in a later run what was answered, and nothing that was blocked or began with a space', async () => {
    const scripted = replying({ secret: { body: blocked }, broken: down });
    const first = await chatTyping(['broken\r', 'one\r', 'secret\r', ' private\r', '/usage\r'], [], { scripted });
    const history = first.kept['input-history.jsonl'] ?? '';
    expect(history).toContain('one');
    for (const text of ['secret', 'broken', 'private', '/usage']) expect(history).not.toContain(text);
    const second = await chatTyping([`${up}!\r`], [], { after: first.world });
    expect(second.sent).toEqual([[user('one!')]]);
  });

  test.each([
    { name: '--no-save', argv: ['--no-save'] },
    { name: 'MOTIF_NO_HISTORY', env: { MOTIF_NO_HISTORY: '1' } },
  ])('leaves nothing behind with $name', async ({ argv = [], env = {} }) => {
    const run = await chatTyping(['one\r', 'two\r'], argv, { env });
    expect(run).toMatchObject({ exitCode: 0, kept: {} });
    expect(run.stderr).toContain('nothing of it is kept');
  });

  test('is told where a continued conversation stands', async () => {
    const first = await chatLines(['one'], [], { scripted: replying() });
    const run = await chatTyping(['two\r'], ['-c'], { after: first.world });
    expect(run.stderr).toContain('going on with "one" (1 turn)');
    expect(run.stderr).not.toContain('is saved in');
    expect(run.stderr).not.toContain('was with');
    expect(run.sent[0]).toHaveLength(3);
  });

  test.each([[['-c']], [['--conversation', 'one']]])(
    'is told before the first turn that %j goes on with another Motif, at a terminal and off it',
    async (which) => {
      const { world: after } = await chatLines(['one'], [], { scripted: replying() });
      const argv = [...which, '--motif', 'other-bot'];
      const runs = [
        await chatTyping([], argv, { after }),
        await chatLines([], argv, { after }),
        await chatTyping(['/load one\r'], argv.slice(-2), { after }),
      ];
      for (const { stderr, requests } of runs) {
        expect(stderr.match(/\(one\) was with support-bot, and goes on with\s+other-bot\n/g)).toHaveLength(1);
        expect(requests).toEqual([]);
      }
    },
  );

  test('is told once: what has gone on elsewhere goes on there without a word, in a copy as well', async () => {
    const { world: after } = await chatLines(['one'], [], { scripted: replying() });
    await chatLines(['two'], ['-c', '--motif', 'other-bot'], { after });
    for (const lines of [['three'], ['/fork copy', 'four'], ['five']]) {
      const { stderr } = await chatLines(lines, ['-c', '--motif', 'other-bot'], { after });
      expect(stderr).not.toContain('was with');
    }
    const back = await chatLines([], ['-c'], { after });
    expect(back.stderr).toContain('was with other-bot, and goes on with support-bot');
  });

  test.each(['/hepl\r', '/file nothing.md\r', '/load nobody\r', '/extract\r', '/profile nobody\r'])(
    'goes on after a mistake: %s',
    async (typed) => {
      const run = await chatTyping([typed, 'one\r'], []);
      expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\n' });
      expect(run.stderr).toMatch(/^motif: (?!talking|this)/m);
    },
  );
});

describe('who gets what', () => {
  test('an answer in a pipe is what was received, and the rest is on the terminal', async () => {
    const run = await chatTyping(['one\r'], [], { stdout: {} });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\n' });
    expect(run.stderr).toContain('talking to');
  });

  test('without a terminal for the draft, lines are turns', async () => {
    const typed = ['one\n', 'two\n'];
    const run = await chatTyping([], [], { stderr: {}, stdin: { typed } });
    expect(run).toMatchObject({ exitCode: 0, stdout: 're: one\nre: two\n' });
    expect(run.world.modes).toEqual([]);
    expect(run.stderr).not.toMatch(/\u001b|talking/);
  });

  test('-q says blocks and errors alone', async () => {
    const scripted = replying({ secret: { body: blocked }, broken: down });
    const run = await chatTyping(['one\r', 'secret\r', 'broken\r'], ['-q'], { scripted });
    expect(run.stderr).toEqual(saying('blocked by policy', 'connection refused'));
    expect(run.stderr).not.toMatch(/talking|tokens|saved/);
  });

  test('--json prints documents also at a terminal', async () => {
    const run = await chatTyping(['one\r'], ['--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, response: 're: one' });
  });

  test.each([
    { name: 'TERM=dumb', env: { TERM: 'dumb' }, argv: [], enter: '\n', modes: [] },
    { name: 'both', env: { TERM: 'dumb' }, argv: ['--accessible'], enter: '\n', modes: [] },
    { name: '--accessible', env: {}, argv: ['--accessible'], enter: '\r', modes: ['raw', 'cooked'] },
    { name: 'ACCESSIBLE=1', env: { ACCESSIBLE: '1' }, argv: [], enter: '\r', modes: ['raw', 'cooked'] },
  ])('nothing is redrawn with $name', async ({ env, argv, enter, modes }) => {
    const typed = enter === '\r' ? ['one\r', 'two\\', '\r', 'lines\r', leave] : ['one\n', 'two\\\n', 'lines\n'];
    const run = await chatTyping([], argv, { env, stdin: { typed: unhurried(typed) } });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.sent.map((messages) => messages.at(-1)?.content)).toEqual(['one', 'two\nlines']);
    expect((run.stdout + run.stderr).replace(/\u001b\[\?2004[hl]/g, '')).not.toMatch(/[\r\u001b]/);
    expect(run.world.modes).toEqual(modes);
  });

  test('with --accessible has a blocked text back with Up and /edit, and a paste is one message', async () => {
    const scripted = replying({ secret: { body: blocked } });
    const pasted = '\u001b[200~one\rtwo\rthree\r\u001b[201~';
    const typed = ['secret', '\r', up, '!', '\r', '/edit\r', '?', '\r', pasted, '\r'];
    const run = await chatTyping(typed, ['--accessible'], { scripted });
    expect(run.stderr).toMatch(/Up\s+or\s+\/edit brings the text back/);
    const texts = run.sent.map((messages) => messages.at(-1)?.content);
    expect(texts).toEqual(['secret', 'secret!', 'secret!?', 'one\ntwo\nthree\n']);
  });

  test('has lines broken between words on a narrow terminal', async () => {
    const run = await chatTyping(['one\r', '/help\r', '/messages\r'], [], { stderr: { columns: 40 } });
    expect(run.stderr).toMatch(/support-bot · tokens 3 \+ 4 = 7 · [^\n]*\n {2}\S/);
    expect(run.stderr).toContain('change\n  what was not answered, or the last\n  text\n');
    expect(run.stderr).toContain('2 messages, about 10 tokens, before what\n  you type next\n');
  });

  test('is told once what to do with a text that was not answered', async () => {
    const run = await chatTyping(['one\r', '/retry\r'], [], { scripted: replying({ one: down }) });
    expect(run.stderr.match(/Up or \/edit brings the text back, \/retry sends it/g)).toHaveLength(1);
  });

  test('with TERM=dumb is told of a line that the terminal has cut, which is not sent', async () => {
    const cut = ['x'.repeat(4095), `${'é'.repeat(2047)}\ufffd`, `a\n${'x'.repeat(4095)}`];
    const whole = [`${'x'.repeat(4094)}`, `${'x'.repeat(4094)}\nand more`];
    const typed = [...cut, ...whole].map((text) => `${text}\n`);
    const run = await chatTyping([], [], { env: { TERM: 'dumb' }, stdin: { typed: unhurried(typed) } });
    expect(run.sent.map((messages) => messages.at(-1)?.content)).toEqual(whole);
    expect(run.stderr.match(/drops the rest, so nothing\n {2}was sent\n/g)).toHaveLength(3);
  });

  test('with TERM=dumb sends no arrow key as text, and is not told of keys that are not there', async () => {
    const typed = ['one\u001b[D\u001bOA\u001b[1;5C\u001b[3~\n', 'two\u001b[A [D\n', 'lost\n'];
    const scripted = replying({ lost: down });
    const run = await chatTyping([], [], { scripted, env: { TERM: 'dumb' }, stdin: { typed: unhurried(typed) } });
    expect(run.sent.map((messages) => messages.at(-1)?.content)).toEqual(['one', 'two [D', 'lost']);
    expect(run.stderr.match(/what they typed is left out/g)).toHaveLength(1);
    expect(run.stderr).toContain('/edit shows the text, /retry sends it');
    expect(run.stderr).not.toContain('Up or');
  });
});

test('the terminal is put back whatever ends the chat', async () => {
  const ends = [await chatTyping(['one\r']), await chatTyping(['/exit\r']), await chatTyping(['\u0003', '\u0003'])];
  const scripted = stuck();
  const typed = async function* () {
    yield 'wait\r';
    await new Promise(() => {});
  };
  const run = chatTyping([], [], {
    scripted,
    stdin: { typed: typed() },
    prepare: (world) => void scripted.asked.then(() => world.interrupt('SIGTERM')),
  });
  expect(await run).toMatchObject({ signal: 'SIGTERM' });
  for (const { world } of [...ends, await run]) {
    expect(world.modes.at(-1)).toBe('cooked');
  }
});
