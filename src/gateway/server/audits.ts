import type { GatewayConfig } from '../config.ts';
import { type Audit, type AuditConfig, type AuditParts, createAudit } from '../records/audit/audit.ts';
import type { AppendFile } from '../records/audit/append-file.ts';

const closeEveryMs = 1000;

interface AuditsParts extends AuditParts {
  /** Hears that the audit which was waited for is the present one. */
  readonly arrived: () => void;
}

interface KeyedAudit {
  readonly key: string;
  readonly audit: Audit;
}

/** One audit for each file that a version of the gateway file named: requests under way still write to the old one. */
export class Audits {
  readonly #parts: AuditsParts;
  #open: readonly KeyedAudit[] = [];
  /** That of the version which is served, while its file cannot be opened. */
  #awaited: KeyedAudit | undefined;
  /** True while an earlier one may become the present one. */
  #isChanging = false;
  /** Resolves once those are closed that nobody writes to any more. */
  #closing = Promise.resolve();
  readonly #stopClosing: () => void;
  /** The one to which the version that is served writes. */
  present: Audit | undefined;

  constructor(parts: AuditsParts) {
    this.#parts = parts;
    this.#stopClosing = parts.every(closeEveryMs, () => this.#closeEarlier());
  }

  /** Opens the first one; a file that cannot be opened is a reason not to start. */
  async start(config: GatewayConfig['audit']): Promise<void> {
    this.present = config && (await this.#opened(config));
  }

  /**
   * Opens that of another version. False where its file cannot be opened: the one before goes on, for a revoked token
   * must not live on for that. Where there was none, prompts are answered as `when_full` says until it can be opened.
   */
  async change(config: GatewayConfig['audit']): Promise<boolean> {
    if (config === undefined || this.#awaited?.key !== keyOf(config)) await this.#giveUp();
    this.#isChanging = true;
    try {
      await this.start(config);
      return true;
    } catch (error) {
      this.#failed('the audit file that the gateway file names cannot be opened', error, { file: config?.file });
      const awaited = config && (await this.#await(config));
      this.present ??= awaited;
      return false;
    } finally {
      this.#isChanging = false;
    }
  }

  /** Closes those of earlier versions to which no request writes any more, so that their files can be taken away. */
  #closeEarlier(): void {
    if (this.#isChanging) return;
    const isOver = ({ audit }: KeyedAudit): boolean => audit !== this.present && audit.requests === 0;
    const words = 'the end of the audit file of an earlier gateway file may not be on disk';
    for (const { audit } of this.#open.filter(isOver))
      this.#closing = this.#closing.then(() => audit.close()).catch((error: unknown) => this.#failed(words, error));
    this.#open = this.#open.filter((each) => !isOver(each));
  }

  async #opened(config: AuditConfig): Promise<Audit> {
    const key = keyOf(config);
    if (this.#awaited?.key === key) await this.#take(this.#awaited);
    const known = this.#open.findLast((each) => each.key === key)?.audit;
    // Nobody looked at the file of an earlier one, which may have been moved or removed since.
    if (known !== undefined && known !== this.present) await known.reopen();
    if (known !== undefined) return known;
    const audit = await this.#create(config);
    this.#open = [...this.#open, { key, audit }];
    return audit;
  }

  async #create(config: AuditConfig): Promise<Audit> {
    const open = (path: string): Promise<AppendFile> => this.#openFile(path, () => this.present === audit);
    const audit: Audit = await createAudit(config, { ...this.#parts, open });
    return audit;
  }

  /** A file that is looked for while its audit is the present one: who moves that of an earlier one wants no other. */
  async #openFile(path: string, isPresent: () => boolean): Promise<AppendFile> {
    const file = await this.#parts.open(path);
    return {
      write: (lines, isLossy) => file.write(lines, isLossy),
      isCurrent: () => !isPresent() || file.isCurrent(),
      hurry: () => file.hurry?.(),
      close: () => file.close(),
    };
  }

  /** An audit that begins without its file, which is tried each time that others look at theirs. */
  async #await(config: AuditConfig): Promise<Audit> {
    if (this.#awaited !== undefined) return this.#awaited.audit;
    const parts = this.#parts;
    let isFirst = true;
    const audit: Audit = await createAudit(config, {
      ...parts,
      open: async (path) => {
        if (!isFirst) return await this.#openFile(path, () => this.present === audit);
        isFirst = false;
        return none;
      },
      every: (ms, look) =>
        parts.every(ms, () => {
          if (this.#awaited === awaited)
            void this.#take(awaited).then(
              (isTaken) => isTaken && parts.arrived(),
              () => undefined,
            );
          else look();
        }),
    });
    const awaited = { key: keyOf(config), audit };
    return (this.#awaited = awaited).audit;
  }

  /** Opens the file of the audit that is waited for, which is the present one then; false where it no longer is. */
  async #take(awaited: KeyedAudit): Promise<boolean> {
    await awaited.audit.reopen();
    if (this.#awaited !== awaited) return false;
    this.#awaited = undefined;
    this.#open = [...this.#open, awaited];
    this.present = awaited.audit;
    return true;
  }

  /** A version that names another audit is served, or one that names none. */
  async #giveUp(): Promise<void> {
    const audit = this.#awaited?.audit;
    this.#awaited = undefined;
    if (this.present === audit) this.present = undefined;
    await audit?.close();
  }

  /** Opens the file anew. Where that fails the open one stays: it is no reason to let a revoked token live on. */
  async reopen(): Promise<void> {
    if (this.#awaited?.audit === this.present) return;
    const words = 'the audit file cannot be opened again; the one that is open stays';
    await this.present?.reopen().catch((error: unknown) => this.#failed(words, error));
  }

  #failed(words: string, error: unknown, about = {}): void {
    this.#parts.metrics.count('auditFailures');
    const reason = error instanceof Error ? error.message : String(error);
    this.#parts.log.error(words, { ...about, reason });
  }

  async close(): Promise<void> {
    this.#stopClosing();
    await this.#giveUp();
    await this.#closing;
    for (const { audit } of this.#open) await audit.close();
  }
}

/** The same file with another `when_full` is another audit. */
function keyOf({ whenFull, file }: AuditConfig): string {
  return `${whenFull} ${file}`;
}

const none: AppendFile = {
  write: () => Promise.reject(new Error('it is not open')),
  isCurrent: () => true,
  close: () => Promise.resolve(),
};
