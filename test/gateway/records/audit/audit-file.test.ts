import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAudit } from '../../../../src/gateway/records/audit/audit.ts';
import { readAuditLines } from '../../../../src/gateway/records/audit/reading.ts';
import { AuditVerification, type LoggedSeal } from '../../../../src/gateway/records/audit/verification.ts';
import { createLog } from '../../../../src/gateway/records/log.ts';
import { createMetrics } from '../../../../src/gateway/records/metrics.ts';
import { createFiles } from '../../../../src/world/files/files.ts';
import { auditEntry, memoryAudit, verified } from '../../../support/rooms/audit/memory-audit.ts';
import { fileOf } from '../../../support/servers/gateway-process.ts';
import { parsed } from '../../file/config-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** An audit of a real file; `look` is what happens once a second. */
async function auditing({ whenFull = 'refuse' as 'refuse' | 'warn' } = {}) {
  const folder = temporaryFolder();
  const path = join(folder, 'audit.jsonl');
  const logged: string[] = [];
  const files = createFiles();
  const tick = { task: (): void => undefined };
  const metrics = createMetrics();
  const audit = await createAudit(
    { file: path, text: false, whenFull },
    {
      open: (name) => files.openAppend(name),
      now: () => 0,
      every: (_ms, task) => {
        tick.task = task;
        return () => undefined;
      },
      random: (bytes) => new Uint8Array(bytes).fill(7),
      log: createLog({ write: (line) => void logged.push(line), now: () => 0, level: 'info' }),
      metrics,
    },
  );
  const lines = (name = 'audit.jsonl') =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const failures = () => metrics.snapshot().motif_gateway_audit_failures_total;
  return { audit, folder, path, logged, lines, failures, look: () => tick.task() };
}

describe('an audit file that is no longer there', () => {
  const gone = {
    removed: (path: string) => rmSync(path),
    moved: (path: string) => renameSync(path, `${path}.1`),
    replaced: (path: string) => {
      renameSync(path, `${path}.1`);
      writeFileSync(path, '');
    },
  };

  test.each(Object.keys(gone) as (keyof typeof gone)[])('%s: is opened anew, sealed and said', async (how) => {
    const { audit, path, lines, logged, look } = await auditing();
    await audit.record(auditEntry);
    gone[how](path);
    look();
    await expect.poll(() => existsSync(path) && logged.join('')).toContain('is opened again');
    expect(await audit.record(auditEntry)).toBe(true);
    expect(lines()).toMatchObject([{ line: 2 }]);
    if (how !== 'removed') expect(lines('audit.jsonl.1')).toMatchObject([{ line: 1 }, { event: 'seal', last: 1 }]);
    await audit.close();
  });

  test.each([
    { name: 'a link in its place', put: (path: string) => symlinkSync('/dev/null', path) },
    { name: 'a folder in its place', put: (path: string) => mkdirSync(path) },
  ])('$name ends answers until it can be opened', async ({ put }) => {
    const { audit, path, logged, lines, failures, look } = await auditing();
    renameSync(path, `${path}.1`);
    put(path);
    look();
    await expect.poll(() => audit.accepts).toBe(false);
    const blocked = { ...auditEntry, decision: 'block' } as const;
    const refused = { ...auditEntry, decision: 'refused', status: 429 } as const;
    for (const entry of [auditEntry, blocked]) expect(await audit.record(entry)).toBe(false);
    expect(await audit.record(refused)).toBe(true);
    const told = { decision: 'failed', status: 503, reason: 'audit_unavailable' };
    expect(lines('audit.jsonl.1')).toMatchObject([told, told, { decision: 'refused', status: 429 }]);
    look();
    look();
    // Whoever is alerted by a count that grows must not be told that all is well.
    await expect.poll(failures).toBe(3);
    rmSync(path, { recursive: true });
    look();
    await expect.poll(() => audit.accepts).toBe(true);
    expect(await audit.record(auditEntry)).toBe(true);
    expect(lines()).toMatchObject([{ line: 4 }]);
    expect(logged.filter((line) => line.includes('cannot be opened again'))).toHaveLength(1);
    await audit.close();
  });

  test('the same file that comes back, as a folder that is mounted again brings it, ends the fault', async () => {
    const { audit, folder, path, logged, lines, look } = await auditing();
    await audit.record(auditEntry);
    renameSync(folder, `${folder}.away`);
    look();
    await expect.poll(() => audit.accepts).toBe(false);
    renameSync(`${folder}.away`, folder);
    look();
    await expect.poll(() => audit.accepts).toBe(true);
    expect(existsSync(path) && (await audit.record(auditEntry))).toBe(true);
    expect(lines()).toMatchObject([{ line: 1 }, { event: 'seal', last: 1 }, { line: 2 }]);
    expect(logged.join('')).toContain('is opened again');
    await audit.close();
  });

  test('does not end answers where the file says warn, and what is written meanwhile is kept', async () => {
    const { audit, path, lines, look, logged } = await auditing({ whenFull: 'warn' });
    renameSync(path, `${path}.1`);
    mkdirSync(path);
    look();
    await expect.poll(() => logged.join('')).toContain('cannot be opened again');
    expect(audit.accepts).toBe(true);
    expect(await audit.record(auditEntry)).toBe(true);
    await audit.close();
    expect(lines('audit.jsonl.1')).toMatchObject([{ line: 1 }, { event: 'seal', final: true }]);
  });
});

