import { describe, expect, test } from 'vitest';
import { memoryAudit, verified } from '../../../support/rooms/audit/memory-audit.ts';

describe('a seal that was removed is told by the seals on both sides', () => {
  test.each([
    {
      name: 'the first one alone',
      gone: [4],
      says: 'the seal of lines 1-4 is missing between line 1 of this file and this one of 2026-11-21T12:02:00.000Z',
    },
    {
      name: 'one in the middle alone',
      gone: [8],
      says: 'the seal of lines 5-7 is missing between its seal of 2026-11-21T12:01:00.000Z (line 5 of this file) and this one of 2026-11-21T12:03:00.000Z',
    },
    {
      name: 'one in the middle with all its lines',
      gone: [5, 6, 7, 8],
      says: 'sealed lines 5-7 are missing between its seal of 2026-11-21T12:01:00.000Z (line 5 of this file) and this one of 2026-11-21T12:03:00.000Z',
    },
    {
      name: 'two of them with their lines',
      gone: [5, 6, 7, 8, 9, 10],
      says: 'sealed lines 5-8 are missing between its seal of 2026-11-21T12:01:00.000Z (line 5 of this file) and this one of 2026-11-21T12:03:00.000Z',
    },
  ])('$name', async ({ gone, says }) => {
    const { audit, memory, record, minute } = await memoryAudit();
    for (const count of [4, 3, 1]) {
      for (let each = 0; each < count; each++) await record();
      await minute();
    }
    await record();
    await audit.close();
    const lines = memory.text.trimEnd().split('\n');
    expect(lines).toHaveLength(13);
    const { faults, unproven } = await verified([`${lines.filter((_, at) => !gone.includes(at)).join('\n')}\n`]);
    expect(faults.map(({ message }) => message)).toEqual([`${says}, of writer 070707070707`]);
    expect(unproven.join()).not.toContain('could not write');
  });
});
