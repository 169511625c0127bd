import { createAudit } from '../../../../src/gateway/records/audit/audit.ts';
import type { AuditEntry } from '../../../../src/gateway/records/audit/line.ts';
import { readAuditLines } from '../../../../src/gateway/records/audit/reading.ts';
import {
  AuditVerification,
  type LoggedSeal,
  type VerificationResult,
} from '../../../../src/gateway/records/audit/verification.ts';
import { createMetrics } from '../../../../src/gateway/records/metrics.ts';

/** The entry of a prompt that passed. */
export const auditEntry: AuditEntry = {
  promptId: '01M7YZMHG0JGWHZ67CZK93P0VH',
  motif: 'bot',
  tokenId: 't1',
  user: null,
  tenant: null,
  decision: 'pass',
  hits: [],
  usage: { prompt: 3, completion: 4, isEstimated: false },
  ms: { policy: '0.1', provider: '20', total: '21' },
  status: 200,
  config: 'c',
};

interface Written {
  readonly sha256?: string;
  readonly writer?: string;
  readonly first?: number;
  readonly last?: number;
  readonly time?: string | undefined;
  readonly file?: string | undefined;
}

/** An audit into memory: what was written, what was logged, and the look that comes once a second. */
export async function memoryAudit({
  seed = 7,
  write,
  isAway = () => false,
  isCurrent = () => !isAway(),
}: {
  seed?: number;
  write?: (text: string) => Promise<void> | void;
  isAway?: () => boolean;
  isCurrent?: () => boolean;
} = {}) {
  const memory = { text: '' };
  const clock = { at: Date.UTC(2026, 10, 21, 12) };
  const seals: Written[] = [];
  let look = (): void => undefined;
  const quiet = () => undefined;
  const append = async (text: string): Promise<void> => void (memory.text += text);
  const writeText = write ?? append;
  const audit = await createAudit(
    { file: 'audit.jsonl', text: false, whenFull: 'refuse' },
    {
      open: async () => {
        if (isAway()) throw new Error('there is a folder in its place');
        return { write: writeText, isCurrent, close: async () => undefined };
      },
      now: () => clock.at,
      every: (_ms, task) => {
        look = task;
        return quiet;
      },
      random: (bytes) => new Uint8Array(bytes).fill(seed),
      log: {
        error: quiet,
        warn: quiet,
        debug: quiet,
        info: (_message, fields) => void seals.push({ ...(fields as Written), time: new Date(clock.at).toISOString() }),
      },
      metrics: createMetrics(),
    },
  );
  return {
    audit,
    memory,
    clock,
    seals,
    record: async (parts: Partial<AuditEntry> = {}) => await audit.record({ ...auditEntry, ...parts }),
    second: async (): Promise<void> => {
      look();
      await new Promise((turn) => setTimeout(turn));
    },
    /** Lets a minute pass, after which what was written has its seal. */
    minute: async (): Promise<void> => {
      clock.at += 60_000;
      for (let second = 0; second < 60; second++) look();
      await new Promise((turn) => setTimeout(turn));
    },
  };
}

/** Two minutes of one writer: lines 1 to 4, a seal, lines 5 to 7, the final seal. */
export async function twoMinutes(seed = 7) {
  const { audit, memory, record, minute, seals } = await memoryAudit({ seed });
  for (let each = 0; each < 4; each++) await record();
  await minute();
  for (let each = 0; each < 3; each++) await record({ user: 'ana' });
  await audit.close();
  return { lines: memory.text.trimEnd().split('\n'), seals: seals as LoggedSeal[] };
}

/** The text of a file with these lines. */
export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Verifies the texts of files, named `audit.0` and so on. */
export async function verified(
  files: readonly string[],
  logged?: readonly LoggedSeal[],
  nowMs?: number,
): Promise<VerificationResult> {
  const verification = new AuditVerification(logged);
  for (const [index, text] of files.entries()) {
    async function* chunks() {
      yield Buffer.from(text);
    }
    for await (const lines of readAuditLines(chunks()))
      for (const line of lines) verification.take(`audit.${index}`, line);
  }
  return verification.finish(nowMs);
}
