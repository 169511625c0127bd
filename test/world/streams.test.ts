import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../support/processes/bundle.ts';
import { shell, start } from '../support/processes/child.ts';
import { noPty, openPty } from '../support/terminals/pty.ts';
import { VirtualScreen } from '../support/terminals/virtual-screen.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const node = process.execPath;
const folder = sharedFolder();

/** In every line of shell, "$@" is the program. */
let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});
const run = (line: string) => shell(line, node, program);

describe('stdout', () => {
  test.each([
    ['a pipe', '"$@" write "häl\\lo" | cat', { stdout: 'häl\\lo', stderr: '' }],
    ['nothing to write', '"$@" write "" | cat', { stdout: '', stderr: '' }],
    ['many writes at once, in order', '"$@" many 3000 | sort -nc && echo sorted', { stdout: 'sorted\n', stderr: '' }],
    ['a slow reader', '"$@" flood 5000000 | { sleep 0.2; wc -c; }', { stdout: '5000000\n', stderr: '' }],
    [
      'a reader that has gone',
      '{ "$@" flood 5000000; echo $? >&2; } | head -c 1',
      { stdout: 'x', stderr: 'StdoutClosed: nobody reads stdout any more\n9\n' },
    ],
    [
      'a full device',
      '"$@" write hi > /dev/full; echo $?',
      { stdout: '12\n', stderr: 'MotifError: stdout could not be written: the disk is full\n' },
    ],
    [
      'a file that may not grow as far, which is not cut silently',
      'ulimit -f 1; "$@" flood 2000 > "$FILE"; echo $?; wc -c < "$FILE"',
      { stdout: '12\n512\n', stderr: 'MotifError: stdout could not be written: grows larger than is allowed here\n' },
    ],
    ['closed', '"$@" write hi >&-; echo $?', { stdout: '0\n', stderr: '' }],
    ['all three closed', '"$@" write hi <&- >&- 2>&-; echo $?', { stdout: '0\n', stderr: '' }],
  ])('%s', async (_, line, expected) => {
    const out = join(folder, 'out');
    writeFileSync(out, '');
    expect(await run(`FILE='${out}'; ${line}`)).toMatchObject(expected);
  });

  test('a pipe that another program made non-blocking gets everything', async () => {
    const disturber = `'${node}' -e "process.stdout.write(''); setTimeout(() => {}, 1500)"`;
    const { stdout } = await run(`{ ${disturber} & sleep 0.3; "$@" flood 3000000; } | { sleep 0.6; wc -c; }`);
    expect(stdout).toBe('3000000\n');
  });
});

test.each([
  ['full', '"$@" complain oh 2>/dev/full'],
  ['closed', '"$@" complain oh 2>&-'],
  ['without a reader', '{ "$@" complain oh 2>&1 >&3 | true; } 3>&1'],
])('stderr %s fails nothing', async (_, line) => {
  expect(await run(line)).toMatchObject({ code: 0, stdout: 'went on' });
});

test('stderr goes on once its file has room again, behind the end of the line that was torn', async () => {
  const out = join(folder, 'log');
  await run(`ulimit -f 1; "$@" complainOn '${out}' 2>> '${out}'`);
  expect(readFileSync(out, 'utf8')).toBe('\nlater\n');
});

