import { dirname, join } from 'node:path';
import { MotifError } from '../../../../errors.ts';
import type { GatewayConfig } from '../../../../gateway/config.ts';
import { type AuditLine, readAuditLines } from '../../../../gateway/records/audit/reading.ts';
import type { RowSource, TornGzip } from '../../../../rows/source.ts';
import { counted } from '../../../../text/sizes.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import type { World } from '../../../../world/world.ts';
import type { Notice } from '../../../shared/notices.ts';
import type { Run } from '../../../shared/run.ts';
import { type AdminFlags, defaultFile } from '../flags.ts';
import { withoutCopies } from './copies.ts';
import { inWrittenOrder } from './file-order.ts';
import { holdInputs } from './held-inputs.ts';
import { packedTwins, wholeOrTorn } from './packed-twins.ts';

/** The files of an audit, oldest first, which are open until they are let go. */
export interface AuditInputs {
  readonly inputs: readonly RowSource[];
  readonly config: GatewayConfig | undefined;
  readonly close: () => void;
}

/**
 * The named files, `-` for stdin; without any, the audit of the gateway file with its rotated files. An audit that is
 * not there yet is an error, unless it may be missing.
 */
export async function auditInputs(
  operands: readonly string[],
  run: Run<AdminFlags>,
  { mayBeMissing = false } = {},
): Promise<AuditInputs> {
  const { flags, world } = run;
  if (operands.length > 0) {
    if (operands.filter((name) => name === '-').length > 1)
      throw new MotifError('usage', 'stdin can be read only once');
    const config = await configBeside(flags, world);
    return { ...(await inOrder(async () => operands, run)), config };
  }
  await needSomeFile(flags, world);
  const { readGateway, sourceOf } = await import('../file.ts');
  const source = sourceOf(flags, world);
  const { config } = await readGateway(source, world).catch((error: unknown) => {
    if (error instanceof MotifError) error.hints = [...error.hints, `without it, ${namedFiles}`];
    throw error;
  });
  if (config.audit === undefined) {
    throw new MotifError('usage', `${source.name} has no audit, so nothing is kept of any prompt`, {
      hint: 'audit: { file: audit.jsonl } in the gateway file begins one',
    });
  }
  if (config.audit.file === '-') {
    throw new MotifError('usage', `the audit of ${source.name} goes to stdout, so its file is not known here`, {
      hint: 'name the files, or - for stdin',
    });
  }
  const path = source.resolve(config.audit.file);
  const list = (): Promise<readonly string[]> => withRotated(path, world);
  if ((await list()).length === 0 && !mayBeMissing) {
    throw new MotifError('io', `${path}: no such file: no prompt was asked of this gateway yet`, {
      hint: `motif serve -c ${source.name} writes it with its first prompt; --demo and --local write none`,
    });
  }
  return { ...(await inOrder(list, run)), config };
}

const namedFiles = 'name the files of the audit: audit.jsonl.1 audit.jsonl, or - for stdin';

/** Throws where neither files nor a gateway file tell which audit is meant. */
async function needSomeFile({ config }: AdminFlags, world: World): Promise<void> {
  if (config !== undefined || (await world.files.info(defaultFile)) !== undefined) return;
  throw new MotifError('usage', `there is no ${defaultFile} here to say where the audit is`, {
    hint: [namedFiles, '-c FILE names a gateway file', 'the demo keeps no audit: motif admin try --demo TEXT says why'],
  });
}

/**
 * Inputs as they were written, for a shell lists `audit.jsonl` before `audit.jsonl.1`, and seals follow each other.
 * Pipes, which can be read only once, stay in the order in which they were named, with all others.
 */
