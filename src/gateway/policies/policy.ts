import type { Shape } from '../../documents/shape.ts';
import type { Spend } from '../../text/patterns/automaton.ts';
import type { Piecework } from '../../text/turns.ts';
import type { Send } from '../../wire/http.ts';
import type { ExceptionConfig } from '../config.ts';
import type { Action, Finding, Side } from '../vocabulary.ts';
import { apartFromEscapes } from './readings/escapes.ts';
import type { PreparedText } from './readings/prepare.ts';
import type { View } from './readings/view.ts';

/** A finding with the reading of the text in which it was made; empty for the text as it was sent. */
export interface SeenFinding extends Finding {
  readonly seen: string;
  /** Why it counts for nothing. */
  readonly exception?: ExceptionConfig;
}

/** Findings of one policy in each text, an empty list where in none, or that it could not tell; plain data. */
export type PolicyOutcome = readonly (readonly SeenFinding[])[] | 'failed';

/** One of each policy; undefined for one that does not look. */
export type Outcomes = readonly (PolicyOutcome | undefined)[];

/** Looks at one text and says what it objects to: a pure function of the text, and linear in it. */
export type Detector = (text: PreparedText) => readonly SeenFinding[];

/** Asks somebody outside about all texts at once; the answer has one list for each. Rejects when it cannot tell. */
export type Inquiry = (
  texts: readonly string[],
  side: Side,
  limits: InquiryLimits,
) => Promise<readonly (readonly Finding[])[]>;

export interface InquiryLimits {
  readonly deadlineAt: number;
  readonly signal?: AbortSignal;
  /** W3C trace context of the caller, for whoever is asked. */
  readonly traceparent?: string | undefined;
  /** Characters that the kinds which do not ask may read, all together; the default where it is not said. */
  readonly policyWork?: number | undefined;
  /** Does a part of work that is long in its turn; absent where nobody else waits. */
  readonly inTurn?: (<T>(part: () => T) => T | Promise<T>) | undefined;
  /**
   * Has large texts, redacted by a service, judged by another thread, as far as policies judge them as a whole; one
   * outcome for each of these. Undefined for small ones.
   */
  readonly inspectWholes?: ((texts: readonly string[]) => Promise<Outcomes> | undefined) | undefined;
  /** Hears of the bytes of answers as they come; an error ends the one that they belong to. */
  readonly received?: ((bytes: number) => Error | undefined) | undefined;
}

/** Facts of the prompt for the kinds that ask outside. */
export interface PolicyParts {
  readonly send?: Send;
  readonly monotonic?: () => number;
  readonly now?: () => number;
  /** True for words that hold a secret of the gateway file. */
  readonly holdsSecret?: (words: string) => boolean;
  /** Hears that the service which is asked sent what nobody asked for. */
  readonly onUnasked?: () => void;
}

/** A policy ready to judge; its kind decided whether it detects or asks. */
export interface Policy {
  readonly name: string;
  readonly kind: string;
  readonly on: ReadonlySet<Side>;
  readonly action: Action;
  readonly detect?: Detector;
  readonly ask?: Inquiry;
  /**
   * Literals of which one stands, in any case, in each reading in which it finds something; a blank at an end of one is
   * the edge of a word. A text without any of them is not shown to it. Undefined: it is shown every text.
   */
  readonly needs?: readonly string[] | undefined;
  /** True where it also looks at readings of letters alone, which are made only if some policy does. */
  readonly readsLetters?: boolean;
  /** True where it looks at the text as it was sent and at no other reading, so that none is made for it. */
  readonly readsSentAlone?: boolean;
  /** Makes, in pieces, what a first text would else wait for. */
  readonly prepare?: () => Piecework<void>;
  /** True where it judges a text as a whole, so that one which was redacted is judged once more, as it goes on. */
  readonly judgesWhole?: boolean;
  /** Texts between two messages where this kind looks for one thing split over both; undefined: it does not. */
  readonly messageSeparators?: readonly string[];
  /** True where what it finds in one message may be known by a name at the end of the message before. */
  readonly readsNameBefore?: boolean;
  /** True where a longer finding is another one; else it may be an excepted one and whatever stands behind it. */
  readonly findsListed?: boolean;
  /** The exception that frees a finding which is this text, if there is one. */
  readonly exceptionFor?: ((found: string, spend?: Spend) => Piecework<ExceptionConfig | undefined>) | undefined;
  /** Rules whose findings do not count. */
  readonly without?: ReadonlySet<string> | undefined;
}

export interface PolicyKind<O = unknown> {
  /** Without network: `admin try` asks the others only with --live. */
  readonly isPure: boolean;
  /** The sides that it means anything on; both unless named. */
  readonly sides?: readonly Side[];
  readonly messageSeparators?: readonly string[];
  readonly readsNameBefore?: boolean;
  readonly findsListed?: boolean;
  /** Names of its rules, any of which a policy may leave out; else the form of their names. */
  readonly rules: readonly string[] | RegExp;
  /** The rules that these options ask for; all unless there. */
  rulesOf?(options: O): readonly string[];
  /** The options as the gateway file holds them; what is read is plain data, so that it can be copied and compared. */
  readonly options: Shape<O>;
  /** Findings of the rules in `without` are dropped anyway; a kind whose rules hide each other leaves them out. */
  create(
    options: O,
    parts: PolicyParts,
    without: ReadonlySet<string>,
  ): Pick<Policy, 'detect' | 'ask' | 'needs' | 'prepare' | 'readsLetters' | 'readsSentAlone' | 'judgesWhole'>;
}

/** A kind whose detector takes the options that its shape reads. */
export function policyKind<O>(kind: PolicyKind<O>): PolicyKind<O> {
  return kind;
}

export type OptionsOf<K> = K extends PolicyKind<infer O> ? O : never;

/** To tell the place of a finding in the text as sent takes as long as to read so many characters. */
const workPerFinding = 10;

/**
 * The findings that a search makes in each view that it wants, at their places in the text as it was sent. Loops and no
 * methods of arrays: this is asked for each text, and mostly nothing is found.
 */
export function findIn(
  text: PreparedText,
  search: (view: View) => readonly Finding[],
  wants: (view: View) => boolean = (view) => !view.isLetters,
): SeenFinding[] {
  const findings: SeenFinding[] = [];
  for (const view of text.views) {
    if (!wants(view)) continue;
    text.spend(view.text.length);
    const found = search(view);
    text.spend(found.length * workPerFinding);
    for (const { rule, start, length } of found) {
      const place = view.toSent({ start, end: start + length });
      findings.push({ rule, start: place.start, length: place.end - place.start, seen: view.seen });
    }
  }
  return findings;
}

/** The same of numbers and keys, which are no words that an escape such as `\n` may begin. */
export function dataIn(text: PreparedText, search: (view: View) => readonly Finding[]): SeenFinding[] {
  return findIn(text, search).map(({ start, length, ...finding }) => {
    const place = apartFromEscapes(text.sent, { start, end: start + length });
    return { start: place.start, length: place.end - place.start, ...finding };
  });
}
