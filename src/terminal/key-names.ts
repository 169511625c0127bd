const finals: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  M: 'enter',
  Z: 'shift-tab',
};
/** Some terminals have small letters for the same keys with Ctrl. */
const smallFinals: Readonly<Record<string, string>> = { a: 'ctrl-up', b: 'ctrl-down', c: 'ctrl-right', d: 'ctrl-left' };
const numbers: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
};
const functionKeys = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34];
const codes: Readonly<Record<string, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57414: 'enter',
};
const controls: Readonly<Record<string, string>> = {
  '\0': 'ctrl-space',
  '\b': 'backspace',
  '\t': 'tab',
  '\r': 'enter',
  '\u001b': 'escape',
  '\u007f': 'backspace',
};
const releaseEvent = '3';

interface Found {
  readonly press?: string;
  readonly text?: string;
}

/** The press that one control character stands for. */
export function controlName(character: string): string {
  return controls[character] ?? `ctrl-${String.fromCharCode(character.charCodeAt(0) | 0x40).toLowerCase()}`;
}

/** The same key with Alt, which a terminal says by an escape character before it. */
export function withAlt(name: string): string {
  return name.startsWith('ctrl-') ? `ctrl-alt-${name.slice('ctrl-'.length)}` : `alt-${name}`;
}

/**
 * The key of a CSI or SS3 sequence with these parameters and this final: a press, a character where a keyboard protocol
 * spells those as well, or undefined for what no key sends.
 */
export function sequenceName(parameters: string, final: string): Found | undefined {
  const [key = '', modifier = '', third = ''] = parameters.split(';');
  const [state = '', event] = modifier.split(':');
  if (event === releaseEvent) return undefined;
  if (final === 'u') return spelled(Number(key.split(':')[0]), Number(state || 1));
  if (final === '~' && key === '27') return spelled(Number(third), Number(state || 1));
  const name = final === '~' || final === '^' ? numbered(key) : (finals[final] ?? smallFinals[final]);
  if (name === undefined) return undefined;
  return { press: modified(final === '^' ? 5 : Number(state || 1), name) };
}

function numbered(key: string): string | undefined {
  const index = functionKeys.indexOf(Number(key));
  return numbers[key] ?? (index === -1 ? undefined : `f${index + 1}`);
}

function spelled(code: number, state: number): Found | undefined {
  const name = codes[code];
  if (name !== undefined && !(name === 'space' && state <= 2)) return { press: modified(state, name) };
  // Beyond Unicode's blocks for characters lie the names of keys that have none.
  const isCharacter = code >= 32 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xf8ff);
  if (!isCharacter) return undefined;
  const character = String.fromCodePoint(code);
  if (((state - 1) & 6) === 0) return { text: state === 2 ? character.toUpperCase() : character };
  // The effect of Shift on a character depends on the keyboard; with Ctrl or Alt the character alone is the key.
  return { press: modified(((state - 1) & ~1) + 1, character.toLowerCase()) };
}

/** A terminal sends one more than the sum of shift 1, alt 2 and ctrl 4; other keys that are held change nothing. */
function modified(state: number, name: string): string {
  const bits = state - 1;
  const ctrl = (bits & 4) !== 0 ? 'ctrl-' : '';
  const alt = (bits & 2) !== 0 ? 'alt-' : '';
  const shift = (bits & 1) !== 0 && !name.startsWith('shift-') ? 'shift-' : '';
  return name.startsWith('ctrl-') ? name : ctrl + alt + shift + name;
}
