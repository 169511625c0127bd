import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaredCommands } from '../../support/rooms/commands.ts';
import { motif } from '../../support/motif.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

const paths = (await declaredCommands()).map(({ path }) => path).filter((path) => path[1] !== 'words');

/** The examples of a help text. */
async function examplesOf(path: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await motif([...path, '--help'], { env: {}, home: null });
  return (/^Examples:\n([^]*?)\n\n/m.exec(stdout)?.[1] ?? '').split('\n').map((line) => line.trim());
}

/** A shell in which `motif` prints its words, each in brackets, and the other programs of the examples do nothing. */
const standIns = `
motif() { printf 'motif' >&3; printf ' [%s]' "$@" >&3; printf '\\n' >&3; }
for program in git pass zcat npm; do eval "$program() { :; }"; done
source() { cat "\${1:-/dev/stdin}"; }
`;

/** The words that `motif` gets from each line, as bash reads it, and what bash says about them. */
function typed(lines: readonly string[]): { readonly words: readonly string[]; readonly errors: string } {
  const script = lines.map((line) => `${line}\nprintf -- '--\\n' >&3`).join('\n');
  const { output } = spawnSync('bash', ['-c', `exec 3>&1 >/dev/null\n${standIns}\n${script}`], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
  });
  return { words: output[1]!.split('--\n').slice(0, -1), errors: output[2]! };
}

test('each example does as printed, with what is said of it behind a #', async () => {
  for (const name of ['answer.txt', 'leaked.txt', 'questions.txt', 'token.txt', 'notes.md'])
    writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'src'), { recursive: true });
  const examples = (await Promise.all([[], ...paths].map(examplesOf))).flat();
  const bare = examples.map((example) => example.replace(/ +# .*$/, ''));
  // Two spaces are a column of prose; no word that is meant holds them.
  expect(bare.filter((example) => /\S {2,}\S/.test(example))).toEqual([]);
  const asPrinted = typed(examples);
  expect(asPrinted).toEqual(typed(bare));
  expect(asPrinted.errors).toBe('');
  expect(asPrinted.words.filter((word) => !word.startsWith('motif'))).toEqual([]);
  expect(asPrinted.words).toHaveLength(examples.length);
});
