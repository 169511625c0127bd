import type { Place } from '../../../gateway/vocabulary.ts';

/** A finding with its place, for the person who has to look there. */
interface PlacedFinding {
  readonly on: string;
  /** Index in the messages as the provider gets them; null where it is about all of them, or about an answer. */
  readonly message: number | null;
  readonly place: Place | undefined;
  readonly start: number;
  readonly length: number;
}

/** The place of a finding in words: `message 1, characters 6-19`. */
export function placeWords(found: PlacedFinding, role = 'user'): string {
  const { place, start, length } = found;
  return withCharacters(whereOf(found, role), place?.start ?? start, length);
}

/** The name of a text with the characters in it, counted from 1 as editors do. */
export function withCharacters(where: string, start: number, length: number): string {
  return length === 0 ? where : `${where}, characters ${start + 1}-${start + length}`;
}

/** The name of a client's message: `message 1`, with its role where that is not the user's. */
export function messageName(index: number, role: string): string {
  return role === 'user' ? `message ${index + 1}` : `message ${index + 1} (${role})`;
}

function whereOf({ on, message, place }: PlacedFinding, role: string): string {
  if (on === 'inference') return 'answer';
  if (place?.of === 'client') return messageName(place.message, role);
  if (place?.of === 'system') return "the Motif's system message";
  if (place?.of === 'knowledge') {
    const { base, file, passage, part } = place;
    return `${part === 'source' ? 'the source line of ' : ''}passage ${passage} of ${base} (${file})`;
  }
  return message === null ? 'the prompt' : `message ${message + 1} (counting the Motif's own)`;
}

/** Reads the place of an audit line; undefined where there is none, as in lines of earlier versions. */
export function parsePlace(value: unknown): Place | undefined {
  const { of, message, start: written, base, file, passage, part } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const start = countOf(written);
  if (start === undefined) return undefined;
  const index = countOf(message);
  if (of === 'client' && index !== undefined) return { of, message: index, start };
  if (of === 'system') return { of, start };
  const number = countOf(passage);
  if (of !== 'knowledge' || number === undefined || typeof base !== 'string' || typeof file !== 'string')
    return undefined;
  return { of, base, file, passage: number, part: part === 'source' ? part : 'text', start };
}

/** A count out of an audit line; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
