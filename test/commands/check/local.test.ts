import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, type MotifSetup } from '../../support/motif.ts';
import {
  gatewayOf as gateway,
  guarded,
  housePolicies as house,
  houseSuite as suite,
} from '../../support/rooms/check.ts';
import '../../support/rooms/gateway-loaded.ts';

/** Nothing is sent: a request would fail the test. */
function check(argv: readonly string[], files: MotifSetup['files'] = {}) {
  const all = { 'gateway.yaml': gateway(house, 'house, keys'), 's.motif.yaml': suite, ...files };
  return motif(['check', '--local', 'gateway.yaml', ...argv], { env: {}, files: all });
}

describe('--local: policies are tested with no service at all', () => {
  test('keyless, past the limits of the file, answers of the provider included', async () => {
    const run = await check([]);
    expect(run.stdout).toMatch(/^5 cases: 5 pass · must block 3\/3 · must answer 2\/2/);
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: 'motif: a mock answers in place of openai; --live asks it\n',
    });
  });

  test('elsewhere such cases are skipped and counted, never passed', async () => {
    const run = await motif(['check', '--json'], {
      files: {
        's.motif.yaml': 'cases:\n  - { id: a, prompt: x, provider_answer: y }\n  - { id: b, prompt: x, by: z }\n',
      },
      send: async () => ({
        status: 200,
        headers: {},
        body: new TextEncoder().encode('{"blocked":false,"response":"hi"}'),
        timings: { dnsMs: 1, connectMs: 1, tlsMs: 1, firstByteMs: 1, totalMs: 1, sentBytes: 1, receivedBytes: 1 },
      }),
    });
    expect(run.exitCode).toBe(11);
    expect(JSON.parse(run.stdout)).toMatchObject({ totals: { skipped: 2, pass: 0 } });
  });
});

test.each([
  { name: 'the texts that a provider sees', more: 'provider_saw: { not_contains: x }', sent: 0, verdict: 'skipped' },
  { name: 'the rule that decides', more: 'by: house, expect: answered', sent: 0, verdict: 'skipped' },
  {
    name: 'turns of which one asks for it',
    more: 'turns: [{ prompt: a }, { prompt: b, by: z }]',
    sent: 0,
    verdict: 'skipped',
  },
  { name: 'a block beside it, which can be missed', more: 'by: house, expect: blocked', sent: 1, verdict: 'regressed' },
  { name: 'words of the answer beside it', more: 'by: house, answer: { contains: no }', sent: 1, verdict: 'regressed' },
])('a service is not asked for what cannot pass there: $name', async ({ more, sent, verdict }) => {
  const asked = guarded();
  const prompt = more.startsWith('turns') ? '' : 'prompt: x, ';
  const files = { 's.motif.yaml': `cases:\n  - { id: a, ${prompt}${more} }\n` };
  const { stdout } = await motif(['check', '--json'], { files, send: asked.send });
  expect(JSON.parse(stdout)).toMatchObject({ cases: [{ verdict, attempts: sent }] });
  expect(asked.requests()).toHaveLength(sent);
});

test('a replay skips what the run skipped and did not send', async () => {
  const files = {
    's.motif.yaml': `cases:
  - { id: a, prompt: hello }
  - { id: b, prompt: x, provider_answer: y }
  - { id: c, prompt: x, provider_saw: { contains: x } }
`,
  };
  const words = ['check', '--report', 'json=run.json', '--report-text', 'all'];
  const first = await motif(words, { files, send: guarded().send });
  const again = await motif(['check', '--replay', 'run.json', '--json'], { env: {}, after: first.world });
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  const cases = [{ verdict: 'pass' }, { verdict: 'skipped', replayed: true }, { verdict: 'skipped' }];
  expect(JSON.parse(again.stdout)).toMatchObject({ totals: { pass: 1, skipped: 2 }, cases });
});

