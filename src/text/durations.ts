export const dayMs = 86_400_000;

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: dayMs };

/**
 * Milliseconds of `500ms`, `20s`, `5m`, `24h`, `30d` or `1.5s`; a bare number is seconds. Undefined for anything else.
 * More than nothing never rounds down to nothing, which a timeout would take for no limit.
 */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  if (parts === null) return undefined;
  const exactMs = Number(parts[1]) * unitMs[parts[2] ?? 's']!;
  const ms = exactMs > 0 ? Math.max(1, Math.round(exactMs)) : 0;
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** A duration as `parseDuration` reads it, exactly: `500ms`, `90s`, `5m`. */
export function spellDuration(ms: number): string {
  const [unit, size] = Object.entries(unitMs).findLast(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

const steps = [
  { unit: 'd', seconds: 86_400, next: { unit: 'h', seconds: 3600 } },
  { unit: 'h', seconds: 3600, next: { unit: 'm', seconds: 60 } },
  { unit: 'm', seconds: 60, next: { unit: 's', seconds: 1 } },
];

/** A duration for people, at most two units long: `4 ms`, `0.8 s`, `20 s`, `2 m 5 s`, `1 h 30 m`, `2 d`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 100) return `${Math.max(0, Math.round(ms))} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(ms / 1000);
  const { unit, seconds: size, next } = steps.find((step) => seconds >= step.seconds)!;
  const rest = Math.floor((seconds % size) / next.seconds);
  const whole = `${Math.floor(seconds / size)} ${unit}`;
  return rest === 0 ? whole : `${whole} ${rest} ${next.unit}`;
}

/** The day of a moment in UTC: `2026-11-22`. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A moment to the second: `2026-11-22T20:15:00Z`. */
export function toMoment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
