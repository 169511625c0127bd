import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditEntry, memoryAudit } from '../../../support/rooms/audit/memory-audit.ts';

/** Events of an audit: a prompt ends, its pipe or disk takes or refuses what waits, a turn or second passes. */
const event = fc.constantFrom('alone', 'alone', 'beside others', 'taken', 'refused', 'turn', 'second');

test('no prompt is told that its line is written where it is not, whatever waits and fails before it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 40 }), async (events) => {
      const pending: ((isTaken: boolean) => void)[] = [];
      const taken: string[] = [];
      const { audit, minute } = await memoryAudit({
        write: (text) =>
          new Promise((resolve, reject) => {
            pending.push((isTaken) =>
              isTaken ? resolve(void taken.push(text)) : reject(new Error('the disk is full')),
            );
          }),
      });
      const answers: { readonly user: string; readonly isWritten: Promise<boolean> }[] = [];
      const record = (user: string, isAlone: boolean) =>
        answers.push({ user, isWritten: Promise.resolve(audit.record({ ...auditEntry, user }, isAlone)) });
      for (const [at, each] of events.entries()) {
        if (each === 'alone' || each === 'beside others') record(`u${at}.`, each === 'alone');
        if (each === 'taken' || each === 'refused') pending.shift()?.(each === 'taken');
        if (each === 'turn') await new Promise((turn) => setImmediate(turn));
        if (each === 'second') await minute();
      }
      const isOver = Promise.all(answers.map(({ isWritten }) => isWritten)).then(() => true);
      const turn = () => new Promise<false>((next) => setImmediate(next, false));
      while (!(await Promise.race([isOver, turn()]))) pending.shift()?.(true);
      for (const { user, isWritten } of answers)
        expect(taken.some((text) => text.includes(user))).toBe(await isWritten);
    }),
    { numRuns: 300 },
  );
});
