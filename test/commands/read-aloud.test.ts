import { describe, expect, test } from 'vitest';
import { motif, type MotifSetup, testUrl } from '../support/motif.ts';
import { homeWith } from '../support/rooms/history.ts';
import { loggedIn } from '../support/rooms/login.ts';

const hash = 'a'.repeat(64);
const gateway = `audit: { file: audit.jsonl, text: true }
providers: { mock: { kind: mock } }
policies: { words: { kind: words, words: [forbidden] } }
motifs:
  support-bot-for-germany-and-austria:
    { provider: mock, policies: [words], tokens: [{ id: t1, sha256: ${hash} }, { id: t2, sha256: ${hash.replaceAll('a', 'b')}, user: ana }] }
  other: { provider: mock, policies: [words] }
`;
const prompt = {
  time: '2026-11-21T12:00:00.000Z',
  prompt_id: '01JD0000000000000000000001',
  motif: 'bot',
  token_id: 't1',
  user: null,
  decision: 'block',
  rules: [{ policy: 'words', rule: 'word', action: 'block' }],
  status: 200,
};
const suite = `cases:\n  - { id: a-case-with-a-name-that-is-long, prompt: hi, tags: [smoke, slow, nightly, staging, production] }\n`;
const files = {
  'gateway.yaml': gateway,
  'next.yaml': gateway.replaceAll('forbidden', 'allowed'),
  'audit.jsonl': `${JSON.stringify(prompt)}\n`,
  'texts.txt': 'this is allowed\n',
  's.motif.yaml': suite,
};

interface Listing {
  readonly argv: readonly string[];
  readonly says: RegExp;
  readonly setup?: () => Promise<MotifSetup>;
}

const withProfiles = async (): Promise<MotifSetup> => ({ after: await loggedIn([testUrl, '-p', 'staging']) });
const withHistory = async (): Promise<MotifSetup> => ({
  after: (await homeWith({ title: 'A talk about kettles and toasters and all the rest of the kitchen' })).after,
});

const listings: readonly Listing[] = [
  { argv: ['profile', 'list'], says: /^in use, staging: address https:\S+, token file$/m, setup: withProfiles },
  { argv: ['whoami'], says: /^timeout: value 5m, from default$/m, setup: withProfiles },
  { argv: ['history', 'list'], says: /: age now, title A talk about kettles/, setup: withHistory },
  { argv: ['admin', 'show'], says: /^other: name other, provider mock, policies words, tokens 0/m },
  { argv: ['admin', 'show', 'other'], says: /no token: nobody/ },
  { argv: ['admin', 'show', 'support-bot-for-germany-and-austria'], says: /^t1: user none, age unknown,/m },
  { argv: ['admin', 'audit', 'list'], says: /^2026-11-21 12:00:00: prompt 01JD\w+, decision block, Motif bot,/m },
  {
    argv: ['check', '--list', '--demo', 's.motif.yaml'],
    says: /^a-case-with-a-name-that-is-long: place s.motif.yaml:2/m,
  },
  {
    argv: ['admin', 'replay', 'next.yaml', 'texts.txt', '--motif', 'support-bot-for-germany-and-austria'],
    says: /: Motif support-bot-for-germany-and-austria, change pass -> block, place/,
  },
];

describe('with --accessible a list on a terminal', () => {
  test.each(listings)('$argv is sentences that fit', async ({ argv, says, setup }) => {
    const run = await motif([...argv, '--accessible'], {
      env: { NO_COLOR: '1' },
      files,
      stdout: { columns: 80 },
      ...(await setup?.()),
    });
    expect(run).toMatchObject({ exitCode: 0 });
    const lines = run.stdout.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    // Facts of a Motif are a name and a value; every other wide gap is one between columns.
    const isFact = (line: string) => /^(?:Motif ID|name|address|provider|policies) /.test(line);
    expect(lines.filter((line) => /\S {2}/.test(line) && !isFact(line))).toEqual([]);
    expect(run.stdout.replaceAll(/\n +/g, ' ')).toMatch(says);
    expect(run.stdout).not.toMatch(/^\*| - |…/m);
  });
});
