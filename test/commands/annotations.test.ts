import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { motif } from '../support/motif.ts';

const gateway = 'providers: { mock: { kind: mock } }\nmotifs: { bot: { provider: mock } }\n';
const next = `policies: { house: { kind: words, words: [hello] } }\n${gateway.replace('provider: mock', 'provider: mock, policies: [house]')}`;

const commands = [
  { words: ['admin', 'validate', 'wrong.yaml'], file: 'wrong.yaml' },
  { words: ['admin', 'replay', 'next.yaml', 'lines.txt'], file: 'next.yaml' },
  { words: ['check', 's.motif.yaml', '--local', 'gateway.yaml'], file: 's.motif.yaml' },
];

const workspaces = [
  { name: 'this folder', of: (folder: string) => folder, shown: () => '' },
  { name: 'the one above', of: dirname, shown: (folder: string) => `${basename(folder)}/` },
  { name: 'another one', of: (folder: string) => `${folder}-2`, shown: () => '' },
  { name: 'not known', of: () => undefined, shown: () => '' },
];

test.each(commands.flatMap((command) => workspaces.map((workspace) => ({ ...command, ...workspace }))))(
  'motif $words.0 $words.1 names files from the top of what GitHub checked out, where that is $name',
  async ({ words, file, of, shown }) => {
    const files = {
      'gateway.yaml': gateway,
      'next.yaml': next,
      'wrong.yaml': gateway.replace('provider: mock', 'provider: nobody'),
      'lines.txt': 'hello\n',
      's.motif.yaml': 'cases:\n  - { id: greets, prompt: hello, expect: blocked }\n',
    };
    const run = await motif(words, {
      env: { GITHUB_ACTIONS: 'true' },
      files,
      prepare: ({ env, folder }) => Object.assign(env, { GITHUB_WORKSPACE: of(folder) }),
    });
    expect(`${run.stdout}${run.stderr}`).toMatch(/^::(error|warning) file=/m);
    const named = [...`${run.stdout}${run.stderr}`.matchAll(/^::\w+ file=([^,]*),/gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set([`${shown(run.world.folder)}${file}`]));
  },
);
