import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { start } from '../../support/processes/child.ts';
import { createHome, type Home } from '../../support/processes/home.ts';
import { filesBelow, filesHolding } from '../../support/rooms/login.ts';
import { testedNode } from '../../support/processes/program.ts';
import { missingPrograms } from '../../support/processes/programs.ts';

const token = 'mtf_canary_8Kd03JsQpXz1';
const address = 'https://gw.example/api/v1/apps/bot';
const noPty = missingPrograms('script', 'stty');

interface Typed {
  readonly after: string;
  readonly keys: string;
}

/** Types into a login on a real terminal, each time once the words before it are shown; returns all that was shown. */
async function typeInto(home: Home, words: readonly string[], typed: readonly Typed[]) {
  const login = [testedNode, resolve('bin/motif.js'), 'login', ...words].map((word) => `'${word}'`).join(' ');
  const line = `stty sane; trap : INT; ${login}; echo "[code $?]"; stty -a`;
  const running = start('script', ['-qec', `sh -c '${line.replaceAll("'", "'\\''")}'`, '/dev/null'], {
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', ...home.env },
  });
  for (const { after, keys } of typed) {
    await running.says(after);
    running.process.stdin?.write(keys);
  }
  await running.says('[code');
  running.process.stdin?.end();
  return (await running.ended).stdout;
}

const hidden = 'not shown';
const offline = [address, '--no-verify', '--token-store', 'file'];

describe.skipIf(noPty)(`the hidden prompt on a real terminal ${noPty ?? ''}`, () => {
  test.each([
    ['Enter', `${token}\r`],
    ['a paste in brackets and Enter', `\u001b[200~${token}\u001b[201~\r`],
    ['a mistake that is rubbed out', `${token}xy\u007f\u007f\r`],
    ['a line that is thrown away by Ctrl-U', `wrong\u0015${token}\r`],
  ])('a token with %s is stored, and no character of it is shown', async (_name, keys) => {
    const home = createHome();
    const shown = await typeInto(home, offline, [{ after: hidden, keys }]);
    expect(shown).toContain('[code 0]');
    expect(shown).not.toContain(token.slice(0, 6));
    expect(shown).not.toContain(token.slice(-4));
    const [path = ''] = filesHolding(home.config, token);
    expect(filesBelow(home.config).find((file) => file.path === path)?.text).toContain(`"${token}"`);
    expect(shown).toMatch(/\becho\b/);
    expect(shown).not.toMatch(/-echo\b|-icanon\b/);
  });

  test('address, then token: both are asked for', async () => {
    const home = createHome();
    const shown = await typeInto(
      home,
      ['--no-verify', '--token-store', 'file'],
      [
        { after: 'Address', keys: `${address}\n` },
        { after: hidden, keys: `${token}\r` },
      ],
    );
    expect(shown).toContain('[code 0]');
    expect(filesHolding(home.config, token)).toHaveLength(1);
  });

  test.each([
    ['Ctrl-C', '\u0003', '130'],
    ['Ctrl-C after half a token', `${token.slice(0, 12)}\u0003`, '130'],
    ['Ctrl-D', '\u0004', '2'],
  ])('%s stores nothing, and the terminal echoes again', async (_name, keys, code) => {
    const home = createHome();
    const shown = await typeInto(home, offline, [{ after: hidden, keys }]);
    expect(shown).toContain(`[code ${code}]`);
    expect(shown).not.toMatch(/-echo\b|-icanon\b/);
    expect(shown).not.toContain(token.slice(0, 12));
    expect(filesBelow(home.home)).toEqual([]);
  });
});
