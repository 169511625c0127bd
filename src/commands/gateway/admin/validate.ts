import { basename, dirname, join } from 'node:path';
import { type DocumentFault, faultDocument, faultLine, type Path } from '../../../documents/fault.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { addingFacts, type PlacedFault } from '../../../errors.ts';
import { annotate } from '../../shared/annotate.ts';
import { certificateRemark, shownCertificate } from '../../../gateway/file/certificates.ts';
import { gatewaySchema } from '../../../gateway/file/shape.ts';
import { fileRemedy } from '../../../text/file-remedies.ts';
import { counted } from '../../../text/sizes.ts';
import { defuseLine, plainWord } from '../../../text/defuse.ts';
import { pathText } from '../../../text/json/json.ts';
import { FileFault, type World } from '../../../world/world.ts';
import { parseSource, sourceOf, toFaultyFile, withNamedFile } from './file.ts';
import { type Remark, unaskedMotifs } from '../unasked-motifs.ts';
import type { AdminFlags } from './flags.ts';
import { printDocument, printLines } from '../../../terminal/output.ts';
import { documentRemarks, leftOut } from '../load.ts';
import { type GatewaySource, openAudit } from '../source.ts';
import { needTlsPair, TlsFault } from '../tls-pair.ts';
import type { Run } from '../../shared/run.ts';

/** Tells all faults of the file and of what it names, at once; what is not there on this machine is a warning. */
export async function runAdminValidate({ world, flags, notice }: Run<AdminFlags>, file?: string): Promise<void> {
  const chosen = withNamedFile(flags, file);
  const source = sourceOf(chosen, world);
  const facts = { file: source.name, warnings: [], missing_secrets: [], missing_files: [] };
  const parsed = await addingFacts(
    () => facts,
    () => parseSource(source, world, { wantsSecrets: true }),
  );
  const { config, missingSecrets } = parsed;
  const named = config === undefined ? noNamed : await readNamed(config, source, world);
  const placed = ({ path, expected }: Remark): DocumentFault => {
    return { file: source.name, ...parsed.at(path), path: pathText(path), expected };
  };
  const unasked = config === undefined ? [] : unaskedMotifs(config, world.now(), chosen);
  const warnings = [...parsed.warnings, ...[...unasked, ...named.warnings].map(placed)];
  const missingFiles = named.missing.map(placed);
  for (const each of [...warnings, ...missingSecrets, ...missingFiles]) notice(`warning: ${faultLine(each)}`);
  const faults = [...parsed.faults, ...parsed.namedFaults, ...named.faults.map(placed)];
  await annotate('warning', [...warnings, ...missingSecrets, ...missingFiles].map(placeOf), world);
  const told = {
    warnings: warnings.map(faultDocument),
    missing_secrets: missingSecrets.map(faultDocument),
    missing_files: missingFiles.map(faultDocument),
  };
  if (config === undefined || faults.length > 0)
    throw toFaultyFile(source.name, faults).withFacts({ file: source.name, ...told });
  const counts = { motifs: config.motifs.size, providers: config.providers.size, policies: config.policies.size };
  if (flags.json) {
    const document = { ok: true, file: source.name, ...counts, ...told, error: null };
    return await printDocument(document, flags, world);
  }
  const words = [
    counted(counts.motifs, 'Motif'),
    counted(counts.providers, 'provider'),
    counted(counts.policies, 'policy', 'policies'),
  ];
  await printLines(`${source.name} is valid: ${words.join(', ')}`, world);
}

function placeOf({ file, line, path, expected }: DocumentFault): PlacedFault {
  return { file, line, title: path, message: expected };
}

/** Files that the configuration names: not there, there and of no use, or of use for not much longer. */
interface Named {
  readonly missing: Remark[];
  readonly faults: Remark[];
  readonly warnings: Remark[];
}

const noNamed: Named = { missing: [], faults: [], warnings: [] };

