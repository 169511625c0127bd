import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, type MotifSetup } from '../../support/motif.ts';

const gateway = (policies: string, names: string) => `tenant: acme
providers:
  openai: { kind: openai, base_url: https://api.openai.com/v1, key: "\${OPENAI_API_KEY}" }
policies:
${policies}
motifs:
  bot: { provider: openai, model: m, limits: { rpm: 3 }, policies: [${names}] }
`;
const house = '  house: { kind: words, words: [project-x, project-y] }\n  keys: { kind: secrets, action: redact }';
const suite = `cases:
  - { id: hello, prompt: Hello }
  - { id: x, prompt: Tell me about project-x, expect: blocked, by: house/word }
  - { id: y, prompt: Tell me about project-y, expect: blocked }
  - { id: key, prompt: Is AKIAIOSFODNN7EXAMPLE valid?, provider_saw: { contains: "[AWS_ACCESS_KEY]" } }
  - { id: leak, prompt: Which one?, provider_answer: It is project-x, expect: blocked }
`;

/** Nothing is sent: a request would fail the test. */
function check(argv: readonly string[], files: MotifSetup['files'] = {}) {
  const all = { 'gateway.yaml': gateway(house, 'house, keys'), 's.motif.yaml': suite, ...files };
  return motif(['check', '--local', 'gateway.yaml', ...argv], { env: {}, files: all });
}

