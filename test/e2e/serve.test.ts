import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program, startMotif } from '../support/processes/program.ts';
import { freePort } from '../support/servers/free-port.ts';
import { motifOnPty, noPty, openPty } from '../support/terminals/pty.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder();

const asks = (question: string) => `${program.join(' ')} prompt -q "${question}"`;

describe('serve -- command', () => {
  test('gives the command an address and a token that work, ends with its code, and logs nothing beside it', async () => {
    const { code, stdout, stderr } = await startMotif([
      'serve',
      '--',
      'sh',
      '-c',
      `${asks('How long can I return a kettle?')}; exit 7`,
    ]).ended;
    expect({ code, stdout, stderr }).toMatchObject({
      code: 7,
      stdout: expect.stringContaining('30 days') as string,
      stderr: '',
    });
  });

  test('a policy of the demo blocks there as anywhere', async () => {
    const { code, stderr } = await startMotif(['serve', '--', 'sh', '-c', asks('My card is 4111 1111 1111 1111')])
      .ended;
    expect({ code, stderr }).toEqual({ code: 10, stderr: expect.stringContaining('blocked by policy') as string });
  });

  test('serves a file of one’s own, whose Motif has no token and whose port is taken by nobody', async () => {
    const file = join(folder, 'own.yaml');
    writeFileSync(
      file,
      'tenant: acme\nproviders: { m: { kind: mock } }\nmotifs: { one: { provider: m }, two: { provider: m } }\n',
    );
    const shown = 'echo "$MOTIF_URL $MOTIF_TENANT_ID"';
    const run = await startMotif([
      'serve',
      '-c',
      file,
      '--motif',
      'two',
      '--',
      'sh',
      '-c',
      `${shown}; ${asks('hello')}`,
    ]).ended;
    expect(run.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/apps\/two acme\nhello\n$/);
    // A warning stands in the words of a person among the lines of the command.
    expect(run.stderr).toMatch(/^motif: warning: .*one has no policies/m);
    const several = await startMotif(['serve', '-c', file, '--', 'true']).ended;
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining('one, two') as string });
  });

  test('--mock needs no key and asks nobody outside, and the command gets no variable that the file names as a secret', async () => {
    const file = join(folder, 'keys.yaml');
    writeFileSync(
      file,
      `audit: { file: mocked.jsonl }
providers: { real: { kind: openai, key: "\${ACME_KEY}", headers: { x-team: "t \${TEAM_KEY}" } } }
policies: { dlp: { kind: webhook, url: "https://dlp.example/", key: "\${DLP_KEY}" } }
motifs: { bot: { provider: real, model: m, policies: [dlp] } }
`,
    );
    const shown = 'echo "${ACME_KEY-unset} ${TEAM_KEY-unset} ${DLP_KEY-unset} $OTHER"';
    const env = { ACME_KEY: 'a', TEAM_KEY: 'b', OTHER: 'kept' };
    const words = ['serve', '-c', file, '--mock', '--', 'sh', '-c', `${shown}; ${asks('hello')}`];
    const { code, stdout, stderr } = await startMotif(words, { env }).ended;
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'unset unset unset kept\nYou said: hello\n',
    });
    expect(stderr).toContain('not asked with --mock: dlp');
    const [line] = readFileSync(join(folder, 'mocked.jsonl'), 'utf8')
      .split('\n')
      .filter((each) => each.includes('"decision"'));
    // The mock answered, which has no price.
    expect(line).toContain('"provider":"mock","model":"m"');
  });

  test('the command asks this gateway, whatever the environment says of another Motif', async () => {
    const file = join(folder, 'plain.yaml');
    writeFileSync(file, 'providers: { m: { kind: mock } }\nmotifs: { one: { provider: m } }\n');
    const env = { MOTIF_PROFILE: 'prod', MOTIF_ID: 'other', MOTIF_TENANT_ID: 'acme', MOTIF_TOKEN_FILE: '/nonexistent' };
    const words = ['serve', '-c', file, '--', 'sh', '-c', asks('hello')];
    const { code, stdout, stderr } = await startMotif(words, { env }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hello\n' });
    expect(stderr).toMatch(/^motif: warning: \S*plain\.yaml:\d+:\d+: motifs\.one has no policies/m);
  });

  test('a gateway file that lies here is said not to be used, for the command asks the demo', async () => {
    const here = mkdtempSync(join(folder, 'here-'));
    writeFileSync(join(here, 'gateway.yaml'), 'providers: { m: { kind: mock } }\nmotifs: { one: { provider: m } }\n');
    const words = ['serve', '--log-level', 'error'];
    const told = 'motif: gateway.yaml is not used; motif serve -c gateway.yaml serves it\n';
    const at = { within: ['env', '-C', here] };
    expect((await startMotif([...words, '--', 'true'], at).ended).stderr).toBe(told);
    expect((await startMotif([...words, '-c', 'gateway.yaml', '--', 'true'], at).ended).stderr).toBe('');
  });

  test.each([
    {
      name: 'a program that is not there',
      command: '/nonexistent/program',
      stderr: /^motif: no such program \/nonexistent\/program\n/,
    },
    { name: 'a whole command line', command: 'a && b', stderr: /no such program a && b\n.*-- sh -c 'a && b'\n/ },
  ])('$name is named', async ({ command, stderr }) => {
    expect(await startMotif(['serve', '--', command]).ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(stderr) as string,
    });
  });

  test.each([{ name: 'is ended by a signal', words: ['sh', '-c', 'kill -9 $$'], code: 137 }])(
    'a command that $name: $code',
    async ({ words, code }) => {
      expect((await startMotif(['serve', '--', ...words]).ended).code).toBe(code);
    },
  );

  test('SIGTERM is passed on, and the command decides', async () => {
    const line = 'trap "exit 9" TERM; echo up; while :; do sleep 0.05; done';
    const running = startMotif(['serve', '--', 'sh', '-c', line], { input: null });
    await running.says('up');
    running.process.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 9 });
  });

  test('a second SIGTERM ends the command too, which ignored the first', async () => {
    const line =
      'process.on("SIGTERM", () => console.log("no")); setInterval(() => {}, 1000); console.log("up " + process.pid)';
    const running = startMotif(['serve', '--', process.execPath, '-e', line], { input: null });
    let stdout = '';
    running.process.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
    await running.says('up');
    running.process.kill('SIGTERM');
    await running.says('no');
    running.process.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ signal: 'SIGTERM' });
    const pid = Number(/up (\d+)/.exec(stdout)?.[1]);
    await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  });
});

