/** The action of a key: `draft-keys.ts` has those that only change the draft; the others are for each editor to do. */
export type KeyAction =
  | 'send'
  | 'new-line'
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'draft-start'
  | 'draft-end'
  | 'up'
  | 'down'
  | 'erase-left'
  | 'erase-right'
  | 'cut-word-left'
  | 'cut-blank-left'
  | 'cut-word-right'
  | 'cut-to-start'
  | 'cut-to-end'
  | 'put-back'
  | 'put-older'
  | 'swap'
  | 'undo'
  | 'complete'
  | 'search'
  | 'search-newer'
  | 'redraw'
  | 'elsewhere'
  | 'suspend'
  | 'interrupt'
  | 'leave-or-erase';

interface KeyRow {
  readonly action: KeyAction;
  /** As the keyboard names them; the first ones are what people are told. */
  readonly names: readonly string[];
  /** The keys as written for people, and their action; rows without are told with another. */
  readonly keys?: string;
  readonly says?: string;
}

/** The keys of the editor: what is pressed, what happens, and how help and README say it. */
export const keyTable: readonly KeyRow[] = [
  { action: 'send', names: ['enter'], keys: 'Enter', says: 'send' },
  {
    action: 'new-line',
    names: ['ctrl-j', 'alt-enter', 'shift-enter', 'ctrl-enter'],
    keys: 'Ctrl-J, Alt-Enter, Shift-Enter, \\ Enter',
    says: 'a new line (Shift-Enter where the terminal tells it from Enter)',
  },
  { action: 'left', names: ['left', 'ctrl-b'], keys: 'Left Right, Ctrl-B Ctrl-F', says: 'a character back, forward' },
  { action: 'right', names: ['right', 'ctrl-f'] },
  {
    action: 'word-left',
    names: ['ctrl-left', 'alt-left', 'alt-b'],
    keys: 'Ctrl-Left Ctrl-Right, Alt-B Alt-F',
    says: 'a word back, forward',
  },
  { action: 'word-right', names: ['ctrl-right', 'alt-right', 'alt-f'] },
  { action: 'line-start', names: ['home', 'ctrl-a'], keys: 'Home End, Ctrl-A Ctrl-E', says: 'start, end of the line' },
  { action: 'line-end', names: ['end', 'ctrl-e'] },
  { action: 'draft-start', names: ['ctrl-home', 'alt-<'], keys: 'Ctrl-Home Ctrl-End', says: 'start, end of the text' },
  { action: 'draft-end', names: ['ctrl-end', 'alt->'] },
  {
    action: 'up',
    names: ['up', 'ctrl-p'],
    keys: 'Up Down, Ctrl-P Ctrl-N',
    says: 'a line up, down; at the edge, what was typed before',
  },
  { action: 'down', names: ['down', 'ctrl-n'] },
  { action: 'erase-left', names: ['backspace', 'shift-backspace'] },
  { action: 'erase-right', names: ['delete'] },
  {
    action: 'cut-blank-left',
    names: ['ctrl-w'],
    keys: 'Ctrl-W, Alt-Backspace, Alt-D',
    says: 'cut back to a blank, a word back, a word forward',
  },
  { action: 'cut-word-left', names: ['alt-backspace', 'ctrl-backspace'] },
  { action: 'cut-word-right', names: ['alt-d', 'alt-delete', 'ctrl-delete'] },
  {
    action: 'cut-to-start',
    names: ['ctrl-u'],
    keys: 'Ctrl-U, Ctrl-K',
    says: 'cut to the start, to the end of the line',
  },
  { action: 'cut-to-end', names: ['ctrl-k'] },
  {
    action: 'put-back',
    names: ['ctrl-y'],
    keys: 'Ctrl-Y, Alt-Y',
    says: 'put in what was cut; then, what was cut before',
  },
  { action: 'put-older', names: ['alt-y'] },
  { action: 'swap', names: ['ctrl-t'], keys: 'Ctrl-T', says: 'swap two characters' },
  { action: 'undo', names: ['ctrl-_', 'ctrl-/'], keys: 'Ctrl-_', says: 'undo' },
  { action: 'complete', names: ['tab'], keys: 'Tab', says: 'complete a command, path, profile or conversation' },
  {
    action: 'search',
    names: ['ctrl-r'],
    keys: 'Ctrl-R, Ctrl-S',
    says: 'search what was typed: older, newer; Enter takes it',
  },
  { action: 'search-newer', names: ['ctrl-s'] },
  { action: 'elsewhere', names: ['ctrl-o'], keys: 'Ctrl-O', says: 'write in $VISUAL or $EDITOR' },
  { action: 'redraw', names: ['ctrl-l'], keys: 'Ctrl-L', says: 'clear the screen' },
  { action: 'suspend', names: ['ctrl-z'], keys: 'Ctrl-Z', says: 'back to the shell; fg returns' },
  {
    action: 'interrupt',
    names: ['ctrl-c', 'ctrl-alt-c'],
    keys: 'Ctrl-C',
    says: 'stop a request or answer; clear the text; twice on an empty line, leave',
  },
  { action: 'leave-or-erase', names: ['ctrl-d'], keys: 'Ctrl-D', says: 'on an empty line, leave' },
];

const actions: ReadonlyMap<string, KeyAction> = new Map(
  keyTable.flatMap(({ action, names }) => names.map((name) => [name, action] as const)),
);

export function actionOf(press: string): KeyAction | undefined {
  return actions.get(press);
}
