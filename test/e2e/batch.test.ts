import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support/rooms/batch.ts';
import { start } from '../support/processes/child.ts';
import { type LocalService, localService } from '../support/servers/local-service.ts';
import { program, testedNode } from '../support/processes/program.ts';
import { missingPrograms } from '../support/processes/programs.ts';
import { noSmallDisk, onSmallDisk } from '../support/processes/small-disk.ts';
import { readWrittenText } from '../support/texts/written-examples.ts';
import { answered } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = readWrittenText('src/manual/batch.md');

/** The block of the page that holds a text. */
function block(holds: string): string {
  const found = page.blocks.filter(({ text }) => text.includes(holds));
  expect(found).toHaveLength(1);
  return found[0]!.text;
}

/** A folder with `motif` in its PATH, reaching a service; `wrap` is shell in front of the program. */
function workplace(service: LocalService, wrap = '') {
  const folder = temporaryFolder('/tmp');
  const script = `#!/bin/bash\n${wrap}\nexec "${testedNode}" "${resolve('bin/motif.js')}" "$@"\n`;
  writeFileSync(join(folder, 'motif'), script);
  chmodSync(join(folder, 'motif'), 0o755);
  const env = { ...service.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` };
  return {
    folder,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    bash: (line: string) => start('bash', ['-c', `cd ${folder} && ${line}`], { env, input: '' }).ended,
    start: (...words: readonly string[]) => {
      const [command = '', ...launcher] = program;
      return start(command, [...launcher, 'batch', ...words], { env, input: '' });
    },
  };
}

const table = 'id,text\n1,"Crash, again"\n2,Nice\n3,How?\n';

const noJq = missingPrograms('jq');

describe.skipIf(noJq)(`the recipes of the page ${noJq ?? ''}`, () => {
  test('classify a column of a table, and get the table back', async () => {
    const place = workplace(await localService());
    place.write('tickets.csv', table);
    expect(await place.bash(block('classified.csv'))).toMatchObject({ code: 0, stdout: '' });
    expect(place.read('classified.csv').split('\r\n').slice(0, 2)).toEqual([
      'id,text,outcome,answer',
      '1,"Crash, again",answered,Hello from the service',
    ]);
  });

  test('translate a file of lines', async () => {
    const place = workplace(await localService());
    place.write('lines.txt', 'one\ntwo\n');
    expect((await place.bash(block('french.txt'))).code).toBe(0);
    expect(place.read('french.txt')).toBe('Hello from the service\nHello from the service\n');
  });

  test('a nightly run that resumes', async () => {
    const service = await localService();
    const place = workplace(service);
    const nightly = block('--max-outage 2h').replaceAll('/data/', '');
    place.write('new.jsonl', '{"prompt":"a"}\n{"prompt":"b"}\n');
    expect((await place.bash(nightly)).code).toBe(0);
    place.write('new.jsonl', '{"prompt":"a"}\n{"prompt":"b"}\n{"prompt":"c"}\n');
    expect((await place.bash(nightly)).code).toBe(0);
    expect(service.requests).toHaveLength(3);
  });

  test('the tokens of a job in a variable, and from output to a table', async () => {
    const place = workplace(await localService());
    place.write('prompts.txt', 'a\nb\n');
    const run = await place.bash(`${block('tokens=$(').trimEnd()}; echo "$tokens"; ${block('@tsv')}`);
    expect(run).toMatchObject({ code: 0, stdout: '14\n\tHello from the service\n\tHello from the service\n' });
  });
});

const noParallel = missingPrograms('parallel');

describe.skipIf(noParallel)('GNU parallel', () => {
  // Once it has written a row, with hundreds left.
  const kill = `echo "$*" >> begun
    if [[ "$*" == *2/4* ]] && mkdir killed 2>/dev/null; then
      "$0" "$@" &
      until [ -s out-2.jsonl ]; do sleep 0.02; done
      kill -9 $!; wait $!; exit 137
    fi`;
  const lines = page.blocks.flatMap(({ text }) =>
    text.includes('parallel') ? text.replaceAll('\\\n', '').trimEnd().split('\n') : [],
  );
  const line = (holds: string) => lines.find((each) => each.includes(holds))!;

  test.each([
    { name: 'the same line', shards: line('parallel motif'), again: ['1/4', '2/4', '3/4', '4/4'] },
    { name: 'with a log that part alone', shards: line('--resume-failed'), again: ['2/4'] },
  ])('one shard is killed, $name finishes it, merge proves it whole', async ({ shards, again }) => {
    const slow = await localService((response) => {
      setTimeout(() => response.end(JSON.stringify(answered)), 10);
    });
    const place = workplace(slow, kill);
    const merge = line('motif batch merge out-?');
    place.write('in.csv', `text\n${Array.from({ length: 1000 }, (_, index) => `row ${index}`).join('\n')}\n`);
    expect((await place.bash(shards)).code).not.toBe(0);
    expect(existsSync(join(place.folder, 'out-1.jsonl'))).toBe(true);
    expect(await place.bash(merge)).toMatchObject({ code: 2 });
    place.write('begun', '');
    expect((await place.bash(shards)).code).toBe(0);
    expect([...new Set(place.read('begun').match(/\d\/4/g))].toSorted()).toEqual(again);
    expect((await place.bash(merge)).code).toBe(0);
    expect(rowsOf(place.read('out.jsonl')).map(({ index }) => index)).toEqual([...Array(1000).keys()]);
    expect(slow.requests.length).toBeLessThanOrEqual(1000 + 8);
  });
});

describe('the program', () => {
  test('it tells the headers of answers by their whole names, in any letters', async () => {
    let replies = 0;
    const service = await localService((response) => {
      replies += 1;
      if (replies % 2 === 0) return void response.end(JSON.stringify(answered));
      const name = replies === 1 ? 'Retry-After' : 'rEtRy-AfTeR';
      response.writeHead(503, { 'RATE-LIMITS': 'none', [name]: '0', 'Rate-Limits-': 'none' }).end('{"error":"busy"}');
    });
    const run = await workplace(service).bash('seq 1 3 | motif batch -q -j 1');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(rowsOf(run.stdout).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
  });

  test('| head ends it with 11, and no stack', async () => {
    const place = workplace(await localService());
    const run = await place.bash('seq 1 20000 | motif batch -q | head -1; echo "${PIPESTATUS[1]}"');
    const [row = '', code] = run.stdout.split('\n');
    expect(JSON.parse(row)).toMatchObject({ index: 0, blocked: false });
    expect(code).toBe('11');
    expect(run.stderr).toBe(
      'motif: halted: the reader of stdout has gone\n  -o FILE keeps every row, and then the same command goes on\n',
    );
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends it by the signal, and the same command goes on',
    async (signal) => {
      const service = await localService();
      const place = workplace(service);
      place.write('in.txt', Array.from({ length: 30_000 }, (_, index) => `row ${index}\n`).join(''));
      const words = [join(place.folder, 'in.txt'), '-o', join(place.folder, 'out.jsonl')];
      const first = place.start(...words);
      await service.received(100);
      first.process.kill(signal);
      expect((await first.ended).signal).toBe(signal);
      const kept = place.read('out.jsonl').split('\n').length - 1;
      expect(kept).toBeGreaterThanOrEqual(90);
      const before = service.requests.length;
      const second = await place.start(...words, '--limit', String(kept)).ended;
      expect(second.code).toBe(0);
      expect(service.requests.length - before).toBeLessThanOrEqual(8);
      expect(existsSync(join(place.folder, 'out.jsonl.lock'))).toBe(false);
    },
  );

  test('answers that come while it is stopped, as by a sleeping laptop, count past their timeout', async () => {
    const open: ServerResponse[] = [];
    const service = await localService((response) => open.push(response));
    const place = workplace(service);
    place.write('in.txt', 'a\nb\nc\n');
    const run = place.start(join(place.folder, 'in.txt'), '--timeout', '2s', '--json', '-o', join(place.folder, 'out'));
    await service.received(3);
    run.process.kill('SIGSTOP');
    for (const response of open) response.end(JSON.stringify(answered));
    await delay(4_000);
    run.process.kill('SIGCONT');
    const { code, stdout } = await run.ended;
    expect({ code, rows: (JSON.parse(stdout) as { rows: unknown }).rows }).toMatchObject({
      code: 0,
      rows: { answered: 3, error: 0 },
    });
  });

  test('a pipe that stays open does not keep it from ending', async () => {
    const service = await localService();
    const [command = '', ...launcher] = program;
    const run = start(command, [...launcher, 'batch', '-q', '--max-tokens-total', '70'], { env: service.env });
    run.process.stdin?.write('a\n'.repeat(50));
    expect((await run.ended).code).toBe(11);
  });

  test.skipIf(noSmallDisk)('a disk that is full ends it with 12; with room again the rest is asked', async () => {
    const root = temporaryFolder('/tmp');
    // Of a pipe nobody knows at the start how much it will be.
    const batch = 'cat in.txt | "$@" batch --demo -o out.jsonl -q';
    const stdout = await onSmallDisk(
      root,
      `cd "$0" && seq 1 60 > in.txt && head -c 53000 /dev/zero > filler && ${batch} 2>&1; echo "first $?"; rm filler; ${batch}; echo "then $?"; wc -l < out.jsonl`,
    );
    expect(stdout).toContain('out.jsonl: the disk is full');
    expect(stdout).toMatch(/\d+ rows have their answer in out\.jsonl\n.*the same command goes on\n/);
    expect(stdout).toContain('first 12\n');
    expect(stdout).toMatch(/then 0\n\s*60\n/);
  });
});
