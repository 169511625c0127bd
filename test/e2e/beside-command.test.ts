import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMotif } from '../support/processes/program.ts';
import { ask, fileOf, token } from '../support/servers/gateway-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a token that is taken out of the file while a command runs ends, and that of the command does not', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'gateway.yaml');
  writeFileSync(file, fileOf());
  const line = `echo "$MOTIF_URL $MOTIF_TOKEN."; until [ -e ${folder}/over ]; do sleep 0.05; done; exit 7`;
  const running = startMotif(['serve', '-c', file, '--', 'sh', '-c', line]);
  let stdout = '';
  running.process.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
  await running.says('.\n');
  const [, port = '', own = ''] = /:(\d+)\/\S+ (\S+)\.\n/.exec(stdout) ?? [];
  const status = async (text: string) =>
    (await ask(Number(port), 'hello', undefined, { motif: 'bot', token: text })).status;
  expect([await status(token.text), await status(own)]).toEqual([200, 200]);
  writeFileSync(`${file}.new`, fileOf().replace(/tokens: .*/, 'tokens: []'));
  renameSync(`${file}.new`, file);
  await expect.poll(() => status(token.text), { timeout: 15_000 }).toBe(401);
  expect(await status(own)).toBe(200);
  writeFileSync(join(folder, 'over'), '');
  expect(await running.ended).toMatchObject({ code: 7 });
});
