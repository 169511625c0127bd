import { parseDuration } from '../../../text/durations.ts';
import type { World } from '../../../world/world.ts';
import { type Flag, type FlagRules, value } from './flags.ts';

/** A moment as it was typed: so long ago, or a date. */
type TypedMoment = { readonly typed: string } & ({ readonly agoMs: number } | { readonly at: string });

export function momentFlag(spelling: string, help: string, rules: FlagRules = {}): Flag<TypedMoment | undefined> {
  return value(spelling, 'a duration like 7d or a UTC date like 2026-10-01', readMoment, help, rules);
}

function readMoment(typed: string): TypedMoment | undefined {
  const agoMs = parseDuration(typed);
  if (agoMs !== undefined && /\D$/.test(typed)) return { typed, agoMs };
  const at = parseUtcDate(typed);
  return at === undefined ? undefined : { typed, at: new Date(at).toISOString() };
}

/** Milliseconds of a UTC date or moment as people type it; undefined for any other text. */
export function parseUtcDate(typed: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?$/.test(typed)) return undefined;
  const at = Date.parse(typed.includes('T') && !typed.endsWith('Z') ? `${typed}Z` : typed);
  return Number.isNaN(at) ? undefined : at;
}

/** A moment in the form that audit lines and conversations have, whose order is that of time. */
export function momentText(moment: TypedMoment | undefined, world: Pick<World, 'now'>): string | undefined {
  if (moment === undefined) return undefined;
  return 'at' in moment ? moment.at : new Date(world.now() - moment.agoMs).toISOString();
}
