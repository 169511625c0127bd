import { describe, expect, test } from 'vitest';
import { hiddenAnywhere, hiddenOutOfPlace, hostileTexts } from '../../fixtures/hostile-text.ts';
import { chatTyping, replying, unhurried } from '../../support/rooms/chat.ts';
import { answered, blocked, type Scripted, service } from '../../support/service.ts';

/** Nothing of ours is drawn and no colour is used, so that whatever is found came from somebody else. */
const plain = { TERM: 'dumb' };
const all = hostileTexts.map(({ text }) => text).join('\n\n');
const isHidden = (text: string) => hiddenAnywhere.test(text) || hiddenOutOfPlace.test(text);

/** Output for a person at a terminal on which nothing moves when these lines are typed. */
async function shownFor(lines: readonly string[], reply: Scripted, argv: readonly string[] = []): Promise<string> {
  const typed = unhurried(lines.map((line) => `${line}\n`));
  const run = await chatTyping([], argv, { env: plain, stdin: { typed }, scripted: service(reply) });
  expect(run.exitCode).toBe(0);
  return run.stdout + run.stderr;
}

const answering = (response: string): Scripted => ({ body: { ...answered, response } });

describe('what a service chose moves no cursor, names no window and reaches no clipboard', () => {
  test.each([
    { where: 'an answer', lines: ['hi'] },
    { where: 'an answer without Markdown', lines: ['hi'], argv: ['--raw'] },
    { where: 'the messages of a conversation', lines: ['hi', '/messages'] },
    { where: 'an export', lines: ['hi', '/export', '/export json', '/export messages'] },
  ])('$where', async ({ lines, argv = [] }) => {
    const shown = await shownFor(lines, answering(all), argv);
    expect(shown).toContain('before');
    expect(isHidden(shown)).toBe(false);
  });

  test('code blocks, and the languages that they name', async () => {
    const fenced = hostileTexts.map(({ text }) => `\`\`\`${text.replaceAll(/\s/g, '')}\n${text}\n\`\`\``).join('\n\n');
    const shown = await shownFor(['hi', '/extract', '/extract 5', '/extract 999'], answering(fenced));
    expect(shown).toContain('code blocks');
    expect(isHidden(shown)).toBe(false);
  });

  test.each([
    {
      field: 'finish_reason and prompt_id',
      reply: (text: string) => ({ ...answered, finish_reason: text, prompt_id: text }),
    },
    { field: 'those of a block', reply: (text: string) => ({ ...blocked, finish_reason: text, prompt_id: text }) },
  ])('$field', { timeout: 60_000 }, async ({ reply }) => {
    const some = hostileTexts.filter((_, index) => index % 5 === 0);
    for (const { text } of some) {
      expect(isHidden(await shownFor(['hi', '/usage'], { body: reply(text) }))).toBe(false);
    }
  });

  test.each([401, 404, 429, 500])('an error of a %i', { timeout: 60_000 }, async (status) => {
    const some = hostileTexts.filter((_, index) => index % 5 === 0);
    for (const { text } of some) {
      const shown = await shownFor(['hi', '/retry'], { status, body: { error: text } }, ['--retries', '0']);
      expect(isHidden(shown)).toBe(false);
    }
  });
});

test('nor does a text of the person, a title or the name of a file', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202e';
  const lines = [
    `hi ${evil}`,
    `/title ${evil}`,
    '/title',
    `/file ${evil}`,
    `/${evil}`,
    `/load ${evil}`,
    `/extract ${evil}`,
  ];
  const run = await chatTyping([], [], {
    env: plain,
    stdin: { typed: unhurried([...lines, '/messages', `/system ${evil}`, '/system'].map((line) => `${line}\n`)) },
    scripted: replying(),
  });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('\\u{1b}]0;owned');
  expect(isHidden(run.stdout + run.stderr)).toBe(false);
});

test('with the editor on, what reaches stdout is as harmless, and the title and clipboard stay', async () => {
  const run = await chatTyping(['hi\r', '/messages\r'], [], { scripted: service(answering(all)) });
  expect(isHidden(run.stdout)).toBe(false);
  expect(run.stderr).not.toMatch(/\u001b\]|\u001bP|\u001b_|\u009b|\u001b\[\?1049h/);
});
