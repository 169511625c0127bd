import { faultLine } from '../../../documents/fault.ts';
import type { GatewayConfig } from '../../../gateway/config.ts';
import { gatewaySchema } from '../../../gateway/file/shape.ts';
import { counted } from '../../../text/sizes.ts';
import { Utf8Fault } from '../../../text/utf8.ts';
import { FileFault, type World } from '../../../world/world.ts';
import { type AdminFlags, faultDocument, parseSource, sourceOf, toFaultyFile } from './file.ts';
import { printDocument } from '../../shared/documents.ts';
import type { GatewaySource } from '../source.ts';
import { createNotice } from '../../shared/notices.ts';

/** All faults of the file at once; a secret that is not there on this machine is a warning. */
export async function runAdminValidate(world: World, flags: AdminFlags): Promise<void> {
  const source = sourceOf(flags, world);
  const { config, faults, warnings, missingSecrets } = await parseSource(source, world, { wantsSecrets: true });
  const notice = createNotice(world, flags);
  for (const each of [...warnings, ...missingSecrets]) notice(`warning: ${faultLine(each)}`);
  if (config === undefined) throw toFaultyFile(source.name, faults);
  const missingFiles = await findMissing(config, source);
  for (const { path, message } of missingFiles) notice(`warning: ${source.name}: ${path} ${message}`);
  const counts = { motifs: config.motifs.size, providers: config.providers.size, policies: config.policies.size };
  if (flags.json) {
    const told = {
      warnings: warnings.map(faultDocument),
      missing_secrets: missingSecrets.map(faultDocument),
      missing_files: missingFiles,
    };
    return await printDocument({ ok: true, file: source.name, ...counts, ...told, error: null }, flags, world);
  }
  const words = [
    counted(counts.motifs, 'Motif'),
    counted(counts.providers, 'provider'),
    counted(counts.policies, 'policy', 'policies'),
  ];
  await world.stdout.write(`${source.name} is valid: ${words.join(', ')}\n`);
}

/** What only the machine that serves the file needs to have. */
async function findMissing(
  { listen, knowledge }: GatewayConfig,
  source: GatewaySource,
): Promise<readonly { readonly path: string; readonly message: string }[]> {
  const missing: { path: string; message: string }[] = [];
  for (const [key, name] of Object.entries(listen.tls ?? {})) {
    const fault = await source.readFile(name).then(() => undefined, faultOf);
    if (fault !== undefined) missing.push({ path: `listen.tls.${key}`, message: `names ${name}: ${fault}` });
  }
  for (const { name, files } of knowledge.values()) {
    for (const pattern of files) {
      const found = await source
        .readDocuments(pattern)
        .then(({ length }) => (length === 0 ? 'no such file' : undefined), faultOf);
      if (found !== undefined) missing.push({ path: `knowledge.${name}.files`, message: `names ${pattern}: ${found}` });
    }
  }
  return missing;
}

function faultOf(error: unknown): string {
  if (error instanceof FileFault || error instanceof Utf8Fault) return error.message;
  throw error;
}

/** For editors: what the file may hold, and where. */
export async function runAdminSchema(world: World): Promise<void> {
  await world.stdout.write(`${JSON.stringify(gatewaySchema, null, 2)}\n`);
}
