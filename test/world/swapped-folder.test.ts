import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../src/world/files/files.ts';
import type { FileFault } from '../../src/world/world.ts';

/** Puts a link in the place of a folder, and the folder back, again and again. */
const swapping = `
  const { renameSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const [folder, link, aside] = ['docs', 'link', 'aside'].map((name) => workerData + '/' + name);
  parentPort.postMessage('begins');
  for (;;) {
    renameSync(folder, aside);
    renameSync(link, folder);
    renameSync(folder, link);
    renameSync(aside, folder);
  }
`;

// Other systems do not tell where an open file stands.
test.runIf(process.platform === 'linux')(
  'a folder that becomes a link while a file in it is opened leads nobody out',
  async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'motif-test-')));
    onTestFinished(() => rmSync(top, { recursive: true }));
    for (const name of ['inside', 'inside/docs', 'outside']) mkdirSync(join(top, name));
    writeFileSync(join(top, 'inside/docs/a.md'), 'inside');
    writeFileSync(join(top, 'outside/a.md'), 'outside');
    symlinkSync(join(top, 'outside'), join(top, 'inside/link'));
    const worker = new Worker(swapping, { eval: true, workerData: join(top, 'inside') });
    onTestFinished(async () => void (await worker.terminate()));
    await once(worker, 'message');
    const files = createFiles(top);
    const found = new Set<string>();
    for (let read = 0; read < 10_000; read++) {
      const text = await files.read('inside/docs/a.md', { bytesMax: 100, within: 'inside' }).then(
        ({ bytes }) => Buffer.from(bytes).toString(),
        ({ code }: FileFault) => code,
      );
      found.add(text);
    }
    expect([...found]).toEqual(expect.arrayContaining(['inside', 'EOUTSIDE']));
    expect(found).not.toContain('outside');
  },
);
