import { expect, test } from 'vitest';
import { createPolicy } from '../../../src/gateway/policies/index.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { fileOf, parse, parsed } from './config-file.ts';

const inline = '{ kind: words, words: [heron, egret], except: [{ text: Heron, why: ours }] }';
const ofFile = '{ kind: words, file: words.txt }';
const ofSchema = '{ kind: schema, schema: { type: object, properties: { a: { enum: [1, b] } } } }';
const outside = '{ kind: webhook, url: "https://hooks.example/" }';
const files = { 'words.txt': 'heron\negret\n' };

async function policyIn(entry: string, parts: Parameters<typeof parse>[1] = {}) {
  const { policies } = await parsed(fileOf('', `policies:\n  house: ${entry}\n`), { files, ...parts });
  return policies;
}

test.each([{ entry: inline }, { entry: ofFile }, { entry: ofSchema }, { entry: '{ kind: pii }' }])(
  '$entry that stays as it is in the next version stays the policy that it was',
  async ({ entry }) => {
    const before = await policyIn(entry);
    const after = await policyIn(entry, { before });
    expect(after.get('house')).toBe(before.get('house'));
    const again = await policyIn(entry, { before: after });
    expect(createPolicy(again.get('house')!).detect).toBe(createPolicy(before.get('house')!).detect);
  },
);

test.each([
  { was: inline, is: inline.replace('egret', 'egrets') },
  { was: inline, is: inline.replace(', egret', '') },
  { was: inline, is: inline.replace('[heron, egret]', '[egret, heron]') },
  { was: inline, is: inline.replace('Heron', 'heron') },
  { was: inline, is: inline.replace('}]', ', until: 2027-01-01 }]') },
  { was: inline, is: inline.replace(', except', ', on: prompt, except') },
  { was: inline, is: ofFile },
  { was: ofFile, is: inline },
  { was: ofFile, is: ofFile.replace(' }', ', action: warn }') },
  { was: ofSchema, is: ofSchema.replace('1, b', '1, c') },
  { was: ofSchema, is: ofSchema.replace('[1, b]', '["1", b]') },
  { was: ofSchema, is: ofSchema.replace('{ a:', '{ b:') },
  { was: '{ kind: pii }', is: '{ kind: secrets }' },
  { was: outside, is: outside },
])('a policy is made anew where $was becomes $is', async ({ was, is }) => {
  const before = await policyIn(was);
  const after = await policyIn(is, { before });
  expect(after.get('house')).not.toBe(before.get('house'));
  expect(after.get('house')).toEqual((await policyIn(is)).get('house'));
});

test('a policy is made anew where its file holds something else', async () => {
  const before = await policyIn(ofFile);
  const after = await policyIn(ofFile, { before, files: { 'words.txt': 'heron\negret\nibis\n' } });
  expect(after.get('house')?.options).toEqual({ words: ['heron', 'egret', 'ibis'] });
});

test('warnings of a policy that stays are told again', async () => {
  const text = fileOf('', `policies:\n  house: ${inline.replace('egret', '"project*"')}\n`);
  const first = await parse(text);
  const second = await parse(text, { before: first.config!.policies });
  expect(first.warnings.map(({ path }) => path)).toContain('policies.house.words[1]');
  expect(second.warnings).toEqual(first.warnings);
});

test('a policy that stays does not hold the version of the gateway file from which it was read', async () => {
  const read = async () => {
    const { config, at } = await parse(fileOf('', `policies:\n  house: ${ofFile}\n`), { files });
    return { policies: config!.policies, place: new WeakRef(at) };
  };
  const { policies, place } = await read();
  await collectGarbage();
  expect(place.deref()).toBeUndefined();
  expect(await policyIn(ofFile, { before: policies })).toEqual(policies);
});
