import type { Draft } from './draft.ts';
import type { KeyAction } from './keymap.ts';
import type { MotionName } from './motions.ts';

const movements: Partial<Record<KeyAction, MotionName>> = {
  left: 'left',
  right: 'right',
  'word-left': 'word-left',
  'word-right': 'word-right',
  'line-start': 'line-start',
  'line-end': 'line-end',
  'draft-start': 'draft-start',
  'draft-end': 'draft-end',
};
const erasures: Partial<Record<KeyAction, MotionName>> = { 'erase-left': 'left', 'erase-right': 'right' };
const cuts: Partial<Record<KeyAction, MotionName>> = {
  'cut-blank-left': 'blank-left',
  'cut-word-left': 'word-left',
  'cut-word-right': 'word-right',
  'cut-to-start': 'to-line-start',
  'cut-to-end': 'to-line-end',
};
const backwards: ReadonlySet<KeyAction> = new Set(['cut-blank-left', 'cut-word-left', 'cut-to-start']);
const keptCutsMax = 16;

/** The keys that need nothing but the draft, and what was cut from this draft and those before it. */
export class DraftKeys {
  readonly #cut: string[] = [];
  /** The action of the key before, for cuts that belong together and for putting back an older one. */
  #before: KeyAction | undefined;
  #age = 0;

  /** False if this is none of them; `tooLong` if there is no room for what was to be put in. */
  press(action: KeyAction, draft: Draft): boolean | 'too-long' {
    const movement = movements[action];
    const erasure = erasures[action];
    const cut = cuts[action];
    const before = this.#before;
    this.#before = action;
    if (movement !== undefined) draft.move(movement);
    else if (erasure !== undefined) draft.erase(erasure);
    else if (cut !== undefined) this.#keep(draft.erase(cut), action, before);
    else if (action === 'swap') draft.swap();
    else if (action === 'undo') draft.undo();
    else if (action === 'new-line') return draft.insert('\n') || 'too-long';
    else if (action === 'put-back') return this.#putBack(draft);
    else if (action === 'put-older') return this.#putOlder(draft, before);
    else return false;
    return true;
  }

  /** Something else was done: what is cut next is a piece of its own. */
  rest(): void {
    this.#before = undefined;
  }

  #keep(text: string, action: KeyAction, before: KeyAction | undefined): void {
    if (text === '') return;
    const last = before !== undefined && before in cuts ? this.#cut.pop() : undefined;
    this.#cut.push(backwards.has(action) ? text + (last ?? '') : (last ?? '') + text);
    if (this.#cut.length > keptCutsMax) this.#cut.shift();
  }

  #putBack(draft: Draft): boolean | 'too-long' {
    this.#age = 1;
    return draft.insert(this.#cut.at(-1) ?? '') || 'too-long';
  }

  /** Puts back the cut before the last one, in its place and right after it was put back. */
  #putOlder(draft: Draft, before: KeyAction | undefined): boolean | 'too-long' {
    if ((before !== 'put-back' && before !== 'put-older') || this.#cut.length === 0) {
      this.#before = undefined;
      return true;
    }
    draft.undo();
    this.#age = (this.#age % this.#cut.length) + 1;
    return draft.insert(this.#cut.at(-this.#age)!) || 'too-long';
  }
}
