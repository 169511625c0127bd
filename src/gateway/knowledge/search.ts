import type { Piecework } from '../../text/turns.ts';
import type { Passage } from './outline.ts';
import { termsOf } from './terms.ts';

/** Finds passages by the words of a question. New documents make a new one. */
export interface KnowledgeIndex<P extends Passage = Passage> {
  readonly size: number;
  /** Resolves once it answers from its own passages. */
  readonly made: Promise<void>;
  /** The best first, at most `top`; only such that share a word with the question. */
  search(question: string, top: number): P[];
}

/** The passages in which a term stands, in their order, and its weight in each. */
interface Postings {
  readonly passages: number[];
  readonly weights: number[];
}

/** The usual constants of BM25: how soon more of the same word stops counting, and how much a long passage loses. */
const saturation = 1.2;
const lengthShare = 0.75;
const titleWeight = 2;
/** A prompt may be a whole document; its first words say what it is about. */
const questionCharactersMax = 8000;
const questionTermsMax = 64;

/** Weights that are computed before others may have their turn: some 2 ms. */
const weightsPerPiece = 20_000;

export function* createIndex<P extends Passage>(passages: readonly P[]): Piecework<KnowledgeIndex<P>> {
  const postings = new Map<string, Postings>();
  const lengths = new Float64Array(passages.length);
  for (const [at, passage] of passages.entries()) {
    lengths[at] = addPassage(postings, at, passage);
    yield;
  }
  yield* weigh(postings, lengths);
  return {
    size: passages.length,
    made: Promise.resolve(),
    search(question, top) {
      const scores = new Float64Array(passages.length);
      for (const { passages: found, weights } of rarest(postings, question)) {
        for (let index = 0; index < found.length; index++) scores[found[index]!]! += weights[index]!;
      }
      return best(scores, top).map((at) => passages[at]!);
    },
  };
}

/** Counts the terms of one passage; returns how many it has. */
function addPassage(postings: Map<string, Postings>, at: number, { titles, text }: Passage): number {
  const counts = new Map<string, number>();
  const terms = termsOf(text);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of termsOf(titles)) counts.set(term, (counts.get(term) ?? 0) + titleWeight);
  for (const [term, count] of counts) {
    const entry = postings.get(term);
    if (entry === undefined) postings.set(term, { passages: [at], weights: [count] });
    else {
      entry.passages.push(at);
      entry.weights.push(count);
    }
  }
  return terms.length;
}

/** Turns counts into what they are worth, once, so that a search only adds. */
function* weigh(postings: Map<string, Postings>, lengths: Float64Array): Piecework<void> {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  let weighed = 0;
  for (const { passages, weights } of postings.values()) {
    weighed += weights.length;
    if (weighed >= weightsPerPiece) {
      weighed = 0;
      yield;
    }
    const rarity = rarityOf(passages.length, lengths.length);
    for (let index = 0; index < weights.length; index++) {
      const count = weights[index]!;
      const length = 1 - lengthShare + (lengthShare * lengths[passages[index]!]!) / mean;
      weights[index] = (rarity * count * (saturation + 1)) / (count + saturation * length);
    }
  }
}

function rarityOf(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

/** The terms of a question that are in the index, the rarest first, because those decide. */
function rarest(postings: ReadonlyMap<string, Postings>, question: string): Postings[] {
  const terms = new Set(termsOf(question, questionCharactersMax));
  const found = [...terms].map((term) => postings.get(term)).filter((entry) => entry !== undefined);
  return found.toSorted((one, other) => one.passages.length - other.passages.length).slice(0, questionTermsMax);
}

/** The places of the highest scores; of equal ones the earlier passage comes first. */
function best(scores: Float64Array, top: number): number[] {
  const places: number[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!;
    if (score === 0 || (places.length >= top && score <= scores[places.at(-1) ?? at]!)) continue;
    let place = places.length;
    while (place > 0 && scores[places[place - 1]!]! < score) place--;
    places.splice(place, 0, at);
    if (places.length > top) places.pop();
  }
  return places;
}
