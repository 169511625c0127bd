import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createConversations } from '../../src/conversations/store.ts';
import { createFiles } from '../../src/world/files/files.ts';
import { chatService, homeFor } from '../support/servers/chat-service.ts';
import { createHome, type Home } from '../support/processes/home.ts';
import { startMotif } from '../support/processes/program.ts';
import { noSmallDisk, onSmallDisk } from '../support/processes/small-disk.ts';

/** Conversations as real processes leave them: killed, at once, on a full disk. */
const folderOf = ({ home }: Home) => join(home, '.local/state/motif/conversations');

/** Reads with the program's own code in this process, which nobody kills. */
async function turnsOf(home: Home, title: string) {
  const world = { files: createFiles(), now: Date.now, newId: () => 'unused' };
  const talk = await createConversations(world, folderOf(home)).find(title);
  return talk.saidTurns.map(({ messages }) => messages.map(({ content }) => content));
}

const ask = (text: string, ...flags: readonly string[]) => ['prompt', ...flags, text];

/** A home beside a service that repeats what it heard, and the built program in it. */
async function place() {
  const home = homeFor(await chatService());
  return { home, run: async (args: readonly string[]) => await startMotif(args, { env: home.env }).ended };
}

test('killed at any moment, a prompt costs at most its own turn; what was acknowledged is there, whole and once', async () => {
  const { home, run: runProgram } = await place();
  const firstAt = Date.now();
  await runProgram(ask('turn first', '--save', 'Talk'));
  // A prompt takes about as long as the last one that ended by itself, or longer than those that were killed.
  let usualMs = Date.now() - firstAt;
  const acknowledged: string[] = [];
  for (let round = 0; round < 40; round += 1) {
    const text = `turn n${round}.`;
    // Delays from before the program is loaded until well after its end.
    const share = 0.2 + (round % 10) / 6;
    const begun = Date.now();
    const run = startMotif(ask(text, '--conversation', 'Talk'), { env: home.env });
    const timer = setTimeout(() => run.process.kill('SIGKILL'), usualMs * share);
    const { code, stderr } = await run.ended;
    clearTimeout(timer);
    if (code === 0) usualMs = Date.now() - begun;
    else if (share > 1) usualMs *= 1.2;
    if (code === 0 || stderr.includes('saved in')) acknowledged.push(text);
    const turns = await turnsOf(home, 'Talk');
    const asked = turns.map(([question]) => question);
    expect(asked).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(asked).size).toBe(asked.length);
    for (const [question = '', answer, ...more] of turns) {
      expect(answer).toContain(question);
      expect(more).toEqual([]);
    }
  }
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.length).toBeLessThan(40);
  expect(await home.motif(ask('turn last', '-c'))).toMatchObject({ code: 0 });
}, 120_000);

test('ten processes at once on one conversation lose no turn, and tear none', async () => {
  const { home, run } = await place();
  await home.motif(ask('turn first', '--save', 'Talk'));
  const runs = Array.from({ length: 10 }, (_, index) => run(ask(`turn n${index}.`, '--conversation', 'Talk')));
  const said = (await Promise.all(runs)).map(({ stderr }) => stderr).join('');
  const turns = await turnsOf(home, 'Talk');
  expect(turns).toHaveLength(11);
  expect(new Set(turns.map(([question]) => question)).size).toBe(11);
  expect(said).not.toContain('broken');
  expect(await home.motif(['history', 'show', 'Talk'])).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

test('ten processes at once begin ten conversations', async () => {
  const { home, run } = await place();
  await Promise.all(Array.from({ length: 10 }, (_, index) => run(ask('hello', '--save', `Talk ${index}`))));
  const { stdout } = await home.motif(['history', 'list']);
  expect(
    new Set(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).size,
  ).toBe(10);
}, 60_000);

test.each(['000', '022', '077'])('with umask %s files are 0600 and folders 0700', async (umask) => {
  const { home } = await place();
  const within = ['/bin/sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];
  await home.motif(ask('hello', '--save', 'Talk'), { within });
  await home.motif(['history', 'list'], { within });
  const folder = folderOf(home);
  const names = readdirSync(folder);
  expect(names).toHaveLength(2);
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  for (const path of [folder, join(folder, '..')]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

describe.skipIf(noSmallDisk)(`a full disk ${noSmallDisk ?? ''}`, () => {
  const start = 'export HOME="$0" XDG_STATE_HOME="$0"; cd /';
  const fill = 'head -c 1048576 /dev/zero > "$0/filler" 2>/dev/null';

  test('the answer is printed, the code is 12, and no piece of a file is left', async () => {
    const { root } = createHome();
    const output = await onSmallDisk(
      root,
      `${start}; ${fill}; "$@" prompt --demo --save Talk "Do you ship for free?" 2>&1; echo "code $?"; find "$0" -name "*.jsonl" | wc -l`,
    );
    expect(output).toContain('[handbook:');
    expect(output).toContain('the disk is full');
    expect(output.trimEnd().split('\n').slice(-2)).toEqual(['code 12', '0']);
  });

  test('a conversation that was there keeps what it had, byte for byte', async () => {
    const { root } = createHome();
    const output = await onSmallDisk(
      root,
      `${start}; "$@" prompt --demo --save Talk "first" 2>/dev/null
      before=$(cat "$0"/motif/conversations/*.jsonl | sha256sum); ${fill}
      head -c 6000 /dev/zero | tr '\\0' x | "$@" prompt --demo -c 2>/dev/null >/dev/null; echo "code $?"
      [ "$before" = "$(cat "$0"/motif/conversations/*.jsonl | sha256sum)" ] && echo same
      "$@" history list`,
    );
    expect(output).toMatch(/code 12\nsame\n\w+\t[^\t]+\tTalk\t/);
  });
});

test('what a list remembers is nothing but what is in the files', async () => {
  const { home } = await place();
  await home.motif(ask('hello there', '--save', 'Talk'));
  await home.motif(['history', 'list']);
  expect(readFileSync(join(folderOf(home), 'summaries.json'), 'utf8')).not.toContain('hello there');
});
