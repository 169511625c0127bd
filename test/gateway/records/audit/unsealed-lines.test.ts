import { expect, test } from 'vitest';
import { memoryAudit, textOf, twoMinutes, verified } from '../../../support/rooms/audit/memory-audit.ts';

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

const usual = /^whether the last line of writer \w+ was changed: no seal of its own is behind it yet, as is usual/;
const behind = /others sealed behind it, and it does so too within a minute if it runs; if not, it was killed, or/;

test.each([
  { name: 'nothing behind it', minutes: 0, afterMs: minuteMs, says: usual },
  { name: 'nothing behind it, of a clock that nobody asked', minutes: 0, afterMs: undefined, says: /as is usual/ },
  {
    name: 'nothing behind it, long ago',
    minutes: 0,
    afterMs: 60 * minuteMs,
    says: /this writer did not seal again; it was killed, or somebody inserted it$/,
  },
  { name: 'a seal of another behind it', minutes: 1, afterMs: minuteMs, says: usual },
  { name: 'a minute of seals of another behind it', minutes: 2, afterMs: minuteMs, says: usual },
  { name: 'a seal of another behind it, of a clock that nobody asked', minutes: 1, afterMs: undefined, says: behind },
  { name: 'a seal of another behind it, of a time to come', minutes: 1, afterMs: -2 * minuteMs, says: behind },
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
  const { faults, unproven } = await verified([await unsealed({ hasSealed, minutes })], undefined, nowMs);
  expect(faults).toEqual([]);
  expect(unproven[0]).toMatch(says);
});

test.each([8, 9, 1000])(
  'a line of a number that is free, %i, behind the last seal of its writer is a fault',
  async (number) => {
    const { lines, seals } = await twoMinutes();
    const forged = lines[0]!.replace(/"line":\d+/, `"line":${number}`);
    for (const logged of [undefined, seals]) {
      const { faults } = await verified([textOf([...lines, forged])], logged);
      expect(faults).toMatchObject([{ kind: 'inserted', line: lines.length + 1 }]);
    }
  },
);
