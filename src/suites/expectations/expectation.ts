import type { Shape } from '../../documents/shape.ts';
import type { Usage } from '../../wire/reply.ts';

/** The rule of a policy that found something, and what the policy does about it. */
export interface RuleHit {
  readonly policy: string;
  readonly rule: string;
  readonly action: 'block' | 'redact' | 'warn';
}

/** Facts that an embedded gateway shows beside its reply. */
export interface GatewayFacts {
  readonly hits: readonly RuleHit[];
  /** Policies of which an exception freed a finding. */
  readonly freed: readonly string[];
  /** The messages that the provider got, joined by line breaks; undefined where it was not asked. */
  readonly providerSaw: string | undefined;
}

/** The result of one prompt, as far as an expectation can be held against it. */
export interface Observation {
  /** `empty` is an answer without a single character, which is no answer. */
  readonly outcome: 'answered' | 'blocked' | 'empty';
  /** Empty where it was blocked. */
  readonly answer: string;
  /** True where a service says `blocked` and sends a text all the same. */
  readonly hasLeaked: boolean;
  readonly finishReason: string | null;
  readonly usage: Usage | null;
  readonly elapsedMs: number;
  /** Undefined where the gateway is elsewhere. */
  readonly sight: GatewayFacts | undefined;
}

/** One expectation that was not met. The message quotes the suite, never an answer. */
export interface Miss {
  /** Its path in the suite, like `answer.contains`. */
  readonly expectation: string;
  /** In words that follow the id of a case. */
  readonly message: string;
  /** Lines that begin with `-` (expected) or `+` (seen); they may hold parts of an answer. */
  readonly diff?: readonly string[];
}

/** Why an expectation cannot be judged: the gateway is elsewhere, or the service does not say. */
export interface Unjudged {
  readonly unjudged: 'not shown' | 'not said';
}

export type Judgement = Omit<Miss, 'expectation'> | Unjudged;

interface ExpectationOptions {
  readonly ignoreCase: boolean;
}

/** One kind of expectation: how it is written in a suite, and how it is judged. */
export interface Expectation<T> {
  readonly about: string;
  readonly shape: Shape<T>;
  readonly judge: (expected: T, seen: Observation, options: ExpectationOptions) => readonly Judgement[];
}

export const met: readonly Judgement[] = [];

export function missed(message: string, diff?: readonly string[]): readonly Judgement[] {
  return [{ message, ...(diff !== undefined && { diff }) }];
}