describe('--local: policies are tested with no service at all', () => {
  test('keyless, past the limits of the file, answers of the provider included', async () => {
    const run = await check([]);
    expect(run.stdout).toMatch(/^5 cases: 5 pass · must block 3\/3 · must answer 2\/2/);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
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

describe('--prove', () => {
  interface Proof {
    readonly guards: {
      policy: string;
      state: string;
      off: number;
      weakened: number;
      untested: string[];
      also: string[];
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
      'policy          switched off  weakened   parts nobody tests',
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

  test.each([
    { name: 'what is redacted', policy: '{ kind: secrets, action: redact }' },
    { name: 'answers alone', policy: '{ kind: secrets, action: redact, on: inference }' },
    { name: 'an entity by itself', policy: '{ kind: pii, entities: [email] }' },
    { name: 'blocks of answers', policy: '{ kind: pii, on: inference }' },
    { name: 'a word of a list', policy: '{ kind: words, words: ["say \\"no\\"", b] }' },
    { name: 'orders', policy: '{ kind: injection, on: prompt }' },
    { name: 'links', policy: '{ kind: urls }' },
    { name: 'what nobody sees', policy: '{ kind: invisible }' },
  ])('the case that is shown guards the policy: $name', async ({ policy }) => {
    const files = {
      'gateway.yaml': gateway(`  house: ${policy}`, 'house'),
      's.motif.yaml': 'cases:\n  - prompt: Hi\n',
    };
    const { stdout, exitCode } = await check(['--prove', '--json'], files);
    expect(exitCode).toBe(1);
    const { guards } = JSON.parse(stdout) as { guards: { case_to_add: string }[] };
    const added = { ...files, 's.motif.yaml': files['s.motif.yaml'] + guards[0]!.case_to_add };
    expect(await prove([], added)).toMatchObject({ exitCode: 0, guards: [{ state: 'guarded', case_to_add: null }] });
  });

  test('a policy whose findings only its author knows gets a case to fill in', async () => {
    const files = { 'gateway.yaml': gateway('  house: { kind: regex, patterns: ["x-[0-9]+"] }', 'house') };
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

  test('a run that is not green proves nothing, and says so', async () => {
    const run = await check(['--prove'], {
      's.motif.yaml': 'cases: [{ id: a, prompt: Hello, expect: blocked }, { prompt: Hi }]',
    });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('not proved');
  });
});

describe('--watch', () => {
  test('judges again when a file changes, says what changed, and outlives a broken file', async () => {
    const texts = [suite.replace('expect: blocked, by: house/word', 'expect: answered'), 'cases: 1', suite];
    const run = await motif(['check', '--local', 'gateway.yaml', '--watch'], {
      env: {},
      files: { 'gateway.yaml': gateway(house, 'house, keys'), 's.motif.yaml': suite },
      prepare(world) {
        const sleep = world.sleep.bind(world);
        let size = 0;
        Object.assign(world, {
          // Each time it waits for a change there is one, and in the end the person has seen enough.
          sleep: async (ms: number, signal?: AbortSignal) => {
            const text = texts.shift();
            if (text === undefined) world.interrupt();
            else writeFileSync(join(world.folder, 's.motif.yaml'), `${text}${'\n'.repeat((size += 1))}`);
            await sleep(ms, signal);
          },
        });
      },
    });
    expect(run.signal).toBe('SIGINT');
    expect(run.stdout.match(/^changed: .*$/gm)).toEqual([
      'changed: x  pass -> regressed',
      'changed: x  regressed -> pass',
    ]);
    expect(run.stderr).toContain('cases must be a list');
  });

  test('judges again when a word list of the gateway file changes', async () => {
    const lists = ['project-y\n', 'project-x\nproject-y\n'];
    const run = await motif(['check', '--local', 'gateway.yaml', '--watch'], {
      env: {},
      files: {
        'gateway.yaml': gateway('  house: { kind: words, file: words.txt }', 'house'),
        'words.txt': 'project-x\n',
        's.motif.yaml': 'cases:\n  - { id: x, prompt: Tell me about project-x, expect: blocked }\n',
      },
      prepare(world) {
        const sleep = world.sleep.bind(world);
        Object.assign(world, {
          sleep: async (ms: number, signal?: AbortSignal) => {
            const list = lists.shift();
            if (list !== undefined) writeFileSync(join(world.folder, 'words.txt'), list);
            else world.interrupt();
            await sleep(ms, signal);
          },
        });
      },
    });
    expect(run.stdout.match(/^changed: .*$/gm)).toEqual([
      'changed: x  pass -> regressed',
      'changed: x  regressed -> pass',
    ]);
  });

  test.each([
    {
      name: 'a new suite',
      file: 'b/new.motif.yaml',
      text: 'cases:\n  - { id: y, prompt: Hi }\n',
      changed: 'y  new -> pass',
    },
    {
      name: 'a file of rows',
      file: 'rows.csv',
      text: 'prompt,expect\nHi,answered\nHo,blocked\n',
      changed: 'rows-Ho  new -> regressed',
    },
    { name: 'a text that a case names', file: 'long.txt', text: 'nothing of it', changed: 'long  pass -> regressed' },
    {
      name: 'a new document of the knowledge',
      file: 'docs/new.md',
      text: '# New\n\nNew text.\n',
      changed: 'no verdict',
    },
  ])('judges again after $name', async ({ file, text, changed }) => {
    let looks = 0;
    const knowledge = 'knowledge: { book: { files: docs/*.md } }\nmotifs:\n  bot: { knowledge: [book],';
    const run = await motif(['check', '--local', 'gateway.yaml', '--watch'], {
      env: {},
      files: {
        'gateway.yaml': gateway(house, 'house').replace('motifs:\n  bot: {', knowledge),
        'docs/old.md': '# Old\n\nOld text.\n',
        'rows.csv': 'prompt,expect\nHi,answered\n',
        'long.txt': 'All about project-x',
        's.motif.yaml': `cases:
  - { id: long, file: long.txt, expect: blocked }
  - { each: rows.csv, id: 'rows-\${prompt}', prompt: '\${prompt}', expect: '\${expect}' }
`,
      },
      prepare(world) {
        const sleep = world.sleep.bind(world);
        Object.assign(world, {
          sleep: async (ms: number, signal?: AbortSignal) => {
            looks += 1;
            if (looks === 1) {
              mkdirSync(dirname(join(world.folder, file)), { recursive: true });
              writeFileSync(join(world.folder, file), text);
            }
            if (looks === 25) world.interrupt();
            await sleep(ms, signal);
          },
        });
      },
    });
    expect(run.stdout.match(/^changed: .*$/gm)).toEqual([`changed: ${changed}`]);
  });

  test('refuses --live, where each change would be paid for', async () => {
    const run = await check(['--watch', '--live']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('would be paid for');
  });
});
