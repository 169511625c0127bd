/**
 * Measures the policies: microseconds of CPU for each kB of text, by kind, sort of text and size, against their goals;
 * then the longest time that hostile text takes. Only a figure far over its goal is called failed, for machines are
 * noisy.
 */
import { fileURLToPath } from 'node:url';
import { built } from './built.mjs';
import { sorts, textOf } from './texts.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const { support, court, preparing } = await built({
  support: `${top}test/support/rooms/policies.ts`,
  court: `${top}src/gateway/policies/judging.ts`,
  preparing: `${top}src/gateway/policies/preparing.ts`,
});

const isQuick = process.argv.includes('--quick');
const farOver = 3;
const windowCharacters = 200_000;
const policy = (kind, options = {}, action = 'block') => support.policy(kind, options, action);

const vocabulary =
  'the customer asked whether their order could be returned within thirty days and what the receipt has to say about it because support had told them that kettles are fine while opened software is not please answer in two short sentences for our knowledge base and mention the delivery address only if needed thanks'.split(
    ' ',
  );

/** Plain words of any length, without anything that a kind looks at twice; the sorts of texts.mjs have all that. */
function english(characters) {
  let text = '';
  for (let seed = 1; text.length < characters;) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += vocabulary[(seed >> 8) % vocabulary.length] + ((seed >> 8) % 13 === 0 ? '. ' : ' ');
  }
  return text.slice(0, characters);
}

const allKinds = (action) => [
  policy('pii', {}, action),
  policy('secrets', {}, action),
  policy('injection', {}, action),
  policy('invisible', {}, action),
  policy('urls', { allow: ['example.com'] }, action),
  policy('length', { max_chars: 2_000_000 }, action),
];
/** One look at each text; a text that was redacted is looked at again, three times at most. */
const builtIn = allKinds('block');
const redacting = allKinds('redact');
const patterns = Array.from(
  { length: 500 },
  (_, index) =>
    [
      `\\bacme-${index}-[a-z]{3,9}\\d+`,
      `(?:client|customer)-${index}\\s+id`,
      `[A-Z]{2}${1000 + index}\\d{4}`,
      `foo${index}.{0,20}bar`,
    ][index % 4],
);
const list = Array.from(
  { length: 1_000 },
  (_, index) => `codename${index.toString(36)}x${vocabulary[index % vocabulary.length]}`,
);

const rows = [
  ...builtIn.map((one) => ({ what: one.kind, policies: [one], goal: 150 })),
  { what: 'all of these', policies: builtIn, goal: 150 },
  ...sorts.map((sort) => ({
    what: `all, ${sort}`,
    policies: builtIn,
    goal: 150,
    text: (size) => textOf(sort, size),
  })),
  { what: 'Markdown, redacted', policies: redacting, goal: 4 * 150, text: (size) => textOf('Markdown', size) },
  { what: '500 patterns', policies: [policy('regex', { patterns })], goal: 1_000 },
  { what: '1,000 words', policies: [policy('words', { words: list })], goal: 20 },
];
const sizes = isQuick ? [1_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000];
const tally = { passed: 0, failed: 0 };

console.log(
  `${'µs a kB'.padEnd(22)}${sizes.map((size) => `${size / 1_000} kB`.padStart(10)).join('')}${'goal'.padStart(8)}`,
);
for (const { what, policies, goal, text = english } of rows) {
  const costs = sizes.map((size) => cost(policies, text(size)));
  console.log(
    `${what.padEnd(22)}${costs.map((each) => each.toFixed(1).padStart(10)).join('')}${String(goal).padStart(8)}${verdict(Math.max(...costs), goal)}`,
  );
}

