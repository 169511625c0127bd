/**
 * What a person did at the keyboard. A press is named by its modifiers and its key, in this order: `ctrl-alt-shift-left`;
 * a letter stands for itself (`ctrl-a`, `alt-b`), and the keys without a character are enter, tab, backspace, delete,
 * escape, space, left, right, up, down, home, end, page-up, page-down, insert and f1 to f20.
 */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  /** One paste, however long; its line breaks are LF. One that is too long is dropped whole, its text is empty. */
  | { readonly kind: 'paste'; readonly text: string; readonly isTooLong: boolean }
  | { readonly kind: 'press'; readonly name: string };
