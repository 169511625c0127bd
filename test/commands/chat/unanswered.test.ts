import { describe, expect, test } from 'vitest';
import { chatTyping, replying, stuck, user } from '../../support/rooms/chat.ts';
import { blocked, refused, service } from '../../support/service.ts';

const down = refused({ transient: false });
const up = '\u001b[A';

describe('who leaves with a text that was not answered', () => {
  const comesBack = 'the text that was not answered comes back with Up in the next chat\n';

  test('has it with Up in the next chat, and it stays kept once it was answered', async () => {
    const first = await chatTyping(['/one\u0015', '//one\r'], [], { scripted: replying({ '/one': down }) });
    expect(first.stderr).toContain(comesBack);
    const second = await chatTyping([`${up}\r`], [], { after: first.world });
    expect(second.sent).toEqual([[user('/one')]]);
    expect(second.kept['input-history.jsonl']).toBe('"//one"\n');
    expect(second.stderr).not.toContain('not answered comes back');
  });

  test.each([
    { name: 'stopped by the person', typed: ['wait\r', '\u0003'], scripted: stuck() },
    { name: 'taken back', typed: ['one\r', '/undo\r'], scripted: replying({ one: down }) },
    { name: 'blocked', typed: ['one\r'], scripted: replying({ one: { body: blocked } }) },
    { name: 'answered by /retry', typed: ['one\r', '/retry\r'], scripted: service(down, {}) },
    { name: 'blocked by /retry', typed: ['one\r', '/retry\r'], scripted: service(down, { body: blocked }) },
  ])('is told nothing of one that was $name', async ({ typed, scripted }) => {
    const run = await chatTyping(typed, [], { scripted });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).not.toContain('the text that was not answered comes back');
    if (scripted.requests.length < 2) expect(run.kept['input-history.jsonl'] ?? '').toBe('');
  });

  test('has it in no file any more once it was blocked in a later chat', async () => {
    const failing = replying({ secret: down });
    const first = await chatTyping(['one\r', 'secret\r'], [], { scripted: failing });
    expect(first.kept['input-history.jsonl']).toBe('"one"\n"secret"\n');
    const scripted = replying({ secret: { body: blocked } });
    const second = await chatTyping([`${up}\r`], [], { after: first.world, scripted });
    expect(second.sent).toEqual([[user('secret')]]);
    expect(second.kept['input-history.jsonl']).toBe('"one"\n');
  });

  test('is told that it is not kept where nothing is', async () => {
    const run = await chatTyping(['one\r'], ['--no-save'], { scripted: replying({ one: down }) });
    expect(run.stderr).toContain('the text that was not answered is not kept for a later chat\n');
    expect(run.kept).toEqual({});
  });
});

test('a text that failed and was answered by /retry is there in a later chat', async () => {
  const run = await chatTyping(['one\r', '/retry\r'], [], { scripted: service(down, {}) });
  expect(run.kept['input-history.jsonl']).toBe('"one"\n');
});

test.each([
  { name: 'no connection', reply: down, says: true },
  { name: 'a token that is not accepted', reply: { status: 401, body: '' }, says: true },
  { name: 'a service that fails', reply: { status: 500, body: '' }, says: false },
])('$name: is told once, if ever, how what is mended elsewhere comes to count here', async ({ reply, says }) => {
  const run = await chatTyping(['one\r', '/retry\r'], [], { scripted: replying({ one: reply }) });
  expect(run.stderr.match(/read at the start of the chat/g) ?? []).toHaveLength(says ? 1 : 0);
});

test('a system message that is blocked stands in no file, and the person is told that it may be the cause', async () => {
  const scripted = service({}, { body: blocked });
  const run = await chatTyping(['one\r', '/system secret words\r', 'two\r'], [], { scripted });
  expect(run.sent[1]?.[0]).toEqual({ role: 'system', content: 'secret words' });
  expect(run.stderr.replace(/\n +/g, ' ')).toContain(
    'the cause may also be the system message (/system), which goes with the next text as well\n',
  );
  expect(JSON.stringify(run.kept)).not.toContain('secret words');
});
