import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';

const gateway = `audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: 'http://127.0.0.1:1/v1' } }
motifs: { bot: { provider: up } }
`;

/** Two files of one writer, of 200 prompts and a seal, and of one prompt and the last seal. */
async function twoFiles() {
  const { audit, memory, record, minute } = await memoryAudit();
  for (let each = 0; each < 200; each++) await record({ user: `u${(each * 7919) % 1000}` });
  await minute();
  const first = memory.text;
  await record({ promptId: '01M7YZMHG0JGWHZ67CZR32J4BX', user: 'last' });
  await audit.close();
  return { first, second: memory.text.slice(first.length) };
}

const files = await twoFiles();
const packed = gzipSync(files.first);
const run = auditCommand(async () => ({ 'gateway.yaml': gateway, 'audit.jsonl': files.second }));

const torn = [
  { name: 'cut in the middle', bytes: packed.subarray(0, packed.length >> 1), says: 'ends too early' },
  { name: 'without its last bytes', bytes: packed.subarray(0, -4), says: 'ends too early' },
  { name: 'with garbage behind', bytes: Buffer.concat([packed, Buffer.from('\x1f\x8bgarbage')]), says: 'is damaged' },
];

test.each(torn)('a gzip file $name is counted and named, and what it holds is read', async ({ bytes, says }) => {
  const beside = { 'audit.jsonl.1.gz': bytes };
  const { exitCode, stdout, stderr } = await run(['stats', '--json'], beside);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`audit.jsonl.1.gz: its gzip data ${says}: what follows is left out`);
  const document = JSON.parse(stdout) as { readonly total: { readonly prompts: number } };
  expect(document).toMatchObject({ torn: 1, left_out_at: [expect.stringMatching(/^audit.jsonl.1.gz:\d+$/)] });
  const { prompts } = document.total;
  expect(prompts).toBeGreaterThan(50);
  expect((await run(['r32j4bx'], beside)).stdout).toMatch(/^user +last$/m);
  const verify = await run(['verify'], beside);
  expect(verify.exitCode).toBe(prompts === 201 ? 0 : 1);
  expect(verify.stdout).toMatch(prompts === 201 ? /^OK 201 lines/m : /^removed /m);
});

test.each([
  { name: 'whole', bytes: packed, says: /holds the same lines/ },
  {
    name: 'as far as it is packed',
    bytes: packed.subarray(0, packed.length >> 1),
    says: /holds 201 lines of it, not \d+/,
  },
  { name: 'just begun', bytes: packed.subarray(0, 12), says: /holds 201 lines of it, not 0/ },
])('a file that stands there packed too is read once: $name', async ({ bytes, says }) => {
  const beside = { 'audit.jsonl.1': files.first, 'audit.jsonl.1.gz': bytes };
  for (const words of [['verify'], ['verify', 'audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.1.gz']]) {
    const { exitCode, stdout, stderr } = await run(words, beside);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^OK 201 lines sealed/);
    expect(stderr).toContain('audit.jsonl.1.gz is left out: audit.jsonl.1 ');
    expect(stderr).toMatch(says);
  }
});

const half = files.first.slice(0, files.first.length >> 1);
const other = files.first.replace('"user":"u', '"user":"v');

test.each([
  { name: 'half of it', plain: half, bytes: packed },
  { name: 'nothing yet', plain: '', bytes: packed },
  { name: 'the half of one line', plain: half.slice(0, 40), bytes: packed },
  { name: 'less than a torn gzip holds', plain: half.slice(0, 3000), bytes: packed.subarray(0, -4) },
])('a file that holds $name is left out beside the whole of it in gzip', async ({ plain, bytes }) => {
  const { exitCode, stdout, stderr } = await run(['verify'], { 'audit.jsonl.1': plain, 'audit.jsonl.1.gz': bytes });
  expect(stderr).toMatch(/audit\.jsonl\.1 is left out: audit\.jsonl\.1\.gz holds 201 lines of it, not \d+$/m);
  expect(stdout).toMatch(/^OK 201 lines sealed/);
  expect(exitCode).toBe(0);
});

test.each([
  { name: 'a changed gzip is left out', plain: files.first, packed: other, exitCode: 0 },
  { name: 'a changed file is read', plain: other, packed: files.first, exitCode: 1 },
])('of two that differ in a line the unpacked one counts: $name', async ({ plain, packed: text, exitCode }) => {
  const ended = await run(['verify'], { 'audit.jsonl.1': plain, 'audit.jsonl.1.gz': gzipSync(text) });
  expect(ended.stderr).toContain('audit.jsonl.1.gz is left out: audit.jsonl.1 holds as many lines, but not the same');
  expect(ended.exitCode).toBe(exitCode);
});

test.each([
  { name: 'in its first line', at: 0 },
  { name: 'in its middle', at: files.first.length >> 1 },
  { name: 'at its end', at: files.first.length - 300 },
])('a file that is damaged $name is left out beside the whole of it in gzip', async ({ at }) => {
  const damaged = Buffer.from(files.first).fill(0, at, at + 200);
  const { exitCode, stdout, stderr } = await run(['verify'], { 'audit.jsonl.1': damaged, 'audit.jsonl.1.gz': packed });
  expect(stderr).toMatch(/audit\.jsonl\.1 is left out: audit\.jsonl\.1\.gz holds \d+ lines of it, not \d+$/m);
  expect(stdout).toMatch(/^OK 201 lines sealed/);
  expect(exitCode).toBe(0);
});

test('an older file in gzip of the same name is no twin', async () => {
  const beside = { 'audit.jsonl.1': files.second, 'audit.jsonl.1.gz': packed, 'audit.jsonl': '' };
  const { exitCode, stdout, stderr } = await run(['verify'], beside);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^OK 201 lines sealed/);
});

test('an older file in gzip is no twin either where the line of a rotation stands in both', async () => {
  const last = files.first.trimEnd().split('\n').at(-1)!;
  const beside = { 'audit.jsonl.1': `${last}\n${files.second}`, 'audit.jsonl.1.gz': packed, 'audit.jsonl': '' };
  const { stdout, stderr } = await run(['stats', '--json'], beside);
  expect(stderr).not.toContain('is left out');
  expect(JSON.parse(stdout)).toMatchObject({ total: { prompts: 201 } });
});
