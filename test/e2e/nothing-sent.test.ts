import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody, isRoot } from '../support/processes/child.ts';
import { startMotif } from '../support/processes/program.ts';
import { chatService } from '../support/servers/chat-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A folder and a home that anybody can read, and that the program cannot write to. */
function closedPlace(): { readonly folder: string; readonly home: string } {
  const folder = temporaryFolder('/tmp');
  const conversations = join(folder, 'state/motif/conversations');
  mkdirSync(conversations, { recursive: true });
  const head = { v: 1, kind: 'conversation', id: 'abc123', title: 'Kettles', created: '2026-11-21T12:00:00.000Z' };
  writeFileSync(join(conversations, 'abc123.jsonl'), `${JSON.stringify(head)}\n`);
  writeFileSync(join(folder, 'rows.txt'), 'hi\n');
  writeFileSync(join(folder, 'a.motif.yaml'), 'cases: [{ prompt: hi }]\n');
  for (const each of ['', 'state', 'state/motif', 'state/motif/conversations']) chmodSync(join(folder, each), 0o755);
  for (const each of ['rows.txt', 'a.motif.yaml', 'state/motif/conversations/abc123.jsonl'])
    chmodSync(join(folder, each), 0o644);
  return { folder, home: folder };
}

test
  .skipIf(!isRoot)
  .each([
    [['prompt', '--save', 'T', 'hi']],
    [['prompt', '-o', 'IN/out.md', 'hi']],
    [['prompt', '-x', '-o', 'IN/out.md', 'hi']],
    [['batch', 'IN/rows.txt', '-o', 'IN/out.jsonl']],
    [['check', 'IN/a.motif.yaml', '--report', 'junit=IN/check.xml']],
    [['check', 'IN/a.motif.yaml', '--report', 'json=IN/check.json', '--report', 'human']],
  ])('nothing that is asked for is lost: %j in a folder that cannot be written to sends nothing', async (argv) => {
  const { folder, home } = closedPlace();
  const words = argv.map((word) => word.replace('IN/', `${folder}/`));
  const service = await chatService();
  const env = { ...service.env, HOME: home, XDG_STATE_HOME: join(folder, 'state'), PATH: process.env.PATH ?? '' };
  const run = await startMotif(words, { env, within: asNobody }).ended;
  expect(run).toMatchObject({ code: 12, stdout: '' });
  expect(run.stderr).toContain('permission denied');
  expect(service.requests).toHaveLength(0);
});
