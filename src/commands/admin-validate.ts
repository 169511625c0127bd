import { faultLine } from '../documents/fault.ts';
import { gatewaySchema } from '../gateway/config-shape.ts';
import type { World } from '../world/world.ts';
import { type AdminFlags, faultDocument, parseSource, sourceOf, toFaultyFile } from './admin-file.ts';
import { printDocument } from './documents.ts';
import { createNotice } from './notices.ts';

/** All faults of the file at once; a secret that is not there on this machine is a warning. */
export async function runAdminValidate(world: World, flags: AdminFlags): Promise<void> {
  const source = sourceOf(flags, world);
  const { config, faults, warnings, missingSecrets } = await parseSource(source, world, { wantsSecrets: true });
  const notice = createNotice(world, flags);
  for (const each of [...warnings, ...missingSecrets]) notice(`warning: ${faultLine(each)}`);
  if (config === undefined) throw toFaultyFile(source.name, faults);
  const counts = { motifs: config.motifs.size, providers: config.providers.size, policies: config.policies.size };
  if (flags.json) {
    const told = { warnings: warnings.map(faultDocument), missing_secrets: missingSecrets.map(faultDocument) };
    return await printDocument({ ok: true, file: source.name, ...counts, ...told, error: null }, flags, world);
  }
  const words = [
    counted(counts.motifs, 'Motif', 'Motifs'),
    counted(counts.providers, 'provider', 'providers'),
    counted(counts.policies, 'policy', 'policies'),
  ];
  await world.stdout.write(`${source.name} is valid: ${words.join(', ')}\n`);
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** For editors: what the file may hold, and where. */
export async function runAdminSchema(world: World): Promise<void> {
  await world.stdout.write(`${JSON.stringify(gatewaySchema, null, 2)}\n`);
}
