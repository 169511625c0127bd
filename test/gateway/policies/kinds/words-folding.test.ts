import { expect, test } from 'vitest';
import { found, policy, verdict } from '../../../support/rooms/policies.ts';

/** Words that differ in case alone, as Unicode folds it, where lower case is not enough or the length changes. */
test.each([
  { sort: 'sharp s', spellings: ['straße', 'STRASSE', 'Strasse', 'STRAẞE', 'Straſſe'] },
  { sort: 'sharp s before an accent', spellings: ['Fußgänger', 'FUSSGÄNGER', 'fussga\u0308nger', 'Fußga\u0308nger'] },
  { sort: 'sharp s at both ends', spellings: ['ßaß', 'SSASS'] },
  { sort: 'final sigma', spellings: ['οδος', 'ΟΔΟΣ', 'οδοσ', 'Οδος'] },
  { sort: 'final sigma under an accent', spellings: ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύσ'] },
  { sort: 'dotted I', spellings: ['İstanbul', 'istanbul', 'ISTANBUL', 'i\u0307stanbul'] },
  { sort: 'dotless i', spellings: ['sıfır', 'SIFIR', 'sifir'] },
  { sort: 'ligatures', spellings: ['oﬃce', 'OFFICE', 'ofﬁce', 'oﬀice'] },
  { sort: 'the ligature of st', spellings: ['faﬆ', 'faﬅ', 'FAST'] },
  { sort: 'the ligature of Armenian', spellings: ['բարև', 'ԲԱՐԵՒ', 'բարեւ'] },
  { sort: 'the Kelvin sign and long s', spellings: ['\u212aiosk', 'kio\u017fk', 'KIOSK'] },
  { sort: 'a j with a caron', spellings: ['ǰoa', 'J\u030coa', 'joa'] },
  { sort: 'the micro sign', spellings: ['\u00b5meter', '\u03bcmeter', '\u039cMETER'] },
  { sort: 'Greek symbols', spellings: ['ϐαθος', 'ΒΑΘΟΣ', 'βαϑος'] },
])('a list has each spelling of a word: $sort', ({ spellings }) => {
  for (const listed of spellings)
    for (const written of spellings) {
      const text = `Ä so: ${written}, ja`;
      expect({ listed, hits: found(policy('words', { words: [listed] }), text) }).toEqual({
        listed,
        hits: [`word: ${written}`],
      });
      expect({ listed, hits: found(policy('words', { words: [listed] }), written) }).toEqual({
        listed,
        hits: [`word: ${written}`],
      });
    }
});

test.each([
  { listed: 'ma\u00dfe', text: 'Masse 1, Ma\u00dfe 2, MASSE 3; Masse', hits: ['Masse', 'Ma\u00dfe', 'MASSE', 'Masse'] },
  {
    listed: 'kuss mit fu\u00df',
    text: 'Ku\u00df  mit\nFUSS! ku\u00df mit fu\u00dfball',
    hits: ['Ku\u00df  mit\nFUSS'],
  },
  { listed: 'stra\u00dfe', text: 'Gro\u00dfe Stra\u00dfen, Hauptstra\u00dfe, Stra\u00dfe', hits: ['Stra\u00dfe'] },
  { listed: 'gross', text: '\u{1f600} \u00dfgross \u00e4 Gro\u00df\u200b!', hits: ['Gro\u00df\u200b'] },
  { listed: 'mas', text: 'Ma\u00df', hits: [] },
])('each place of $listed in $text is its own, whatever length it has', ({ listed, text, hits }) => {
  expect(found(policy('words', { words: [listed] }), text).toSorted()).toEqual(
    hits.map((hit) => `word: ${hit}`).toSorted(),
  );
});

test('what is redacted is the word as it was written, and nothing beside it', () => {
  const text = 'Die Hauptstraße, die Straße und die STRASSE: große Straßen.';
  const { texts } = verdict([policy('words', { words: ['strasse'] }, 'redact')], text);
  expect(texts).toEqual(['Die Hauptstraße, die [WORD] und die [WORD]: große Straßen.']);
});

test('that letters were read as Latin is told once, after whatever was done before', () => {
  const { hits } = verdict([policy('words', { words: ['grosse'] })], 'die \uff27r\u00f6\u00dfe');
  expect(hits.map(({ seen }) => seen)).toEqual([
    'normalised, without invisible characters, look-alike letters read as Latin',
  ]);
});

test('in any mixture of such letters each finding is a listed word, and each whole word is found', () => {
  const words = policy('words', { words: ['sass', 'maß'] });
  const letters = ['ß', 'ẞ', 's', 'S', 'ss', 'a', 'A', 'á', 'm'];
  let seed = 7;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 8;
  const folded = (text: string) => text.toLowerCase().replaceAll('á', 'a').replaceAll('ß', 'ss');
  let count = 0;
  for (let round = 0; round < 3000; round++) {
    const spelled = Array.from({ length: 4 }, () =>
      Array.from({ length: 3 + (next() % 2) }, () => letters[next() % letters.length]).join(''),
    );
    const text = spelled.join(' ');
    const wanted = spelled.filter((word) => ['sass', 'mass'].includes(folded(word)));
    const hits = found(words, text).map((hit) => hit.replace('word: ', ''));
    expect({ text, hits: hits.toSorted() }).toEqual({ text, hits: wanted.toSorted() });
    count += wanted.length;
  }
  expect(count).toBeGreaterThan(100);
});
