export type LineEnd = 'entered' | 'interrupted' | 'ended';

interface HiddenLine {
  /** Undefined until a key ends the line. */
  feed(keys: string): LineEnd | undefined;
  text(): string;
}

/** More than any token; what is typed beyond it is dropped, and the value is refused for its length anyway. */
const charactersMax = 65_536;
const sequenceCharactersMax = 16;

/**
 * The line editing that a terminal in raw mode leaves to us: Backspace, Ctrl-U, Ctrl-C, Ctrl-D. Other keys do nothing,
 * and their escape sequences may arrive in pieces. Between paste markers everything but Ctrl-C is content, line breaks
 * too.
 */
export function createHiddenLine(): HiddenLine {
  const typed: string[] = [];
  /** The characters after an escape so far. */
  let sequence: string | undefined;
  let isPasting = false;

  function follow(key: string): void {
    sequence += key;
    if (sequence === '[' || sequence === 'O') return;
    if (sequence!.startsWith('[') && !/[@-~]/.test(key) && sequence!.length < sequenceCharactersMax) return;
    if (sequence === '[200~') isPasting = true;
    if (sequence === '[201~') isPasting = false;
    sequence = undefined;
  }

  function press(key: string): LineEnd | undefined {
    if (key === '\u0003') return 'interrupted';
    if (isPasting) add(key);
    else if (key === '\r' || key === '\n') return 'entered';
    else if (key === '\u0004') return typed.length === 0 ? 'ended' : undefined;
    else if (key === '\u007f' || key === '\b') typed.pop();
    else if (key === '\u0015') typed.length = 0;
    else if (key > '\u001f') add(key);
    return undefined;
  }

  function add(key: string): void {
    if (typed.length < charactersMax) typed.push(key);
  }

  return {
    feed(keys) {
      for (const key of keys) {
        if (key === '\u001b') sequence = '';
        else if (sequence !== undefined && key > '\u001f') follow(key);
        else {
          sequence = undefined;
          const end = press(key);
          if (end !== undefined) return end;
        }
      }
      return undefined;
    },
    text: () => typed.join(''),
  };
}
