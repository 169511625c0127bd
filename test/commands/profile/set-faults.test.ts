import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { motif, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';
import { loggedIn } from '../../support/rooms/login.ts';

test.each([
  {
    name: 'a duration',
    words: ['timeout', 'default'],
    says: 'to have the default again: motif profile set timeout ""',
  },
  { name: 'a count', words: ['retries', 'many'], says: 'to have the default again: motif profile set retries ""' },
  { name: 'a tenant', words: ['tenant', 'a b'], says: 'to have none: motif profile set tenant ""' },
  {
    name: 'words without quotes',
    words: ['blocked_notice', 'Ask', 'the', 'help', 'desk'],
    says: 'several words stand in quotes: motif profile set KEY "WORD WORD"',
  },
])('profile set, $name: the hint says what is typed instead', async ({ words, says }) => {
  const run = await motif(['profile', 'set', ...words], { env: {}, after: await loggedIn([testUrl]) });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(`\n  ${says}\n`);
});

test('an address that is no address is not told to be removed', async () => {
  const run = await motif(['profile', 'set', 'url', 'x'], { env: {}, after: await loggedIn([testUrl]) });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).not.toContain('""');
});

describe('a certificate of a profile', () => {
  const files = { 'ca.pem': '-----BEGIN CERTIFICATE-----', 'key.pem': '-----BEGIN PRIVATE KEY-----', 'a.txt': 'text' };

  test.each([
    { key: 'cacert', file: 'none.pem', says: 'none.pem: no such file or folder' },
    { key: 'cert', file: 'none.pem', says: 'none.pem: no such file or folder' },
    { key: 'key', file: 'none.pem', says: 'none.pem: no such file or folder' },
    { key: 'cacert', file: 'a.txt', says: 'a.txt holds no certificate in PEM form' },
    { key: 'key', file: 'ca.pem', says: 'ca.pem holds no private key in PEM form' },
  ])('$key of $file is refused before it is kept', async ({ key, file, says }) => {
    const after = await loggedIn([testUrl]);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(after.folder, name), text);
    const run = await motif(['profile', 'set', key, file], { env: {}, after });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(says);
    expect((await motif(['profile', 'show'], { env: {}, after })).stdout).not.toContain(file);
  });

  test('that is gone later: the command that does without it is told, and works', async () => {
    const after = await loggedIn([testUrl]);
    const path = join(after.folder, 'ca.pem');
    writeFileSync(path, files['ca.pem']);
    expect(await motif(['profile', 'set', 'cacert', 'ca.pem'], { env: {}, after })).toMatchObject({ exitCode: 0 });
    rmSync(path);
    const run = await motif(['prompt', 'hi'], { env: {}, after });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('\n  or without one: motif profile set cacert "" -p support-bot\n');
    const typed = await motif(['profile', 'set', 'cacert', '', '-p', 'support-bot'], { env: {}, after });
    expect(typed.exitCode).toBe(0);
    expect(await motif(['prompt', 'hi'], { env: {}, after, ...service() })).toMatchObject({ exitCode: 0 });
  });

  test('of a flag is told to be mended there alone', async () => {
    const run = await motif(['prompt', 'hi', '--cacert', 'none.pem'], { env: {}, after: await loggedIn([testUrl]) });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toContain('profile set');
  });
});
