import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../../src/gateway/access/token.ts';
import { program } from '../../support/processes/program.ts';
import { missingPrograms } from '../../support/processes/programs.ts';
import { type Syscall, trace } from '../../support/processes/strace.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const root = sharedFolder('/tmp');
const first = `tenant: acme
providers: { mock: { kind: mock } }
motifs:
  bot: { provider: mock, tokens: [{ id: t1, sha256: "${hashToken('old')}" }] }
`;
const runsAtOnce = 3;

interface Edit {
  readonly name: string;
  readonly words: readonly string[];
  /** The content of the file of --token-out before it. */
  readonly held?: string;
}

function place({ words, held }: Edit) {
  const folder = fs.mkdtempSync(join(root, 'edit-'));
  const path = join(folder, 'gateway.yaml');
  const out = join(folder, 't.txt');
  fs.writeFileSync(path, first, { mode: 0o600 });
  if (held !== undefined) fs.writeFileSync(out, held);
  const tokenIn = () => (fs.existsSync(out) ? fs.readFileSync(out, 'utf8') : undefined);
  return {
    folder,
    command: [...program, 'admin', ...words.map((word) => (word === 't.txt' ? out : word)), '-c', path],
    gateway: () => fs.readFileSync(path, 'utf8'),
    tokenIn,
    names: () => fs.readdirSync(folder).toSorted().join(),
  };
}

const edits: readonly Edit[] = [
  { name: 'rotate --grace 0', words: ['rotate', '--grace', '0'] },
  { name: 'create', words: ['create', 'other'] },
  { name: 'rotate into a new file', words: ['rotate', '--grace', '0', '--token-out', 't.txt'] },
  { name: 'rotate into a file with a token', words: ['rotate', '--force', '--token-out', 't.txt'], held: heldToken() },
];

function heldToken(): string {
  return 'mtf_0000000000000000000000000000000000000000000000000';
}

/** True of a call that changes something in the folder, or makes that last. */
function isChange({ line, name }: Syscall): boolean {
  return name === 'openat' ? /O_CREAT|edit-\w+", O_RDONLY\|O_CLOEXEC\)/.test(line) : changes.has(name);
}
const changes: ReadonlySet<string> = new Set(['pwrite64', 'fchmod', 'fsync', 'rename', 'unlink']);

async function changesOf(edit: Edit): Promise<readonly Syscall[]> {
  const { folder, command } = place(edit);
  const { calls } = await trace(command);
  const begin = calls.findIndex(({ line }) => line.includes(folder) && line.includes('O_CREAT'));
  return calls.slice(begin).filter(isChange);
}

const noStrace = missingPrograms('strace');

describe.skipIf(noStrace)(`a change of the gateway file that the system fails ${noStrace ?? ''}`, () => {
  test.each(edits)('$name: a failure changes nothing, and else the token is there', async (edit) => {
    const wrong: string[] = [];
    let tried = 0;
    const points = (await changesOf(edit)).flatMap((call) => ['EIO', 'ENOSPC'].map((error) => ({ call, error })));
    const waiting = points.values();
    const work = async (): Promise<void> => {
      for (const { call, error } of waiting) {
        const { command, gateway, tokenIn, names } = place(edit);
        const { code, stdout, stderr, calls } = await trace(command, `${call.name}:error=${error}:when=${call.nth}`);
        // Node's own calls at its start vary, so that another one may have been hit.
        const hit = calls.find(({ line }) => line.includes('INJECTED'));
        if (hit === undefined || !isChange(hit)) continue;
        tried += 1;
        const token = /mtf_\w+/.exec(stdout)?.[0] ?? tokenIn()?.trim() ?? '';
        const isUnchanged = gateway() === first && tokenIn() === edit.held && stdout === '';
        const isGiven = gateway().includes(hashToken(token));
        const isWarned = hit.name !== 'fsync' || stderr.includes('is changed, but a power loss may undo it: ');
        const isTold = code === 0 ? isGiven && isWarned : code === 12 && isUnchanged;
        // The next one sweeps what could not be removed.
        const isClean = hit.name === 'unlink' || !/\.lock|\.tmp/.test(names());
        if (!isTold || !isClean) wrong.push(`${hit.line}: ${code} ${names()} ${stderr}`);
      }
    };
    await Promise.all(Array.from({ length: runsAtOnce }, work));
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(10);
  });

  test('SIGKILL at each call: no other token ends before the new one stands in its file', async () => {
    const edit = edits.find(({ name }) => name === 'rotate into a new file')!;
    const wrong: string[] = [];
    let killed = 0;
    for (const { name, nth, line } of await changesOf(edit)) {
      const { command, gateway, tokenIn } = place(edit);
      const { signal } = await trace(command, `${name}:signal=KILL:when=${nth}`);
      if (signal === 'SIGKILL') killed += 1;
      if (gateway() !== first && !gateway().includes(hashToken(tokenIn()?.trim() ?? ''))) wrong.push(line);
    }
    expect(wrong).toEqual([]);
    expect(killed).toBeGreaterThan(5);
  });
});
