import { about, object, whole } from '../../../documents/shape.ts';
import { policyKind } from '../policy.ts';

/** Finds all that is said beyond so many characters, so that no provider is paid for it. */
export const length = policyKind({
  isPure: true,
  rules: /^length$/,
  options: object({ max_chars: about('characters that a message may have', whole(1, 2 ** 31)) }, {}),
  create: ({ max_chars: charactersMax }) => ({
    detect: function length({ sent }) {
      const start = indexOfCharacter(sent, charactersMax);
      return start < sent.length ? [{ rule: 'length', start, length: sent.length - start, seen: '' }] : [];
    },
    readsSentAlone: true,
  }),
});

/** Characters as a person counts them are at most as many as UTF-16 units, so most texts need no counting. */
function indexOfCharacter(text: string, count: number): number {
  if (text.length <= count) return text.length;
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left--) index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return index;
}
