import { MotifError } from '../../errors.ts';
import type { World } from '../../world/world.ts';

interface Clipboard {
  readonly command: string;
  readonly args: readonly string[];
  readonly isThere: (world: World) => boolean;
}

const isSet = (variable: string | undefined): boolean => variable !== undefined && variable !== '';

/** In the order they are tried; each needs the display that it belongs to. */
const clipboards: readonly Clipboard[] = [
  { command: 'pbcopy', args: [], isThere: ({ platform }) => platform === 'darwin' },
  { command: 'wl-copy', args: [], isThere: ({ env }) => isSet(env.WAYLAND_DISPLAY) },
  { command: 'xclip', args: ['-selection', 'clipboard'], isThere: ({ env }) => isSet(env.DISPLAY) },
  { command: 'xsel', args: ['--clipboard', '--input'], isThere: ({ env }) => isSet(env.DISPLAY) },
];

const programTimeoutMs = 3000;
/** Terminals take a sequence of about 100 kB at most, which base64 makes of three quarters of it. */
const sequenceBytesMax = 74_000;

/** Hands the text to a program of the desktop, else to the terminal itself, and tells which. */
export async function copyText(text: string, world: World): Promise<string> {
  for (const { command, args, isThere } of clipboards) {
    if (!isThere(world)) continue;
    const { code } = await world.run({ command, args, stdin: text, timeoutMs: programTimeoutMs });
    if (code === 0) return `copied with ${command}`;
  }
  const size = Buffer.byteLength(text);
  const { stderr, env } = world;
  if (!stderr.isTerminal || env.TERM === 'dumb' || size > sequenceBytesMax) {
    const why = size > sequenceBytesMax && stderr.isTerminal ? '; it is too long for the terminal to take it' : '';
    throw new MotifError('io', `there is no clipboard to copy to${why}`, {
      hint: 'install wl-copy, xclip or xsel; or write it into a file: /export markdown FILE',
    });
  }
  // The one control sequence that reaches the terminal's clipboard is written here, and base64 can hold no other.
  await stderr.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  return 'handed to the terminal to copy (OSC 52); not every terminal does';
}