describe('the demo', () => {
  test('prints an address, a token and the pair of variables, answers with them, and SIGINT ends it with 0', async () => {
    const running = startMotif(['serve'], { input: null });
    await running.says('export MOTIF_URL=');
    let stdout = '';
    running.process.kill('SIGINT');
    const ended = await running.ended;
    ({ stdout } = ended);
    expect(ended.code).toBe(0);
    const [, url, token] = /^export MOTIF_URL=(\S+) MOTIF_TOKEN=(\S+)$/m.exec(stdout) ?? [];
    expect(stdout).toContain(`  address  ${url}\n  token    ${token}\n`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/apps\/support-bot$/);
    expect(token).toMatch(/^mtf_/);
    expect(ended.stderr).not.toContain(token);
  });

  test('--port says where it listens, and a port in use is named', async () => {
    const port = String(await freePort());
    const running = startMotif(['serve', '--port', port], { input: null });
    await running.says(`127.0.0.1:${port}/`);
    const second = await startMotif(['serve', '--port', port]).ended;
    expect(second).toMatchObject({
      code: 12,
      stderr: expect.stringMatching(`${port} is in use\n.*is another motif serve running`) as string,
    });
    expect(second.stderr).not.toContain('gateway file');
    running.process.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  test('SIGHUP, for which there is no file to read again, ends it like any program', async () => {
    const running = startMotif(['serve'], { input: null });
    await running.says('export MOTIF_URL=');
    running.process.kill('SIGHUP');
    expect(await running.ended).toMatchObject({ signal: 'SIGHUP' });
  });
});

describe.skipIf(noPty)(`on a terminal ${noPty ?? ''}`, () => {
  const file = join(folder, 'terminal.yaml');
  const started = async () => {
    writeFileSync(file, 'listen: { port: 0 }\nproviders: { m: { kind: mock } }\nmotifs: { bot: { provider: m } }\n');
    const gateway = motifOnPty(['serve', '-c', file, '--log-level', 'info']);
    await gateway.says('"listening"');
    return gateway;
  };

  test('--mock and the audit are told once to a person, and nothing of them to a program', async () => {
    const real = join(folder, 'real.yaml');
    writeFileSync(
      real,
      'audit: { file: real.jsonl }\nproviders: { real: { kind: openai, key: "${K}" } }\nmotifs: { bot: { provider: real, model: m } }\n',
    );
    const words = ['serve', '-c', real, '--mock', '--', 'true'];
    const { code, shown } = await motifOnPty(words).ended;
    const timesIn = (text: string) => shown.replace(/\s+/g, ' ').split(text).length - 1;
    expect(code).toBe(0);
    expect([timesIn('a mock answers in place of real'), timesIn('stand in the audit of the gateway file')]).toEqual([
      1, 1,
    ]);
    expect((await startMotif(words).ended).stderr).not.toMatch(/a mock answers|stand in the audit/);
  });

  test('another port than the one that the file has, which admin prints, is told of', async () => {
    writeFileSync(
      file,
      'listen: { port: 18080 }\nproviders: { m: { kind: mock } }\nmotifs: { bot: { provider: m } }\n',
    );
    const gateway = motifOnPty(['serve', '-c', file, '--port', String(await freePort())]);
    await gateway.says(/motif admin show print\s+the\s+port of the file, 18080/);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
  });

  test('SIGHUP has the file read again', async () => {
    const gateway = await started();
    gateway.kill('SIGHUP');
    await gateway.says('was read again');
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
  });

  test.each([{ workers: 1 }, { workers: 2 }])(
    'a person is told what has changed, and a warning once: $workers workers',
    async ({ workers }) => {
      const text = `listen: { port: 0, workers: ${workers} }\nproviders: { m: { kind: mock } }\nmotifs: { bot: { provider: m } }\n`;
      writeFileSync(file, text);
      const gateway = motifOnPty(['serve', '-c', file]);
      await gateway.says(/1 Motif on (http:\S+); Ctrl-C ends it\s+\1\/api\/v1\/apps\/bot\r?\n/);
      writeFileSync(file, `${text}policies: { short: { kind: length, max_chars: 9 } }\n`);
      await gateway.says(/was read\s+again; new: policy short/);
      gateway.kill('SIGTERM');
      const { shown } = await gateway.ended;
      const timesIn = (words: string) => shown.replace(/\s+/g, ' ').split(words).length - 1;
      // The third warning is that no Motif has the new policy.
      const warnings = ['bot has no policies', 'bot has no token', 'motif: warning: '];
      expect(warnings.map(timesIn)).toEqual([1, 1, 3]);
      expect(timesIn('was read again')).toBe(1);
    },
  );

  test('a terminal that goes away takes the gateway with it, and its port', async () => {
    const gateway = await started();
    gateway.hangUp();
    expect(await gateway.ended).toMatchObject({ code: 0 });
  });

  // A shell that edits its line while the job starts, and runs another command while it ends.
  test.each(['TERM', 'INT'])(
    'a job in the background leaves the terminal to the shell, ended by SIG%s',
    async (signal) => {
      const out = join(folder, `job-${signal}.txt`);
      const script = [
        'set -m; saved=$(stty -g); stty raw -echo',
        `${program.join(' ')} serve --port 0 > ${out} 2>&1 &`,
        `until grep -q export ${out}; do sleep 0.1; done`,
        `stty "$saved"; kill -${signal} %1; wait; echo over`,
      ];
      const shell = openPty(['bash', '-c', script.join('\n')]);
      await shell.says('over');
      expect(await shell.ended).toMatchObject({ code: 0, isTerminalAsBefore: true });
    },
  );
});

test.each([
  { words: ['serve', 'gateway.yaml'], says: 'motif serve -c FILE' },
  { words: ['serve', '--log-level', 'loud'], says: '--log-level takes error, warn, info or debug' },
])('$words is a usage error that says: $says', async ({ words, says }) => {
  expect(await startMotif(words).ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) as string });
});

test('a file with faults is named with its lines, and what a secret needs is one of them', async () => {
  const file = join(folder, 'bad.yaml');
  writeFileSync(file, 'providers:\n  a: { kind: openai, key: "${NOT_SET_ANYWHERE}" }\nmotifs:\n  b: { provider: c }\n');
  const { code, stderr } = await startMotif(['serve', '-c', file]).ended;
  expect(code).toBe(2);
  expect(stderr).toContain(`${file}:4:`);
});
