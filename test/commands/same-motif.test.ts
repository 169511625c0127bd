import { describe, expect, test } from 'vitest';
import { motif, type MotifSetup, type Run, testToken } from '../support/motif.ts';
import { logIn } from '../support/rooms/login.ts';
import { answered, blocked, service } from '../support/service.ts';
import '../support/rooms/gateway-loaded.ts';

const suite = 'cases: [{ id: card, prompt: My card is 4111, expect: blocked }, { id: hi, prompt: Hello }]\n';
const gateway = 'tenant: acme\nproviders: { m: { kind: mock } }\nmotifs: { a: { provider: m }, b: { provider: m } }\n';
const files = { 's.motif.yaml': suite, 'my gateway.yaml': gateway };
const one = 'https://one.example/api/v1/apps/a';
const two = 'https://two.example/api/v1/apps/b';
const token = { MOTIF_TOKEN: testToken };

/** A service at every address, which notes where it was asked. */
function everywhere() {
  const asked: string[] = [];
  const { send } = service({ body: answered });
  const noting: NonNullable<MotifSetup['send']> = async (request, options) => {
    asked.push(request.url);
    return send(request, options);
  };
  return { asked, send: noting };
}

/** A home with two profiles, of which the first is in use. */
async function home() {
  const first = await logIn([one, '-p', 'one', '--token-stdin', '--no-verify']);
  const second = await logIn([two, '-p', 'two', '--token-stdin', '--no-verify'], { after: first.world });
  return (await motif(['profile', 'use', 'one'], { env: {}, after: second.world })).world;
}

const words = (line: string) =>
  [...line.matchAll(/(?:'[^']*'|[^\s']+)+/g)].map(([word]) => word.replaceAll("'", '')).slice(1);

/** The name of the Motif or of the profile that a check tells of. */
const subjectOf = ({ stdout }: Run) => /^(?:FAILED|OK) (\S+):/m.exec(stdout)?.[1];

describe('the command that check prints to ask the failures again', () => {
  const shells = [
    { name: 'the profile in use', argv: [], env: {} },
    { name: '-p', argv: ['-p', 'two'], env: {} },
    { name: '--url', argv: ['--url', two], env: token },
    { name: '--motif', argv: ['--motif', 'other'], env: {} },
    { name: 'MOTIF_URL', argv: [], env: { MOTIF_URL: two, ...token } },
    { name: 'MOTIF_PROFILE', argv: [], env: { MOTIF_PROFILE: 'two' } },
    { name: 'MOTIF_ID', argv: [], env: { MOTIF_ID: 'other' } },
    { name: '--demo', argv: ['--demo'], env: {} },
    { name: '--local', argv: ['--local', 'my gateway.yaml', '--motif', 'b'], env: {} },
  ];

  test.each(shells)('asks the same Motif in the same shell: $name', async ({ argv, env }) => {
    const at = everywhere();
    const first = await motif(['check', 's.motif.yaml', ...argv], { env, files, after: await home(), send: at.send });
    const [, again = ''] = /^again: (.+)$/m.exec(first.stdout) ?? [];
    const before = at.asked.splice(0);
    const typed = await motif(words(again), { env, after: first.world, send: at.send });
    expect(typed.stdout).toContain('0 pass of 1');
    expect(subjectOf(typed)).toBe(subjectOf(first));
    expect(new Set(at.asked)).toEqual(new Set(before));
  });

  test.each(shells)('asks no other Motif in another shell: $name', async ({ argv, env }) => {
    const at = everywhere();
    const first = await motif(['check', 's.motif.yaml', ...argv], { env, files, after: await home(), send: at.send });
    const [, again = ''] = /^again: (.+)$/m.exec(first.stdout) ?? [];
    const before = at.asked.splice(0);
    const typed = await motif(words(again), { env: token, after: first.world, send: at.send });
    if (typed.exitCode === 1) expect(subjectOf(typed)).toBe(subjectOf(first));
    else {
      expect(typed).toMatchObject({ exitCode: 2, stdout: '' });
      expect(typed.stderr).toContain('the last run of s.motif.yaml asked');
    }
    for (const url of at.asked) expect(before).toContain(url);
  });

  test.each([
    { name: 'a gateway file', flags: ['-c', 'my gateway.yaml', '--motif', 'b', '--mock'] },
    { name: 'the demo', flags: [] },
  ])('names the gateway that ends with the command: motif serve, $name', async ({ flags }) => {
    const at = everywhere();
    const world = await home();
    const first = await serving(['serve', ...flags, '--', 'motif', 'check', 's.motif.yaml'], at.send, {
      files,
      after: world,
    });
    expect(first.inner?.exitCode).toBe(1);
    const [, again = ''] = /^again: (.+)$/m.exec(first.inner?.stdout ?? '') ?? [];
    expect(again).toMatch(/^motif serve .*-- motif check s\.motif\.yaml --last-failed$/);
    const typed = await serving(words(again), at.send, { after: world });
    expect(typed.inner?.stdout).toContain('0 pass of 1');
    const alone = await motif(['check', 's.motif.yaml', '--last-failed'], { env: {}, after: world });
    expect(alone).toMatchObject({ exitCode: 2, stdout: '' });
    expect(alone.stderr).toContain('the last run of s.motif.yaml asked');
  });
});

