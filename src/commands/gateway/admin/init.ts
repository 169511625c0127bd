import { MotifError } from '../../../errors.ts';
import { parseGatewayFile } from '../../../gateway/file/parse.ts';
import { needFolderOf, throwIo } from '../../shared/output-file.ts';
import { pathWord } from '../../../text/defuse.ts';
import { adminCommand } from '../admin-command.ts';
import { takeLock, withNamedFile } from './file.ts';
import type { FlagsOf } from '../../shared/flags/flags.ts';
import { type AdminFlags, defaultFile, type portFlags, type TokenOutFlags } from './flags.ts';
import { type FreshToken, handOver, makeToken } from './handover.ts';
import { gatewayFileSource } from '../source.ts';
import { giveToken, openTokenFile, refuseHeldToken } from './token-file.ts';
import type { Run } from '../../shared/run.ts';
import type { World } from '../../../world/world.ts';

type InitFlags = AdminFlags & TokenOutFlags & FlagsOf<typeof portFlags>;

const motifId = 'support-bot';

/** Writes a first gateway file, with one Motif that a mock answers for; a file that is there is never touched. */
export async function runAdminInit(run: Run<InitFlags>, typed: string | undefined): Promise<void> {
  const { world, flags, notice } = run;
  const { config: path = defaultFile } = withNamedFile(flags, typed);
  await needNew(path, world);
  await needFolderOf(path, world);
  const tokenFile = await openTokenFile(run, path);
  refuseHeldToken(tokenFile, run);
  const token = makeToken(world, {});
  const tenant = `org-${Buffer.from(world.random(4)).toString('hex')}`;
  const text = firstFile({ tenant, port: flags.port ?? 8080 }, token);
  const readFile = () => Promise.reject(new Error('is not read'));
  const file = { file: path, env: world.env, readFile, readInside: readFile, now: world.now() };
  const { config } = await parseGatewayFile(text, file);
  const own = { ...run, flags: { ...flags, config: path } };
  const release = await takeLock(path, world);
  try {
    // Another one that was typed at the same time may have made it, and has printed its token.
    await needNew(path, world);
    await giveToken({ token, motifId }, tokenFile, own, {
      config: config!,
      source: { ...gatewayFileSource(path, world), readText: async () => text },
      make: () => world.files.writeAtomic(path, text).catch(throwIo),
      takeBack: () => world.files.remove(path),
    });
  } finally {
    release();
  }
  await handOver(token, motifId, config!, { run: own });
  const more = adminCommand(path === defaultFile ? {} : { config: path }, 'create');
  notice(`${path} is written. motif serve -c ${pathWord(path)} serves it; ${more} adds Motifs`);
}

async function needNew(path: string, { files }: Pick<World, 'files'>): Promise<void> {
  if ((await files.info(path, { follow: false })) === undefined) return;
  throw new MotifError('usage', `${path} exists already and stays as it is`, { hint: 'motif admin init OTHER-FILE' });
}

/** Each section once, so that an editor need not look up more than what it is about. */
function firstFile(
  { tenant, port }: { readonly tenant: string; readonly port: number },
  { record: { id, sha256, created } }: FreshToken,
): string {
  return `# The gateway file of motif serve, which reads it again whenever it changes.
# motif admin validate checks it; motif help gateway explains each key.
tenant: ${tenant}
# public_url, tls: { cert, key } and workers belong into listen too.
listen: { host: 127.0.0.1, port: ${port} }
# A port for health and metrics, where rotate and revoke ask what is in force:
# admin: { host: 127.0.0.1, port: 9464 }
# A line for each prompt; it says what was found where, and never the text.
# With text: true the texts of prompts that passed are kept, for admin replay.
audit: { file: audit.jsonl }

providers:
  mock: { kind: mock, mode: echo }  # asks no model
  # openai: { kind: openai, key: "\${OPENAI_API_KEY}" }
  # claude: { kind: anthropic, key: "\${ANTHROPIC_API_KEY}" }
  # local: { kind: openai, base_url: http://127.0.0.1:11434/v1 }  # Ollama

policies:
  no-pii: { kind: pii }
  no-secrets: { kind: secrets, action: redact }
  no-injection: { kind: injection, on: prompt }

motifs:
  ${motifId}:
    name: Support bot
    provider: mock
    policies: [no-pii, no-secrets, no-injection]
    tokens:
      - { id: ${id}, sha256: "${sha256}", created: ${created} }
`;
}
