import { describe, expect, test } from 'vitest';
import { doctor, layersOf } from '../../support/rooms/doctor.ts';
import { documentOf } from '../../support/rooms/login.ts';
import { localSituations } from './situations-local.ts';
import { serviceSituations, waySituations } from './situations-remote.ts';

const situations = [...localSituations, ...waySituations, ...serviceSituations];

describe('each prepared situation is told by the layer that is broken', () => {
  test.each(situations)('$name: $layer fails, exit $exitCode', async (situation) => {
    const { argv = [], setup = async () => ({}), exitCode, layer, says, hint = '', ok = [], skipped = [] } = situation;
    const made = await setup();
    const run = await doctor([...argv, '--json'], made);
    const items = layersOf(run);
    const statuses = Object.fromEntries(Object.values(items).map((item) => [item.layer, item.status]));
    expect(Object.values(items).find(({ status }) => status === 'failed')?.layer, JSON.stringify(statuses)).toBe(layer);
    expect(items[layer]?.message).toContain(says);
    expect(items[layer]?.hint ?? '').toContain(hint);
    expect(run.exitCode).toBe(exitCode);
    expect(documentOf(run)).toMatchObject({
      ok: false,
      error: { exit_code: exitCode, message: items[layer]?.message },
    });
    expect(run.stderr).toBe(`motif: doctor found a fault: ${layer}\n`);
    expect(statuses).toMatchObject(
      Object.fromEntries([...ok.map((name) => [name, 'ok']), ...skipped.map((name) => [name, 'skipped'])]),
    );
    expect(run.stdout + run.stderr).not.toMatch(/HUSHHUSH|mtf_test|\x1b/);
  });

  test('there are at least 25 of them, and each layer that can fail does', () => {
    expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
    expect(situations.length).toBeGreaterThanOrEqual(25);
    const layers = ['settings', 'files', 'keyring', 'proxy', 'dns', 'connect', 'tls', 'http', 'token', 'tenant'];
    expect([...new Set(situations.map(({ layer }) => layer))].sort()).toEqual(layers.sort());
  });
});
