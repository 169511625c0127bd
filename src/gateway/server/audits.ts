import type { GatewayConfig } from '../config.ts';
import { type Audit, type AuditConfig, type AuditParts, createAudit } from '../records/audit/audit.ts';
import type { AppendFile } from '../records/audit/append-file.ts';

/** One audit for each file that a version of the gateway file named: requests under way still write to the old one. */
export class Audits {
  readonly #parts: AuditParts;
  readonly #open = new Map<string, Audit>();
  /** The one to which the version that is served writes. */
  present: Audit | undefined;

  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /** Opens the first one; a file that cannot be opened is a reason not to start. */
  async start(config: GatewayConfig['audit']): Promise<true> {
    this.present = config && (await this.#opened(config, this.#parts));
    return true;
  }

  /**
   * Opens that of another version. False where its file cannot be opened: the one before goes on, for a revoked token
   * must not live on for that. Where there was none, prompts are answered as `when_full` says until it can be opened.
   */
  async change(config: GatewayConfig['audit']): Promise<boolean> {
    try {
      return await this.start(config);
    } catch (error) {
      this.#failed('the audit file that the gateway file names cannot be opened', error, { file: config?.file });
      this.present ??= config && (await this.#opened(config, awaiting(this.#parts), 'awaited'));
      return false;
    }
  }

  async #opened(config: AuditConfig, parts: AuditParts, sort = ''): Promise<Audit> {
    const key = `${sort} ${config.whenFull} ${config.file}`;
    const audit = this.#open.get(key) ?? (await createAudit(config, parts));
    this.#open.set(key, audit);
    return audit;
  }

  /** Opens every file anew. Where that fails the open one stays: it is no reason to let a revoked token live on. */
  async reopen(): Promise<void> {
    const words = 'the audit file cannot be opened again; the one that is open stays';
    for (const audit of this.#open.values()) await audit.reopen().catch((error: unknown) => this.#failed(words, error));
  }

  #failed(words: string, error: unknown, about = {}): void {
    this.#parts.metrics.count('auditFailures');
    const reason = error instanceof Error ? error.message : String(error);
    this.#parts.log.error(words, { ...about, reason });
  }

  async close(): Promise<void> {
    for (const audit of this.#open.values()) await audit.close();
  }
}

/** Parts of an audit that begins without its file, which each of its looks tries to open. */
function awaiting(parts: AuditParts): AuditParts {
  let isFirst = true;
  const none: AppendFile = {
    write: () => Promise.reject(new Error('it is not open')),
    isCurrent: () => false,
    close: () => Promise.resolve(),
  };
  return {
    ...parts,
    async open(path) {
      if (!isFirst) return await parts.open(path);
      isFirst = false;
      return none;
    },
  };
}
