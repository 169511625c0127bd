import type { PromptOutcome } from '../../../client/client.ts';
import { MotifError } from '../../../errors.ts';
import { type Settings, usedProfile } from '../../../settings/resolve.ts';
import { closest } from '../../../text/similar.ts';

/** The profile and the Motif of a prompt, as documents have them; null where unknown or not used. */
export interface PromptIdentity {
  readonly profile: string | null;
  readonly motif_id: string | null;
}

export function identityOf(settings: Settings): PromptIdentity {
  return { profile: usedProfile(settings) ?? null, motif_id: settings.motifId?.value ?? null };
}

/** The keys of the document that `prompt --json` prints, beside ok and error; null where unknown. */
export const blankPromptDocument = {
  blocked: null,
  response: null,
  finish_reason: null,
  prompt_id: null,
  usage: null,
  profile: null,
  motif_id: null,
  status: null,
  attempts: null,
  elapsed_ms: null,
} as const;

const fieldPaths = [
  'ok',
  ...Object.keys(blankPromptDocument),
  'code',
  'usage.prompt_tokens',
  'usage.completion_tokens',
  'usage.total_tokens',
  'error',
  'error.kind',
  'error.exit_code',
  'error.message',
  'error.code',
  'error.detail',
  'error.hint',
];

/** True where the document of a prompt may have a value at this path. */
export function isFieldPath(path: string | undefined): path is string {
  return path !== undefined && (fieldPaths.includes(path) || path.startsWith('error.detail.'));
}

/** The path, or a usage error: a mistyped --field is found before a prompt is paid for. */
export function parseFieldPath(path: string): string {
  if (isFieldPath(path)) return path;
  const near = nearFields(path);
  const meant = near.length < 2 ? near.join('') : `${near.slice(0, -1).join(', ')} or ${near.at(-1)}`;
  throw new MotifError('usage', `--field: the result has no ${JSON.stringify(path)}`, {
    hint: `${meant === '' ? '' : `did you mean ${meant}? `}motif help json lists the fields`,
  });
}

/**
 * The paths that were most likely meant: `usage.total_tokens` for `usage.totl`, by the first word behind the dot, and
 * all of `usage.` for `usage.tokens`.
 */
function nearFields(path: string): readonly string[] {
  const group = path.slice(0, path.indexOf('.') + 1);
  const leaves = fieldPaths.filter((each) => group !== '' && each.startsWith(group));
  const words = new Map(leaves.map((each) => [each.slice(group.length).split('_')[0]!, each]));
  const word = closest(path.slice(group.length), [...words.keys()]);
  if (word !== undefined) return [words.get(word)!];
  return leaves.length > 0 ? leaves : [closest(path, fieldPaths) ?? []].flat();
}

/** Values of the document of an answer or a block, between ok and error. */
export function promptFacts(
  { reply, status, attempts, elapsedMs }: PromptOutcome,
  identity: PromptIdentity,
): Record<string, unknown> {
  return {
    blocked: reply.blocked,
    response: reply.response,
    finish_reason: reply.finishReason,
    ...(reply.blocked && reply.code !== undefined && { code: reply.code }),
    prompt_id: reply.promptId,
    usage: reply.usage,
    ...identity,
    status,
    attempts,
    elapsed_ms: elapsedMs,
  };
}
