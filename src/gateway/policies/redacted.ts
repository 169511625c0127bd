import type { Finding } from '../vocabulary.ts';

/** The text with each finding replaced by a mark of its rule; what overlaps gets one mark, of the one that begins first. */
export function redacted(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  const ordered = findings.toSorted((one, other) => one.start - other.start || other.length - one.length);
  let result = '';
  let done = 0;
  for (const { rule, start, length } of ordered) {
    if (start >= done) result += `${text.slice(done, start)}[${rule.toUpperCase()}]`;
    done = Math.max(done, start + length);
  }
  return result + text.slice(done);
}