const forms: Readonly<Record<string, string>> = { md: 'markdown', html: 'html' };

describe('--prove', () => {
  interface Proof {
    readonly guards: {
      policy: string;
      state: string;
      off: number;
      weakened: number;
      untested: string[];
      also: string[];
      case_to_add: string | null;
    }[];
  }
  const prove = async (argv: readonly string[] = [], files: MotifSetup['files'] = {}) => {
    const run = await check(['--prove', '--json', ...argv], files);
    return { exitCode: run.exitCode, guards: (JSON.parse(run.stdout) as Proof).guards };
  };

  test('a suite that notices each policy that is missing or weaker is green', async () => {
    const { exitCode, guards } = await prove(['--strict']);
    expect(exitCode).toBe(0);
    expect(guards).toMatchObject([
      { policy: 'house', state: 'guarded', off: 3, weakened: 3, untested: [] },
      { policy: 'keys', state: 'guarded', off: 1, weakened: 1 },
    ]);
  });

  test('a policy that no case notices is named, and fails', async () => {
    const { exitCode, guards } = await prove(['--tags', 'not keys'], {
      's.motif.yaml': suite.replace('id: key,', 'id: key, tags: [keys],'),
    });
    expect(exitCode).toBe(1);
    expect(guards[1]).toMatchObject({ policy: 'keys', state: 'unguarded', off: 0 });
  });

  test('for a person all cases stand in one line where all pass, and nothing is to be asked again', async () => {
    const run = await check(['--prove', '--tags', 'not keys'], {
      's.motif.yaml': suite.replace('id: key,', 'id: key, tags: [keys],'),
    });
    expect(run.stdout.replace(/[\d.]+ m?s/g, 'T').split('\n')).toEqual([
      expect.stringMatching(/^\d cases: \d pass · must block .* · T$/),
      'policy          switched off  weakened   untested parts',
      expect.stringMatching(/^house   block   \d cases +\d cases$/),
      'keys    redact  UNGUARDED     UNGUARDED  add the case below',
      'to add to the cases of a suite:',
      '  - id: guards-keys',
      '    prompt: "Please look at this: AKIAIOSFODNN7EXAMPLE thanks"',
      '    provider_saw: { not_contains: "AKIAIOSFODNN7EXAMPLE" }',
      expect.stringMatching(/^FAILED .*1 of 2 policies unguarded.* in T +exit 1$/),
      '',
    ]);
  });

  test.each(['md', 'html'])('the case to add stands in a report of Markdown and HTML too: %s', async (ending) => {
    const run = await check(['--prove', '--tags', 'not keys', '--report', `${forms[ending]}=proof.${ending}`], {
      's.motif.yaml': suite.replace('id: key,', 'id: key, tags: [keys],'),
    });
    const text = readFileSync(join(run.world.folder, `proof.${ending}`), 'utf8')
      .replaceAll('&#34;', '"')
      .replaceAll('&quot;', '"');
    expect(text).toContain('untested parts');
    expect(text.slice(text.indexOf('to add to the cases of a suite:'))).toContain(
      '  - id: guards-keys\n    prompt: "Please look at this: AKIAIOSFODNN7EXAMPLE thanks"\n',
    );
  });

  test.each([
    { name: 'what is redacted', policy: '{ kind: secrets, action: redact }' },
    { name: 'answers alone', policy: '{ kind: secrets, action: redact, on: inference }' },
    { name: 'an entity by itself', policy: '{ kind: pii, entities: [email] }' },
    {
      name: 'blocks of answers',
      policy: '{ kind: pii, on: inference, entities: [card, iban, phone, us_aba, passport] }',
    },
    {
      name: 'entities that are redacted',
      policy: '{ kind: pii, action: redact, entities: [phone, iban, bank_account, us_aba] }',
    },
    { name: 'patterns', policy: '{ kind: regex, patterns: ["EMP-[0-9]{6}", "^internal$"] }' },
    { name: 'a word of a list', policy: '{ kind: words, words: ["say \\"no\\"", b] }' },
    { name: 'orders', policy: '{ kind: injection, on: prompt }' },
    { name: 'links', policy: '{ kind: urls }' },
    { name: 'what nobody sees', policy: '{ kind: invisible }' },
    { name: 'a pattern', policy: '{ kind: regex, pattern: "EMP-[0-9]{6}" }' },
    { name: 'a pattern of a whole text', policy: '{ kind: regex, pattern: "^internal$", action: redact }' },
    { name: 'a length', policy: '{ kind: length, max_chars: 50, on: prompt }' },
  ])('the cases that are shown guard the policy, and then each of its parts: $name', async ({ policy }) => {
    const files = {
      'gateway.yaml': gateway(`  house: ${policy}`, 'house'),
      's.motif.yaml': 'cases:\n  - prompt: Hi\n',
    };
    const { stdout, exitCode } = await check(['--prove', '--json'], files);
    expect(exitCode).toBe(1);
    const { guards } = JSON.parse(stdout) as Proof;
    const whole = { ...files, 's.motif.yaml': files['s.motif.yaml'] + guards[0]!.case_to_add };
    const proof = await prove([], whole);
    expect(proof).toMatchObject({ exitCode: 0, guards: [{ state: 'guarded' }] });
    const parts = { ...files, 's.motif.yaml': whole['s.motif.yaml'] + (proof.guards[0]!.case_to_add ?? '') };
    const strict = await prove(['--strict'], parts);
    expect(strict).toMatchObject({ exitCode: 0, guards: [{ untested: [], case_to_add: null }] });
  });

  test('a policy whose findings only its author knows gets a case to fill in', async () => {
    const files = { 'gateway.yaml': gateway('  house: { kind: regex, patterns: ["[α-ω]+"] }', 'house') };
    const run = await check(['--prove'], { ...files, 's.motif.yaml': 'cases: [{ prompt: Hi }]' });
    expect(run.stdout).toContain(
      '    prompt: "Please look at this: TEXT THAT house FINDS thanks"\n    expect: blocked\n',
    );
  });

  test('a part that no case tests is listed, and fails with --strict', async () => {
    const without = {
      's.motif.yaml': suite
        .split('\n')
        .filter((line) => !line.includes('id: y'))
        .join('\n'),
    };
    expect(await prove([], without)).toMatchObject({ exitCode: 0, guards: [{ untested: ['project-y'] }, {}] });
    expect((await prove(['--strict'], without)).exitCode).toBe(1);
    const cases = 'to add to the cases of a suite:\n  - id: guards-house-project-y\n';
    expect((await check(['--prove'], without)).stdout).not.toContain(cases);
    expect((await check(['--prove', '--strict'], without)).stdout).toContain(cases);
  });

  test('a phrase that is excepted is tested by the case that it lets pass, and no case is shown that it would fail', async () => {
    const excepted = '{ kind: words, words: [party one, project-x, project-x party], except: [{ text: party one }';
    const policy = `  house: ${excepted}, { text: project-x party }] }`;
    const cases = `cases:
  - { prompt: the project-x party, expect: answered }
  - { prompt: on project-x, expect: blocked }
`;
    const files = { 'gateway.yaml': gateway(policy, 'house'), 's.motif.yaml': cases };
    expect(await prove([], files)).toMatchObject({
      exitCode: 0,
      guards: [{ state: 'guarded', untested: ['party one'], case_to_add: null }],
    });
    const none = await prove([], { ...files, 's.motif.yaml': 'cases: [{ prompt: Hi }]' });
    expect(none.guards[0]!.case_to_add).toContain('prompt: "Please look at this: project-x thanks"');
  });

  test('a case for a word of several parts has them in its ID, unless another word has the same', async () => {
    const words = '  house: { kind: words, words: [x, blue heron, blue-jay, blue jay] }';
    const cases = 'cases:\n  - { prompt: x, expect: blocked, by: house }\n';
    const files = { 'gateway.yaml': gateway(words, 'house'), 's.motif.yaml': cases };
    const { stdout } = await check(['--prove', '--strict'], files);
    const ids = [...stdout.matchAll(/- id: (\S+)/g)].map(([, id]) => id);
    expect(ids).toEqual(['guards-house-blue-heron', 'guards-house-blue-jay', 'guards-house-4']);
  });

  test('of two policies that catch the same each names the other', async () => {
    const twice = `${house}\n  again: { kind: words, words: [project-x, project-y] }`;
    const files = {
      'gateway.yaml': gateway(twice, 'house, again, keys'),
      's.motif.yaml': suite.replace(', by: house/word', ''),
    };
    const { exitCode, guards } = await prove([], files);
    expect(exitCode).toBe(1);
    expect(guards).toMatchObject([
      { policy: 'house', state: 'unguarded', also: ['again'] },
      { policy: 'again', state: 'unguarded', also: ['house'] },
      { policy: 'keys', state: 'guarded' },
    ]);
  });

  test('what only warns, and what asks outside, is listed and not counted', async () => {
    const more = `${house}\n  note: { kind: words, words: [hello], action: warn }\n  dlp: { kind: webhook, url: "https://dlp.example" }`;
    const files = { 'gateway.yaml': gateway(more, 'house, keys, note, dlp') };
    const run = await check(['--prove', '--json'], files);
    const { guards } = JSON.parse(run.stdout) as Proof;
    expect(guards.map(({ policy, state }) => `${policy} ${state}`)).toEqual([
      'house guarded',
      'keys guarded',
      'note not counted',
      'dlp not asked',
    ]);
    expect(run.stderr).toContain('not asked without --live: dlp');
  });

  test.each([
    { name: 'no policy', policies: '  house: { kind: words, words: [project-x] }', named: '' },
    { name: 'one that only warns', policies: '  a: { kind: words, words: [x], action: warn }', named: 'a' },
    { name: 'one that asks outside', policies: '  a: { kind: webhook, url: "https://dlp.example" }', named: 'a' },
  ])('a Motif with $name has nothing to prove, which is not green', async ({ policies, named }) => {
    const files = { 'gateway.yaml': gateway(policies, named), 's.motif.yaml': 'cases: [{ prompt: Hi }]' };
    const run = await check(['--prove', '--json'], files);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, exit_code: 11, totals: { pass: 1 }, unproved: true });
    const { stdout } = await check(['--prove'], files);
    expect(stdout).toContain('warning: not proved: the Motif has no policy that blocks or redacts');
    expect(stdout).toContain('no policy proved, 1 pass of 1');
  });

  const missed = '{ id: a, prompt: Hello, expect: blocked }';

  test.each([
    { name: '--baseline', argv: ['--baseline', 'old.json'], odd: missed },
    { name: '--max-missed-blocks', argv: ['--max-missed-blocks', '1'], odd: missed },
    { name: '--max-false-blocks', argv: ['--max-false-blocks', '1'], odd: '{ id: a, prompt: project-x }' },
  ])('$name makes no green run of one that could prove nothing', async ({ argv, odd }) => {
    const files = { 's.motif.yaml': `cases: [${odd}, { prompt: Hi }]` };
    const old = await check(['--json'], files);
    const run = await check(['--prove', '--json', ...argv], { ...files, 'old.json': old.stdout });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, exit_code: 11, guards: null, unproved: true });
    expect(run.exitCode).toBe(11);
  });

  test('a run that is not green proves nothing, and says so', async () => {
    const run = await check(['--prove'], {
      's.motif.yaml': 'cases: [{ id: a, prompt: Hello, expect: blocked }, { prompt: Hi }]',
    });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('not proved');
  });
});