describe('the command that login prints as the next one', () => {
  test.each([
    { name: 'nothing else is set', env: {} },
    { name: 'MOTIF_URL', env: { MOTIF_URL: one, ...token } },
    { name: 'MOTIF_PROFILE', env: { MOTIF_PROFILE: 'one' } },
    { name: 'MOTIF_ID', env: { MOTIF_ID: 'other' } },
  ])('asks the Motif of that login: $name', async ({ env }) => {
    const at = everywhere();
    const login = await logIn([two, '-p', 'new', '--token-stdin', '--no-verify'], { env, after: await home() });
    const [, next = ''] = /next: (?:unset [A-Z_ ]+, or )?(motif prompt .+)$/m.exec(login.stderr) ?? [];
    const typed = await motif(words(next.replaceAll('"', "'")), { env, after: login.world, send: at.send });
    expect(typed.exitCode, typed.stderr).toBe(0);
    expect(at.asked).toEqual([`${two}/prompts`]);
  });
});

test('a block below motif serve says how its gateway tells why', async () => {
  const { send } = service({ body: blocked });
  const words = ['serve', '-c', 'my gateway.yaml', '--motif', 'b', '--', 'motif', 'prompt', 'hi'];
  const { inner, outer } = await serving(words, send, { files, after: await home() });
  const file = `${outer.world.folder}/my gateway.yaml`;
  expect(inner?.stderr).toContain(`see why: motif admin try -c '${file}' --motif b TEXT; what now: motif help blocked`);
});

/** Runs `motif serve ... -- motif ...`, and the motif below it in the same folders. */
async function serving(argv: readonly string[], send: MotifSetup['send'], setup: MotifSetup) {
  let inner: Run | undefined;
  const outer = await motif(argv, {
    ...setup,
    env: {},
    run: async ({ command, args, env }) => {
      if (command !== 'motif') return { code: null, stdout: '', stderr: '', failure: 'not-found' };
      inner = await motif(args, {
        env: { ...env } as Record<string, string>,
        after: setup.after!,
        ...(send && { send }),
      });
      return { code: inner.exitCode ?? 0, stdout: '', stderr: '' };
    },
  });
  return { outer, inner };
}

describe('no command is printed to ask the failures again where none are kept', () => {
  test.each([
    { name: 'in CI', env: { CI: 'true' }, argv: ['s.motif.yaml'], home: {} },
    { name: 'without a home', env: {}, argv: ['s.motif.yaml'], home: { home: null } },
    {
      name: 'where nothing can be written',
      env: { XDG_STATE_HOME: '/proc/nothing' },
      argv: ['s.motif.yaml'],
      home: {},
    },
  ])('$name', async ({ env, argv, home: where }) => {
    const { send } = everywhere();
    const run = await motif(['check', ...argv], { env: { MOTIF_URL: one, ...token, ...env }, files, send, ...where });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).not.toContain('again:');
  });
});
