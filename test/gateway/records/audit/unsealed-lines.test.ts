import { expect, test } from 'vitest';
import type { LoggedSeal } from '../../../../src/gateway/records/audit/logged-starts.ts';
import { memoryAudit, verified } from '../../../support/rooms/audit.ts';

const startMs = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;

/** The lines of one writer, and seals of another one at each minute behind them. */
async function unsealed({ hasSealed, minutes }: { readonly hasSealed: boolean; readonly minutes: number }) {
  const [one, other] = [await memoryAudit({ seed: 1 }), await memoryAudit({ seed: 2 })];
  if (hasSealed) {
    await one.record();
    await one.minute();
  }
  await one.record();
  for (let each = 0; each < minutes; each++) {
    await other.record();
    await other.minute();
  }
  return `${one.memory.text}${other.memory.text}`;
}

const behind = /others sealed behind it; a process that runs does so within a minute, and else it was killed, or/;

test.each([
  { name: 'nothing behind it', minutes: 0, afterMs: minuteMs, says: /no seal is behind it yet, as is usual/ },
  { name: 'nothing behind it, of a clock that nobody asked', minutes: 0, afterMs: undefined, says: /as is usual/ },
  {
    name: 'nothing behind it, long ago',
    minutes: 0,
    afterMs: 60 * minuteMs,
    says: /this writer did not seal again; it was killed, or somebody inserted it$/,
  },
  { name: 'a seal of another behind it', minutes: 1, afterMs: minuteMs, says: behind },
  { name: 'a minute of seals of another behind it', minutes: 2, afterMs: minuteMs, says: behind },
  {
    name: 'more of them than a writer that runs can miss',
    minutes: 4,
    afterMs: undefined,
    says: /this writer did not seal again, though others did for longer than a minute; it was killed, or/,
  },
  {
    name: 'more of them, and no seal of its own at all',
    hasSealed: false,
    minutes: 4,
    afterMs: undefined,
    says: /this writer never sealed, though others did for longer than a minute; it was killed, or/,
  },
])('a line without a seal, $name, is blamed on nobody without need', async ({ hasSealed = true, ...row }) => {
  const { minutes, afterMs, says } = row;
  const nowMs = afterMs === undefined ? undefined : startMs + (hasSealed ? minuteMs : 0) + afterMs;
  const { faults, unproven } = await verified(
    [await unsealed({ hasSealed, minutes })],
    undefined,
    nowMs === undefined ? {} : { nowMs },
  );
  expect(faults).toEqual([]);
  expect(unproven[0]).toMatch(says);
});

/** A gateway of one process, and a line of a writer that never sealed. */
async function withMadeUp({ line = 1, time = '12:00:00' }: { readonly line?: number; readonly time?: string }) {
  const { audit, memory, minute, record, seals, starts } = await memoryAudit();
  for (let each = 0; each < 2; each++) {
    await record();
    await minute();
  }
  await audit.close();
  const lines = memory.text.split('\n');
  const at = `"time":"2026-11-21T${time}.000Z"`;
  const made = lines[0]!
    .replace(/"time":"[^"]*"/, at)
    .replace(/"writer":.*/, `"writer":"ffffffffffff","line":${line}}`);
  return { text: [lines[0], made, ...lines.slice(1)].join('\n'), seals: seals as LoggedSeal[], starts };
}

const start = (writer: string, time = '12:00:00') => ({
  writer,
  time: `2026-11-21T${time}.000Z`,
  place: 'elsewhere:/audit.jsonl',
});

test('a writer without a seal that the log does not name, though it names each that began then, was made up', async () => {
  const { text, seals, starts } = await withMadeUp({});
  const { faults, unproven } = await verified([text], seals, { starts });
  const message = '1 line of writer ffffffffffff: the log names the processes that began then, and not this one';
  expect(faults).toEqual([{ kind: 'inserted', file: 'audit.0', line: 2, message }]);
  expect(unproven.join()).not.toContain('ffffffffffff');
});

type Made = Awaited<ReturnType<typeof withMadeUp>>;

test.each<{ name: string; made?: Parameters<typeof withMadeUp>[0]; log: (made: Made) => Partial<Made> }>([
  { name: 'a log of before, which names no start', log: () => ({ starts: [] }) },
  { name: 'a log that names it', log: ({ starts }) => ({ starts: [...starts, start('ffffffffffff')] }) },
  { name: 'a log of another place', log: ({ starts }) => ({ starts: starts.map(({ writer }) => start(writer)) }) },
  { name: 'a line before the log begins', made: { time: '11:59:59' }, log: () => ({}) },
  { name: 'a line behind the end of the log', made: { time: '12:02:01' }, log: () => ({}) },
  {
    name: 'a line behind a part that the log lacks',
    made: { time: '12:01:30' },
    log: ({ seals }) => ({ seals: [seals[0]!, { ...seals[1]!, before: 'of the part' }] }),
  },
  { name: 'a writer whose first lines are not here', made: { line: 2 }, log: () => ({}) },
  { name: 'a log that lacks a seal of these files', log: ({ seals }) => ({ seals: seals.slice(0, 1) }) },
])('a writer without a seal is no fault beside $name', async ({ made, log }) => {
  const all = await withMadeUp(made ?? {});
  const { text, seals, starts } = { ...all, ...log(all) };
  const { faults, unproven } = await verified([text], seals, { starts });
  expect(faults).toEqual([]);
  expect(unproven.join()).toContain('1 line of writer ffffffffffff');
});
