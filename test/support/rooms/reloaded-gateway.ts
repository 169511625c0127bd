import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadGateway, warnOfNew } from '../../../src/commands/gateway/load.ts';
import { gatewayFileSource } from '../../../src/commands/gateway/source.ts';
import { createCounters } from '../../../src/gateway/access/counters.ts';
import { newToken } from '../../../src/gateway/access/token.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import type { ServedFile } from '../../../src/gateway/server/serve.ts';
import type { FileFault, World } from '../../../src/world/world.ts';
import { fakeWorld } from '../world.ts';

export const tokens = { kept: newToken(), revoked: newToken() };
export const record = (token: { readonly sha256: string }, id: string) => `{ id: ${id}, sha256: "${token.sha256}" }`;

/** Two Motifs: `bot` with the tokens, and `other` with everything that names a file. */
export function gatewayFile({
  bot = [record(tokens.kept, 'kept'), record(tokens.revoked, 'gone')],
  policies = '',
  other = '',
} = {}) {
  return `providers: { mock: { kind: mock } }
policies:
  listed: { kind: words, file: words.txt }
  ${policies}
knowledge: { handbook: { files: docs/*.md } }
motifs:
  bot: { provider: mock, tokens: [${bot.join(', ')}] }
  other: { provider: mock, policies: [listed${other}], knowledge: [handbook] }
`;
}

export const utf16 = new Uint8Array([0xff, 0xfe, 0x41, 0x00]);

interface LoadedSetup {
  readonly folderFault?: () => FileFault | undefined;
  readonly areProvidersReplaced?: boolean;
}

/**
 * A gateway file in a folder of its own, loaded once; `again` loads it as a reload does. `folderFault` is that of a
 * folder `docs/locked`, which a search comes through.
 */
export async function loaded({ folderFault, areProvidersReplaced = false }: LoadedSetup = {}) {
  const fake = fakeWorld();
  const glob: World['files']['glob'] = async (pattern, options) => {
    const fault = folderFault?.();
    if (fault !== undefined) options?.skipped?.(fault.path, `cannot be read: ${fault.message}`, fault);
    return await fake.files.glob(pattern, options);
  };
  const world = { ...fake, files: { ...fake.files, glob } };
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(world.folder, name)), { recursive: true });
    writeFileSync(join(world.folder, name), content);
  };
  write('gateway.yaml', gatewayFile());
  write('words.txt', 'heron\n');
  write('docs/a.md', '# Herons\n\nA heron waits.\n');
  const logged: string[] = [];
  const say = (message: string, fields: object = {}) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const log = { error: say, warn: say, info: say, debug: say };
  const source = gatewayFileSource(join(world.folder, 'gateway.yaml'), world);
  const warn = warnOfNew((line) => say(`warning: ${line}`));
  const counters = createCounters({ now: () => 0, monotonic: () => 0 });
  const load = (before?: ServedFile) =>
    loadGateway(source, world, { log, warn, counters, before, areProvidersReplaced });
  const first = await load();
  return { write, logged, first, load, again: () => load(first), folder: world.folder, source };
}

export function isAdmitted({ access }: ServedFile, token: { readonly text: string }): boolean {
  const credentials = { motifId: 'bot', authorization: `Bearer ${token.text}`, tenant: undefined };
  return !(access.admit(credentials) instanceof Refusal);
}
