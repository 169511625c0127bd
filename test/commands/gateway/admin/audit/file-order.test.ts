import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Run } from '../../../../support/motif.ts';
import { auditCommand } from '../../../../support/rooms/admin.ts';
import { memoryAudit } from '../../../../support/rooms/audit/memory-audit.ts';
import { runs } from '../../../../support/runs.ts';

const run = auditCommand(async () => ({}));

/** Turns in the life of a gateway, each with its effect on the audit. */
const happenings = {
  'lines beyond a head': { lines: 1000 },
  'some lines': { lines: 3 },
  rotation: { isRotated: true },
  'end of a process': { ends: 'closed' },
  'death of a process': { ends: 'killed' },
  'clock set back': { hours: -9 },
  'clock set on': { hours: 5 },
} as const;

type Name = keyof typeof happenings;

interface Happening {
  readonly lines?: number;
  readonly isRotated?: boolean;
  readonly ends?: 'closed' | 'killed';
  readonly hours?: number;
}

/** The files of an audit after all that happened, oldest first. */
async function filesAfter(names: readonly Name[]): Promise<readonly string[]> {
  const files = [''];
  let hour = 100;
  let seed = 1;
  let process = await memoryAudit({ seed });
  const take = (): void => {
    files.push(`${files.pop() ?? ''}${process.memory.text}`);
    process.memory.text = '';
  };
  for (const name of names) {
    const { lines = 0, isRotated = false, ends, hours = 0 }: Happening = happenings[name];
    hour += hours;
    process.clock.at = Date.UTC(2026, 10, 1, hour);
    for (let line = 0; line < lines; line++) await process.record();
    if (ends === 'closed') await process.audit.close();
    take();
    if (ends !== undefined) process = await memoryAudit({ seed: (seed += 1) });
    process.clock.at = Date.UTC(2026, 10, 1, hour);
    if (isRotated) files.push('');
  }
  await process.audit.close();
  take();
  return files.filter((file) => file !== '');
}

async function verdictOn(files: readonly string[]): Promise<Pick<Run, 'exitCode' | 'stdout'>> {
  const named = files.map((text, index) => [`audit.jsonl.${files.length - index}`, text] as const);
  const { exitCode, stdout } = await run(['verify', ...named.map(([name]) => name)], Object.fromEntries(named));
  return { exitCode, stdout };
}

test('a clock that was set back while another process came makes no file stand in the place of another', async () => {
  const files = await filesAfter([
    'lines beyond a head',
    'death of a process',
    'clock set back',
    'some lines',
    'rotation',
    'some lines',
  ]);
  expect(files).toHaveLength(2);
  expect(await verdictOn(files)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^OK /) as string });
});

test('whatever happens to clocks and processes, an audit that nobody changed has no fault', async () => {
  const names = fc.array(fc.constantFrom(...(Object.keys(happenings) as Name[])), {
    minLength: 4,
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(names, async (each) => {
      const files = await filesAfter([...each, 'some lines']);
      expect((await verdictOn(files)).stdout).not.toMatch(/^FAILED|\nFAILED/);
    }),
    runs(200),
  );
});
