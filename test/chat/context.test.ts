import { describe, expect, test } from 'vitest';
import { estimateContextTokens, fitMessages, learnScale, usualScale } from '../../src/chat/context.ts';
import { assistant, system, user } from '../support/rooms/chat.ts';

const text = (mark: string) => mark.repeat(40);
const opening = system(text('s'));
const turns = ['a', 'b', 'c'].flatMap((mark) => [user(text(mark)), assistant(text(mark))]);
const newest = user(text('n'));
const all = [opening, ...turns, newest];
const fit = (tokensMax: number | undefined) => fitMessages(all, { tokensMax, scale: usualScale });

describe('a context with a limit of tokens', () => {
  test.each([
    { tokensMax: undefined, leftOut: 0, marks: 'saabbccn' },
    { tokensMax: 80, leftOut: 0, marks: 'saabbccn' },
    { tokensMax: 79, leftOut: 1, marks: 'sbbccn' },
    { tokensMax: 60, leftOut: 1, marks: 'sbbccn' },
    { tokensMax: 40, leftOut: 2, marks: 'sccn' },
    { tokensMax: 39, leftOut: 3, marks: 'sn' },
    { tokensMax: 1, leftOut: 3, marks: 'sn' },
  ])('$tokensMax leaves $leftOut turns out', ({ tokensMax, leftOut, marks }) => {
    const fitted = fit(tokensMax);
    expect(fitted.leftOut).toBe(leftOut);
    expect(fitted.messages.map(({ content }) => content[0]).join('')).toBe(marks);
  });

  test('examples of the opening go like turns, system messages stay wherever they are', () => {
    const messages = [user(text('x')), assistant(text('x')), system(text('s')), user(text('n'))];
    expect(fitMessages(messages, { tokensMax: 1, scale: usualScale }).messages).toEqual(messages.slice(2));
  });

  test('nothing said yet is nothing to leave out', () => {
    expect(fitMessages([], { tokensMax: 1, scale: usualScale })).toEqual({ messages: [], leftOut: 0 });
  });
});

describe('what the service counted', () => {
  test.each([
    { promptTokens: 160, estimate: 160 },
    { promptTokens: 400, estimate: 400 },
    { promptTokens: null, estimate: 80 },
    { promptTokens: 0, estimate: 80 },
    { promptTokens: 1, estimate: 40 },
  ])('$promptTokens for the same messages: $estimate', ({ promptTokens, estimate }) => {
    expect(estimateContextTokens(all, learnScale(all, promptTokens))).toBe(estimate);
  });
});
