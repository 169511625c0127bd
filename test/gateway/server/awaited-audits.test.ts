import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStdoutFile } from '../../../src/gateway/records/audit/stdout-file.ts';
import { createMetrics } from '../../../src/gateway/records/metrics.ts';
import { Audits } from '../../../src/gateway/server/audits.ts';
import { auditEntry } from '../../support/rooms/audit/memory-audit.ts';
import { serving } from '../../support/rooms/serving.ts';
import { ask, fileOf } from '../../support/servers/gateway-process.ts';

const fileWith = (audit: string) => fileOf({ top: `admin: { port: 0 }\n${audit}` });
const first = 'audit: { file: audit.jsonl }';
const moved = 'audit: { file: moved/audit.jsonl }';
const readiness = async (port: number | undefined) => (await fetch(`http://127.0.0.1:${port}/readyz`)).text();

test.each([
  { name: 'goes on in the file before until a reload', before: first, status: 200, isReloaded: true },
  { name: 'goes on in the file before until it can be', before: first, status: 200, isReloaded: false },
  { name: 'is waited for where there was none', before: '', status: 503, isReloaded: true },
  { name: 'is opened where there was none as soon as it can be', before: '', status: 503, isReloaded: false },
])('a reload that names an audit which cannot be opened: it $name', async ({ before, status, isReloaded }) => {
  const text = { file: fileWith(before) };
  const { served, logged, folder, audit } = await serving(text);
  expect((await ask(served.port)).status).toBe(200);
  text.file = fileWith(moved);
  expect(await served.reload()).toBe(true);
  expect((await ask(served.port)).status).toBe(status);
  await expect.poll(() => readiness(served.adminPort)).toBe('ready\nfaulty: audit.file\n');
  if (status === 200) expect(audit()).toEqual(['config', 'prompt', 'seal', 'config', 'prompt']);
  if (!isReloaded) await wait(2500);
  mkdirSync(join(folder, 'moved'));
  if (isReloaded) expect(await served.reload()).toBe(true);
  await expect.poll(() => readiness(served.adminPort), { timeout: 10_000 }).toBe('ready\n');
  expect((await ask(served.port)).status).toBe(200);
  expect(audit('moved/audit.jsonl')).toEqual(['config', 'prompt']);
  expect(logged.join('').match(/cannot be opened/g)).toHaveLength(1);
  expect(await served.reload()).toBe(true);
  expect((await ask(served.port)).status).toBe(200);
  expect(audit('moved/audit.jsonl')).toEqual(['config', 'prompt', 'seal', 'config', 'prompt']);
});

test('an audit that could not be opened is not opened later, once the gateway file names another', async () => {
  const text = { file: fileWith(first) };
  const { served, folder, audit } = await serving(text);
  text.file = fileWith(moved);
  expect(await served.reload()).toBe(true);
  text.file = fileWith('audit: { file: other.jsonl }');
  expect(await served.reload()).toBe(true);
  mkdirSync(join(folder, 'moved'));
  await wait(1500);
  expect(readdirSync(join(folder, 'moved'))).toEqual([]);
  expect((await ask(served.port)).status).toBe(200);
  expect(audit('other.jsonl')).toEqual(['config', 'prompt']);
});

test('the file of an audit before is not made anew once somebody moved it', async () => {
  const text = { file: fileWith(first) };
  const { served, logged, folder, audit } = await serving(text);
  expect((await ask(served.port)).status).toBe(200);
  text.file = fileWith('audit: { file: other.jsonl }');
  expect(await served.reload()).toBe(true);
  renameSync(join(folder, 'audit.jsonl'), join(folder, 'kept.jsonl'));
  await wait(1500);
  expect(await served.reload()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['kept.jsonl', 'other.jsonl']);
  expect(logged.join('')).not.toMatch(/moved, removed/);
  await served.drain();
  expect(audit('kept.jsonl')).toEqual(['config', 'prompt', 'seal', 'config', 'seal']);
});

test('the file of an audit before is closed, with a last seal, once the last prompt that began under it has its line', async () => {
  const slow = fileOf({ top: `admin: { port: 0 }\n${first}`, mock: ', latency: 1500ms' });
  const text = { file: slow };
  const { served, folder, audit } = await serving(text);
  const asked = ask(served.port);
  await expect.poll(() => served.snapshot()['motif_gateway_in_flight']).toBe(1);
  text.file = slow.replace('audit.jsonl', 'other.jsonl');
  expect(await served.reload()).toBe(true);
  expect((await asked).status).toBe(200);
  await expect.poll(audit, { timeout: 5000 }).toEqual(['config', 'seal', 'config', 'prompt', 'seal']);
  rmSync(join(folder, 'audit.jsonl'));
  await served.drain();
  expect(readdirSync(folder)).toEqual(['other.jsonl']);
});

test('an audit to which the gateway file comes back has its file made anew where that was removed meanwhile', async () => {
  const text = { file: fileWith(first) };
  const { served, folder, audit } = await serving(text);
  text.file = fileWith('audit: { file: other.jsonl }');
  expect(await served.reload()).toBe(true);
  rmSync(join(folder, 'audit.jsonl'));
  text.file = fileWith(first);
  expect(await served.reload()).toBe(true);
  expect((await ask(served.port)).status).toBe(200);
  expect(audit()).toEqual(['config', 'prompt']);
});

test('and the one before goes on where it cannot be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'motif-serve-'));
  mkdirSync(join(folder, 'moved'));
  const text = { file: fileWith(moved), folder };
  const { served, audit } = await serving(text);
  text.file = fileWith('audit: { file: other.jsonl }');
  expect(await served.reload()).toBe(true);
  renameSync(join(folder, 'moved'), join(folder, 'away'));
  text.file = fileWith(moved);
  expect(await served.reload()).toBe(true);
  expect((await ask(served.port)).status).toBe(200);
  expect(audit('other.jsonl')).toContain('prompt');
  renameSync(join(folder, 'away'), join(folder, 'moved'));
  await expect.poll(() => readiness(served.adminPort), { timeout: 10_000 }).toBe('ready\n');
  expect((await ask(served.port)).status).toBe(200);
  await served.drain();
  expect(audit('moved/audit.jsonl').at(-1)).toBe('seal');
});

test('at the end an audit is closed although nobody reads its pipe', async () => {
  const quiet = (): void => undefined;
  const never = () => new Promise<void>(() => undefined);
  const audits = new Audits({
    open: async () => createStdoutFile(never, 3_600_000, 5),
    now: () => 0,
    every: () => quiet,
    random: (bytes) => new Uint8Array(bytes),
    log: { error: quiet, warn: quiet, info: quiet, debug: quiet },
    metrics: createMetrics(),
    arrived: quiet,
  });
  await audits.start({ file: '-', text: false, whenFull: 'refuse' });
  const record = Promise.resolve(audits.present?.record(auditEntry));
  await audits.close();
  expect(await record).toBe(false);
});
