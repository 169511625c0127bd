import { isDeepStrictEqual } from 'node:util';
import { type Composition, compose, placed } from '../../../../gateway/composition.ts';
import type { GatewayConfig, MotifConfig, PolicyConfig } from '../../../../gateway/config.ts';
import { assembleKnowledge, type KnowledgeParts } from '../../../../gateway/assembly.ts';
import { parseKnowledgeMessage } from '../../../../gateway/knowledge/message.ts';
import { createPolicy } from '../../../../gateway/policies/index.ts';
import { judgeAlone, type PolicyList, PolicyListPair } from '../../../../gateway/policies/joint-judging.ts';
import { isPure } from '../../../../gateway/policies/judging.ts';
import type { Policy } from '../../../../gateway/policies/policy.ts';
import type { Hit, Verdict } from '../../../../gateway/vocabulary.ts';
import type { KeptText } from './corpus.ts';

export type Effect = 'pass' | 'redact' | 'block';

/** The judgement of a kept text by one gateway file. */
export interface TextJudgement {
  readonly effect: Effect;
  readonly hits: readonly Hit[];
  /** True where an exception of a policy freed a finding. */
  readonly isExcepted: boolean;
}

/** The policies of both files. One that is the same in both is made once, so that it looks once at each text. */
export class PolicyStore {
  readonly #now: () => number;
  readonly #made = new Map<string, { readonly config: PolicyConfig; readonly policy: Policy }[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  policyOf(config: PolicyConfig): Policy {
    const made = this.#made.get(config.name) ?? [];
    const known = made.find((each) => isDeepStrictEqual(each.config, config));
    if (known !== undefined) return known.policy;
    const policy = createPolicy(config, { now: this.#now });
    this.#made.set(config.name, [...made, { config, policy }]);
    return policy;
  }
}

/** One Motif of one gateway file, ready to judge; what asks outside is not asked. */
export interface JudgingMotif extends PolicyList {
  readonly motif: MotifConfig;
  readonly retrieve: Awaited<ReturnType<typeof assembleKnowledge>>;
  readonly notAsked: readonly string[];
}

export async function toJudgingMotif(
  motif: MotifConfig,
  config: GatewayConfig,
  { policies, ...parts }: KnowledgeParts & { readonly policies: PolicyStore },
): Promise<JudgingMotif> {
  const all = motif.policies.map((name) => policies.policyOf(config.policies.get(name)!));
  return {
    motif,
    policies: all.filter(isPure),
    policyWork: config.limits.policyWork,
    retrieve: await assembleKnowledge(motif, config, parts),
    notAsked: all.filter((policy) => !isPure(policy)).map(({ name, kind }) => `${name} (${kind})`),
  };
}

/** One Motif of two gateway files, which judge kept texts as their gateways would. */
export class MotifPair {
  readonly #motifs: readonly [JudgingMotif, JudgingMotif];
  readonly #lists: PolicyListPair;

  constructor(base: JudgingMotif, next: JudgingMotif) {
    this.#motifs = [base, next];
    this.#lists = new PolicyListPair(base, next);
  }

  get notAsked(): readonly string[] {
    return this.#motifs.flatMap(({ notAsked }) => notAsked);
  }

  /** The prompt first and, where it passes, the answer: the order of the gateway. */
  judge(text: KeptText): readonly [TextJudgement, TextJudgement] {
    const { answer } = text;
    const [base, next] = text.messages.length === 0 ? bothPassed : this.#judgePrompt(text);
    if (answer === undefined) return [base, next];
    if (base.effect !== 'block' && next.effect !== 'block') {
      const [ofBase, ofNext] = this.#lists.judge('inference', [answer]);
      return [withAnswer(base, ofBase), withAnswer(next, ofNext)];
    }
    const [one, other] = this.#motifs;
    return [judgeAnswerAlone(base, one, answer), judgeAnswerAlone(next, other, answer)];
  }

  #judgePrompt(text: KeptText): readonly [TextJudgement, TextJudgement] {
    const [base, next] = this.#motifs.map((motif) => compositionOf(text, motif));
    const [texts, others] = [textsOf(base!), textsOf(next!)];
    if (texts.length === others.length && texts.every((each, index) => each === others[index])) {
      const [ofBase, ofNext] = this.#lists.judge('prompt', texts);
      return [promptJudgement(ofBase, base!), promptJudgement(ofNext, next!)];
    }
    const [one, other] = this.#motifs;
    return [
      promptJudgement(judgeAlone(one, 'prompt', texts), base!),
      promptJudgement(judgeAlone(other, 'prompt', others), next!),
    ];
  }
}

const nothingFound: TextJudgement = { effect: 'pass', hits: [], isExcepted: false };
const bothPassed = [nothingFound, nothingFound] as const;

function promptJudgement(verdict: Verdict, composition: Composition): TextJudgement {
  const { decision, hits, excepted = [] } = verdict;
  if (hits.length === 0 && excepted.length === 0 && decision === 'pass') return nothingFound;
  return {
    effect: effectOf(decision, hits),
    hits: hits.map((hit) => placed(hit, composition)),
    isExcepted: excepted.length > 0,
  };
}

function withAnswer(prompt: TextJudgement, { decision, hits, excepted = [] }: Verdict): TextJudgement {
  const all = [...prompt.hits, ...hits];
  return { effect: effectOf(decision, all), hits: all, isExcepted: prompt.isExcepted || excepted.length > 0 };
}

/** An answer that only one of the files gets to see, because the prompt is blocked by the other. */
function judgeAnswerAlone(prompt: TextJudgement, list: PolicyList, answer: string): TextJudgement {
  return prompt.effect === 'block' ? prompt : withAnswer(prompt, judgeAlone(list, 'inference', [answer]));
}

function effectOf(decision: Verdict['decision'], hits: readonly Hit[]): Effect {
  if (decision === 'block') return 'block';
  return hits.some(({ action }) => action === 'redact') ? 'redact' : 'pass';
}

function compositionOf({ messages, isComposed }: KeptText, { motif, retrieve }: JudgingMotif): Composition {
  return isComposed ? composedOf(messages, motif) : compose(messages, { system: motif.system, retrieve });
}

function textsOf({ messages }: Composition): readonly string[] {
  return messages.map(({ content }) => content);
}

/** Messages as a provider got them, with those told apart that the Motif had put before the client's. */
function composedOf(
  messages: readonly { role: string; content: string }[],
  { system, knowledge }: Pick<MotifConfig, 'system' | 'knowledge'>,
): Composition {
  const hasSystem = messages[0]?.role === 'system' && messages[0].content === system;
  const next = messages[hasSystem ? 1 : 0];
  const passages =
    next?.role === 'system'
      ? parseKnowledgeMessage(next).map((passage, index) => ({
          ...passage,
          titles: '',
          // The message names no base; where the Motif has one, it is that.
          base: knowledge.join(' or ') || 'knowledge',
          file: passage.source,
          number: index + 1,
        }))
      : [];
  return { messages, hasSystem, passages };
}
