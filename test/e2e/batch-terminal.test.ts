import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowsOf } from '../support/rooms/batch.ts';
import { localService } from '../support/servers/local-service.ts';
import { program } from '../support/processes/program.ts';
import { noScreen, openScreen } from '../support/terminals/screen.ts';
import { answered } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rows = 400;
/** Rows that are answered before the test releases the others; the last of them comes late enough to be drawn. */
const early = 21;

/** A batch of 400 rows on a terminal, two at once, that stands at 21 finished ones until they are released. */
async function heldBatch() {
  const held: ServerResponse[] = [];
  let isHeld = true;
  const answer = (response: ServerResponse) => void response.end(JSON.stringify(answered));
  const service = await localService((response) => {
    const count = service.requests.length;
    if (count === early) setTimeout(answer, 600, response);
    else if (count < early || !isHeld) answer(response);
    else held.push(response);
  });
  const folder = temporaryFolder('/tmp');
  writeFileSync(join(folder, 'in.txt'), Array.from({ length: rows }, (_, index) => `row ${index}\n`).join(''));
  const env = { ...service.env, HOME: folder, SHELL: '/bin/sh' } as Record<string, string>;
  const line = 'trap : INT; cd "$0" && "$@" batch in.txt -o out.jsonl -j 2; echo "ended $?"; exec cat';
  const screen = await openScreen(['sh', '-c', line, folder, ...program], { folder, env });
  return {
    screen,
    service,
    output: () => rowsOf(readFileSync(join(folder, 'out.jsonl'), 'utf8')),
    release: () => {
      isHeld = false;
      for (const response of held) answer(response);
    },
  };
}

/** The screen without what differs between runs: numbers, a last part that may not fit, empty lines at its end. */
const steady = (screen: string) =>
  screen
    .replaceAll(/(?:\d+ m )?\d+(?:\.\d)? ?(ms|s|\/s)\b/g, '#$1')
    .replaceAll(/#ms|#s\b/g, '#')
    .replaceAll(/ · \d+ at once$| · 0 errors(?= · )/gm, '')
    .trimEnd()
    .split('\n');

const moving = '21 of 400 · #/s · # left · 21 answered · 0 blocked · 147 tokens';

test.skipIf(noScreen)(`the line moves on a terminal, and the summary takes its place ${noScreen ?? ''}`, async () => {
  const { screen, release } = await heldBatch();
  expect(steady(await screen.shows('21 of 400'))).toEqual([moving]);
  release();
  expect(steady(await screen.shows('ended'))).toEqual([
    '400 rows · #',
    'answered 400 · blocked 0 · error 0',
    'tokens 1,200 + 1,600 = 2,800 · p50 # · p95 # · p99 #',
    'ended 0',
  ]);
});

test.skipIf(noScreen)(`Ctrl-C lets those under way finish, and says how to go on ${noScreen ?? ''}`, async () => {
  const { screen, release, output } = await heldBatch();
  await screen.shows('21 of 400');
  await screen.press('C-c');
  const notice = 'motif: stopping: no new rows; 2 under way may finish (Ctrl-C again ends at once)';
  const seen = await screen.shows(/stopping[^]*21 of 400/);
  expect(steady(seen)).toEqual([notice, moving]);
  release();
  expect(steady(await screen.shows('ended'))).toEqual([
    notice,
    '23 of 400 rows · #',
    'answered 23 · blocked 0 · error 0',
    'tokens 69 + 92 = 161 · p50 # · p95 # · p99 #',
    'interrupted; 377 of 400 rows are left; the same command goes on',
    'ended 130',
  ]);
  expect(output()).toHaveLength(23);
});

test.skipIf(noScreen)(`Ctrl-C twice ends at once, and keeps what was answered ${noScreen ?? ''}`, async () => {
  const { screen, output } = await heldBatch();
  await screen.shows('21 of 400');
  await screen.press('C-c');
  await screen.shows('stopping');
  await screen.press('C-c');
  await screen.shows('ended 130');
  expect(output()).toHaveLength(21);
});
