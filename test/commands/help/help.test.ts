import { describe, expect, test } from 'vitest';
import { exitTable, signalTable } from '../../../src/errors.ts';
import { commandTable } from '../../../src/program.ts';
import { topicGroups, topics as manualTopics } from '../../../src/manual/topics.ts';
import { declaredCommands } from '../../support/rooms/commands.ts';
import { motif } from '../../support/motif.ts';

const commandsBelow = await declaredCommands();

/** Help works with nothing set, nothing stored and nothing sent. */
const bare = { env: {}, home: null } as const;
const commands = ['login', 'logout', 'profile', 'whoami', 'prompt'];
const topics = ['exit-codes', 'environment', 'messages', 'json', 'files'];

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']]])('%j lists every command on stdout', async (argv) => {
    const run = await motif(argv, bare);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    for (const name of commands) expect(run.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(run.stdout.endsWith('\n')).toBe(true);
  });

  test.each([
    { typed: 'policys', meant: 'policies' },
    { typed: 'policy', meant: 'policies' },
    { typed: 'exit', meant: 'exit-codes' },
  ])('help $typed suggests $meant', async ({ typed, meant }) => {
    const run = await motif(['help', typed], bare);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`did you mean ${meant}?`);
  });

  test('no argument shows the same help and is no success, for nothing was done', async () => {
    const run = await motif([], bare);
    expect([0, 2]).toContain(run.exitCode);
    expect(run.stdout + run.stderr).toContain('motif login');
  });

  test('the help as a whole fits 41 rows, with a row for the prompt of the shell', async () => {
    expect((await motif(['--help'], bare)).stdout.split('\n').length).toBeLessThanOrEqual(41);
  });

  test('motif help lists each topic with its line', async () => {
    const { stdout } = await motif(['help'], bare);
    for (const { name, summary } of manualTopics) expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    const headings = stdout.match(/^Topics .*(?=:$)/gm);
    expect(headings).toEqual(topicGroups.map(({ heading }) => `Topics ${heading}`));
  });

  test('headings are bold on a terminal, and nothing is where colour is off', async () => {
    const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
    const { stdout } = await motif(['prompt', '--help'], { ...bare, stdout: { columns: 80 } });
    expect(stdout.startsWith(`${bold('Usage:')} motif prompt `)).toBe(true);
    expect(stdout).toContain(`\n${bold('What to send:')}\n`);
    const plain = await motif(['prompt', '--help'], { ...bare, env: { NO_COLOR: '1' }, stdout: { columns: 80 } });
    expect(plain.stdout).toBe(stdout.replace(/\u001b\[\d+m/g, ''));
  });

  const paths = commandsBelow.map(({ path }) => path).filter(({ length }) => length > 1);
  test.each(paths.map((path) => ({ typed: path.join(' '), path })))(
    'help $typed is what it shows itself',
    async ({ path }) => {
      const [asked, own] = [await motif(['help', ...path], bare), await motif([...path, '--help'], bare)];
      expect(asked).toMatchObject({ exitCode: 0, stdout: own.stdout });
    },
  );

  test('help topics has a row for each topic', async () => {
    const run = await motif(['help', 'topics'], bare);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const rows = run.stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual(manualTopics.map(({ name, summary }) => [name, summary]));
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
  });

  test.each(commands)('%s --help, -h and help %s are the same, with an example', async (name) => {
    const runs = await Promise.all(
      [
        [name, '--help'],
        [name, '-h'],
        ['help', name],
      ].map((argv) => motif(argv, bare)),
    );
    for (const run of runs) expect(run).toMatchObject({ exitCode: 0, stderr: '', stdout: runs[0]?.stdout });
    expect(runs[0]?.stdout).toContain(`Usage: motif ${name}`);
    expect(runs[0]?.stdout).toContain('Examples:');
  });

  test.each(['list', 'use', 'show', 'set', 'rename'])('profile %s --help', async (verb) => {
    const run = await motif(['profile', verb, '--help'], bare);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(`motif profile ${verb}`);
  });

  const verbs = ['list', 'use', 'show', 'set', 'rename'].map((verb) => ['profile', verb, '--help']);
  test.each([...commandTable.map(({ name }) => [name, '--help']), ...verbs])(
    '%s %s fits 80 columns and holds no control character',
    async (...argv) => {
      const { stdout } = await motif(argv, bare);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    },
  );

  test.each(commandTable.map(({ name }) => name))(
    'no example of %s is so long that it would be broken',
    async (name) => {
      const setup = { ...bare, env: { NO_COLOR: '1' }, stdout: { columns: 100 } };
      const examples = (await motif([name, '--help'], setup)).stdout.split(/^[A-Z][A-Za-z ]*:$/m)[1] ?? '';
      const rows = examples.split('\n').filter((row) => row !== '');
      expect(rows.filter((row) => !row.startsWith('  ') || row.length > 78)).toEqual([]);
    },
  );

  const all = commandsBelow.filter(({ path }) => path[1] !== 'words');
  test.each(all)('$path has examples that begin with its name, and headings alone', async ({ path }) => {
    const { stdout } = await motif([...path, '--help'], bare);
    const examples = /^Examples:\n([^]*?)\n\n/m.exec(stdout)?.[1]?.split('\n') ?? [];
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter((line) => !line.includes(`motif ${path.join(' ')}`))).toEqual([]);
    expect(stdout).not.toMatch(/^Options:$/m);
    expect(stdout).toMatch(/^Usage: .*\n\n[A-Z]/);
  });

  test('--help names each topic, those for one kind of reader on a line', async () => {
    const { stdout } = await motif(['--help'], bare);
    const [, named = ''] = stdout.split(/^Topics .*:$/m);
    const rows = named.trim().split('\n');
    expect(rows.map((row) => row.trim().split(/ {2,}|, /))).toEqual(
      topicGroups.map(({ label, topics: listed }) => [label, ...listed.map(({ name }) => name)]),
    );
  });

  test.each([
    { argv: ['nosuch', '--help'] },
    { argv: ['-q', 'promt', '-h'] },
    { argv: ['history', 'lst', '--help'] },
    { argv: ['profile', '--debug', 'nosuch', '-h'] },
  ])('$argv is a usage error, for there is nothing to help with', async ({ argv }) => {
    const run = await motif(argv, bare);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('unknown command');
  });

  test.each([
    { argv: ['batch', 'help'], same: ['batch', '--help'] },
    { argv: ['check', 'help'], same: ['check', '--help'] },
    { argv: ['check', 'help', 'init'], same: ['check', 'init', '--help'] },
  ])('$argv is $same', async ({ argv, same }) => {
    const { stdout } = await motif(same, bare);
    expect(await motif(argv, bare)).toMatchObject({ exitCode: 0, stderr: '', stdout });
  });

  test.each([
    { name: 'a file of rows', argv: ['batch', 'help', '--demo', '--dry-run'], says: '1 row, 1 to be sent' },
    { name: 'a suite', argv: ['check', 'help', '--demo', '--list'], says: 'opening' },
  ])('a file with the name help is $name', async ({ argv, says }) => {
    const help = argv[0] === 'batch' ? 'hi\n' : 'cases:\n  - { id: opening, prompt: hi, expect: answered }\n';
    const run = await motif(argv, { env: {}, files: { help } });
    expect(run.exitCode).toBe(0);
    expect(run.stdout + run.stderr).toContain(says);
  });

  test('a suite that is not there is no success, whatever stands before it', async () => {
    expect(await motif(['check', 'help', 'gone.motif.yaml'], bare)).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('the page of a topic that is a command too comes behind its flags, as README promises of each command', async () => {
    const both = commandTable.filter(({ name }) => manualTopics.some((topic) => topic.name === name));
    for (const { name } of both) {
      const { stdout } = await motif(['help', name], bare);
      const head = `First the flags, then the page. The flags alone: motif ${name} --help\n\n`;
      expect(stdout.startsWith(`${head}${(await motif([name, '--help'], bare)).stdout}\n# `)).toBe(true);
    }
    expect(both.length).toBeGreaterThan(0);
  });

  test('help wins over what would be wrong', async () => {
    const run = await motif(['login', 'not an address', '--help'], {
      env: { MOTIF_URL: 'broken', MOTIF_TIMEOUT: 'x' },
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('help topics', () => {
  test.each(topics)('%s', async (topic) => {
    const run = await motif(['help', topic], bare);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout.length).toBeGreaterThan(100);
  });

  test('exit-codes has every code and signal of the table', async () => {
    const { stdout } = await motif(['help', 'exit-codes'], bare);
    for (const { kind, code } of exitTable) expect(stdout).toMatch(new RegExp(`^ *${code} \\| ${kind} `, 'm'));
    for (const { signal, code } of signalTable) expect(stdout).toMatch(new RegExp(`^ *${code} \\| ${signal} `, 'm'));
  });

  const variables = `
    MOTIF_PROFILE MOTIF_URL MOTIF_ID MOTIF_TOKEN MOTIF_TOKEN_FILE MOTIF_TENANT_ID MOTIF_TIMEOUT
    MOTIF_CONNECT_TIMEOUT MOTIF_RETRIES MOTIF_CACERT MOTIF_CERT MOTIF_KEY HTTPS_PROXY HTTP_PROXY
    ALL_PROXY NO_PROXY MOTIF_NO_STDIN MOTIF_BLOCKED_NOTICE MOTIF_CONFIG_DIR XDG_CONFIG_HOME
  `;
  test.each(variables.trim().split(/\s+/))('environment or files names %s', async (variable) => {
    const both = await Promise.all(['environment', 'files'].map((topic) => motif(['help', topic], bare)));
    expect(both.map(({ stdout }) => stdout).join('')).toMatch(new RegExp(`\\b${variable}\\b`));
  });

  test.each(topics)('the page of commands names %s', async (topic) => {
    expect((await motif(['--help'], bare)).stdout).toContain(topic);
  });

  test.each([
    ['exit-code', 'exit-codes'],
    ['enviroment', 'environment'],
    ['mesages', 'messages'],
    ['logn', 'login'],
  ])('help %s: did you mean %s?', async (typed, meant) => {
    const run = await motif(['help', typed], bare);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(meant);
  });
});

describe('a page goes through the pager', () => {
  const screen = { columns: 80 };
  const ended = (code: number | null) => ({ code, stdout: '', stderr: '' });
  test.each([
    { name: 'that PAGER names', env: { PAGER: 'less' }, shown: ['less'] },
    { name: 'that MOTIF_PAGER names before PAGER', env: { PAGER: 'more', MOTIF_PAGER: 'less -S' }, shown: ['less -S'] },
    { name: 'never where MOTIF_PAGER is empty', env: { PAGER: 'more', MOTIF_PAGER: '' }, shown: [] },
    { name: 'never where none is set', env: {}, shown: [] },
    { name: 'never in a pipe', env: { PAGER: 'less' }, stdout: {}, shown: [] },
    { name: 'never with ACCESSIBLE', env: { PAGER: 'less', ACCESSIBLE: '1' }, shown: [] },
    { name: 'never on a simple terminal', env: { PAGER: 'less', TERM: 'dumb' }, shown: [] },
  ])('$name', async ({ env, stdout = screen, shown }) => {
    const run = await motif(['help', 'blocked'], { ...bare, env, stdout, run: () => ended(0) });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.world.ran.map(({ args }) => args.at(-1))).toEqual(shown);
    expect(run.world.ran.every(({ stdin }) => stdin?.startsWith('\u001b[1mBlocked'))).toBe(true);
    expect(run.stdout === '').toBe(shown.length > 0);
  });

  test.each([
    { name: 'cannot be found', result: ended(127), isShownHere: true },
    { name: 'may not be run', result: ended(126), isShownHere: true },
    { name: 'has no terminal', result: { ...ended(null), failure: 'not-started' as const }, isShownHere: true },
    { name: 'is left with a failure', result: ended(2), isShownHere: false },
    { name: 'is killed', result: { ...ended(null), failure: 'killed' as const }, isShownHere: false },
  ])('one that $name is no error', async ({ result, isShownHere }) => {
    const run = await motif(['help', 'blocked'], { ...bare, env: { PAGER: 'p' }, stdout: screen, run: () => result });
    const page = await motif(['help', 'blocked'], { ...bare, stdout: screen });
    expect(run).toMatchObject({ exitCode: 0, stderr: '', stdout: isShownHere ? page.stdout : '' });
  });

  test.each([
    { env: { PAGER: 'less' }, less: 'FRX' },
    { env: { PAGER: 'less', LESS: '-i' }, less: '-i' },
  ])('LESS is $less with $env', async ({ env, less }) => {
    const { world } = await motif(['help', 'blocked'], { ...bare, env, stdout: screen, run: () => ended(0) });
    expect(world.ran[0]?.env).toMatchObject({ LESS: less });
  });
});

describe('version', () => {
  test.each(['--version', '-V'])('%s is one line', async (flag) => {
    const run = await motif([flag], bare);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^(motif )?\d+\.\d+\.\d+\n$/);
  });
});

describe('a mistyped command is a usage error, never a paid prompt', () => {
  test.each([
    ['promt', 'prompt'],
    ['logn', 'login'],
    ['log-out', 'logout'],
    ['whoam', 'whoami'],
    ['profil', 'profile'],
  ])('%s: did you mean %s?', async (typed, meant) => {
    const run = await motif([typed, 'hi'], {
      env: { MOTIF_URL: 'https://gw.example/api/v1/apps/x', MOTIF_TOKEN: 'x' },
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(meant);
  });

  test.each([['How long can I return a kettle?'], ['\u001b[31mred'], ['__proto__'], ['constructor'], ['']])(
    '%j',
    async (typed) => {
      const run = await motif([typed]);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).not.toContain('\u001b');
    },
  );
});
