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

/** Replies of which a line tells. */
const replies = [
  { decision: 'pass', status: 200, reason: null },
  { decision: 'block', status: 200, reason: null },
  { decision: 'refused', status: 429, reason: 'limited' },
  { decision: 'failed', status: 502, reason: 'provider 500' },
] as const;

/** Events of an audit file: it goes away or comes back, its disk takes so many bytes more, prompts end. */
const fileEvent = fc.oneof(
  { weight: 4, arbitrary: fc.record({ reply: fc.constantFrom(...replies), isAlone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constantFrom('away', 'back', 'second', 'turn') },
  { weight: 1, arbitrary: fc.record({ room: fc.nat({ max: 2000 }) }) },
);

test('each line that is in a file, whole, says what the client of its prompt was told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fileEvent, { minLength: 4, maxLength: 40 }), async (events) => {
      const disk = { isAway: false, room: Infinity, text: '' };
      const write = (text: string): void => {
        if (disk.text !== '' && !disk.text.endsWith('\n')) disk.text += '\n';
        const taken = text.slice(0, disk.room);
        disk.text += taken;
        disk.room -= taken.length;
        if (taken.length < text.length) throw Object.assign(new Error('the disk is full'), { written: taken.length });
      };
      const { audit, second } = await memoryAudit({ write, isAway: () => disk.isAway });
      const told = new Map<string, Promise<boolean>>();
      const entries = new Map<string, { readonly status: number }>();
      for (const [at, each] of events.entries()) {
        if (each === 'away' || each === 'back') disk.isAway = each === 'away';
        else if (each === 'second') await second();
        else if (each === 'turn') await new Promise((turn) => setImmediate(turn));
        else if ('room' in each) disk.room = each.room;
        else {
          const { isAlone, reply } = each;
          entries.set(`u${at}`, reply);
          told.set(`u${at}`, Promise.resolve(audit.record({ ...auditEntry, ...reply, user: `u${at}` }, isAlone)));
        }
      }
      for (const isGiven of told.values()) await isGiven;
      const lines = new Map(
        disk.text.split('\n').flatMap((text) => {
          const user = /"user":"(u\d+)".*"line":\d+\}$/.exec(text)?.[1];
          return user === undefined ? [] : [[user, JSON.parse(text) as Record<string, unknown>]];
        }),
      );
      for (const [user, isGiven] of told) {
        const status = (await isGiven) ? entries.get(user)?.status : 503;
        const line = lines.get(user);
        if (await isGiven) expect(line).toBeDefined();
        if (line !== undefined) expect(line).toMatchObject({ status });
        if (line?.status === 503) expect(line).toMatchObject({ decision: 'failed', reason: 'audit_unavailable' });
      }
    }),
    { numRuns: 500 },
  );
});
