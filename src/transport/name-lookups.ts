import { lookup as askSystem, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** A look-up that took longer is that of a name server which does not answer, and may take ten seconds. */
const slowMs = 1000;

/**
 * Looks names up so that one whose name server is silent keeps no other name waiting: the system looks up two at once,
 * and cannot stop. All that ask for a name share its look-up, and of names that took long one is asked at a time.
 */
export function createNameLookups(now: () => number, ask: LookupFunction = askSystem): LookupFunction {
  const waiting = new Map<string, Found[]>();
  const slow = new Set<string>();
  const queue: (() => void)[] = [];
  let isSlowAsked = false;
  return function lookUp(name, options, found) {
    const key = JSON.stringify([name, options]);
    const others = waiting.get(key);
    if (others !== undefined) return void others.push(found);
    const all = [found];
    waiting.set(key, all);
    const isSlow = slow.has(name);
    const begin = (): void => {
      if (isSlow) isSlowAsked = true;
      const startedAt = now();
      ask(name, options, (error, address, family) => {
        if (now() - startedAt > slowMs) slow.add(name);
        else slow.delete(name);
        waiting.delete(key);
        if (isSlow) isSlowAsked = false;
        if (isSlow) queue.shift()?.();
        for (const each of all) each(error, address, family);
      });
    };
    if (isSlow && isSlowAsked) queue.push(begin);
    else begin();
  };
}