/** Reads all that `serve` reads beside the file itself; only the machine that serves it needs to have every file. */
async function readNamed(
  { listen, knowledge, audit }: GatewayConfig,
  source: GatewaySource,
  world: World,
): Promise<Named> {
  const named: Named = { missing: [], faults: [], warnings: [] };
  const note = (path: Path, expected: string, error?: unknown): void => {
    const isMissing = error === undefined || (error instanceof FileFault && error.code === 'ENOENT');
    (isMissing ? named.missing : named.faults).push({ path, expected });
  };
  const cert = listen.tls && (await readCertificate(listen.tls, source, note));
  const remark = cert && listen.tls && certificateRemark(listen.tls.cert, cert, world.now(), shownCertificate);
  if (remark !== undefined) named.warnings.push({ path: ['listen', 'tls', 'cert'], expected: remark });
  for (const { name, files } of knowledge.values()) {
    for (const pattern of files) {
      const path = ['knowledge', name, 'files'];
      const skipped = (file: string, reason: string): void => {
        named.warnings.push({ path, expected: leftOut(file, reason) });
      };
      await source.readDocuments(pattern, skipped).then(
        (documents) => {
          const remarks = documentRemarks(pattern, documents).map((expected) => ({ path, expected }));
          (documents.length === 0 ? named.missing : named.warnings).push(...remarks);
        },
        (error: unknown) => note(path, `names ${pattern}: ${wordsOf(error, pattern)}`, error),
      );
    }
  }
  if (audit !== undefined && audit.file !== '-') {
    await tryAudit(audit.file, source, world, named);
    await lookForReaders(source.resolve(audit.file), world, named);
  }
  return named;
}

/** Opens an audit file that is there, as `serve` does, and makes none. Who may write is asked of who is asking. */
async function tryAudit(
  file: string,
  source: GatewaySource,
  { files }: World,
  { missing, faults, warnings }: Named,
): Promise<void> {
  const real = source.resolve(file);
  try {
    const folder = dirname(real);
    if ((await files.info(real, { follow: false })) !== undefined) await (await openAudit(real, source, files)).close();
    else if (((await files.info(folder))?.type ?? 'folder') === 'folder') await files.needWritable(folder);
    else throw new FileFault(folder, 'ENOTDIR', 'is not a folder');
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const found = { path: ['audit', 'file'], expected: `names ${file}: ${auditWords(error, real)}` };
    if (error.code === 'ENOENT') missing.push(found);
    // Another user, for whom the gateway may run, is perhaps allowed to.
    else if (fileRemedy(error.code) === 'owner') warnings.push(found);
    else faults.push(found);
  }
}

/** Warns of audits, rotated ones included, that others than their owner can read; `serve` sees to the one it opens. */
async function lookForReaders(audit: string, { files }: World, { warnings }: Named): Promise<void> {
  const isOpen = async (path: string): Promise<boolean> => {
    const info = await files.info(path, { follow: false });
    return info?.type === 'file' && (info.mode & 0o077) !== 0;
  };
  const names = await files.list(dirname(audit)).catch(() => []);
  const audits = names.filter((name) => name.startsWith(basename(audit))).map((name) => join(dirname(audit), name));
  const areOpen = await Promise.all(audits.map(isOpen));
  const [first, ...others] = audits.filter((_, at) => areOpen[at]);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const which = others.length === 0 ? plainWord(first) : `${plainWord(audit)}*`;
  const expected = `others can read ${defuseLine(first, 200)}${more}: chmod 600 ${which}`;
  warnings.push({ path: ['audit', 'file'], expected });
}

function auditWords({ path, message }: FileFault, real: string): string {
  return path === real ? message : `${defuseLine(path)}: ${message}`;
}

/** The certificate, where it and its key are of use. */
async function readCertificate(
  paths: NonNullable<GatewayConfig['listen']['tls']>,
  source: GatewaySource,
  note: (path: Path, expected: string, error: unknown) => void,
): Promise<string | undefined> {
  const read = async (key: 'cert' | 'key') =>
    await source.readFile(paths[key]).catch((error: unknown) => {
      note(['listen', 'tls', key], `names ${paths[key]}: ${wordsOf(error, paths[key])}`, error);
    });
  const [cert, key] = [await read('cert'), await read('key')];
  if (cert === undefined || key === undefined) return undefined;
  try {
    needTlsPair({ cert, key }, paths);
    return cert;
  } catch (error) {
    if (error instanceof TlsFault)
      note(['listen', 'tls', error.part], `names ${paths[error.part]}, which ${error.message}`, error);
    else note(['listen', 'tls'], 'names a certificate and a key that do not fit together', error);
    return undefined;
  }
}

function wordsOf(error: unknown, name: string): string {
  if (error instanceof FileFault)
    return error.path.endsWith(name) ? error.message : `${defuseLine(error.path)}: ${error.message}`;
  throw error;
}

/** For editors: what the file may hold, and where. */
export async function runAdminSchema({ world }: Run): Promise<void> {
  await printLines(JSON.stringify(gatewaySchema, null, 2), world);
}
