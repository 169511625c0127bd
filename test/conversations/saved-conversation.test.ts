import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { assistant, failure, linesOf, outcome, shelf, system, turn, user } from '../support/rooms/conversations.ts';

describe('turns', () => {
  test('the next one is sent after the opening and all that was said', async () => {
    const { saved } = shelf();
    const talk = await saved.create({
      motifId: 'm',
      profile: 'p',
      opening: [system('Be short.'), user('Q'), assistant('A')],
    });
    expect(talk.messages).toEqual([system('Be short.'), user('Q'), assistant('A')]);
    await talk.addTurn(turn('one', '1'));
    await talk.addTurn(turn('two', '2'));
    const said = [user('one'), assistant('1'), user('two'), assistant('2')];
    expect(talk.messages).toEqual([system('Be short.'), user('Q'), assistant('A'), ...said]);
    expect(talk).toMatchObject({ turns: 2, totalTokens: 14, isSaved: true, title: 'one', brokenLines: 0 });
    const read = await saved.find(talk.id);
    expect(read.messages).toEqual(talk.messages);
    expect(read).toMatchObject({
      turns: 2,
      totalTokens: 14,
      motifId: 'm',
      profile: 'p',
      created: '2026-11-21T12:00:00.000Z',
    });
  });

  test('the file is a head and a record for each message and outcome, as the contract says', async () => {
    const talk = await shelf().told({ opening: [system('Be short.')] }, 'one');
    const [head, ...records] = linesOf(talk);
    expect(Object.keys(head ?? {})).toEqual(['v', 'id', 'title', 'created', 'motif_id', 'profile']);
    expect(head).toMatchObject({ v: 1, id: talk.id, title: 'one', motif_id: 'support-bot', profile: null });
    expect(records).toMatchObject([
      { kind: 'message', role: 'system', content: 'Be short.', opening: true },
      { kind: 'message', role: 'user', content: 'one' },
      { kind: 'message', role: 'assistant', content: 'answer to one' },
      {
        kind: 'outcome',
        blocked: false,
        prompt_id: outcome.promptId,
        finish_reason: 'stop',
        usage: outcome.usage,
        elapsed_ms: 12,
      },
    ]);
  });

  test('nothing is written before the first answer', async () => {
    const { saved, folder } = shelf();
    const talk = await saved.create({ motifId: null, profile: null, opening: [system('x')] });
    await talk.setSystem('y');
    await talk.rename('A title');
    await talk.addBlocked(outcome);
    expect(await talk.undo()).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
    await talk.addTurn(turn('one'));
    const read = await saved.find(talk.id);
    expect(read).toMatchObject({ title: 'A title', totalTokens: 14, turns: 1 });
    expect(read.messages[0]).toEqual(system('y'));
  });

  test('files are readable by their owner alone, and so is one that was copied here with other bits', async () => {
    const { told, folder, saved } = shelf();
    const talk = await told({}, 'one');
    expect(statSync(talk.path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    chmodSync(talk.path, 0o644);
    await (await saved.find(talk.id)).addTurn(turn('two'));
    expect(statSync(talk.path).mode & 0o777).toBe(0o600);
  });

  test('the text of a blocked turn is nowhere; what it cost is', async () => {
    const { told, saved } = shelf();
    const talk = await told({}, 'one');
    await talk.addBlocked({ ...outcome, promptId: 'blocked-1', finishReason: 'blocked' });
    expect(linesOf(talk).at(-1)).toEqual({
      kind: 'outcome',
      turn: expect.any(String) as unknown,
      time: expect.any(String) as unknown,
      blocked: true,
      prompt_id: 'blocked-1',
      finish_reason: 'blocked',
      usage: outcome.usage,
      elapsed_ms: 12,
    });
    expect(await saved.find(talk.id)).toMatchObject({ turns: 1, totalTokens: 14, messages: talk.messages });
    expect((await saved.list())[0]).toMatchObject({ blocked: 1, turns: 1 });
  });
});

describe('changes', () => {
  test('undo takes back the last turn, and the opening stays', async () => {
    const { told, saved } = shelf();
    const talk = await told({ opening: [system('s')] }, 'one', 'two', 'three');
    expect(await talk.undo()).toEqual([user('three')]);
    expect(await talk.undo()).toEqual([user('two')]);
    expect(talk.messages).toEqual([system('s'), user('one'), assistant('answer to one')]);
    expect((await saved.find(talk.id)).messages).toEqual(talk.messages);
    await talk.undo();
    expect((await saved.find(talk.id)).messages).toEqual([system('s')]);
    expect(await saved.find(talk.id)).toMatchObject({ turns: 0, totalTokens: 21 });
    expect(await talk.undo()).toBeUndefined();
    await talk.addTurn(turn('four'));
    expect((await saved.find(talk.id)).messages).toEqual([system('s'), user('four'), assistant('answer to four')]);
  });

  test('the system message is replaced, taken away, and replaced together with a turn', async () => {
    const { told, saved } = shelf();
    const talk = await told({ opening: [system('a'), system('b'), user('example')] }, 'one');
    const onDisk = async () => (await saved.find(talk.id)).messages.slice(0, 2);
    await talk.setSystem('c');
    expect(talk.messages.slice(0, 2)).toEqual([system('c'), user('example')]);
    await talk.addTurn(turn('more'));
    expect(await onDisk()).toEqual([system('c'), user('example')]);
    await talk.setSystem(undefined);
    await talk.addTurn(turn('more still'));
    expect((await onDisk())[0]).toEqual(user('example'));
    await talk.addTurn({ ...turn('two'), system: 'd' });
    expect(talk.messages[0]).toEqual(system('d'));
    expect((await saved.find(talk.id)).messages).toEqual(talk.messages);
  });

  test('a system message is on disk once something was answered under it, and not where that was blocked', async () => {
    const { told, saved } = shelf();
    const talk = await told({ opening: [system('a')] }, 'one');
    await talk.setSystem('secret');
    await talk.addBlocked(outcome);
    await talk.rename('Title');
    await talk.save();
    const copy = await talk.fork();
    for (const { path } of [talk, copy]) expect(readFileSync(path, 'utf8')).not.toContain('secret');
    expect(talk.messages[0]).toEqual(system('secret'));
    expect(copy.messages[0]).toEqual(system('secret'));
    await talk.setSystem('b');
    await talk.addTurn(turn('two'));
    expect((await saved.find(talk.id)).messages[0]).toEqual(system('b'));
    expect(readFileSync(talk.path, 'utf8')).not.toContain('secret');
  });

  test('a title is one line, and an empty one is refused', async () => {
    const { told, saved } = shelf();
    const talk = await told({}, 'one');
    await talk.rename('  Two\n words \u001b[2J ');
    expect(talk.title).toBe('Two words \\u{1b}[2J');
    expect((await saved.list())[0]).toMatchObject({ title: 'Two words \\u{1b}[2J' });
    expect(await failure(talk.rename(' \n '))).toMatchObject({ kind: 'usage' });
    expect(await failure(talk.rename('x'.repeat(201)))).toMatchObject({ kind: 'usage' });
  });

  test('a fork goes its own way', async () => {
    const { told, saved } = shelf();
    const talk = await told({ opening: [system('s')] }, 'one', 'two');
    const fork = await talk.fork('Other way');
    expect(fork).toMatchObject({ title: 'Other way', isSaved: true, turns: 2 });
    await fork.addTurn(turn('three'));
    await talk.undo();
    expect((await saved.find(fork.id)).messages).toHaveLength(7);
    expect((await saved.find(talk.id)).messages).toHaveLength(3);
    expect(await (await saved.create({ motifId: null, profile: null })).fork()).toMatchObject({
      turns: 0,
      isSaved: false,
    });
  });
});

describe('kept or not', () => {
  test('one that is not to be kept writes nothing until it is', async () => {
    const { saved, folder } = shelf();
    const talk = await saved.create({ motifId: null, profile: null, isKept: false });
    await talk.save();
    expect(talk.isSaved).toBe(false);
    const quiet = await saved.create({ motifId: null, profile: null, isKept: false });
    await quiet.addTurn(turn('one'));
    await quiet.undo();
    await quiet.addTurn(turn('two'));
    expect(existsSync(folder)).toBe(false);
    expect(quiet.isSaved).toBe(false);
    await quiet.save();
    expect(quiet.isSaved).toBe(true);
    expect((await saved.find(quiet.id)).messages).toEqual([user('two'), assistant('answer to two')]);
    const { size } = statSync(quiet.path);
    await quiet.save();
    expect(statSync(quiet.path).size).toBe(size);
  });

  test('one on disk can be gone on with in memory alone', async () => {
    const { told, saved } = shelf();
    const { id, path } = await told({}, 'one');
    const before = readFileSync(path, 'utf8');
    const quiet = await saved.find(id, { isKept: false });
    await quiet.addTurn(turn('two'));
    expect(quiet.turns).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
