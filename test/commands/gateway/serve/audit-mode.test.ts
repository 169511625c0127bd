import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPrivateAudit } from '../../../../src/commands/gateway/serve/stage.ts';
import { gatewayFileSource } from '../../../../src/commands/gateway/source.ts';
import { createPlainLog } from '../../../../src/gateway/records/log.ts';
import type { World } from '../../../../src/world/world.ts';
import { fakeWorld } from '../../../support/world.ts';

/** Files of a user, or of a file system, that may not change the mode of one. */
function withModesKept(files: World['files']): World['files'] {
  const openAppend: World['files']['openAppend'] = async (path) =>
    Object.assign(await files.openAppend(path), { makePrivate: () => 'open' as const });
  return Object.assign(Object.create(files) as World['files'], { openAppend });
}

test.each([
  { name: '0600 stays', before: 0o600, after: 0o600, says: [] },
  {
    name: '0644 becomes 0600, and is told',
    before: 0o644,
    after: 0o600,
    says: ['the audit file could be read by others; its mode is 0600 now (file FOLDER/audit.jsonl)'],
  },
  {
    name: '0640, which a rotation may have made, does too',
    before: 0o640,
    after: 0o600,
    says: ['the audit file could be read by others; its mode is 0600 now (file FOLDER/audit.jsonl)'],
  },
  {
    name: '0644 that cannot be changed is told with the command',
    before: 0o644,
    after: 0o644,
    filesOf: withModesKept,
    says: ['others can read the audit file; its owner types chmod 600 FOLDER/audit.jsonl'],
  },
])('an audit file of $name', async ({ before, after, says, filesOf = (files: World['files']) => files }) => {
  const world = fakeWorld();
  const files = filesOf(world.files);
  const path = join(world.folder, 'audit.jsonl');
  writeFileSync(path, 'one\n');
  chmodSync(path, before);
  const told: string[] = [];
  const source = gatewayFileSource(join(world.folder, 'gateway.yaml'), { files });
  const log = createPlainLog((line) => told.push(line.replaceAll(world.folder, 'FOLDER')));
  const file = await openPrivateAudit(path, source, { files, log });
  await file.write('two\n');
  await file.close();
  expect(told).toEqual(says);
  expect(statSync(path).mode & 0o777).toBe(after);
});
