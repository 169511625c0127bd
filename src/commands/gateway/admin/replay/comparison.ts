import type { Hit } from '../../../../gateway/vocabulary.ts';
import type { Message } from '../../../../wire/request.ts';
import type { KeptText } from './corpus.ts';
import type { Effect, TextJudgement } from './motif-pair.ts';

/** One rule of one Motif that decides otherwise: how many texts more or fewer pass, are redacted, are blocked. */
interface RuleChange {
  readonly motif: string;
  readonly policy: string;
  readonly rule: string;
  readonly pass: number;
  readonly redact: number;
  readonly block: number;
}

/** A text that the new file takes otherwise, with the findings that make the difference. */
export interface TextChange {
  readonly id: string;
  readonly motif: string;
  readonly from: Effect;
  readonly to: Effect;
  readonly hits: readonly Hit[];
  /** Only where texts are asked for. */
  readonly texts: { readonly messages: readonly Message[]; readonly answer: string | null } | undefined;
}

/** The most changed texts that are kept to be named; all are counted. */
const changesMax = 10_000;
const effects: readonly Effect[] = ['pass', 'redact', 'block'];

/** Adds up what the new file decides otherwise than the present one. */
export class Comparison {
  readonly #rules = new Map<string, { -readonly [K in keyof RuleChange]: RuleChange[K] }>();
  readonly #showsText: boolean;
  readonly changes: TextChange[] = [];
  judged = 0;
  /** Texts that would newly be blocked, redacted, or pass in a stronger form than before. */
  blocked = 0;
  redacted = 0;
  passed = 0;
  /** Texts with findings that exceptions of the new file free. */
  excepted = 0;
  /** True where a changed text has findings of several rules, each of which counts it. */
  hasOverlaps = false;

  constructor(showsText: boolean) {
    this.#showsText = showsText;
  }

  get changed(): number {
    return this.blocked + this.redacted + this.passed;
  }

  /** The rules with most changes first. */
  get rules(): readonly RuleChange[] {
    const size = ({ pass, redact, block }: RuleChange): number => Math.abs(pass) + Math.abs(redact) + Math.abs(block);
    return [...this.#rules.values()].sort((one, other) => size(other) - size(one));
  }

  take(text: KeptText, motif: string, base: TextJudgement, next: TextJudgement): void {
    this.judged += 1;
    if (next.isExcepted) this.excepted += 1;
    const { effect: from } = base;
    const { effect: to } = next;
    if (from === to) return;
    const isStricter = effects.indexOf(to) > effects.indexOf(from);
    if (!isStricter) this.passed += 1;
    else if (to === 'block') this.blocked += 1;
    else this.redacted += 1;
    const { hits, effect } = isStricter ? next : base;
    const causes = hits.filter(({ action }) => action === effect);
    const rules = withoutRepeats(causes);
    if (rules.length > 1) this.hasOverlaps = true;
    for (const { policy, rule } of rules) this.#count(`${motif}\0${policy}\0${rule}`, from, to);
    if (this.changes.length >= changesMax) return;
    const { id, messages, answer } = text;
    const texts = this.#showsText ? { messages, answer: answer ?? null } : undefined;
    this.changes.push({ id, motif, from, to, hits: causes, texts });
  }

  #count(name: string, from: Effect, to: Effect): void {
    const [motif = '', policy = '', rule = ''] = name.split('\0');
    const sums = this.#rules.get(name) ?? { motif, policy, rule, pass: 0, redact: 0, block: 0 };
    sums[from] -= 1;
    sums[to] += 1;
    this.#rules.set(name, sums);
  }
}

function withoutRepeats(hits: readonly Hit[]): readonly Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ policy, rule }) => seen.size !== seen.add(`${policy}\0${rule}`).size);
}
