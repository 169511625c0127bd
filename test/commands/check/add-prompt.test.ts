import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, type Run } from '../../support/motif.ts';
import '../../support/rooms/gateway-loaded.ts';

const read = (run: Run, name: string) => readFileSync(join(run.world.folder, name), 'utf8');

describe('the prompt of check add', () => {
  test('a traceback, added again and again, moves no line of the suite', async () => {
    let suite = 'cases:\n  - id: a\n    prompt: hi\n    tags: [control]\n';
    for (let count = 1; count <= 3; count++) {
      const prompt = `What is wrong? ${count}\nTraceback:\n  File app.py, line 12`;
      const argv = ['check', 'add', '--demo', '--id', `t${count}`, prompt];
      const run = await motif(argv, { env: {}, files: { 'smoke.motif.yaml': suite } });
      const added = `  - id: t${count}\n    prompt: |-\n      ${prompt.replaceAll('\n', '\n      ')}\n`;
      expect(read(run, 'smoke.motif.yaml')).toBe(`${suite}${added}`);
      suite += added;
    }
  });
});
