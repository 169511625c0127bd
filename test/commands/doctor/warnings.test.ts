import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { certificate, doctor, emptyRefused, type Item, layersOf, way } from '../../support/rooms/doctor.ts';
import { configFolder, documentOf, filesHolding, loggedIn, profileFile } from '../../support/rooms/login.ts';
import { type MotifSetup, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

describe('warnings do not fail', () => {
  async function warning(layer: string, setup: MotifSetup): Promise<Item | undefined> {
    const run = await doctor(['--json'], setup);
    expect(documentOf(run)).toMatchObject({ ok: true, error: null });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(layersOf(run)[layer]?.status).toBe('warning');
    return layersOf(run)[layer];
  }

  test('files that others can read, with the command that mends them', async () => {
    const world = await loggedIn([testUrl, '-p', 'staging']);
    chmodSync(profileFile(world, 'staging'), 0o644);
    chmodSync(configFolder(world), 0o755);
    const item = await warning('files', { after: world, env: {} });
    expect(item?.message).toContain('staging.json (mode 0644)');
    expect(item?.hint).toBe(`chmod 700 '${configFolder(world)}'\nchmod 600 '${profileFile(world, 'staging')}'`);
  });

  test('a token that others could read is said to be mended', async () => {
    const world = await loggedIn([testUrl, '-p', 'staging']);
    for (const path of filesHolding(configFolder(world), testToken)) chmodSync(path, 0o644);
    expect((await warning('files', { after: world, env: {} }))?.message).toContain('its mode is 0600 now');
  });

  test('the file of MOTIF_TOKEN_FILE that others can read, also where nothing is stored', async () => {
    const prepare = (world: FakeWorld) => chmodSync(`${world.folder}/token`, 0o640);
    const env = { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: 'token' };
    const item = await warning('files', { env, files: { token: testToken }, prepare });
    expect(item).toMatchObject({ message: 'other users can reach token (mode 0640)', hint: "chmod 600 'token'" });
  });

  test('a certificate that ends within two weeks', async () => {
    const ending = { ...certificate, subject: 'gw\x1b[2J', validTo: Date.UTC(2026, 10, 30) };
    const item = await warning('tls', { probe: way({ tls: { protocol: 'TLSv1.2', chain: [certificate, ending] } }) });
    expect(item?.message).toContain('expires on 2026-11-30, in 9 days');
    expect(item?.notes).toHaveLength(2);
  });

  test.each([
    { name: 'behind', date: 'Fri, 20 Nov 2026 12:05:00 GMT', says: '5 m behind' },
    { name: 'ahead', date: 'Thu, 19 Nov 2026 12:00:00 GMT', says: '1 d ahead of' },
  ])('a clock that is $name', async ({ date, says }) => {
    const { send } = service({ ...emptyRefused, headers: { date } });
    expect((await warning('clock', { send }))?.message).toContain(says);
  });
});
