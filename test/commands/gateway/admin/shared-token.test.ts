import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newToken } from '../../../../src/gateway/access/token.ts';
import { admin, documentIn, file, fileIn, sha } from '../../../support/rooms/admin.ts';

const whole = newToken(new Uint8Array(32).fill(7));
const ofOne = file.replace(sha('a'), whole.sha256);
const lineOfOther = `      - { id: t7, sha256: "${whole.sha256}" }\n`;
const ofTwo = `${ofOne}  other:\n    provider: mock\n    tokens:\n      - { id: t6, sha256: "${sha('c')}" }\n${lineOfOther}`;
const without = (text: string, ...ids: readonly string[]): string =>
  ids.reduce((left, id) => left.replace(new RegExp(` +- \\{ id: ${id}.*\\n`), ''), text);

describe('a token of two Motifs', () => {
  test('ends in both, for its text may have leaked', async () => {
    const run = await admin(['revoke', '--token-stdin', '--json'], ofTwo, { stdin: whole.text });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(fileIn(run)).toBe(without(ofTwo, 't1', 't7'));
    expect(run.stderr).toMatch(/t1 of Motif support-bot revoked;.*\n.*t7 of Motif other revoked; 1 is left/);
    expect(documentIn(run)).toMatchObject({
      motif_id: 'support-bot',
      revoked: ['t1'],
      also: [{ motif_id: 'other', revoked: ['t7'], left: 1, left_ended: 0 }],
    });
  });

  test.each([
    { name: 'the name of one and the text', words: ['other', '--token-stdin'], gone: 't7', stays: 't1' },
    { name: 'its ID', words: ['support-bot', 't1'], gone: 't1', stays: 't7' },
    { name: 'all of one', words: ['support-bot', '--all', '--yes'], gone: 't1', stays: 't7' },
    { name: 'a rotation', verb: 'rotate', words: ['support-bot', '--grace', '0'], gone: 't1', stays: 't7' },
    { name: 'a rotation with grace', verb: 'rotate', words: ['support-bot'], gone: undefined, stays: 't7' },
  ])('ends in one by $name, and it is said that the other accepts it still', async (row) => {
    const { verb = 'revoke', words, gone, stays } = row;
    const run = await admin([verb, ...words], ofTwo, { stdin: whole.text });
    expect(run).toMatchObject({ exitCode: 0 });
    if (gone !== undefined) expect(fileIn(run)).not.toContain(`id: ${gone}`);
    expect(fileIn(run)).toContain(`id: ${stays}`);
    const motif = stays === 't7' ? 'other' : 'support-bot';
    expect(run.stderr).toContain(
      `the same token is ${stays} of Motif ${motif}, which still accepts it: motif admin revoke ${motif} ${stays}`,
    );
  });

  test.each([
    { name: 'was kept', words: ['rotate', 'support-bot', '--keep'], ends: '' },
    { name: 'ends in the other before', words: ['rotate', 'support-bot'], ends: ', expires: 2026-11-22' },
    { name: 'has ended in the other', words: ['revoke', 'support-bot', 't1'], ends: ', expires: 2026-11-20' },
  ])('is not said to be accepted where it $name', async ({ words, ends }) => {
    const run = await admin(words, ofTwo.replace(lineOfOther, lineOfOther.replace(' }', `${ends} }`)));
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).not.toContain('the same token');
  });

  test.each([
    { name: 'list of tokens', anchor: ['tokens:\n', 'tokens: &own\n'], alias: 'tokens: *own' },
    { name: 'token', anchor: ['- { id: t1', '- &own { id: t1'], alias: 'tokens: [*own]' },
  ])('ends in both where the $name of one is an alias of that of the other', async ({ anchor: [from, to], alias }) => {
    const anchored = ofOne.replace(from!, to!);
    const run = await admin(['revoke', '--token-stdin'], `${anchored}  other:\n    provider: mock\n    ${alias}\n`, {
      stdin: whole.text,
    });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(fileIn(run)).not.toContain(whole.sha256);
    expect(run.stderr).toMatch(/t1 of Motif support-bot revoked;.*\n.*t1 of Motif other revoked;/);
  });

  test.each([
    { name: 'its ID', words: ['support-bot', 't1'] },
    { name: 'all of one', words: ['support-bot', '--all', '--yes'] },
    { name: 'the name of one and the text', words: ['support-bot', '--token-stdin'] },
  ])('stays, with words that say why, by $name where the other refers to it', async ({ words }) => {
    const anchored = ofOne.replace('- { id: t1', '- &own { id: t1');
    const both = `${anchored}  other:\n    provider: mock\n    tokens: [*own]\n`;
    const run = await admin(['revoke', ...words], both, { stdin: whole.text });
    expect(run).toMatchObject({ exitCode: 2 });
    expect(fileIn(run)).toBe(both);
    expect(run.stderr).toContain('another part of the file is *own, so what is &own stays');
  });

  test.each([
    { name: 'its list', from: 'tokens:\n', to: 'tokens: &own\n', alias: '*own', says: 'has the same list of tokens' },
    {
      name: 'it alone',
      from: '- { id: t1',
      to: '- &own { id: t1',
      alias: '[*own]',
      says: 'has one of these tokens by an alias: it ends there too, and a new one is not in that list',
    },
  ])('is rotated in both where the other refers to $name, which is said', async ({ from, to, alias, says }) => {
    const other = `  other:\n    provider: mock\n    tokens: ${alias}\n`;
    const run = await admin(['rotate', 'support-bot', 't1'], `${ofOne.replace(from, to)}${other}`);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toContain(`Motif other ${says}`);
  });

  test('is shown with both', async () => {
    const run = await admin(['show', '--token-stdin', '--json'], ofTwo, { stdin: whole.text });
    expect(documentIn(run).items).toMatchObject([
      { id: 'support-bot', tokens: [{ id: 't1' }] },
      { id: 'other', tokens: [{ id: 't7' }] },
    ]);
    expect((await admin(['show', '--token-stdin'], ofTwo, { stdin: whole.text })).stdout).toMatch(/t1[^]*t7/);
  });
});

test('a token that is piped in slowly ends alone, although its place in the file changes meanwhile', async () => {
  const others = `      - { id: t8, sha256: "${sha('e')}" }\n      - { id: t9, sha256: "${sha('f')}" }\n`;
  const longer = ofOne.replace('    tokens:\n', `    tokens:\n${others}`);
  const change = { file: (): void => undefined };
  async function* chunks() {
    yield whole.text.slice(0, 9);
    change.file();
    yield whole.text.slice(9);
  }
  const run = await admin(['revoke', '--token-stdin'], longer, {
    stdin: { chunks: chunks() },
    prepare: ({ folder }) => {
      change.file = () => writeFileSync(join(folder, 'gateway.yaml'), without(longer, 't8'));
    },
  });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(fileIn(run)).toBe(without(longer, 't8', 't1'));
});

test.each([
  { words: ['revoke', 'support-bot', 't1'], hasNew: false },
  { words: ['rotate', 'support-bot', '--keep'], hasNew: true },
])('the Motif whose list of tokens is the same by an alias is told: $words', async ({ words, hasNew }) => {
  const text = `${file.replace('tokens:', 'tokens: &all')}  other: { provider: mock, tokens: *all }\n`;
  const run = await admin(words, text);
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(
    'motif: Motif other has the same list of tokens, by an alias, so that all of this holds for',
  );
  expect(/id: t-/.test(fileIn(run))).toBe(hasNew);
  expect((await admin(words, file)).stderr).not.toContain('by an alias');
});
