import { object, oneOf, text } from '../../documents/shape.ts';
import { type Expectation, type Judgement, met, missed, type Observation, type RuleHit } from './expectation.ts';
import { quoted, texts } from './texts.ts';

/** The outcomes that a case can expect. */
export const outcomes = ['answered', 'blocked'] as const;

export type ExpectedOutcome = (typeof outcomes)[number];

export const expect: Expectation<ExpectedOutcome> = {
  about: 'answered or blocked; answered unless the defaults say otherwise',
  shape: oneOf(...outcomes),
  judge(expected, { outcome, hasLeaked, sight }) {
    if (outcome === 'empty' && expected === 'answered') return missed('expected answered, was an empty answer');
    const seen = outcome === 'empty' ? 'answered' : outcome;
    if (seen !== expected)
      return missed(`expected ${expected}, was ${seen}${seen === 'blocked' ? blockers(sight) : ''}`);
    return hasLeaked ? missed('was blocked, and yet the service sent a text along') : met;
  },
};

/** Names the rules that blocked, where the gateway is in this process. */
function blockers(sight: Observation['sight']): string {
  const names = (sight?.hits ?? []).filter(({ action }) => action === 'block').map(nameOf);
  return names.length === 0 ? '' : ` by ${[...new Set(names)].join(', ')}`;
}

const unseen: readonly Judgement[] = [{ unjudged: 'not shown' }];

/** The rule that decided; of a policy alone (`no-pii`) each of its rules will do. */
export const by: Expectation<string> = {
  about: 'the rule that decided, as policy/rule or policy; with --demo or --local',
  shape: text('a policy, or policy/rule', /^[^/\s]+(\/[^/\s]+)?$/),
  judge(expected, { sight }) {
    if (sight === undefined) return unseen;
    const decisive = decisiveHits(sight.hits);
    if (decisive.some((hit) => expected === hit.policy || expected === nameOf(hit))) return met;
    const names = [...new Set(decisive.map(nameOf))];
    return missed(`was decided by ${names.length === 0 ? 'no policy' : names.join(', ')}, not by ${expected}`);
  },
};

const strength = { warn: 0, redact: 1, block: 2 } as const;

/** The hits whose action is the strongest: a block makes what was redacted beside it meaningless. */
function decisiveHits(hits: readonly RuleHit[]): readonly RuleHit[] {
  const strongest = Math.max(0, ...hits.map(({ action }) => strength[action]));
  return hits.filter(({ action }) => strength[action] === strongest);
}

function nameOf({ policy, rule }: RuleHit): string {
  return `${policy}/${rule}`;
}

const sawShape = object({}, { contains: texts, not_contains: texts });

type Saw = { readonly contains: readonly string[] | undefined; readonly not_contains: readonly string[] | undefined };

export const providerSaw: Expectation<Saw> = {
  about: 'the texts as they went to the provider, after redaction; with --demo or --local',
  shape: sawShape,
  judge: (expected, seen) => (seen.sight === undefined ? unseen : judgeSeen(expected, seen.sight.providerSaw)),
};

function judgeSeen({ contains = [], not_contains: absent = [] }: Saw, seen: string | undefined): readonly Judgement[] {
  if (seen === undefined) return missed('the provider was not asked');
  const lacks = contains.filter((part) => !seen.includes(part));
  const has = absent.filter((part) => seen.includes(part));
  return [
    ...lacks.map((part) => ({ message: `the provider did not see ${quoted(part)}` })),
    ...has.map((part) => ({ message: `the provider saw ${quoted(part)}` })),
  ];
}

/** A block by a policy that could not judge is no decision. */
export function isFailedPolicy({ sight }: Pick<Observation, 'sight'>): boolean {
  return sight?.hits.some(({ rule }) => rule === 'policy_failed') ?? false;
}
