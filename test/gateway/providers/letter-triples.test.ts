import { expect, test } from 'vitest';
import { hexRun, LetterTriples } from '../../../src/gateway/providers/letter-triples.ts';

const bytes = Buffer.from('sk-0Xp0@ 42').toString('hex').match(/../g)!;

test.each([
  { name: 'in a row', text: `is ${bytes.join('')}.`, is: true },
  { name: 'in capital letters with signs between them', text: bytes.join(' : ').toUpperCase(), is: true },
  { name: 'each with 0x', text: bytes.map((byte) => `0x${byte}`).join(', '), is: true },
  { name: 'each with \\x', text: bytes.map((byte) => `\\x${byte}`).join(''), is: true },
  { name: 'some with x', text: bytes.map((byte, at) => (at % 3 === 0 ? `x${byte}` : byte)).join('-'), is: true },
  // Whoever has every byte repeated must not have each secret of a file looked for with care.
  {
    name: 'not at all, among all others',
    text: Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)).toString('hex'),
    is: false,
  },
  { name: 'in another order', text: bytes.toReversed().join(' '), is: false },
  { name: 'but for the last', text: bytes.slice(0, -1).join(' ') + bytes.join('.').slice(-5, -3), is: false },
])('bytes of a secret stand in a text as two figures each $name: $is', ({ text, is }) => {
  const triples = new LetterTriples();
  triples.take([text]);
  expect(triples.holds(hexRun(bytes))).toBe(is);
});
