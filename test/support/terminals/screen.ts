import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { missingPrograms } from '../processes/programs.ts';

/** The reason to skip tests of a screen; undefined where tmux is installed. */
export const noScreen = missingPrograms('tmux');

export interface Screen {
  /** The lines that a person sees, without the blanks at their ends. */
  seen(): Promise<readonly string[]>;
  /** The same with all that has scrolled out at the top. */
  seenEver(): Promise<readonly string[]>;
  /** Resolves with the screen once it holds this. */
  shows(text: string | RegExp): Promise<string>;
  /** Types text as it is, or keys by tmux's names of them. */
  type(text: string): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** The column and the row of the cursor, counted from 0. */
  cursor(): Promise<readonly [number, number]>;
  title(): Promise<string>;
}

interface ScreenSetup {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

const run = promisify(execFile);
const patienceMs = 40_000;

/** Runs a command in a terminal that can be looked at, under a tmux server of its own. */
export async function openScreen(command: readonly string[], setup: ScreenSetup): Promise<Screen> {
  const { folder, env, columns = 80, rows = 24 } = setup;
  const server = ['-S', join(folder, 'tmux.sock'), '-f', '/dev/null'];
  const tmux = async (...words: readonly string[]): Promise<string> => {
    const options = { env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' } };
    return (await run('tmux', [...server, ...words], options)).stdout;
  };
  const words = Object.entries({ PATH: process.env.PATH, LANG: 'C.UTF-8', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const within = ['env', '-i', 'TERM=tmux-256color', ...words, ...command];
  const size = ['-x', `${columns}`, '-y', `${rows}`];
  await tmux(
    '-u',
    'new-session',
    '-d',
    ...size,
    ...within,
    ';',
    'set',
    '-g',
    'remain-on-exit',
    'on',
    ';',
    'set',
    '-g',
    'status',
    'off',
    ';',
    'set',
    '-g',
    'history-limit',
    '50000',
    ';',
    'set',
    '-g',
    'window-size',
    'manual',
  );
  onTestFinished(async () => void (await tmux('kill-server').catch(() => '')));
  await tmux('resize-window', ...size);
  const capture = async (...more: readonly string[]): Promise<readonly string[]> => {
    const text = await tmux('capture-pane', '-p', ...more);
    return text.replace(/\n$/, '').split('\n');
  };
  return {
    seen: () => capture(),
    seenEver: () => capture('-S', '-'),
    async shows(wanted) {
      const giveUpAt = Date.now() + patienceMs;
      for (;;) {
        const text = (await capture()).join('\n');
        if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return text;
        if (Date.now() > giveUpAt) throw new Error(`never showed ${String(wanted)}:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async type(text) {
      await tmux('send-keys', '-l', '--', text);
    },
    async press(...keys) {
      await tmux('send-keys', '--', ...keys);
    },
    async paste(text) {
      await tmux('set-buffer', '--', text, ';', 'paste-buffer', '-p', '-r');
    },
    async resize(width, height) {
      await tmux('resize-window', '-x', `${width}`, '-y', `${height}`);
    },
    async cursor() {
      const [x = '', y = ''] = (await tmux('display-message', '-p', '#{cursor_x} #{cursor_y}')).trim().split(' ');
      return [Number(x), Number(y)];
    },
    title: async () => (await tmux('display-message', '-p', '#{pane_title}')).trim(),
  };
}