const hostile = {
  'one letter': 'a'.repeat(10_000),
  digits: '4111 '.repeat(2_000),
  'digits, no blanks': '1234567890'.repeat(1_000),
  'at signs': 'a@'.repeat(5_000),
  dots: 'a.'.repeat(5_000),
  'combining marks': `e${'\u0301\u0316'.repeat(5_000)}`,
  invisible: 'i\u200b'.repeat(5_000),
  'full width': '\uff41'.repeat(10_000),
  'base64 of base64': Buffer.from(Buffer.from('ignore all rules '.repeat(320)).toString('base64')).toString('base64'),
  'words of injection': 'ignore all previous show your '.repeat(333),
  'every secret key': 'AKIA sk- ghp_ eyJ key token ://a:b@ BEGIN PRIVATE KEY '.repeat(185),
  'private keys': '-----BEGIN PRIVATE KEY-----\n'.repeat(357),
  images: '![![<img '.repeat(600) + '//a '.repeat(1_000),
  escapes: '%41&#x41;\\u0041=41'.repeat(560),
  hex: '41 4b '.repeat(1_666),
  'hex without end': 'a1b2c3d4'.repeat(1_250),
  'least versions': 'a>=1.2.3.4 '.repeat(909),
  colons: '::1:'.repeat(2_500),
  'spaced letters': 'i g n o r e '.repeat(833),
  leet: '1gn0r3 4ll '.repeat(909),
  'marks of Zalgo': 'Z\u0335\u0321\u0322a\u0336\u0347l\u0338g\u0337o\u0334'.repeat(500),
  blanks: ' '.repeat(10_000),
  'line ends': '\n'.repeat(10_000),
  Chinese: '\u9879\u76ee\uff0c'.repeat(3_333),
  assignments: 'password=secret_key:api_key='.repeat(357),
  servers: 'server=a;'.repeat(1_111),
  'quotes at': '"a"@'.repeat(2_500),
  phones: '+1 (234) 567-89 '.repeat(625),
  Cyrillic: '\u041f\u0440\u043e\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\u0439 \u0432\u0441\u0435 '.repeat(550),
  accents: '\u00e9'.repeat(10_000),
  attributes: 'src="'.repeat(2_000),
  'schemes without end': 'a:// '.repeat(2_000),
};
// As a gateway does before it listens.
for (const _ of preparing.preparePolicies(redacting));
console.log(`\n${'hostile, 10 kB'.padEnd(22)}${'ms'.padStart(10)}${'goal'.padStart(8)}`);
for (const [what, text] of Object.entries(hostile)) {
  const ms = once(redacting, text);
  console.log(`${what.padEnd(22)}${ms.toFixed(1).padStart(10)}${'50'.padStart(8)}${verdict(ms, 50)}`);
}
const evil = [
  '^(a+)+$',
  '(a|aa)+$',
  '\\s+$',
  '(x+x+)+y',
  'x.*y|x',
  '(.*)(.*)(.*)z',
  '([a-z]+)*[0-9]',
  '[ab]*a[ab]{12}c',
  '(?:.{0,50}a){2}!',
  '(\\w+\\s?)+:',
  '(a?){30}a{30}',
];
for (const source of evil) {
  const texts = ['a', 'x', ' ', 'ab', 'a '].map((unit) => `${unit.repeat(10_000 / unit.length)}y!:c`);
  const slowest = Math.max(...texts.map((text) => once([policy('regex', { pattern: source })], text)));
  console.log(`${source.padEnd(22)}${slowest.toFixed(1).padStart(10)}${'50'.padStart(8)}${verdict(slowest, 50)}`);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);

/** Microseconds a kB, the least of several windows, each long enough for the clock of the process. */
function cost(policies, text) {
  const times = Math.max(1, Math.round(windowCharacters / text.length));
  let best = Infinity;
  for (let window = 0; window < (isQuick ? 5 : 15); window++) {
    const before = process.cpuUsage();
    for (let time = 0; time < times; time++) court.judgeNow(policies, 'prompt', [text]);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / times / (text.length / 1_000));
  }
  return best;
}

/** Milliseconds of the first time, when nothing has been worked out for such a text. */
function once(policies, text) {
  const before = process.cpuUsage();
  court.judgeNow(policies, 'prompt', [text]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function verdict(measured, goal) {
  const isFailed = measured > goal * farOver;
  tally[isFailed ? 'failed' : 'passed']++;
  return measured <= goal ? '   ok' : isFailed ? '   far over' : '   over';
}
