import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Files } from '../../src/world/world.ts';
import { assistant, failure, headLine, put, shelf, system, turn, user } from '../support/rooms/conversations.ts';

describe('faults', () => {
  test('a full disk loses nothing that was said: the next save has both turns', async () => {
    const { saved, fail, folder } = shelf();
    const talk = await saved.create({ motifId: null, profile: null, opening: [system('s')] });
    fail('ENOSPC');
    const error = await failure(talk.addTurn(turn('one')));
    expect(error).toMatchObject({
      kind: 'io',
      message: `the conversation cannot be saved in ${talk.path}: the disk is full`,
    });
    expect(talk).toMatchObject({ turns: 1, isSaved: false });
    expect(talk.messages).toHaveLength(3);
    expect(readdirSync(folder)).toEqual([]);
    expect(await failure(talk.addTurn(turn('two')))).toMatchObject({ kind: 'io' });
    fail(undefined);
    await talk.addTurn(turn('three'));
    expect(talk.isSaved).toBe(true);
    expect((await saved.find(talk.id)).messages).toEqual(talk.messages);
    expect(talk.messages).toHaveLength(7);
  });

  test('another answer takes the place of the last one also where the disk is full, and neither gets lost', async () => {
    const { told, saved, fail } = shelf();
    const talk = await told({}, 'one', 'two');
    const replaces = talk.saidTurns.at(-1)!.turn;
    fail('ENOSPC');
    expect(await failure(talk.addTurn({ ...turn('two', 'a better one'), replaces }))).toMatchObject({ kind: 'io' });
    const wanted = [user('one'), assistant('answer to one'), user('two'), assistant('a better one')];
    expect(talk.messages).toEqual(wanted);
    expect((await saved.find(talk.id)).messages.at(-1)).toEqual(assistant('answer to two'));
    fail(undefined);
    await talk.addTurn(turn('three'));
    expect((await saved.find(talk.id)).messages.slice(0, 4)).toEqual(wanted);
  });

  test('a file that ends anywhere within another answer has the one answer or the other', async () => {
    const { told, saved } = shelf();
    const talk = await told({}, 'one');
    const before = readFileSync(talk.path).length;
    await talk.addTurn({ ...turn('one', 'a better one'), replaces: talk.saidTurns.at(-1)!.turn });
    const whole = readFileSync(talk.path);
    for (let length = whole.length; length >= before; length -= 1) {
      truncateSync(talk.path, length);
      expect((await saved.find(talk.id)).messages.at(-1)?.content).toMatch(/^(?:answer to one|a better one)$/);
    }
  });

  test('a torn last line costs its turn alone, is ended by the next one, and is not called broken', async () => {
    const { told, saved } = shelf();
    const talk = await told({}, 'one');
    for (const torn of ['{"kind":"mess', '{"kind":"message","turn":"t9","role":"user","content":"lost"}']) {
      appendFileSync(talk.path, torn);
      expect(await saved.find(talk.id)).toMatchObject({ turns: 1, brokenLines: 0, messages: talk.messages });
    }
    const next = await saved.find(talk.id);
    await next.addTurn(turn('two'));
    expect((await saved.find(talk.id)).messages).toEqual([...talk.messages, user('two'), assistant('answer to two')]);
  });

  test('a turn without its outcome is no turn, and never runs into the next one', async () => {
    const { told, saved } = shelf();
    const talk = await told({}, 'one');
    appendFileSync(talk.path, '{"kind":"message","turn":"killed","role":"user","content":"lost"}\n');
    const next = await saved.find(talk.id);
    await next.addTurn(turn('two'));
    expect(JSON.stringify((await saved.find(talk.id)).messages)).not.toContain('lost');
    expect((await saved.find(talk.id)).turns).toBe(2);
  });

  test.each([
    ['no JSON', 'nonsense\n'],
    ['no object', '[1]\n'],
    ['a message without text', '{"kind":"message","turn":"a","role":"user"}\n'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a])],
    ['an outcome of nobody', '{"kind":"outcome"}\n'],
  ])('a line that is %s is left out, and the others count', async (_name, line) => {
    const { folder, saved } = shelf();
    const ask = { kind: 'message', turn: 't', role: 'user', content: 'Grüße' };
    const end = { kind: 'outcome', turn: 't', time: '2026-11-21T11:00:00.000Z', blocked: false };
    put(folder, 'abc', headLine, ask, line, end);
    expect(await saved.find('abc')).toMatchObject({ brokenLines: 1, turns: 1, messages: [user('Grüße')] });
  });

  test('a kind of record that a later motif adds is passed over', async () => {
    const { folder, saved } = shelf();
    put(folder, 'abc', headLine, { kind: 'mood', of: 'the day' });
    expect(await saved.find('abc')).toMatchObject({ brokenLines: 0, turns: 0 });
  });

  test.each([
    ['a newer motif', '{"v":2,"id":"x"}\n', 'it was written by a newer motif'],
    ['nobody', 'hello\n', 'its first line is not the head of a conversation'],
    ['a hostile hand', '{"__proto__":{"v":1}}\n', 'its first line is not the head of a conversation'],
  ])('a head of %s is refused with the file and what to do', async (_name, text, words) => {
    const { folder, saved } = shelf();
    const path = put(folder, 'abc', text);
    const error = await failure(saved.find('abc'));
    expect(error).toMatchObject({ kind: 'config', message: `${path} cannot be used: ${words}` });
    expect(error.hints.join()).toContain('motif history delete abc');
  });

  test('what is no file is not said to be deletable', async () => {
    const { folder, saved } = shelf();
    mkdirSync(join(folder, 'abc.jsonl'), { recursive: true });
    const error = await failure(saved.find('abc'));
    expect(error).toMatchObject({ kind: 'config', message: `${folder}/abc.jsonl cannot be used: is a folder` });
    expect(error.hints.join()).not.toContain('delete');
  });

  test('a file in which nothing was said yet is no conversation', async () => {
    const { folder, saved } = shelf();
    put(folder, 'abc', '{"v":1,"id":"abc","tit');
    put(folder, 'abd');
    expect(await saved.list()).toEqual([]);
    expect(await failure(saved.find('abc'))).toMatchObject({ kind: 'usage' });
  });
});

