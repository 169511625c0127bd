import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gatewayOf as gateway, housePolicies as house, houseSuite as suite } from '../../support/rooms/check.ts';
import { motif } from '../../support/motif.ts';
import type { FakeWorld } from '../../support/world.ts';
import '../../support/rooms/gateway-loaded.ts';

/** Calls `act` before each wait. */
function onSleep(world: FakeWorld, act: () => void): void {
  const sleep = world.sleep.bind(world);
  Object.assign(world, { sleep: (ms: number, signal?: AbortSignal) => (act(), sleep(ms, signal)) });
}

describe('--watch', () => {
  interface Edit {
    readonly file: string;
    readonly text: string;
    /** Stands in the file first, while its writer is not done. */
    readonly half?: string;
  }

  /** Runs --watch for a person who makes the next change once the last one was told, and ends it after the last. */
  async function watch(files: Readonly<Record<string, string>>, edits: readonly Edit[]) {
    const left = [...edits];
    return await motif(['check', '--local', 'gateway.yaml', '--watch'], {
      env: {},
      files,
      prepare(world) {
        let told = '';
        let rest: (() => void) | undefined;
        let quiet = 0;
        const write = ({ file, text }: Edit) => writeFileSync(join(world.folder, file), text);
        const act = (): void => {
          const now = world.stdout.text + world.stderr.text;
          if (rest !== undefined) return rest();
          if (now === told && (quiet += 1) < 50) return;
          told = now;
          const edit = left.shift();
          if (edit === undefined || quiet >= 50) return world.interrupt();
          write({ ...edit, text: edit.half ?? edit.text });
          if (edit.half === undefined) return;
          rest = () => {
            write(edit);
            rest = undefined;
          };
        };
        onSleep(world, act);
      },
    });
  }
  const changesIn = ({ stdout }: { readonly stdout: string }) => stdout.match(/^changed: .*$/gm);
  const files = { 'gateway.yaml': gateway(house, 'house, keys'), 's.motif.yaml': suite };
  const other = suite.replace('expect: blocked, by: house/word', 'expect: answered');
  const toldTwice = ['changed: x  pass -> regressed', 'changed: x  regressed -> pass'];

  test('judges again when a file changes, says what changed, and outlives a broken file', async () => {
    const run = await watch(
      files,
      [other, 'cases: 1', suite].map((text) => ({ file: 's.motif.yaml', text })),
    );
    expect(run.signal).toBe('SIGINT');
    expect(changesIn(run)).toEqual(toldTwice);
    expect(run.stderr).toContain('cases must be a list');
  });

  const listed = {
    'gateway.yaml': gateway('  house: { kind: words, file: words.txt }', 'house'),
    'words.txt': 'project-x\n',
    's.motif.yaml': 'cases:\n  - { id: x, prompt: Tell me about project-x, expect: blocked }\n',
  };

  test.each([
    { name: 'another size', text: 'project-yy\n' },
    { name: 'the same size, at once', text: 'project-y\n' },
  ])('judges again when a word list of the gateway file changes: $name', async ({ text }) => {
    const run = await watch(
      listed,
      [text, 'project-x\nproject-y\n'].map((each) => ({ file: 'words.txt', text: each })),
    );
    expect(changesIn(run)).toEqual(toldTwice);
  });

  test('judges again after a change to the same size that the file system dates like the text before', async () => {
    const run = await motif(['check', '--local', 'gateway.yaml', '--watch'], {
      env: {},
      files: listed,
      prepare(world) {
        const path = join(world.folder, 'words.txt');
        const date = new Date(0);
        utimesSync(path, date, date);
        let looks = 0;
        const act = (): void => {
          if ((looks += 1) > 20) return world.interrupt();
          if (looks > 1) return;
          writeFileSync(path, 'project-y\n');
          utimesSync(path, date, date);
        };
        onSleep(world, act);
      },
    });
    expect(changesIn(run)).toEqual(['changed: x  pass -> regressed']);
  });

  test.each([
    { name: 'a suite that is cut in a case', file: 's.motif.yaml', half: other.slice(0, -20), text: other },
    { name: 'a suite that is empty', file: 's.motif.yaml', half: '', text: other },
  ])('tells nothing of a file that is half written: $name', async ({ file, half, text }) => {
    const run = await watch(files, [{ file, half, text }]);
    expect(run.stderr).toBe('');
    expect(changesIn(run)).toEqual(['changed: x  pass -> regressed']);
  });

  test('drops what it judged while a file changed, but not for ever', async () => {
    let reads = 0;
    const run = await motif(['check', '--local', 'gateway.yaml', '--watch'], {
      env: {},
      files: listed,
      prepare(world) {
        const path = join(world.folder, 'words.txt');
        const read = world.files.read.bind(world.files);
        Object.assign(world.files, {
          read: async (...args: Parameters<typeof read>) => {
            const content = await read(...args);
            if (args[0].endsWith('words.txt')) writeFileSync(path, `project-x\n${'#\n'.repeat((reads += 1))}`);
            return content;
          },
        });
        const act = () => void (world.stdout.text !== '' && world.interrupt());
        onSleep(world, act);
      },
    });
    expect(run.stdout.match(/1 case/g)).toHaveLength(1);
    expect(reads).toBe(4);
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
        onSleep(world, () => {
          looks += 1;
          if (looks === 1) {
            mkdirSync(dirname(join(world.folder, file)), { recursive: true });
            writeFileSync(join(world.folder, file), text);
          }
          if (looks === 25) world.interrupt();
        });
      },
    });
    expect(run.stdout.match(/^changed: .*$/gm)).toEqual([`changed: ${changed}`]);
  });

  test('refuses --live, where each change would be paid for', async () => {
    const run = await motif(['check', '--local', 'gateway.yaml', '--watch', '--live'], { env: {}, files });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('would be paid for');
  });
});
