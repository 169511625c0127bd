import { type Fields, isFields } from '../../text/json/json.ts';
import type { HttpRequest } from '../../wire/http.ts';
import type { ProviderConfig } from '../config.ts';
import type { FinishReason, ProviderRequest } from '../vocabulary.ts';

/** The need of a kind of provider for the name of a model; one without it has a model of its own, or is one. */
export type ModelNeed = 'always' | 'mostly' | 'never';

/** One upstream format: pure conversions to and from it. */
export interface Format {
  /** The address of the service, if the gateway file names none; undefined where it has to. */
  readonly baseUrl: string | undefined;
  readonly needsModel: ModelNeed;
  readonly params: ParamNames;
  /** Fields of its requests that the gateway fills in itself, so that no Motif of any provider may set them. */
  readonly reserved: readonly string[];
  /** Parameters that a model is known to refuse. */
  refusedParams?(model: string, params: Readonly<Record<string, unknown>>): readonly string[];
  toRequest(request: ProviderRequest, config: ProviderConfig): HttpRequest;
  /** Names of all members, at any depth, that those below look at: large bodies are read without the others. */
  readonly reads: readonly string[];
  /** Reads the JSON body of a 2xx; undefined where it is no answer in this format. */
  readAnswer(body: Fields): AnswerFields | undefined;
  /** True where the provider's own filter refused the prompt, which is an outcome and no failure. */
  isFiltered(status: number, body: Fields): boolean;
  /** True where a 4xx tells of a model that worked on the prompt first. */
  didRun?(body: Fields): boolean;
  /** The time to wait, where the service says so in the body of a failure rather than in Retry-After. */
  readWaitMs?(body: Fields): number | undefined;
}

/** The parameters that a format knows: the neutral name and its own. `any` passes every other one on as it is. */
export type ParamNames = 'any' | Readonly<Record<string, string>>;

/** An answer as far as the service told it; counts that it left out are undefined. */
export interface AnswerFields {
  readonly text: string;
  readonly finishReason: Exclude<FinishReason, 'blocked'>;
  readonly prompt?: number | undefined;
  readonly completion?: number | undefined;
  readonly total?: number | undefined;
}

export function asFields(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** True for a failure that stands beside an answer, or in its place; `null` and an empty text are none. */
export function isError(value: unknown): boolean {
  return asFields(value) !== undefined || (typeof value === 'string' && value !== '');
}

/** More than any exchange can have; a larger count would use up a Motif's day, and its sums would not be exact. */
const tokensMax = 1e9;

/** A number of tokens; anything that cannot be one is as good as not told. */
export function asCount(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= tokensMax
    ? (value as number)
    : undefined;
}

/** The sum of those counts that were told; undefined if none was. */
export function sumOf(...values: readonly unknown[]): number | undefined {
  const counts = values.map(asCount).filter((count) => count !== undefined);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Our word for an upstream's own, for why it stopped. */
export function finishReasonOf(
  table: Readonly<Record<string, AnswerFields['finishReason']>>,
  word: unknown,
): AnswerFields['finishReason'] {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word]! : 'other';
}