describe('two processes', () => {
  test('on one conversation lose no turn, and the second is told', async () => {
    const { told, saved, other } = shelf();
    const mine = await told({}, 'one');
    const theirs = await other.find(mine.id);
    expect(await mine.addTurn(turn('two'))).toBe(0);
    expect(await theirs.addTurn(turn('three'))).toBe(1);
    expect(theirs.messages).toHaveLength(6);
    expect(await mine.refresh()).toBe(1);
    expect(mine.messages).toEqual(theirs.messages);
    expect(await mine.refresh()).toBe(0);
    expect((await saved.find(mine.id)).messages).toEqual(mine.messages);
  });

  test('undo takes back the turn that was seen, not one of the other process', async () => {
    const { told, other, saved } = shelf();
    const mine = await told({}, 'one', 'two');
    await (await other.find(mine.id)).addTurn(turn('three'));
    expect(await mine.undo()).toEqual([user('two')]);
    const left = (await saved.find(mine.id)).messages.filter(({ role }) => role === 'user');
    expect(left).toEqual([user('one'), user('three')]);
  });

  test('one that is deleted at the last moment is not made again either', async () => {
    const { world, told, other, folder } = shelf();
    const talk = await other.find((await told({}, 'one')).id);
    const files = { ...world.files };
    const deleting: Files['info'] = async (...words) => {
      const found = await files.info(...words);
      rmSync(talk.path, { force: true });
      return found;
    };
    Object.assign(world.files, { info: deleting });
    expect(await failure(talk.addTurn(turn('two')))).toMatchObject({ kind: 'io' });
    expect(readdirSync(folder)).toEqual([]);
    expect(talk.turns).toBe(2);
  });

  test('one that was deleted meanwhile is not made again', async () => {
    const { told } = shelf();
    const talk = await told({}, 'one');
    unlinkSync(talk.path);
    expect(await failure(talk.addTurn(turn('two')))).toMatchObject({ kind: 'io' });
    expect(talk.turns).toBe(2);
    expect(existsSync(talk.path)).toBe(false);
    expect(await failure(talk.refresh())).toMatchObject({ message: `conversation ${talk.id} was deleted meanwhile` });
  });
});
