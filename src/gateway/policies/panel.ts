import type { Side } from '../vocabulary.ts';
import type { Policy } from './policy.ts';
import { createLens, type Lens } from './readings/prepare.ts';

/** The policies of one side, and how texts are to be read for them. */
export interface Panel {
  readonly due: readonly Policy[];
  readonly lens: Lens;
}

const panels = new WeakMap<readonly Policy[], Map<Side, Panel>>();

/** A Motif has the same policies for all its requests, so what can be known of them is worked out at the first. */
export function panelOf(policies: readonly Policy[], side: Side): Panel {
  const known = panels.get(policies) ?? new Map<Side, Panel>();
  panels.set(policies, known);
  const panel = known.get(side) ?? createPanel(policies, side);
  known.set(side, panel);
  return panel;
}

function createPanel(policies: readonly Policy[], side: Side): Panel {
  const due = policies.filter(({ on }) => on.has(side));
  return { due, lens: lensOf(due) };
}

/** Thousands of Motifs may have the same policies, each in a list of its own; they share what is known of them. */
interface Branch {
  readonly next: WeakMap<Policy, Branch>;
  lens?: Lens;
}

const root = createBranch();

function createBranch(): Branch {
  return { next: new WeakMap() };
}

function lensOf(due: readonly Policy[]): Lens {
  let branch = root;
  for (const policy of due) {
    const next = branch.next.get(policy) ?? createBranch();
    branch.next.set(policy, next);
    branch = next;
  }
  return (branch.lens ??= createLens(due));
}
