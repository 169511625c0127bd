import { describe, expect, test } from 'vitest';
import { chatService, homeFor } from '../../support/servers/chat-service.ts';
import { motifOnPty, noPty } from '../../support/terminals/pty.ts';

/** Two ends are right, for the system decides what comes first: the signal, or the end of what is typed. */
const ways = [
  { code: 0, signal: null },
  { code: null, signal: 'SIGHUP' },
];

describe.skipIf(noPty)(`a terminal that goes away under an idle chat ${noPty ?? ''}`, () => {
  test.each(['xterm-256color', 'dumb'])(
    'TERM=%s: motif ends, and leaves neither a crash nor a core dump with what was said',
    async (TERM) => {
      const home = homeFor(await chatService());
      const chat = motifOnPty(['chat'], { env: { ...home.env, TERM } });
      await chat.says('Ctrl-D leaves');
      chat.type('hello\r');
      await chat.says('Heard: hello');
      await chat.says('is saved in');
      chat.hangUp();
      const { code, signal } = await chat.ended;
      expect(ways).toContainEqual({ code, signal });
    },
  );
});
