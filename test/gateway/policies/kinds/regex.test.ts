import { expect, test } from 'vitest';
import { makePatterns } from '../../../../src/gateway/policies/kinds/regex.ts';
import { compilePattern } from '../../../../src/text/patterns/pattern.ts';
import { policy, verdict } from '../../../support/rooms/policies.ts';
import { parsed } from '../../file/config-file.ts';

const sources = Array.from({ length: 300 }, (_, at) => `secret${at}[0-9]+`);

test.each([
  { name: 'capitals are alike', ignore_case: undefined, cases: [true] },
  { name: 'they are not', ignore_case: false, cases: [true, false] },
])('where $name, each pattern is made in a piece of its own, for whoever asks for it next', ({ cases, ...entry }) => {
  const work = makePatterns({ patterns: sources, ...entry });
  let pieces = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces++;
  expect(pieces).toBe(sources.length);
  const asked = sources.flatMap((source) => cases.map((ignoreCase) => compilePattern(source, { ignoreCase })));
  expect(step.value.every((pattern, at) => pattern === asked[at])).toBe(true);
});

test('a gateway file with many patterns is read in turns', async () => {
  const rounds = { seen: 0, isOver: false };
  const hear = (): void => {
    rounds.seen += 1;
    if (!rounds.isOver) setImmediate(hear);
  };
  setImmediate(hear);
  const patterns = Array.from({ length: 1000 }, (_, at) => `new${at}[a-z]{2,9}(one|two)+`);
  const { policies } = await parsed(
    `providers: { mock: { kind: mock } }
policies: { many: { kind: regex, patterns: ${JSON.stringify(patterns)} } }
motifs: { bot: { provider: mock, policies: [many] } }
`,
  );
  rounds.isOver = true;
  expect(policies.get('many')?.options).toMatchObject({ patterns });
  expect(rounds.seen).toBeGreaterThan(2);
});

test.each([
  { name: 'zip codes', pattern: '\\b\\d{5}\\b', found: '77001', between: ',', times: 80 },
  { name: 'letters', pattern: '(?:q)', found: 'q', between: ' ', times: 2_000 },
  { name: 'letters of marks, too', pattern: '[A-Z]', found: 'Q', between: '.', times: 2_000 },
])('the question behind a long list of $name stays where these are redacted', ({ pattern, found, between, times }) => {
  const list = (one: string) => Array.from({ length: times }, () => one).join(between);
  const question = ' ... 4?';
  const one = policy('regex', { pattern }, 'redact');
  const { decision, texts } = verdict([one], `${list(found)}${question}`);
  expect({ decision, texts }).toEqual({ decision: 'pass', texts: [`${list('[PATTERN]')}${question}`] });
});

test.each([
  {
    name: 'one mark for a row of letters',
    pattern: '[0-9]',
    text: 'PIN 4711 of 9 ',
    hidden: 'PIN [PATTERN] of [PATTERN] ',
  },
  { name: 'none where a match has no character', pattern: '[0-9]|\\b', text: 'PIN 4', hidden: 'PIN [PATTERN]' },
])('a redacted text has $name', ({ pattern, text, hidden }) => {
  const { decision, texts } = verdict([policy('regex', { pattern }, 'redact')], text);
  expect({ decision, texts }).toEqual({ decision: 'pass', texts: [hidden] });
});
