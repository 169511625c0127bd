import { describe, expect, test } from 'vitest';
import { copyText } from '../../../src/commands/chat/clipboard.ts';
import type { MotifError } from '../../../src/errors.ts';
import type { Child } from '../../../src/world/world.ts';
import { terminal } from '../../support/rooms/prompt.ts';
import { fakeWorld, type WorldSetup } from '../../support/world.ts';

const works = (...names: readonly string[]) => ({
  run: ({ command }: Child) =>
    names.includes(command)
      ? { code: 0, stdout: '', stderr: '' }
      : { code: null, stdout: '', stderr: '', failure: 'not-found' as const },
});

describe('/copy hands the text to', () => {
  test.each([
    { to: 'pbcopy', setup: { platform: 'darwin', ...works('pbcopy') } },
    { to: 'wl-copy', setup: { env: { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, ...works('wl-copy', 'xclip') } },
    { to: 'xclip', setup: { env: { DISPLAY: ':0' }, ...works('wl-copy', 'xclip', 'xsel') } },
    { to: 'xsel', setup: { env: { DISPLAY: ':0' }, ...works('xsel') } },
  ] satisfies readonly { to: string; setup: WorldSetup }[])('$to', async ({ to, setup }) => {
    const world = fakeWorld({ stderr: terminal, ...setup });
    expect(await copyText('text', world)).toBe(`copied with ${to}`);
    expect(world.ran.at(-1)).toMatchObject({ command: to, stdin: 'text' });
    expect(world.stderr.text).toBe('');
  });

  test('the terminal, in the one sequence that motif writes itself, whatever the text holds', async () => {
    const world = fakeWorld({ stderr: terminal });
    const text = 'evil \u001b]52;c;aGk=\u0007 \u001b[2J';
    expect(await copyText(text, world)).toContain('OSC 52');
    expect(world.ran).toEqual([]);
    const [, base64 = ''] = /^\u001b\]52;c;([A-Za-z0-9+/=]+)\u0007$/.exec(world.stderr.text) ?? [];
    expect(Buffer.from(base64, 'base64').toString()).toBe(text);
  });

  test.each([
    { name: 'no terminal', setup: {}, text: 'x' },
    { name: 'a dumb one', setup: { stderr: terminal, env: { TERM: 'dumb' } }, text: 'x' },
    { name: 'more than a terminal takes', setup: { stderr: terminal }, text: 'x'.repeat(80_000) },
  ] satisfies readonly { name: string; setup: WorldSetup; text: string }[])(
    'nobody: $name',
    async ({ setup, text }) => {
      const world = fakeWorld(setup);
      const failure = await copyText(text, world).catch((error: unknown) => error as MotifError);
      expect(failure).toMatchObject({ kind: 'io', hints: [expect.stringContaining('/export markdown FILE')] });
      expect(world.stderr.text).toBe('');
    },
  );
});
