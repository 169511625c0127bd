import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { motif } from '../../../../support/motif.ts';
import type { FakeWorld } from '../../../../support/world.ts';

const gateway = `audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: 'http://127.0.0.1:1/v1' } }
motifs: { bot: { provider: up } }
`;

/** Files of one writer, each with so many prompts and a seal. */
async function sealedFiles(counts: readonly number[]): Promise<readonly string[]> {
  const { audit, memory, record, minute } = await memoryAudit();
  const files: string[] = [];
  for (const count of counts) {
    const before = memory.text.length;
    for (let prompt = 0; prompt < count; prompt++) await record({ user: `user${prompt}` });
    await minute();
    files.push(memory.text.slice(before));
  }
  await audit.close();
  return files;
}

const [first = '', second = '', third = '', fourth = ''] = await sealedFiles([5, 6, 7, 8]);
const files = { 'gateway.yaml': gateway, 'audit.jsonl.2': first, 'audit.jsonl.1': second, 'audit.jsonl': third };

/** Rotates as logrotate does once the files are looked at for the given time: all are renamed, one is packed. */
function rotatesAtLook(look: number): (world: FakeWorld) => void {
  return ({ files: seen, folder }) => {
    const at = (name: string): string => join(folder, name);
    let looks = 0;
    const info = seen.info.bind(seen);
    seen.info = async (path, options) => {
      const found = await info(path, options);
      if (!path.includes('audit.jsonl') || (looks += 1) !== look) return found;
      renameSync(at('audit.jsonl.2'), at('audit.jsonl.3'));
      renameSync(at('audit.jsonl.1'), at('audit.jsonl.2'));
      renameSync(at('audit.jsonl'), at('audit.jsonl.1'));
      writeFileSync(at('audit.jsonl'), fourth);
      writeFileSync(at('audit.jsonl.3.gz'), gzipSync(readFileSync(at('audit.jsonl.3'))));
      rmSync(at('audit.jsonl.3'));
      return found;
    };
  };
}

test('more files than can be open at once are read one after the other', async () => {
  let [opened, open] = [0, 0];
  const prepare = ({ files: seen }: FakeWorld): void => {
    const openGrown = seen.openGrown.bind(seen);
    seen.openGrown = async (path) => {
      if ((opened += 1) > 2) throw new Error('too many files are open');
      const file = await openGrown(path);
      open += 1;
      const close = (): void => {
        open -= 1;
        file.close();
      };
      return { size: file.size, read: (start, into) => file.read(start, into), close };
    };
    const chunks = seen.chunks.bind(seen);
    seen.chunks = (path, signal) => {
      if (open > 1) throw new Error('too many files are open');
      return chunks(path, signal);
    };
  };
  const { stdout } = await motif(['admin', 'audit', 'verify'], { env: {}, files, prepare });
  expect(stdout).toMatch(/^OK 18 lines sealed and unchanged; /);
  expect([opened, open]).toEqual([3, 0]);
});

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('a rotation at look %i, while the files are read', (look) => {
  const run = async (...words: readonly string[]) =>
    await motif(['admin', 'audit', ...words], { env: {}, files, prepare: rotatesAtLook(look) });

  test('takes no line from what is verified', async () => {
    expect((await run('verify')).stdout).toMatch(/^OK (18|26) lines sealed and unchanged; /);
  });

  test('takes no prompt from what is counted, and none is counted twice', async () => {
    const { stdout, exitCode } = await run('stats', '--json');
    expect(exitCode).toBe(0);
    const { prompts } = (JSON.parse(stdout) as { readonly total: { readonly prompts: number } }).total;
    expect([18, 26]).toContain(prompts);
  });
});