test.each([
  { name: 'with lines that wait for their seal', isSealed: false, isMoved: false },
  { name: 'where all lines had their seal', isSealed: true, isMoved: false },
  { name: 'once its file was moved', isSealed: false, isMoved: true },
])('a disk that has room again is noticed within a second, $name, and no prompt has to find out', async (row) => {
  const disk = { isFull: false, isMoved: false, text: '' };
  const { audit, record, second, minute } = await memoryAudit({
    isCurrent: () => !disk.isMoved,
    async write(text) {
      const isFull = disk.isFull;
      // The last seal of the file that was moved finds no room yet.
      if (disk.isMoved) disk.isFull = false;
      if (isFull) throw new Error('the disk is full');
      disk.text += text;
    },
  });
  audit.recordConfig(await parsed(fileOf()));
  expect(await record()).toBe(true);
  if (row.isSealed) await minute();
  disk.isFull = true;
  expect(await record()).toBe(false);
  for (let times = 0; times < 3; times++) await second();
  expect(audit.accepts).toBe(false);
  disk.isFull = row.isMoved;
  disk.isMoved = row.isMoved;
  await second();
  expect(audit.accepts).toBe(true);
  expect(await record()).toBe(true);
  await audit.close();
  const { faults, concerns } = await verified([disk.text]);
  expect([...faults, ...concerns]).toEqual([
    expect.stringMatching(/^what was in 1 line that writer \S+ could not write$/),
  ]);
});

describe('seals', () => {
  test('come once a minute, each follows the one before, and all of them are logged', async () => {
    const { audit, lines, look, logged } = await auditing();
    for (let minute = 0; minute < 2; minute++) {
      await audit.record(auditEntry);
      await audit.record(auditEntry);
      for (let second = 0; second < 60; second++) look();
      await expect.poll(() => lines().length).toBe(3 * (minute + 1));
    }
    for (let second = 0; second < 60; second++) look();
    await audit.close();
    const seals = lines().filter(({ event }) => event === 'seal');
    expect(seals).toMatchObject([
      { first: 1, last: 2, before: null },
      { first: 3, last: 4, before: seals[0]?.sha256 },
    ]);
    for (const { sha256 } of seals) expect(logged.join('')).toContain(String(sha256));
  });

  test.each([
    { name: 'sealed a minute ago', rotate: () => undefined },
    { name: 'rotated since', rotate: (path: string) => renameSync(path, `${path}.1`) },
  ])('an idle writer, $name, ends with a final seal, so that nothing of it is in doubt', async ({ rotate }) => {
    const { audit, lines, look, path, logged } = await auditing();
    audit.recordConfig(await parsed(fileOf()));
    await audit.record(auditEntry);
    for (let second = 0; second < 60; second++) look();
    await expect.poll(() => lines().length).toBe(3);
    rotate(path);
    await audit.reopen();
    await audit.close();
    expect(lines().at(-1)).toMatchObject({ event: 'seal', final: true });
    const told = logged.map((line) => JSON.parse(line) as LoggedSeal);
    const verification = new AuditVerification(told.filter(({ sha256 }) => typeof sha256 === 'string'));
    for (const name of [`${path}.1`, path].filter((each) => existsSync(each))) {
      for await (const read of readAuditLines(createReadStream(name))) {
        for (const line of read) verification.take(name, line);
      }
    }
    expect(verification.finish()).toMatchObject({ faults: [], unproven: [], seals: 2 });
  });
});

test('seals are over the bytes of the file, however many letters of several bytes come before one', async () => {
  const { audit, path } = await auditing();
  const messages = [{ role: 'user', content: 'é€😀\u2028'.repeat(3000) }] as const;
  for (let count = 0; count < 20; count++)
    await audit.record({ ...auditEntry, texts: { messagesJson: JSON.stringify(messages), responseJson: '"ü"' } });
  await audit.close();
  const verification = new AuditVerification();
  for await (const lines of readAuditLines(createReadStream(path)))
    for (const line of lines) verification.take(path, line);
  expect(verification.finish()).toMatchObject({ faults: [], sealed: 20, seals: 1 });
});
