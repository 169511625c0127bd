import type { Side, Verdict } from '../vocabulary.ts';
import { inspectOnce } from './inspection.ts';
import { judgeNow, verdictOf } from './judging.ts';
import { policiesForSide } from './panel.ts';
import type { Policy } from './policy.ts';
import { lookAgain } from './second-look.ts';
import { type ReadingPlan, readsAlike } from './readings/prepare.ts';
import { policyWorkDefault, WorkBudget } from './readings/work-budget.ts';

/** Policies that do not ask outside, and the characters that they may read, all together. */
export interface PolicyList {
  readonly policies: readonly Policy[];
  readonly policyWork: number | undefined;
}

interface JointPart {
  readonly policies: readonly Policy[];
  readonly plan: ReadingPlan;
  readonly places: readonly number[];
}

/** The policies of both lists on one side, each once. */
interface JointSide {
  readonly applicable: readonly Policy[];
  readonly plan: ReadingPlan;
  /** For each list its policies, and where they stand among all. */
  readonly parts: readonly JointPart[];
}

/**
 * Two lists of policies that judge the same texts, each as `judgeNow` would. Where both read texts in the same ways, a
 * text is read once, and a policy that is in both lists looks once.
 */
export class PolicyListPair {
  readonly #lists: readonly [PolicyList, PolicyList];
  readonly #sides = new Map<Side, JointSide | undefined>();
  readonly #leastWork: number;

  constructor(one: PolicyList, other: PolicyList) {
    this.#lists = [one, other];
    this.#leastWork = Math.min(one.policyWork ?? policyWorkDefault, other.policyWork ?? policyWorkDefault);
  }

  judge(side: Side, texts: readonly string[]): readonly [Verdict, Verdict] {
    const joint = this.#sideOf(side);
    if (joint !== undefined) {
      const { applicable, plan, parts } = joint;
      const budget = new WorkBudget(this.#leastWork);
      const outcomes = inspectOnce(applicable, texts, plan, budget);
      const [one, other] = parts.map((part) => {
        const own = part.places.map((place) => outcomes[place]);
        const all = lookAgain({ ...part, texts, budget }, own);
        return verdictOf(
          part.policies,
          side,
          texts,
          all.map((outcome) => outcome ?? 'failed'),
        );
      });
      // Together they read more than each of them alone, which may still be within what is granted.
      if (!budget.isExceeded) return [one!, other!];
    }
    const [one, other] = this.#lists;
    return [judgeAlone(one, side, texts), judgeAlone(other, side, texts)];
  }

  /** Undefined where the lists read texts in different ways. */
  #sideOf(side: Side): JointSide | undefined {
    if (!this.#sides.has(side)) this.#sides.set(side, joined(this.#lists, side));
    return this.#sides.get(side);
  }
}

function joined(lists: readonly PolicyList[], side: Side): JointSide | undefined {
  const panels = lists.map(({ policies }) => policiesForSide(policies, side));
  const { applicable, plan } = policiesForSide([...new Set(lists.flatMap(({ policies }) => policies))], side);
  if (!panels.every((panel) => readsAlike(panel.plan, plan))) return undefined;
  const parts = panels.map(({ applicable: policies, plan: own }) => ({
    policies,
    plan: own,
    places: policies.map((policy) => applicable.indexOf(policy)),
  }));
  return { applicable, plan, parts };
}

/** The verdict of one list by itself. */
export function judgeAlone({ policies, policyWork }: PolicyList, side: Side, texts: readonly string[]): Verdict {
  return judgeNow(policies, side, texts, new WorkBudget(policyWork));
}
