import { readOptions } from '../options.ts';
import { PolicyFault, type PolicyKind } from '../policy.ts';

/** Objects to all that is said beyond so many characters, before a provider is paid for it. */
export const length: PolicyKind = {
  isPure: true,
  create(options, at) {
    const charactersMax = readOptions(options, at, ['max_chars']).integer('max_chars', 1);
    if (charactersMax === undefined) throw new PolicyFault(`${at} needs max_chars, a whole number from 1`);
    return {
      detect: function length({ sent }) {
        const start = indexOfCharacter(sent, charactersMax);
        return start < sent.length ? [{ rule: 'length', start, length: sent.length - start, seen: '' }] : [];
      },
    };
  },
};

/** Characters as a person counts them are at most as many as UTF-16 units, so most texts need no counting. */
function indexOfCharacter(text: string, count: number): number {
  if (text.length <= count) return text.length;
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left--) index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return index;
}
