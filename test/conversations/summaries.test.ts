import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Summary } from '../../src/conversations/conversation.ts';
import { headLine, outcome, put, type Shelf, shelf, turn } from '../support/rooms/conversations.ts';

const cacheOf = ({ folder }: Shelf) => join(folder, 'summaries.json');

async function filled(): Promise<Shelf> {
  const all = shelf();
  await all.told({ title: 'First' }, 'one');
  await all.told({ title: 'Second' }, 'one', 'two');
  return all;
}

const known = (list: readonly Summary[]) => list.map(({ title, turns, totalTokens }) => [title, turns, totalTokens]);
const both = [
  ['Second', 2, 14],
  ['First', 1, 7],
];

describe('the list', () => {
  test('is the newest first, with what each came to, and says the same from its cache', async () => {
    const { saved } = await filled();
    const first = await saved.list();
    expect(known(first)).toEqual(both);
    expect(await saved.list()).toEqual(first);
    expect(first[0]).toMatchObject({ motifId: 'support-bot', profile: null, blocked: 0, fault: null });
  });

  test('follows each change of a file: a turn, an undo, a title', async () => {
    const { saved } = await filled();
    const talk = await saved.find('First');
    const changes = [
      () => talk.addTurn(turn('two')),
      () => talk.undo(),
      () => talk.rename('Renamed'),
      () => talk.addBlocked(outcome),
    ];
    for (const change of changes) {
      await saved.list();
      await change();
      const summary = (await saved.list()).find(({ id }) => id === talk.id);
      expect(summary).toMatchObject({ title: talk.title, turns: talk.turns, totalTokens: talk.totalTokens });
    }
  });

  test.each([
    ['of the same length', (text: string) => text.replace('First', 'Other'), 2000, 'Other'],
    ['at the same moment', (text: string) => text.replace('First', 'Longer title'), 1000, 'Longer title'],
  ])('follows a change %s', async (_what, change, seconds, title) => {
    const { saved } = await filled();
    const { path, id } = await saved.find('First');
    utimesSync(path, 1000, 1000);
    await saved.list();
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    utimesSync(path, seconds, seconds);
    expect((await saved.list()).find((each) => each.id === id)?.title).toBe(title);
  });

  test('is empty where nothing was ever saved, and writes nothing then', async () => {
    const { saved, folder } = shelf();
    expect(await saved.list()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test('names what cannot be used with the reason', async () => {
    const all = await filled();
    put(all.folder, 'abc', 'nonsense\n');
    put(all.folder, 'abd', { ...headLine, v: 9 });
    utimesSync(join(all.folder, 'abd.jsonl'), 1e11, 1e11);
    const faults = (await all.saved.list()).flatMap(({ id, fault }) => (fault === null ? [] : [[id, fault]]));
    expect(faults).toEqual(
      expect.arrayContaining([
        ['abc', 'its first line is not the head of a conversation'],
        ['abd', 'it was written by a newer motif'],
      ]),
    );
  });

  test('takes no notice of files that are none of ours, of links and of folders', async () => {
    const all = await filled();
    const outside = join(all.world.folder, 'outside.jsonl');
    writeFileSync(outside, `${JSON.stringify(headLine)}\n`);
    symlinkSync(outside, join(all.folder, 'linked.jsonl'));
    mkdirSync(join(all.folder, 'folder.jsonl'));
    for (const name of ['notes.txt', 'UPPER.jsonl', 'a.b.jsonl', `${'x'.repeat(33)}.jsonl`]) {
      writeFileSync(join(all.folder, name), `${JSON.stringify(headLine)}\n`);
    }
    expect(known(await all.saved.list())).toEqual(both);
  });
});

describe('the cache', () => {
  test('is used: what it says of a file that did not change is believed', async () => {
    const all = await filled();
    await all.saved.list();
    writeFileSync(cacheOf(all), readFileSync(cacheOf(all), 'utf8').replace('First', 'Known'));
    expect(known(await all.saved.list())).toContainEqual(['Known', 1, 7]);
    expect(statSync(cacheOf(all)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['torn', '{"v":1,"rows":[["abc",1'],
    ['no text', Buffer.from([0xff, 0xfe, 0])],
    ['null', 'null'],
    ['of another version', '{"v":2,"rows":[]}'],
    ['without rows', '{"v":1}'],
    ['nonsense in its rows', '{"v":1,"rows":[null,1,"x",{},[],["../../x",1,1],["abc"],["abc",1,1,2],["abc","1",1]]}'],
    [
      'hostile',
      '{"v":1,"__proto__":{"rows":[]},"rows":[["gone",1,1,"t",null,null,null,"x","y",-1,1e99,"3"],["also",1,1,7]]}',
    ],
  ])('%s is made anew', async (_name, content) => {
    const all = await filled();
    await all.saved.list();
    if (content === undefined) rmSync(cacheOf(all));
    else writeFileSync(cacheOf(all), content);
    expect(known(await all.saved.list())).toEqual(both);
    expect(JSON.parse(readFileSync(cacheOf(all), 'utf8'))).toMatchObject({
      v: 1,
      rows: [{ length: 12 }, { length: 12 }],
    });
  });

  test('that cannot be written costs nothing but time', async () => {
    const all = await filled();
    // A folder stands where it would be.
    mkdirSync(cacheOf(all), { recursive: true });
    for (let time = 0; time < 2; time += 1) expect(known(await all.saved.list())).toEqual(both);
  });

  test('forgets what was deleted, by motif or by hand', async () => {
    const all = await filled();
    const third = await all.told({ title: 'Third' }, 'one');
    const [, second] = await all.saved.list();
    await all.saved.delete([second?.id ?? '']);
    const text = () => readFileSync(cacheOf(all), 'utf8');
    expect(text()).not.toContain('Second');
    expect(known(await all.saved.list())).toEqual([
      ['Third', 1, 7],
      ['First', 1, 7],
    ]);
    rmSync(third.path);
    await all.saved.list();
    expect(text()).not.toContain('Third');
  });
});

test('texts are left out of a summary without changing it', async () => {
  const { saved, told, folder } = shelf();
  const talk = await told({ title: 'One' }, 'one', 'two');
  // Written by hand, so that it does not begin as messages do here, and is taken apart.
  appendFileSync(talk.path, ' {"role":"user","content":"x","turn":"t","kind":"message"}\n');
  const [summary] = await saved.list();
  expect(summary).toMatchObject({ turns: 2, totalTokens: 14, path: join(folder, `${talk.id}.jsonl`) });
});
