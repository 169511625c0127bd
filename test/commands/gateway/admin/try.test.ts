import { describe, expect, test } from 'vitest';
import { motif, type MotifSetup, type Run } from '../../../support/motif.ts';

const card = '4111 1111 1111 1111';
const awsKey = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const file = `tenant: acme
providers: { mock: { kind: mock } }
policies:
  no-pii: { kind: pii, entities: [card, email], except: [{ text: help@acme.dev, why: our own, until: 2999-01-01 }] }
  no-secrets: { kind: secrets, action: redact }
  watch: { kind: words, words: [kettle], action: warn }
  long: { kind: length, max_chars: 200, on: inference }
  asks: { kind: webhook, url: "https://check.example/", on: prompt, key: "\${CHECK_KEY}" }
motifs:
  bot: { provider: mock, policies: [no-pii, no-secrets, watch, long, asks] }
`;

function attempt(words: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  return motif(['admin', 'try', ...words], { env: {}, files: { 'gateway.yaml': file }, ...setup });
}

describe('try says what would be decided, and why', () => {
  test('each entity that was looked for is named once, however many rules look for it', async () => {
    const all = file.replace('entities: [card, email]', 'entities: [ip, mac, email]');
    const { stdout } = await attempt(['Hello'], { files: { 'gateway.yaml': all } });
    const [, named] = /^looked +no-pii +for (.+): nothing has/m.exec(stdout)!;
    expect(named!.split(', ').toSorted()).toEqual(['email', 'ip', 'mac']);
  });

  test.each([
    [
      'a block',
      [`Refund my card ${card}`],
      /^block {2}no-pii \/ card {2}message 1, characters 16-34, checksum valid\n$/,
    ],
    [
      'a redaction, with what the provider would see',
      [`Is ${awsKey} a key?`],
      /^redact +no-secrets \/ \w+ .*\n(?:.*\n)*the provider would see: Is \[[A-Z_]+\] a key\?\n$/,
    ],
    [
      'what an exception freed',
      ['Write to help@acme.dev'],
      /^pass +no-pii.* found nothing but what is excepted\nexcepted +no-pii \/ email +message 1, characters 10-22: our own, until 2999-01-01T00:00:00Z\nlooked +no-pii +for email, card: nothing but what is excepted\n(?:.*\n)*read +message 1 +as sent, .*\n$/,
    ],
    [
      'what an exception nearly freed',
      ['Write to Help@acme.dev'],
      /^block +no-pii \/ email +message 1, characters 10-22\nnear +no-pii \/ email +message 1, characters 10-22: an exception names it in other letter case/,
    ],
    ['a warning', ['Return a kettle'], /^warn +watch \/ word +message 1, characters 10-15\n$/],
    [
      'nothing, with what was looked for and how',
      ['Hello'],
      /^pass +nothing found by no-pii, no-secrets, watch\nlooked +no-pii +for email, card: nothing has .+\nlooked +no-secrets +for \d+ kinds .+\nlooked +watch +for 1 word .+\nread +message 1 +as sent, .+\n$/,
    ],
    [
      'a near miss, with what is wrong with it',
      ['Refund my card 4111 1111 1111 1112'],
      /^pass .+\nnear +no-pii \/ card +message 1, characters 16-34: the Luhn checksum fails\nlooked +no-secrets/,
    ],
    [
      'a near miss of a policy beside a finding of another one',
      [`Is ${awsKey} a key for the card 4111 1111 1111 1112?`],
      /^redact +no-secrets .*\n(?:read .*\n)*near +no-pii \/ card +message 1, characters 44-62: no finding: the Luhn checksum fails\n/,
    ],
    [
      'no near miss where there is a hit',
      [`Is ${awsKey} a key?`],
      /^redact +no-secrets \/ aws_access_key +message 1, characters 4-23\n(?!near)/,
    ],
    [
      'what normalisation did',
      ['Refund ４１１１ １１１１ １１１１ １１１１'],
      /^block +no-pii \/ card +message 1, characters 8-26, seen normalised, .+, checksum valid\nread +message 1, characters 1-26 +normalised, .+ \(16 characters in another form by NFKC\)\n$/,
    ],
    [
      'digits that count on beside a label, whose checksum fails',
      ['test card: 1234 5678 9012 3456'],
      /^block +no-pii \/ card +message 1, characters 12-30\n/,
    ],
    ['another role', ['--role', 'system', `Card ${card}`], /message 1 \(system\), characters 6-24/],
    [
      'an answer',
      ['--answer', `It is ${card}. ${'x'.repeat(200)}`],
      /^block +no-pii \/ card +answer, characters 7-25, checksum valid\nblock +long \/ length +answer/,
    ],
  ])('%s', async (_name, words, says) => {
    const run = await attempt(words);
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(says) as string });
  });

  test('what an exception freed beside a redaction is named once', async () => {
    const files = { 'gateway.yaml': file.replace('kind: pii,', 'kind: pii, action: redact,') };
    const { stdout } = await attempt(['Write to help@acme.dev or ana@acme.dev'], { files });
    expect(stdout.match(/^excepted .*/gm)).toEqual([
      'excepted  no-pii / email  message 1, characters 10-22: our own, until 2999-01-01T00:00:00Z',
    ]);
  });

  test('a long list of policies goes on below itself on a narrow terminal', async () => {
    const { stdout } = await attempt(['Hello', '--answer'], { stdout: { columns: 40 } });
    expect(stdout).toMatch(/^pass {4}nothing found by no-pii,\n {8}no-secrets, /);
  });

  test('the ID of a prompt is judged as a text, and it is said where its decision stands', async () => {
    const id = '01J9Q3K7ZC5M2W9T4V6X8W2Q4X';
    const run = await attempt([id]);
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('nothing found') });
    expect(run.stderr).toContain(`motif admin audit ${id}`);
  });

  test('a policy that asks outside is named and not asked', async () => {
    expect((await attempt(['Hello'])).stderr).toContain('not asked, since they ask outside: asks');
    expect((await attempt(['Hello', '-q'])).stderr).toBe('');
    expect((await attempt(['--answer', 'Hello'])).stderr).toBe('');
  });

  test('what matched is not shown again', async () => {
    const run = await attempt([`Refund my card ${card} now`]);
    expect(run.stdout + run.stderr).not.toContain('4111');
  });

  test('--json', async () => {
    const { stdout } = await attempt(['--json', `Is ${awsKey} a key for ${card}?`]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      motif_id: 'bot',
      on: 'prompt',
      decision: 'block',
      hits: [
        {
          policy: 'no-pii',
          rule: 'card',
          start: 34,
          length: 19,
          checksum: 'Luhn',
          place: { of: 'client', message: 0 },
        },
        { policy: 'no-secrets', action: 'redact', checksum: null },
      ],
      near: [],
      looked: [{ policy: 'no-pii', kind: 'pii' }, { policy: 'no-secrets' }, { policy: 'watch' }],
      access: null,
      text: null,
      not_asked: ['asks'],
      error: null,
    });
  });

  test.each([
    { text: 'Hello', decision: 'pass', next: 'Hello' },
    { text: 'Write to help@acme.dev', decision: 'pass', next: 'Write to help@acme.dev' },
    { text: 'Return a kettle', decision: 'warn', next: 'Return a kettle' },
    { text: `Is ${awsKey} a key?`, decision: 'redact', next: 'Is [AWS_ACCESS_KEY] a key?' },
    { text: `A kettle for ${awsKey}`, decision: 'redact', next: 'A kettle for [AWS_ACCESS_KEY]' },
    { text: `A kettle for ${awsKey} and ${card}`, decision: 'block', next: null },
  ])('its decision is the strongest, as in the audit: $decision of $text', async ({ text, decision, next }) => {
    const { stdout } = await attempt(['--json', text]);
    expect(JSON.parse(stdout)).toMatchObject({ decision, text: next });
  });

  test.each([
    { expect: 'blocked', text: `Card ${card}`, exitCode: 0, says: '' },
    { expect: 'answered', text: 'Hello', exitCode: 0, says: '' },
    { expect: 'any', text: `Card ${card}`, exitCode: 0, says: '' },
    { expect: 'answered', text: `Card ${card}`, exitCode: 1, says: '--expect answered: it would be blocked' },
    { expect: 'blocked', text: 'Hello', exitCode: 1, says: '--expect blocked: no policy would block it' },
    { expect: 'answered', text: `Is ${awsKey} a key?`, exitCode: 0, says: '' },
    { expect: 'redacted', text: `Is ${awsKey} a key?`, exitCode: 0, says: '' },
    { expect: 'redacted', text: `Is ${awsKey} a key for a kettle?`, exitCode: 0, says: '' },
    {
      expect: 'redacted',
      text: 'Return a kettle',
      exitCode: 1,
      says: '--expect redacted: it would pass with a warning',
    },
    { expect: 'redacted', text: `${awsKey} of ${card}`, exitCode: 1, says: '--expect redacted: it would be blocked' },
    { expect: 'redacted', text: 'Hello', exitCode: 1, says: '--expect redacted: no policy finds anything' },
    { expect: 'pass', text: 'Hello', exitCode: 0, says: '' },
    { expect: 'pass', text: 'Write to help@acme.dev', exitCode: 0, says: '' },
    { expect: 'pass', text: 'Return a kettle', exitCode: 1, says: '--expect pass: it would pass with a warning' },
    { expect: 'pass', text: `Is ${awsKey} a key?`, exitCode: 1, says: '--expect pass: it would be redacted' },
    { expect: 'pass', text: `Card ${card}`, exitCode: 1, says: '--expect pass: it would be blocked' },
  ])('--expect $expect of $text: $exitCode', async ({ expect: outcome, text, exitCode, says }) => {
    const run = await attempt(['--expect', outcome, text]);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toMatch(/^(block|redact|warn|pass) /);
    expect(run.stderr).toContain(says);
    const document = JSON.parse((await attempt(['--json', '--expect', outcome, text])).stdout) as object;
    expect(document).toMatchObject({
      ok: exitCode === 0,
      motif_id: 'bot',
      error: exitCode === 0 ? null : { exit_code: 1 },
    });
  });

  test('of several lines a place is named by line and column too', async () => {
    const text = `Dear all,\n\n  pay ${card}\nwith 4111 1111 1111 1112`;
    const { stdout } = await attempt([text]);
    expect(stdout).toMatch(
      /^block +no-pii \/ card +message 1, characters 18-36 \(line 3, column 7\), checksum valid$/m,
    );
    expect(stdout).toMatch(/^near +no-pii \/ card +message 1, characters 43-61 \(line 4, column 6\): /m);
    const { hits } = JSON.parse((await attempt(['--json', text])).stdout) as { hits: readonly object[] };
    expect(hits).toMatchObject([{ line: 3, column: 7 }]);
    expect((await attempt(['--answer', text])).stdout).toContain('answer, characters 18-36 (line 3, column 7)');
  });

  test('of several Motifs one is named, and how is said', async () => {
    const run = await attempt(['hi'], { files: { 'gateway.yaml': `${file}  other: { provider: mock }\n` } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/name one\n {2}--motif takes one of bot, other\n/);
  });

  test('the text may come from stdin', async () => {
    expect((await attempt(['-'], { stdin: `Card ${card}` })).stdout).toContain('characters 6-24');
    expect((await attempt(['--', '-'], { stdin: `Card ${card}` })).stdout).toContain('nothing found');
  });

  test('--demo needs no file, --local names one', async () => {
    const demo = await attempt(['--demo', `Refund my card ${card}`], { files: {} });
    expect(demo).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('block  no-pii / card') as string });
    const local = await attempt(['--local', 'mine.yaml', 'Hello'], { files: { 'mine.yaml': file } });
    expect(local.exitCode).toBe(0);
  });

  test.each([
    [['--demo', '-c', 'x', 'hi'], /--demo and -c both name a gateway file/],
    [['--role', 'admin', 'hi'], /--role takes system, user or assistant/],
    [['--role', 'user', '--answer', 'hi'], /--role and --answer do not go together: an answer has no role/],
    [['--motif', 'bod', 'hi'], /there is no Motif bod\n.*did you mean bot\?/],
    [[], /text is missing: motif admin try <text>/],
  ])('%j: exit 2', async (words, says) => {
    const run = await attempt(words);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(says);
  });
});
