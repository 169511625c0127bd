import { expect, test } from 'vitest';
import { LetterRuns } from '../../../src/gateway/providers/letter-runs.ts';

const run = 'c146cbf7c22cc0380b4fa02e85e44b0c';
const middle = run.slice(10, 21);

function runs(): LetterRuns<string> {
  const all = new LetterRuns<string>();
  all.add(run, 'long');
  all.add('aB3dE6gH', 'short');
  all.add('z9y8', 'shortest');
  all.addHex('736b2d6f70656e', 'hex');
  all.addPieces('QRSTUVWXYZ1234567890qrstuvwxyz', 14, 'pieces');
  return all;
}

test.each([
  { text: run, found: ['long'] },
  { text: `...${run.toUpperCase()}...`, found: ['long'] },
  { text: run.split('').join(' \n'), found: ['long'] },
  { text: `${'\u00e4 '.repeat(20_000)}${run}`, found: ['long'] },
  { text: middle, found: ['long'] },
  { text: middle.slice(1), found: [] },
  { text: middle.replace('c', 'd'), found: [] },
  { text: middle.split('').join('0'), found: [] },
  { text: 'It is ab3-de6-gh!', found: ['short'] },
  { text: 'It is ab3-de6-g!', found: [] },
  { text: 'z9y8 aB3dE6gH', found: ['shortest', 'short'] },
  { text: '73 6b 2d 6f 70 65 6e', found: ['hex'] },
  { text: '0x73, 0x6b, 2d x6f 70 0x65:6e', found: ['hex'] },
  { text: '73 6b 2d y6f 70 65 6e', found: [] },
  { text: '73:6B:2D:6F:70:65:6E', found: ['hex'] },
  { text: '\\x73\\x6b\\x2d\\x6f\\x70\\x65\\x6e', found: ['hex'] },
  { text: '6e 65 70 6f 2d 6b 73', found: [] },
  // Whoever has every byte repeated must not have each secret of a file looked for with care.
  { text: Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)).toString('hex'), found: [] },
  { text: 'TUVWXYZ1234567', found: ['pieces'] },
  { text: 'its pieces: 7890qrstuvwxyz', found: ['pieces'] },
  { text: '', found: [] },
])('of "$text" the runs found are $found', ({ text, found }) => {
  expect([...runs().in(['other words', text])].toSorted()).toEqual(found.toSorted());
});

test('a run of less than four letters, and pieces of less than eleven, are told by nothing', () => {
  const all = new LetterRuns<string>();
  expect([all.add('abc', 'run'), all.addPieces('abcdefghijklmnop', 10, 'pieces')]).toEqual([false, false]);
  expect([...all.in(['abc', 'abcdefghijklmnop'])]).toEqual([]);
});

test('pieces of one owner whose sums are the same are told apart', () => {
  const all = new LetterRuns<string>();
  for (const piece of ['Xbcdefghijk', 'Ybcdefghijk']) all.addPieces(piece, piece.length, 'key');
  expect([...all.in(['Ybcdefghijk'])]).toEqual(['key']);
});