async function inOrder(
  list: () => Promise<readonly string[]>,
  { world, notice }: Run,
): Promise<Omit<AuditInputs, 'config'>> {
  const torn = new Set<string>();
  const sayTorn = (fault: TornGzip): void => {
    if (!torn.has(fault.message)) notice(`${defuseLine(fault.message)}: what follows is left out`);
    torn.add(fault.message);
  };
  const { sources, areFiles, close } = await holdInputs(list, world);
  const inputs = sources.map((source) => wholeOrTorn(source, sayTorn));
  if (sources.length < 2 || !areFiles) return { inputs, close };
  try {
    const leftOut = await packedTwins(sources, notice);
    const unpacked = inputs.filter(({ name }) => !leftOut.has(name));
    return { inputs: await inWrittenOrder(await withoutCopies(unpacked, notice)), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The gateway file, which files that were named do not need; one that is asked for has to be good. */
async function configBeside(flags: AdminFlags, world: World): Promise<GatewayConfig | undefined> {
  if (flags.config === undefined && (await world.files.info(defaultFile)) === undefined) return undefined;
  // YAML, policies and their rules take longer to load than a small audit takes to be read.
  const { readGateway, sourceOf } = await import('../file.ts');
  const source = sourceOf(flags, world);
  if (flags.config !== undefined) return (await readGateway(source, world)).config;
  return await readGateway(source, world).then(
    ({ config }) => config,
    () => undefined,
  );
}

/** `audit.jsonl` and what rotation makes of it: `audit.jsonl.1`, `audit.jsonl-20261001.gz`. */
export async function withRotated(path: string, { files }: Pick<World, 'files'>): Promise<readonly string[]> {
  const folder = dirname(path);
  const base = path.slice(path.lastIndexOf('/') + 1);
  const found = await files.survey(folder).catch(() => []);
  const rotated = found
    .filter(({ name }) => name.startsWith(base) && /^[.-]\d[\w.-]*$/.test(name.slice(base.length)))
    .map(({ name }) => join(folder, name));
  return (await files.info(path)) === undefined ? rotated : [...rotated, path];
}

/** Lines of one file. */
export interface NamedLines {
  readonly file: string;
  readonly lines: readonly AuditLine[];
}

/** The lines of all inputs, in their order. */
export async function* readAudits(inputs: readonly RowSource[]): AsyncGenerator<NamedLines> {
  for (const input of inputs) {
    for await (const lines of readAuditLines(input.chunks())) yield { file: input.name, lines };
  }
}

const placesMax = 5;

/** The lines that nobody can read or that are not of an audit: they are counted, and the first of them named. */
export class LeftOut {
  torn = 0;
  foreign = 0;
  readonly places: string[] = [];
  #isAudit = false;
  #hasPrompt = false;

  take(file: string, { kind, number }: AuditLine): void {
    if (kind !== 'torn' && kind !== 'foreign') {
      this.#isAudit = true;
      this.#hasPrompt ||= kind === 'prompt';
      return;
    }
    this[kind] += 1;
    if (this.places.length < placesMax) this.places.push(`${defuseLine(file)}:${number}`);
  }

  /** The fields of a document. */
  get document(): object {
    return { torn: this.torn, foreign: this.foreign, left_out_at: this.places };
  }

  /** Words on those that were left out; none where all were read. */
  get remarks(): readonly string[] {
    return this.count === 0 ? [] : [this.#words];
  }

  say(notice: Notice): void {
    for (const remark of this.remarks) notice(remark);
  }

  /** Throws where the lines that were read hold no prompt, and torn ones may have been all there were. */
  needPrompt(): void {
    if (this.#hasPrompt || this.count === 0 || (this.#isAudit && this.torn === 0)) return;
    throw new MotifError('usage', `no prompt could be read: ${this.#words}`, this.#isAudit ? {} : { hint: namedFiles });
  }

  /** Throws where no line of an audit was read. */
  needAudit(): void {
    if (this.#isAudit) return;
    const why = this.count === 0 ? 'it has no line' : this.#words;
    throw new MotifError('usage', `this is no audit: ${why}`, { hint: namedFiles });
  }

  get count(): number {
    return this.torn + this.foreign;
  }

  get #words(): string {
    const count = this.count;
    const kinds = [
      this.torn === 0 ? [] : `${this.torn} torn`,
      this.foreign === 0 ? [] : `${this.foreign} that ${this.foreign === 1 ? 'is' : 'are'} no audit line`,
    ].flat();
    const more = count > this.places.length ? ', ...' : '';
    return `${counted(count, 'line')} left out (${kinds.join(', ')}): ${this.places.join(', ')}${more}`;
  }
}
