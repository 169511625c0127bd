import { expect, test } from 'vitest';
import type { Side } from '../../../src/gateway/vocabulary.ts';
import type { Policy } from '../../../src/gateway/policies/policy.ts';
import { preparePolicies } from '../../../src/gateway/policies/preparing.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { policy } from '../../support/rooms/policies.ts';

test('each policy looks at some texts on its sides before a prompt comes, and none asks outside', () => {
  const seen: string[] = [];
  const looking = (name: string, ...sides: Side[]): Policy => ({
    ...policy('words', { words: ['falcon'] }),
    name,
    on: new Set(sides),
    needs: undefined,
    detect(text) {
      seen.push(name);
      // Readings of letters are made too, with digits for letters.
      if (text.views.some(({ isLetters }) => isLetters)) seen.push(`${name}, letters`);
      return [];
    },
  });
  const { detect: _, ...outside } = policy('words', { words: ['falcon'] });
  const asking: Policy = { ...outside, name: 'outside', ask: () => Promise.reject(new Error('asked')) };
  atOnce(preparePolicies([looking('prompts', 'prompt'), looking('answers', 'inference'), asking]));
  expect(new Set(seen)).toEqual(new Set(['prompts', 'prompts, letters', 'answers', 'answers, letters']));
});

test('the texts have letters of every script for which tables are made', () => {
  const seen: string[] = [];
  const noting: Policy = {
    ...policy('words', { words: ['falcon'] }),
    needs: undefined,
    detect: ({ sent }) => (seen.push(sent), []),
  };
  atOnce(preparePolicies([noting]));
  const all = seen.join('');
  const scripts = ['Hang', 'Han', 'Hira', 'Kana', 'Thai', 'Deva', 'Arab', 'Hebr', 'Cyrl', 'Grek'];
  expect(scripts.filter((script) => !new RegExp(`\\p{Script=${script}}`, 'u').test(all))).toEqual([]);
});

test('a thousand policies look one after the other, so that others have their turn between them', () => {
  const turns: number[] = [];
  let looks = 0;
  const counting: Policy = {
    ...policy('words', { words: ['falcon'] }),
    needs: undefined,
    detect() {
      looks += 1;
      return [];
    },
  };
  const policies = Array.from({ length: 1000 }, (_, at) => ({ ...counting, name: `p${at}` }));
  for (const _ of preparePolicies(policies)) turns.push(looks);
  const atOnceMost = Math.max(...turns.map((seen, at) => seen - (turns[at - 1] ?? 0)));
  expect(looks).toBeGreaterThanOrEqual(8000);
  expect(atOnceMost).toBeLessThan(looks / 100);
});

test('a policy that throws keeps no gateway from its start', () => {
  const faulty: Policy = {
    ...policy('words', { words: ['falcon'] }),
    needs: undefined,
    detect() {
      throw new Error('faulty');
    },
  };
  expect(() => atOnce(preparePolicies([faulty]))).not.toThrow();
});
