import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEntities } from '../../../src/gateway/knowledge/entities.ts';
import { readPassages } from '../../../src/gateway/knowledge/passages.ts';
import { atOnce } from '../../../src/text/turns.ts';

const read = (html: string) => atOnce(readPassages(html, 'page.html')).map(({ titles, text }) => ({ titles, text }));

test.each([
  { name: 'paragraphs', html: '<p>One</p><p>Two\n  <b>bold</b></p>', text: 'One\n\nTwo bold' },
  { name: 'lists', html: '<ul><li>One<li>Two</ul>After', text: '- One\n- Two\n\nAfter' },
  {
    name: 'tables',
    html: '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>',
    text: 'A B\n1 2',
  },
  { name: 'line breaks', html: 'One<br>Two<BR/>Three', text: 'One\nTwo\nThree' },
  { name: 'inline elements leave words whole', html: 're<b>turn</b>s', text: 'returns' },
  {
    name: 'scripts, styles and comments go',
    html: 'a<script>if (1 < 2) "</p>"</script>b<style>x{}</style>c<!-- <p>no -->d',
    text: 'abcd',
  },
  { name: 'a script in capitals', html: 'a<SCRIPT>no</Script >b', text: 'ab' },
  { name: 'a script that never ends', html: 'a<script>no', text: 'a' },
  { name: 'head', html: '<!doctype html><html><head><title>no</title></head><body>Yes</body></html>', text: 'Yes' },
  { name: 'an attribute with >', html: '<a title="a > b" href=\'>\'>Yes</a>', text: 'Yes' },
  { name: 'a tag that never ends', html: 'Yes<a href="no', text: 'Yes' },
  { name: 'less than', html: '1 < 2 and a <3', text: '1 < 2 and a <3' },
  { name: 'entities', html: 'a&nbsp;&nbsp;b &lt;b&gt; &amp;amp; &#228;&#xE4;', text: 'a b <b> &amp; ää' },
  { name: 'an svg that stands alone', html: 'a<svg/>b', text: 'ab' },
])('$name', ({ html, text }) => {
  expect(read(html)).toEqual([{ titles: '', text }]);
});

test('headings make sections', () => {
  const html =
    '<h1>Shop <i>x</i></h1>Hi<h2 class="a">Returns\n now</h2><p>30 days</p><h1>Else</h1><div>No</div><h2>Empty</h2>';
  expect(read(html)).toEqual([
    { titles: 'Shop x', text: 'Hi' },
    { titles: 'Shop x > Returns now', text: '30 days' },
    { titles: 'Else', text: 'No' },
  ]);
});

test.each([
  { name: 'a heading that is not closed ends at the next block', html: '<h1>Title<p>Text</p>', titles: 'Title' },
  { name: 'a heading of brackets alone is none', html: '<h1>[]</h1><h2>Title</h2>Text', titles: 'Title' },
])('$name', ({ html, titles }) => {
  expect(read(html)).toEqual([{ titles, text: 'Text' }]);
});

test.each([
  { name: 'blanks', around: [' ', ' '] },
  { name: 'a reference', around: ['&am', 'p; '] },
  { name: 'a character of two units', around: ['\ud83d', '\ude00'] },
])('a long text is read in pieces that cut no word apart: $name', ({ around: [before = '', after = ''] }) => {
  for (let length = 16_330; length < 16_390; length++) {
    const words = 'word '.repeat(4000).slice(0, length);
    const joined = read(`${words}${before}${after}end`)
      .map(({ text }) => text)
      .join(' ');
    expect(joined.slice(-12)).toBe(read(`${words.slice(-1000)}${before}${after}end`)[0]!.text.slice(-12));
  }
});

test('whatever the page, it is read to its end', () => {
  const parts = fc.constantFrom(
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<p',
    '<h1>',
    '</h1>',
    '<script>',
    '</script',
    '"',
    "'",
    '=',
    ' ',
    '&',
    ';',
    'a',
  );
  fc.assert(
    fc.property(fc.array(parts), (page) => {
      expect(Array.isArray(read(page.join('')))).toBe(true);
    }),
  );
});

test.each([
  { text: '&eacute;&euro;&hellip;', decoded: 'é€…' },
  { text: '&unknown; &amp &;', decoded: '&unknown; &amp &;' },
  { text: '&amp;lt;', decoded: '&lt;' },
  { text: '&#0;&#xD800;&#x110000;', decoded: '\ufffd\ufffd\ufffd' },
  { text: '&#128512;', decoded: '😀' },
  { text: '&constructor;', decoded: '&constructor;' },
])('$text is $decoded', ({ text, decoded }) => {
  expect(decodeEntities(text)).toBe(decoded);
});
