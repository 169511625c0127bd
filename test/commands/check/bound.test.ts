import { describe, expect, test } from 'vitest';
import { guarded, loginToOther } from '../../support/rooms/check.ts';
import { motif, testEnv } from '../../support/motif.ts';

describe('a suite that is bound to a Motif', () => {
  const bound = (motif: string) => `name: bound\n\nmotif: ${motif}\ncases:\n  - { id: a, prompt: Hi }\n`;

  test.each([
    {
      name: 'asks no other by --against',
      argv: ['check', 'b.motif.yaml', '--against', 'other'],
      suite: bound('support-bot'),
      says: 'b.motif.yaml:3 is for the Motif support-bot, but other is asked\n  motif login with its address, then --against support-bot\n  to ask any Motif, take motif: support-bot out of b.motif.yaml:3\n',
    },
    {
      name: 'is asked there by the profile that has it',
      argv: ['check', 'b.motif.yaml', '-p', 'other', '--motif', 'third'],
      suite: bound('other'),
      says: 'b.motif.yaml:3 is for the Motif other, but third is asked\n  -p other\n',
    },
    {
      name: 'for one case alone, the line of that case is named',
      argv: ['check', 'b.motif.yaml', '-p', 'other'],
      suite: 'cases:\n  - { id: a, prompt: Hi }\n  - id: b\n    prompt: Hi\n    motif: third\n',
      says: 'b.motif.yaml:5 is for the Motif third, but other is asked\n',
    },
    {
      name: 'by the template of its rows',
      argv: ['check', 'b.motif.yaml', '-p', 'other'],
      suite: 'cases:\n  - each: rows.csv\n    id: ${id}\n    prompt: ${prompt}\n    motif: third\n',
      says: 'b.motif.yaml:5 is for the Motif third, but other is asked\n',
    },
  ])('$name', async ({ argv, suite, says }) => {
    const after = await loginToOther();
    const { send, requests } = guarded();
    const files = { 'b.motif.yaml': suite, 'rows.csv': 'id,prompt\nx,Hi\n' };
    const run = await motif(argv, { after, env: argv.includes('--against') ? testEnv : {}, files, send });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
    expect(requests()).toEqual([]);
  });
});
