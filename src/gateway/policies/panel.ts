import type { Side } from '../vocabulary.ts';
import type { Policy } from './policy.ts';
import { createReadingPlan, type ReadingPlan } from './readings/prepare.ts';

/** The policies of one side, and how texts are to be read for them. */
interface Panel {
  readonly applicable: readonly Policy[];
  readonly plan: ReadingPlan;
}

const panels = new WeakMap<readonly Policy[], Map<Side, Panel>>();

/** A Motif has the same policies for all its requests, so what can be known of them is worked out at the first. */
export function policiesForSide(policies: readonly Policy[], side: Side): Panel {
  const known = panels.get(policies) ?? new Map<Side, Panel>();
  panels.set(policies, known);
  const panel = known.get(side) ?? createPanel(policies, side);
  known.set(side, panel);
  return panel;
}

function createPanel(policies: readonly Policy[], side: Side): Panel {
  const applicable = policies.filter(({ on }) => on.has(side));
  return { applicable, plan: planFor(applicable) };
}

/** Thousands of Motifs may have the same policies, each in a list of its own; they share what is known of them. */
interface Branch {
  readonly next: WeakMap<Policy, Branch>;
  plan?: ReadingPlan;
}

const root = createBranch();

function createBranch(): Branch {
  return { next: new WeakMap() };
}

function planFor(applicable: readonly Policy[]): ReadingPlan {
  let branch = root;
  for (const policy of applicable) {
    const next = branch.next.get(policy) ?? createBranch();
    branch.next.set(policy, next);
    branch = next;
  }
  return (branch.plan ??= createReadingPlan(applicable));
}
