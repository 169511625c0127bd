import { MotifError } from '../../../errors.ts';
import { hashToken, isTokenText } from '../../../gateway/access/token.ts';
import type { GatewayConfig, TokenConfig } from '../../../gateway/config.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { matchesGlob } from '../../../text/patterns/glob.ts';
import type { World } from '../../../world/world.ts';
import { isOneOf, openOutputFile, type OutputFile, throwIo } from '../../shared/output-file.ts';
import type { Run } from '../../shared/run.ts';
import { adminCommand } from '../admin-command.ts';
import { auditPath } from '../source.ts';
import type { Change } from './file.ts';
import type { AdminFlags, TokenOutFlags } from './flags.ts';
import type { FreshToken } from './handover.ts';

/** The file of --token-out. */
interface TokenFile extends OutputFile {
  /** The hash of the token that stands in it. */
  readonly heldSha256: string | undefined;
}

/** The most bytes of a token file that are read to see if it is one. */
const tokenFileBytesMax = 200;

/**
 * Opens the file of --token-out before the gateway file changes; undefined without the flag. Of the files that are
 * there already only an empty one and an earlier token are replaced.
 */
export async function openTokenFile(
  { world, flags: { tokenOut } }: Run<TokenOutFlags>,
  gatewayFile: string,
): Promise<TokenFile | undefined> {
  if (tokenOut === undefined) return undefined;
  const file = await openOutputFile(tokenOut, world, {
    flag: '--token-out',
    later: [gatewayFile, world.files.lockPath(gatewayFile)],
    mode: 0o600,
  });
  const found = await world.files.info(tokenOut);
  // Others may lay one in a folder like /tmp, and would read the token.
  if (found?.type === 'fifo' && world.uid !== undefined && found.uid !== world.uid)
    throw new MotifError('usage', `--token-out: ${defuseLine(tokenOut)} is a pipe of another user (${found.uid})`, {
      hint: 'choose another name, or make a pipe of your own: mkfifo',
    });
  if (found?.type !== 'file') return { ...file, heldSha256: undefined };
  const { bytes, info } = await world.files.readPart(tokenOut, 0, tokenFileBytesMax).catch(throwIo);
  const text = Buffer.from(bytes).toString('latin1').trim();
  if (info.size === 0) return { ...file, heldSha256: undefined };
  if (isTokenText(text)) return { ...file, heldSha256: hashToken(text) };
  throw new MotifError(
    'usage',
    `--token-out: ${defuseLine(tokenOut)} holds something else than a token, and stays as it is`,
    { hint: 'name another file: an empty one is replaced, and a token that ends now' },
  );
}

/** The gateway file as it is, and those of its tokens that end by a rotation. */
interface HeldContext {
  readonly config: GatewayConfig;
  readonly ending?: readonly TokenConfig[];
}

/**
 * Throws where a token stands in the file that may stay valid: nobody could show it again. One that has ended or that
 * ends by this change is replaced, so that a job may rotate into the same file each time, also after its token was
 * revoked, which the gateway file then knows no more.
 */
export function refuseHeldToken(
  file: TokenFile | undefined,
  { world, flags: { force }, notice }: Run<TokenOutFlags>,
  context?: HeldContext,
): void {
  if (file?.heldSha256 === undefined || force) return;
  const isHeld = ({ sha256 }: TokenConfig): boolean => sha256 === file.heldSha256;
  if (context?.ending?.some(isHeld)) return;
  const motif = [...(context?.config.motifs.values() ?? [])].find(({ tokens }) => tokens.some(isHeld));
  const token = motif?.tokens.find(isHeld);
  if (token?.expiresAt !== undefined && token.expiresAt <= world.now()) return;
  if (token === undefined && context?.ending !== undefined) {
    return notice(`${file.path} held a token that the gateway file does not know; it is replaced`);
  }
  const held = motif && token ? `the token ${token.id} of ${motif.id}, which stays valid` : unknownToken(context);
  throw new MotifError('usage', `--token-out: ${defuseLine(file.path)} holds ${held}`, {
    hint: 'name another file, or replace that token: --force',
  });
}

function unknownToken(context: HeldContext | undefined): string {
  return context === undefined ? 'a token already' : 'a token that the gateway file does not know';
}

/** A new token on its way to a person or a program. */
interface GivenToken {
  readonly token: FreshToken;
  readonly motifId: string;
}

/**
 * Makes a change of the gateway file and writes its token into the file of --token-out. A pipe or a device gets it
 * first, for where nobody takes it no other token may end, and so does a file without a token, for the process may be
 * killed in between. A file that holds one gets it last, for that one may be in force.
 */
export async function giveToken(
  given: GivenToken,
  file: TokenFile | undefined,
  { world, flags }: Run<AdminFlags>,
  change: Change,
): Promise<void> {
  if (file === undefined) return await change.make();
  await refuseUsedFile(file.path, change, world);
  const give = () => file.write(`${given.token.text}\n`);
  if (file.heldSha256 !== undefined) {
    await change.make();
    return await give().catch(async (error: unknown) => {
      await change.takeBack().catch(() => {
        throw toLost(error, given, flags);
      });
      throw toUnchanged(error);
    });
  }
  await give().catch((error: unknown) => {
    throw toUnchanged(error);
  });
  const withdraw = (): Promise<void> => (file.isOld ? file.write('') : world.files.remove(file.path));
  await change.make().catch(async (error: unknown) => {
    const isWithdrawn =
      !file.isStraight &&
      (await withdraw().then(
        () => true,
        () => false,
      ));
    if (isWithdrawn || !(error instanceof MotifError)) throw error;
    throw error.withHint(`the token in ${defuseLine(file.path)} is of no use`);
  });
}

function toUnchanged(error: unknown): unknown {
  if (!(error instanceof MotifError)) return error;
  return error.withHint('the gateway file stays as it is: no token was made, and none ends');
}

/** The gateway file holds its hash already, so that whoever loses it here has to know its ID. */
function toLost(error: unknown, { token, motifId }: GivenToken, flags: AdminFlags): unknown {
  if (!(error instanceof MotifError)) return error;
  return new MotifError('io', `${error.message}; the new token ${token.record.id} is lost`, {
    hint: [
      adminCommand(flags, 'revoke', motifId, token.record.id),
      `${adminCommand(flags, 'rotate', motifId, '--keep')} makes another one`,
    ],
    cause: error,
  });
}

/** Throws where the gateway file names the file of --token-out: the token would be a document, or the end of a key. */
async function refuseUsedFile(path: string, { config, source }: Change, world: World): Promise<void> {
  const { files } = world;
  const audit = config.audit && auditPath(config.audit.file, source);
  const own = [audit, ...source.named];
  const patterns = [...config.knowledge.values()].flatMap((each) => each.files.map((name) => source.resolve(name)));
  const isDocument = patterns.some((pattern) => matchesGlob(files.absolute(pattern), files.absolute(path)));
  if (!isDocument && !(await isOneOf(path, own, world))) return;
  throw new MotifError('usage', `--token-out: ${defuseLine(path)} is a file that the gateway file names`, {
    hint: 'choose another name',
  });
}
