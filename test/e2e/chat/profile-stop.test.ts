import { expect, test } from 'vitest';
import { chatService, homeFor } from '../../support/servers/chat-service.ts';
import { motifOnPty, noPty } from '../../support/terminals/pty.ts';

test.skipIf(noPty)(`Ctrl-C ends the wait for another profile's token command ${noPty ?? ''}`, async () => {
  const home = homeFor(await chatService());
  const command = '[ -e "$HOME/slow" ] && sleep 60; echo mtf_test_other';
  const login = ['login', 'https://gw.example/api/v1/apps/other', '-p', 'other', '--no-verify'];
  expect(await home.motif([...login, '--token-command', command])).toMatchObject({ code: 0 });
  const chat = motifOnPty(['chat', '--no-save'], { env: { ...home.env, EDITOR: 'touch "$HOME/slow"; true' } });
  await chat.says('Ctrl-D leaves');
  // The editor makes the command slow, and leaves the text as it was.
  chat.type('/profile other\u000f');
  await chat.says(/\/profile other[^]*\/profile other/);
  chat.type('\r');
  await chat.says('waiting for the token command');
  chat.type('\u0003');
  await chat.says('the token command of profile other was stopped');
  chat.type('hello\r');
  await chat.says('Heard: hello');
  chat.type('\u0004');
  expect(await chat.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
});
