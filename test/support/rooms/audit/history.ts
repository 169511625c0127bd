import { appendFileSync, copyFileSync, existsSync, readFileSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayConfig } from '../../../../src/gateway/config.ts';
import { type Audit, createAudit } from '../../../../src/gateway/records/audit/audit.ts';
import { createLog } from '../../../../src/gateway/records/log.ts';
import { createMetrics } from '../../../../src/gateway/records/metrics.ts';
import { createFiles } from '../../../../src/world/files/files.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { auditEntry } from './memory-audit.ts';
import { type Choose, numberOf, type WrittenLine } from './written-audit.ts';

/** The files and the log that days of a gateway left. */
export interface AuditHistory {
  /** The files of its audit in the order in which they were begun, with the lines of each. */
  readonly files: readonly { readonly name: string; readonly lines: readonly WrittenLine[] }[];
  readonly log: string;
  /** The clock at the end, which was set forward and back on the way. */
  readonly now: number;
}

/** One process of the gateway. */
interface Worker {
  readonly audit: Audit;
  readonly look: () => void;
  readonly stop: () => void;
}

const config = {
  hash: 'c',
  policies: new Map(),
  motifs: new Map(),
  audit: { file: '', text: false, whenFull: 'refuse' },
} as unknown as GatewayConfig;

const turn = async (): Promise<void> => await new Promise((done) => setImmediate(done));

/** A gateway with real files, whose clock and processes obey. */
class HistoryGateway {
  readonly folder = temporaryFolder();
  readonly path = join(this.folder, 'audit.jsonl');
  readonly #choose: Choose;
  #workers: Worker[] = [];
  #started = 0;
  #rotated = 0;
  readonly #log: string[] = [];
  #now = Date.UTC(2026, 9, 1, 12);

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  async start(count: number): Promise<void> {
    for (let each = 0; each < count; each++) this.#workers.push(await this.#startWorker());
    await turn();
  }

  async #startWorker(): Promise<Worker> {
    const files = createFiles();
    const seed = (this.#started += 1);
    let isRunning = true;
    let look = (): void => undefined;
    const audit = await createAudit(
      { file: this.path, text: false, whenFull: 'refuse' },
      {
        open: async (name) => await files.openAppend(name),
        now: () => this.#now,
        every: (_ms, task) => {
          look = () => isRunning && task();
          return () => undefined;
        },
        random: (bytes) => new Uint8Array(bytes).fill(seed),
        log: createLog({ write: (line) => void this.#log.push(line), now: () => this.#now, level: 'info' }),
        metrics: createMetrics(),
      },
    );
    audit.recordConfig(config);
    return { audit, look: () => look(), stop: () => (isRunning = false) };
  }

  async stop(): Promise<void> {
    for (const { audit } of this.#workers.splice(0)) await audit.close();
  }

  /** As `kill -9` does, in the middle of a line or not; another process takes its place. */
  async kill(): Promise<void> {
    const [killed] = this.#workers.splice(this.#choose(this.#workers.length), 1);
    killed?.stop();
    if (this.#choose(2) === 0) appendFileSync(this.path, '{"time":"2026-11');
    await this.start(1);
  }

  async reload(): Promise<void> {
    for (const { audit } of this.#workers) {
      await audit.reopen();
      audit.recordConfig(config);
    }
    await turn();
  }

  setClock(ms: number): void {
    this.#now += ms;
  }

  /** True until a rotation of which no process knows yet. */
  get hasFile(): boolean {
    return existsSync(this.path);
  }

  /** A rotation by name; with SIGHUP all processes open the new file, else each at its next look. */
  async rename(hasSignal: boolean): Promise<void> {
    renameSync(this.path, this.#nextName());
    if (hasSignal) for (const { audit } of this.#workers) await audit.reopen();
    else await this.prompts(this.#choose(4));
    this.#look();
    await turn();
  }

  copyTruncate(): void {
    copyFileSync(this.path, this.#nextName());
    truncateSync(this.path);
  }

  #nextName(): string {
    return `${this.path}.${(this.#rotated += 1)}`;
  }

  #look(): void {
    for (const { look } of this.#workers) look();
  }

  async prompts(count: number): Promise<void> {
    for (let each = 0; each < count; each++) {
      const user = `user-${this.#choose(9)}`;
      await this.#workers[this.#choose(this.#workers.length)]?.audit.record({ ...auditEntry, user });
    }
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.#now += 1000;
      if (this.#choose(8) === 0) await this.prompts(1 + this.#choose(2));
      this.#look();
      await turn();
    }
  }

  history(): AuditHistory {
    if (!this.hasFile) appendFileSync(this.path, '');
    const rotated = Array.from({ length: this.#rotated }, (_, index) => `audit.jsonl.${index + 1}`);
    const files = [...rotated, 'audit.jsonl'].map((name) => ({ name, lines: this.#linesOf(name) }));
    return { files, log: this.#log.join('\n'), now: this.#now };
  }

  #linesOf(name: string): readonly WrittenLine[] {
    const lines = readFileSync(join(this.folder, name), 'utf8').split('\n');
    return lines
      .filter((line) => line !== '')
      .map((text) => ({ text, writer: /"writer":"(\w+)"/.exec(text)?.[1] ?? '', number: numberOf(text) }));
  }
}

type Step = (gateway: HistoryGateway, choose: Choose) => unknown;

const steps: readonly Step[] = [
  async (gateway, choose) => await gateway.pass(1 + choose(150)),
  async (gateway, choose) => await gateway.pass(1 + choose(20)),
  async (gateway, choose) => await gateway.prompts(choose(6)),
  async (gateway, choose) => gateway.hasFile && (await gateway.rename(choose(2) === 0)),
  (gateway) => gateway.hasFile && gateway.copyTruncate(),
  async (gateway) => await gateway.kill(),
  async (gateway) => await gateway.reload(),
  async (gateway, choose) => {
    await gateway.stop();
    await gateway.start(1 + choose(3));
  },
  (gateway, choose) => gateway.setClock((choose(2) === 0 ? -1 : 1) * choose(7_200_000)),
];

/** Days of a gateway as nobody plans them: processes, crashes, rotations, reloads, a clock that is set. */
export async function writeHistory(choose: Choose): Promise<AuditHistory> {
  const gateway = new HistoryGateway(choose);
  await gateway.start(1 + choose(3));
  for (let left = 1 + choose(10); left > 0; left--) await steps[choose(steps.length)]!(gateway, choose);
  if (choose(2) === 0) await gateway.stop();
  return gateway.history();
}
