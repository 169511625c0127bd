import type { Message } from '../wire/request.ts';
import type { Expectations } from './expectations/table.ts';

/** One prompt of a case with what is expected of it; a case without `turns` has one. */
export interface CaseTurn {
  /** Messages that are sent, after all turns before it and their real answers. */
  readonly messages: readonly Message[];
  readonly expected: Expectations;
}

/** A failure that somebody knows of: it counts as one again once it passes, or once its day is over. */
export interface KnownFailure {
  readonly why: string;
  /** The last moment of its day, in milliseconds; undefined for no end. */
  readonly untilMs: number | undefined;
}

/** A prompt and what must come of it, with everything of the suite filled in. */
export interface Case {
  readonly id: string;
  /** Place for people: in the suite, or in the file of rows that it was made of. */
  readonly file: string;
  readonly line: number;
  readonly tags: readonly string[];
  readonly turns: readonly CaseTurn[];
  readonly repeat: number;
  readonly minPass: number;
  readonly known: KnownFailure | undefined;
  /** Answer of the mock; it makes sense with an embedded gateway alone. */
  readonly providerAnswer: string | undefined;
  /** The Motif that must be the one asked, and the line that says so. */
  readonly motif: string | undefined;
  readonly motifAt?: Pick<Case, 'file' | 'line'> | undefined;
  readonly timeoutMs: number | undefined;
  /** Changes with anything that is written in the case. */
  readonly digest: string;
}

export interface Suite {
  readonly name: string;
  readonly file: string;
  readonly cases: readonly Case[];
}

/** The same id in two suites names two cases. */
export function keyOf({ file, id }: Pick<Case, 'file' | 'id'>): string {
  return `${file}#${id}`;
}

/** Parts of a gateway that the run can reach: its provider's answer can be set, its decisions can be seen. */
interface GatewayReach {
  readonly canAnswer: boolean;
  readonly canSee: boolean;
}

/**
 * The expectations for whose sake a case is not asked where these parts are out of reach: it would be paid and could
 * not pass. One that expects more than an answer is asked, because that can still fail.
 */
export function outOfReach({ providerAnswer, turns }: Case, { canAnswer, canSee }: GatewayReach): readonly string[] {
  if (providerAnswer !== undefined && !canAnswer) return ['provider_answer'];
  if (canSee) return [];
  const written = turns.map(({ expected }) => expectedBeside(expected));
  const all = new Set(written.flat());
  return [...all].every((name) => name === 'by' || name === 'provider_saw') ? [...all] : [];
}

/** Names of all that is expected but a plain answer. */
function expectedBeside(expected: Expectations): readonly string[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    value === undefined || (name === 'expect' && value === 'answered') ? [] : [name],
  );
}

/** Subject of a case, for the matrix: its last turn decides, and one that must be blocked decides at once. */
export function expectedOutcome({ turns }: Pick<Case, 'turns'>): 'answered' | 'blocked' {
  return turns.some(({ expected }) => expected.expect === 'blocked') ? 'blocked' : 'answered';
}
