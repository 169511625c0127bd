import type { LimitName } from '../refusal.ts';
import { uptime } from 'node:os';
import type { UsageLimits } from '../config.ts';
import { HolderUsage } from './holder-usage.ts';
import { UtcDay } from './utc-day.ts';

/** A holder of limits: the gateway itself, a Motif, or a token. */
export interface LimitHolder {
  /** The same through all versions of the gateway file, whose counts go on. */
  readonly key: string;
  readonly limits: UsageLimits;
  /** Without a limit of its own it holds at most so many times the places that the first, the gateway, has free. */
  readonly timesFree?: number;
}

/** A limit without room. */
export interface Exhausted {
  readonly key: string;
  readonly limit: LimitName;
  readonly waitMs: number;
}

/** The limit that has no room; undefined where what was asked for is taken. At once where no other process is asked. */
export type Admission = Exhausted | undefined | Promise<Exhausted | undefined>;

/**
 * Counts of prompts and tokens against their limits: one for all processes of a machine, or for all replicas. What one
 * call names is taken from all holders or from none.
 */
export interface Counters {
  /** Takes one prompt of the minute, where the day has tokens left. */
  takePrompt(holders: readonly LimitHolder[]): Admission;
  /** Takes a place among the prompts in work. */
  takePlace(holders: readonly LimitHolder[]): Admission;
  /** Resolves once it is free, for the next prompt may come to another process: at once, undefined, in one alone. */
  givePlace(holders: readonly LimitHolder[]): Promise<void> | undefined;
  /**
   * Known only afterwards, so that prompts in flight together may go beyond the day's limit together. Resolves once
   * they are counted: at once, undefined, where no other process is asked.
   */
  addTokens(holders: readonly LimitHolder[], count: number): Promise<void> | undefined;
}

interface CounterParts {
  readonly now: () => number;
  readonly monotonic: () => number;
  /** Milliseconds since the machine started, those that it slept included. */
  readonly sinceBoot?: () => number;
}

/** The time after which a place among the prompts in work may be free. */
const placeWaitMs = 1000;

/** The counts of this process, which may keep them for others too. */
export function createCounters({ now, monotonic, sinceBoot = () => uptime() * 1000 }: CounterParts): Counters {
  const usages = new Map<string, HolderUsage>();
  const day = new UtcDay(now, sinceBoot);
  let epoch = 0;
  const usageOf = ({ key }: LimitHolder): HolderUsage => {
    let usage = usages.get(key);
    if (usage === undefined) usages.set(key, (usage = new HolderUsage()));
    return usage;
  };
  /** A holder that the file no longer names is forgotten with the day. */
  const today = () => {
    const current = day.look();
    if (current.epoch !== epoch) for (const [key, usage] of usages) if (usage.isIdle(monotonic())) usages.delete(key);
    epoch = current.epoch;
    return current;
  };
  return {
    takePrompt(holders) {
      const at = monotonic();
      const current = today();
      let exhausted: Exhausted | undefined;
      const need = (key: string, limit: LimitName, waitMs: number): void => {
        if (waitMs > (exhausted?.waitMs ?? 0)) exhausted = { key, limit, waitMs };
      };
      for (const holder of holders) {
        const usage = usageOf(holder);
        need(holder.key, 'tokens_per_day', usage.tokensWaitMs(holder.limits.tokensPerDay, current));
        need(holder.key, 'rpm', usage.promptsWaitMs(holder.limits.rpm, at));
      }
      if (exhausted === undefined) for (const holder of holders) usageOf(holder).addPrompt(at);
      return exhausted;
    },
    takePlace(holders) {
      let free: number | undefined;
      for (const holder of holders) {
        const { inFlight } = usageOf(holder);
        const max = holder.limits.inFlight ?? (holder.timesFree ?? Infinity) * (free ?? Infinity);
        if (inFlight >= max) return { key: holder.key, limit: 'in_flight', waitMs: placeWaitMs };
        free ??= max - inFlight;
      }
      for (const holder of holders) usageOf(holder).inFlight += 1;
      return undefined;
    },
    givePlace(holders) {
      for (const holder of holders) usageOf(holder).inFlight -= 1;
      return undefined;
    },
    addTokens(holders, count) {
      const current = today();
      for (const holder of holders) usageOf(holder).addTokens(count, current);
    },
  };
}
