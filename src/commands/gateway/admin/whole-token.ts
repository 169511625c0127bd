import { MotifError } from '../../../errors.ts';
import { hashToken } from '../../../gateway/access/token.ts';
import type { GatewayConfig, MotifConfig, TokenConfig } from '../../../gateway/config.ts';
import { defuseLine } from '../../../text/defuse.ts';
import { tokenCharactersMax } from '../../../text/limits.ts';
import { ownTokenForm } from '../../../text/token-form.ts';
import type { Run } from '../../shared/run.ts';
import { readStdin, stdinTimeoutMs } from '../../shared/stdin.ts';
import type { AdminFlags } from './flags.ts';
import { tokenCommand } from './token-choice.ts';

/** A token of the file with the Motif that it is of. */
interface FoundToken {
  readonly motif: MotifConfig;
  readonly token: TokenConfig;
}

/** The hash of the token whose text is piped in; some Motif of the file has it. */
export async function hashPipedToken(
  { world, notice }: Run,
  config: GatewayConfig,
  verb: 'show' | 'revoke',
): Promise<string> {
  if (world.stdin.kind === 'terminal' || world.stdin.kind === 'none') {
    throw new MotifError('usage', '--token-stdin reads a pipe or a file', {
      hint: `motif admin ${verb} --token-stdin < FILE`,
    });
  }
  const text = (await readStdin(world, stdinTimeoutMs, notice)).trim();
  if (text === '') {
    throw new MotifError('usage', 'stdin is empty, and --token-stdin reads the token from it', {
      hint: 'has what is piped in failed, or is the file empty?',
    });
  }
  const sha256 = text.length > tokenCharactersMax ? '' : hashToken(text);
  if (tokensWith(sha256, config).length > 0) return sha256;
  refuseTextBeside(text, config);
  throw noMotifHasIt();
}

export function noMotifHasIt(): MotifError {
  return new MotifError('usage', 'no Motif of the file has the token on stdin', {
    hint: 'it is of another file, or was revoked: motif admin show lists the tokens of a Motif by their IDs',
  });
}

/** The tokens with this hash: one text may be a token of several Motifs. */
export function tokensWith(sha256: string, { motifs }: GatewayConfig): readonly FoundToken[] {
  return [...motifs.values()].flatMap((motif) =>
    motif.tokens.filter((token) => token.sha256 === sha256).map((token) => ({ motif, token })),
  );
}

interface Ending {
  /** The Motif in which the tokens end. */
  readonly motif: MotifConfig;
  readonly config: GatewayConfig;
  readonly flags: AdminFlags;
  /** The moment of their end. */
  readonly at: number;
}

/** Words on each other Motif that accepts tokens beyond their end in this one: a text may be a token of several. */
export function acceptedElsewhere(
  ended: readonly TokenConfig[],
  { motif: own, config, flags, at }: Ending,
): readonly string[] {
  return ended
    .flatMap(({ sha256 }) => tokensWith(sha256, config))
    .filter(({ motif, token: { expiresAt = Infinity } }) => motif.id !== own.id && expiresAt > at)
    .map(({ motif, token }) => {
      const command = tokenCommand({ name: 'revoke', flags }, motif.id, token.id);
      return `the same token is ${token.id} of Motif ${motif.id}, which still accepts it: ${command}`;
    });
}

/** Words on the Motifs whose tokens changed although they are none of those meant: an alias makes two of them one. */
export function changedAlongside(
  meant: ReadonlySet<string>,
  { before, config }: { readonly before: GatewayConfig; readonly config: GatewayConfig },
): readonly string[] {
  const tokensOf = ({ motifs }: GatewayConfig, id: string) => JSON.stringify(motifs.get(id)?.tokens);
  return [...config.motifs.keys()]
    .filter((id) => !meant.has(id) && tokensOf(before, id) !== tokensOf(config, id))
    .map((id) => {
      const isSameList = [...meant].some((each) => tokensOf(config, each) === tokensOf(config, id));
      return isSameList
        ? `Motif ${id} has the same list of tokens, by an alias, so that all of this holds for it too`
        : `Motif ${id} has one of these tokens by an alias: it ends there too, and a new one is not in that list`;
    });
}

/** Refuses a line of a log or of an .env that has a token in it: which one is meant is for a person to say. */
function refuseTextBeside(text: string, config: GatewayConfig): void {
  const isOne = !/\s/.test(text) && !ownTokenForm.test(text);
  const inside = wordsIn(text).flatMap((word) => tokensWith(hashToken(word), config));
  if (isOne && inside.length === 0) return;
  const names = [...new Set(inside.map(({ motif, token }) => `${token.id} of Motif ${motif.id}`))];
  const held = defuseLine(names.join(', '), 400);
  throw new MotifError('usage', 'stdin is not a token alone: other text stands beside it', {
    hint:
      held === ''
        ? 'pipe in the token and nothing else'
        : `it holds ${held}: pipe in the token alone, or name it by its ID`,
  });
}

/** The most words of a text that are looked at: each is hashed. */
const wordsMax = 10_000;

/** The words of a text that may be a token: also behind `TOKEN=` or `token:`, and without quotes or brackets. */
function wordsIn(text: string): readonly string[] {
  return text
    .split(/[\s"'`,;<>()[\]{}]+/, wordsMax)
    .flatMap((word) => [word, /^\w+[=:](.+)$/.exec(word)?.[1] ?? [], ownTokenForm.exec(word)?.[0] ?? []].flat());
}

/** Words of a command are seen by others on this machine and kept by shells: a token there is refused unsaid. */
export function refuseWholeTokens(
  words: readonly string[],
  config?: GatewayConfig,
  verb: 'show' | 'revoke' = 'revoke',
): void {
  const isWhole = (word: string): boolean =>
    ownTokenForm.test(word) ||
    (config !== undefined && tokensWith(hashToken(word.trim().replace(/^bearer\s+/i, '')), config).length > 0);
  if (!words.some(isWhole)) return;
  throw new MotifError('usage', 'a token must not be typed in a command, where others can see it', {
    hint: [
      `name it by its ID (motif admin show), or give it on stdin: motif admin ${verb} --token-stdin < FILE`,
      'revoke it if others may have seen it here',
    ],
  });
}
