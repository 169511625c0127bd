import { describe, expect, test } from 'vitest';
import { chatService, homeFor } from '../../support/servers/chat-service.ts';
import { motifOnPty, noPty } from '../../support/terminals/pty.ts';

const line = 'one of very many lines in **bold**\n';
const answer = line.repeat(300_000);

describe.skipIf(noPty)(`Ctrl-C while a long answer runs over the terminal ${noPty ?? ''}`, () => {
  test.each(['xterm-256color', 'dumb'])(
    'TERM=%s: it ends what is shown, the chat goes on, and the answer stays',
    async (TERM) => {
      const service = await chatService((text) => (text === 'long' ? answer : 'short'));
      const home = homeFor(service);
      const chat = motifOnPty(['chat'], { env: { ...home.env, TERM } });
      await chat.says('Ctrl-D leaves');
      chat.type('long\r');
      await chat.says('one of very many');
      chat.type('\u0003');
      await chat.says('stopped; the whole answer is part of the conversation');
      expect(chat.shown().length).toBeLessThan(answer.length / 2);
      const before = chat.shown().length;
      chat.type('next\r');
      await chat.says('short', before);
      expect(service.messages().at(-1)?.[1]?.content).toBe(answer);
      chat.type('/messages\r');
      await chat.says('one of very many', chat.shown().length);
      chat.type('\u0003');
      chat.type('\u0004');
      expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
      expect(chat.shown().length).toBeLessThan(answer.length);
    },
  );
});