describe('stdin', () => {
  test.each([
    ['a pipe', 'echo hello | "$@" describe', { stdin: 'pipe' }],
    ['a file', '"$@" describe < "$0"', { stdin: 'file' }],
    ['closed', '"$@" describe <&-', { stdin: 'none' }],
    ['an endless device', '"$@" describe < /dev/zero', { stdin: 'none' }],
    ['a folder', '"$@" describe < /', { stdin: 'none' }],
  ])('%s has its kind', async (_, line, expected) => {
    const { stdout } = await shell(line.replace('"$0"', `'${program}'`), node, program);
    expect(JSON.parse(stdout)).toMatchObject({ ...expected, stdout: false, columns: 80 });
  });

  test.each([
    ['a pipe', 'head -c 300000 /dev/zero | "$@" read', '300000'],
    ['a slow pipe', '{ printf a; sleep 0.2; printf b; } | "$@" read', '2'],
    ['an empty pipe', 'true | "$@" read', '0'],
    ['a file', 'head -c 200000 /dev/zero > "$FILE"; "$@" read < "$FILE"', '200000'],
    ['a device', '"$@" read < /dev/zero', '0'],
    ['nothing at all', '"$@" read <&-', '0'],
  ])('%s is read to its end', async (_, line, expected) => {
    expect(await run(`FILE='${join(folder, 'in')}'; ${line}`)).toMatchObject({ stdout: expected, stderr: '' });
  });

  test('a stdin that may not be read is said so', async () => {
    expect(await run(`"$@" read 0> '${join(folder, 'in')}'`)).toMatchObject({
      code: 12,
      stderr: expect.stringContaining('MotifError: stdin could not be read: ') as string,
    });
  });

  // Each of these would hang until the test's own limit if stdin kept the process alive.
  test.each([
    ['after its first chunk', 'first', { stdout: 'one', stderr: '' }],
    ['by a signal of its own', 'giveUp', { stdout: '', stderr: 'Error: gave up\n' }],
    ['while it waits', 'walkAway', { stdout: '{"done":true}', stderr: '' }],
  ])('left %s, an open pipe does not hold the process', async (_, act, expected) => {
    const running = start(node, [program, act]);
    if (act === 'first') running.process.stdin?.write('one');
    expect(await running.ended).toMatchObject(expected);
  });
});

describe('a terminal', () => {
  const onTerminal = (line: string) => shell(`script -qec '${line}' /dev/null`);

  test.each([
    ['80 columns', 'stty cols 80', { columns: 80 }],
    ['33 columns', 'stty cols 33', { columns: 33 }],
    ['1 column', 'stty cols 1', { columns: 1 }],
    ['no columns', 'stty cols 0', { columns: 80 }],
  ])('%s', async (_, setting, expected) => {
    const { stdout } = await onTerminal(`${setting}; ${node} ${program} describe`);
    expect(JSON.parse(stdout)).toMatchObject({ stdin: 'terminal', stdout: true, stderr: true, ...expected });
  });

  test('a terminal named as an output file is sent no control characters', async () => {
    const { stdout } = await onTerminal(`${node} ${program} writeThrough /dev/tty "[31mred"`);
    expect(stdout).toBe('\\u{1b}[31mred');
  });

  test.each([
    ['the end', 'raw return'],
    ['an uncaught error', 'raw throw'],
    ['SIGINT', 'raw SIGINT'],
    ['SIGTERM', 'raw SIGTERM'],
    ['SIGHUP', 'raw SIGHUP'],
  ])('raw mode ends with %s', async (_, act) => {
    const { stdout } = await onTerminal(`${node} ${program} ${act}; stty -a`);
    expect(stdout.match(/-?\bicanon\b/g)).toEqual(['-icanon', 'icanon']);
    expect(stdout.match(/-?\becho\b/g)).toEqual(['-echo', 'echo']);
  });

  test('raw mode ends with a second signal, too', async () => {
    const { stdout } = await onTerminal(`${node} ${program} rawTwice SIGTERM; stty -a`);
    expect(stdout).toContain('Terminated');
    expect(stdout).toMatch(/ icanon/);
  });
});

test.skipIf(noPty)('what goes to stdout and stderr stands on one terminal in the order it was written', async () => {
  const rounds = 200;
  const { ended } = openPty([node, program, 'spin', `${rounds}`], { rows: rounds + 2 });
  const { shown } = await ended;
  const screen = new VirtualScreen(80, rounds + 2);
  screen.write(shown);
  const answers = Array.from({ length: rounds }, (_, index) => `answer ${index + 1}`);
  expect(screen.seen).toEqual(answers);
  expect(shown).toContain('waiting');
});
