import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';

const gateway = `audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: 'http://127.0.0.1:1/v1' } }
motifs: { bot: { provider: up } }
`;

/** The lines of one writer: a config line, five prompts and the last seal. */
async function audit(): Promise<string> {
  const { audit: writer, memory, record } = await memoryAudit();
  for (const user of ['ana', 'bo', 'cy', 'di', 'ed']) await record({ user });
  await writer.close();
  const config = JSON.stringify({ event: 'config', time: '2026-11-21T11:00:00.000Z', hash: 'c', motifs: {} });
  return `${config}\n${memory.text}`;
}

const run = auditCommand(async () => ({ 'gateway.yaml': gateway, 'audit.jsonl': await audit() }));

describe('verify', () => {
  test('0 where the seals hold, and says what cannot be proven', async () => {
    const { stdout, exitCode } = await run(['verify']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `OK 5 lines sealed and unchanged; 1 seal of 1 writer; 1 line without a seal
not proven, as is usual: lines of a version without seals; who made the seals
--log FILE, with the log of the gateway, proves more; --json explains each; motif help audit
`,
    );
  });

  test('1 where a line was taken away, with its place, for people and as a document', async () => {
    const lines = (await audit()).split('\n').toSpliced(2, 1).join('\n');
    const people = await run(['verify'], { 'audit.jsonl': lines });
    expect(people).toMatchObject({ exitCode: 1, stderr: '' });
    expect(people.stdout).toMatch(
      /^removed {2}audit.jsonl:3 {2}line 2 of writer \w+ is missing before this\n[^]*FAILED 1 fault; [^]*\nnot proven, as is usual: /,
    );
    const json = await run(['verify', '--json'], { 'audit.jsonl': lines });
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      exit_code: 1,
      faults: [{ kind: 'removed', file: 'audit.jsonl', line: 3 }],
      error: null,
    });
  });

  test('1 where a line was changed, between two places that an editor finds', async () => {
    const changed = (await audit()).replace('"user":"bo"', '"user":"al"');
    const { exitCode, stdout } = await run(['verify'], { 'audit.jsonl': changed });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^changed {2}audit.jsonl:2 to 7 {2}one of these lines was changed, or the seal at their end, of writer \w+\n/,
    );
  });

  test('1 where a line of an earlier file was changed, told by that file', async () => {
    const { audit: writer, memory, record } = await memoryAudit();
    for (const user of ['ana', 'bo', 'cy']) await record({ user });
    await writer.close();
    const lines = memory.text.replace('"user":"bo"', '"user":"al"').split('\n');
    const files = { 'audit.jsonl': lines.slice(2).join('\n'), 'audit.jsonl.1': `${lines.slice(0, 2).join('\n')}\n` };
    const told = await run(['verify'], files);
    expect(told.stdout).toMatch(/^changed {2}audit.jsonl.1:1 to audit.jsonl:2 {2}one of these lines was changed, /);
    const json = await run(['verify', '--json'], files);
    expect(JSON.parse(json.stdout)).toMatchObject({
      faults: [{ kind: 'changed', file: 'audit.jsonl.1', line: 1, until: { file: 'audit.jsonl', line: 2 } }],
    });
  });

  test('what has to be looked into stands in one line, however much there is', async () => {
    const one = await memoryAudit();
    await one.record();
    await one.audit.close();
    const log = JSON.stringify({ ...one.seals[0], sha256: 'f'.repeat(64), writer: 'f'.repeat(12) });
    const files = { 'gateway.log': log, 'audit.jsonl': one.memory.text };
    const { stdout } = await run(['verify', '--log', 'gateway.log'], files);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^not proven: seals that only the log has; /);
    expect(lines[2]).toMatch(/^look into what became of 1 seal in the log.*; and 1 more, which --json lists$/);
    expect(lines[3]).toBe('--json explains each; motif help audit');
  });

  test('2 for an audit in the place of the log', async () => {
    const { exitCode, stderr } = await run(['verify', '--log', 'audit.jsonl']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('audit.jsonl names no seal');
  });

  test('against the log of the gateway, which finds a tail that was cut off', async () => {
    const { seals, audit: writer, memory, record, minute } = await memoryAudit();
    await record();
    await minute();
    await record();
    await writer.close();
    const log = ['{"level":"info","message":"listening"}', ...seals.map((seal) => JSON.stringify(seal))].join('\n');
    const files = { 'gateway.log': log, 'audit.jsonl': memory.text };
    expect(await run(['verify', '--log', 'gateway.log'], files)).toMatchObject({ exitCode: 0 });
    const cut = { ...files, 'audit.jsonl': memory.text.split('\n').slice(0, 2).join('\n') };
    expect((await run(['verify'], cut)).exitCode).toBe(0);
    const found = await run(['verify', '--log', 'gateway.log'], cut);
    expect(found).toMatchObject({ exitCode: 1 });
    expect(found.stdout).toContain('cut  audit.jsonl:2');
  });

  test.each([
    {
      name: 'from before the end of the files',
      until: ['--until', '2026-11-21T12:01:30Z'],
      exitCode: 0,
      says: 'OK 2 lines',
    },
    {
      name: 'from then on, told once',
      until: [],
      exitCode: 1,
      says: 'the log names 2 seals of lines 3-4 of writer 070707070707 (2026-11-21T12:02:00.000Z to 2026-11-21T12:02:00.000Z), which are not here',
    },
    {
      name: 'that a cut tail lacks',
      until: ['--until', '2026-11-21T12:02:01Z'],
      exitCode: 1,
      says: 'FAILED 1 fault',
    },
  ])('against a log that goes on behind the files: seals $name', async ({ until, exitCode, says }) => {
    const { seals, audit: writer, memory, record, minute } = await memoryAudit();
    await record();
    await record();
    await minute();
    const early = memory.text;
    await record();
    await minute();
    await record();
    await writer.close();
    const files = { 'gateway.log': seals.map((seal) => JSON.stringify(seal)).join('\n'), 'october.jsonl': early };
    const told = await run(['verify', 'october.jsonl', '--log', 'gateway.log', ...until], files);
    expect(told).toMatchObject({ exitCode, stdout: expect.stringContaining(says) as string });
    const advice = 'if only the log goes on after these files, --until WHEN leaves its later seals out';
    expect(told.stdout.includes(advice)).toBe(until.length === 0);
  });

  test('2 for an end of the log without one', async () => {
    const { exitCode, stderr } = await run(['verify', '--until', '2026-11-01']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--log');
  });

  test('against the log, which names the seals of the oldest file that was taken away', async () => {
    const { seals, audit: writer, memory, record, minute } = await memoryAudit();
    await record();
    await minute();
    const rest = memory.text.length;
    await record();
    await writer.close();
    const log = seals.map((seal) => JSON.stringify(seal)).join('\n');
    const files = { 'gateway.log': log, 'audit.jsonl': memory.text.slice(rest) };
    const { exitCode, stdout } = await run(['verify', '--log', 'gateway.log'], files);
    expect(exitCode).toBe(0);
    const span = `${seals[0]?.time} to ${seals[0]?.time}`;
    const told = `what became of 1 seal in the log (${span}): it is in a file that was not given or is gone, or in another audit`;
    expect(stdout).toContain(`\nlook into ${told}\n`);
    const json = await run(['verify', '--log', 'gateway.log', '--json'], files);
    expect(JSON.parse(json.stdout)).toMatchObject({ unproven: expect.arrayContaining([told]) as unknown });
  });

  test('files in any order, as a shell lists them, packed or not', async () => {
    const { audit: writer, memory, record, minute } = await memoryAudit();
    await record();
    await minute();
    const split = memory.text.length;
    await record();
    await writer.close();
    const files = { 'audit.jsonl': memory.text.slice(split), 'audit.jsonl.1': memory.text.slice(0, split) };
    const dated = { ...files, 'audit.jsonl.1': gzipSync(files['audit.jsonl.1']), 'audit.jsonl.bak': 'no audit' };
    const named = await run(['verify', '--json', 'audit.jsonl', 'audit.jsonl.1'], dated);
    const found = await run(['verify', '--json'], dated);
    for (const { stdout } of [named, found])
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, sealed_lines: 2, foreign: 0, torn: 0 });
  });

  test.each([
    {
      name: 'a clock that was set back',
      files: [
        { first: 2, second: 2 },
        { first: 1, second: 1 },
      ],
    },
    {
      name: 'two gateways whose clocks differ',
      files: [
        { first: 2, second: 1 },
        { second: 1, first: 2 },
      ],
    },
  ])('files are read as they were written, whatever their times say: $name', async ({ files }) => {
    const writers = { first: await memoryAudit({ seed: 7 }), second: await memoryAudit({ seed: 9 }) };
    const texts: string[] = [];
    for (const hours of files) {
      let text = '';
      for (const [name, hour] of Object.entries(hours)) {
        const { audit: writer, clock, memory, record } = writers[name as keyof typeof writers];
        clock.at = Date.UTC(2026, 10, 21, hour);
        memory.text = '';
        await record();
        if (texts.length > 0) await writer.close();
        text += memory.text;
      }
      texts.push(text);
    }
    const [early = '', late = ''] = texts;
    const { exitCode, stdout } = await run(['verify'], { 'audit.jsonl': late, 'audit.jsonl.1': early });
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('OK 4 lines sealed and unchanged; 2 seals of 2 writers\n') as string,
    });
  });

  test.each([
    { name: 'a page', text: '<!doctype html>\n<p>October</p>\n' },
    { name: 'other lines of JSON', text: '{"a":1}\n{"a":2}\n' },
    { name: 'a text without an end of line', text: 'no audit' },
    { name: 'an empty file', text: '' },
  ])('2 where a file holds no line of an audit: $name', async ({ text }) => {
    const { exitCode, stdout, stderr } = await run(['verify', 'october.html'], { 'october.html': text });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('this is no audit');
  });

  test('1 where copytruncate left a file alone whose first seal names lines of the file before it', async () => {
    const { audit: writer, memory, record } = await memoryAudit();
    for (const user of ['ana', 'bo', 'cy']) await record({ user });
    await writer.close();
    const lines = memory.text.split('\n');
    const [early, late] = [`${lines.slice(0, 2).join('\n')}\n`, lines.slice(2).join('\n')];
    const files = { 'audit.jsonl.1': early, 'audit.jsonl': late };
    const alone = await run(['verify', 'audit.jsonl'], files);
    const summary =
      'UNVERIFIED 2 lines that the first seal names are not here, so 1 line cannot be compared; 0 lines sealed and unchanged; 1 seal of 1 writer';
    expect(alone).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(`^${summary}\nnot proven: `) as string });
    expect(alone.stdout).toMatch(/\nlook into what was in lines 1-2 of writer .* name that file as well\n/);
    const { stdout } = await run(['verify', '--json', 'audit.jsonl'], files);
    const counts = { sealed_lines: 0, unsealed_lines: 0, absent_lines: 2, uncompared_lines: 1, fault_count: 0 };
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, exit_code: 1, summary, ...counts, faults: [] });
    const both = await run(['verify', 'audit.jsonl', 'audit.jsonl.1'], files);
    expect(both).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('OK 3 lines sealed') as string });
    const stats = await run(['stats', 'audit.jsonl'], files);
    expect(stats.stdout).toContain(' · seals intact but for the first, which cannot be compared');
  });

  const unproven = 'UNVERIFIED nothing is proven';
  test.each([
    {
      name: '1 in the first minute',
      lines: (all: readonly string[]) => all.map((line) => line.replace('2026-11-21T12:00', '2026-11-22T11:59')),
      exitCode: 1,
      says: `${unproven} yet: no seal in 6 lines; a gateway that runs writes one a minute, so ask again then\nnot proven, as is usual: `,
    },
    {
      name: '1 where lines are of a version without seals',
      lines: (all: readonly string[]) => all.map((line) => line.replace(/,"writer".*/, '}')),
      exitCode: 1,
      says: `${unproven} yet: no seal in 6 lines; a gateway that runs writes one a minute, so ask again then\nnot proven, as is usual: `,
    },
    {
      name: '1 where seals are long due, with what to look into',
      lines: (all: readonly string[]) => all,
      exitCode: 1,
      says: `${unproven}: no seal in 6 lines; a gateway that runs writes one a minute\nnot proven: lines that no seal covers; `,
    },
    {
      name: '1 where a line is gone',
      lines: (all: readonly string[]) => all.toSpliced(2, 1),
      exitCode: 1,
      says: 'FAILED 1 fault; 0 seals of 1 writer; 5 lines without a seal\n',
    },
  ])('without a seal: $name', async ({ lines, exitCode, says }) => {
    const unsealed = lines((await audit()).split('\n').slice(0, 6)).join('\n');
    const people = await run(['verify'], { 'audit.jsonl': `${unsealed}\n` });
    expect(people).toMatchObject({ exitCode, stdout: expect.stringContaining(says) as string });
    const json = await run(['verify', '--json'], { 'audit.jsonl': `${unsealed}\n` });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, exit_code: exitCode, error: null });
  });
});
