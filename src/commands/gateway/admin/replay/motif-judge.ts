import { type Composition, compose, placed } from '../../../../gateway/composition.ts';
import type { GatewayConfig, MotifConfig } from '../../../../gateway/config.ts';
import { assembleKnowledge, type KnowledgeParts } from '../../../../gateway/assembly.ts';
import { parseKnowledgeMessage } from '../../../../gateway/knowledge/message.ts';
import { createPolicy } from '../../../../gateway/policies/index.ts';
import { isPure, judgeNow } from '../../../../gateway/policies/judging.ts';
import type { Policy } from '../../../../gateway/policies/policy.ts';
import { WorkBudget } from '../../../../gateway/policies/readings/work-budget.ts';
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

/** One Motif of one gateway file, which judges kept texts as the gateway would; what asks outside is not asked. */
export class MotifJudge {
  readonly notAsked: readonly string[];
  readonly #motif: MotifConfig;
  readonly #policies: readonly Policy[];
  readonly #policyWork: number | undefined;
  readonly #retrieve: Awaited<ReturnType<typeof assembleKnowledge>>;

  private constructor(
    motif: MotifConfig,
    config: GatewayConfig,
    { retrieve, now }: { retrieve: Awaited<ReturnType<typeof assembleKnowledge>>; now: () => number },
  ) {
    const all = motif.policies.map((name) => createPolicy(config.policies.get(name)!, { now }));
    this.#motif = motif;
    this.#policies = all.filter(isPure);
    this.#policyWork = config.limits.policyWork;
    this.#retrieve = retrieve;
    this.notAsked = all.filter((policy) => !isPure(policy)).map(({ name, kind }) => `${name} (${kind})`);
  }

  static async create(
    motif: MotifConfig,
    config: GatewayConfig,
    parts: KnowledgeParts & { readonly now: () => number },
  ): Promise<MotifJudge> {
    return new MotifJudge(motif, config, { retrieve: await assembleKnowledge(motif, config, parts), now: parts.now });
  }

  /** The prompt first and, where it passes, the answer: the order of the gateway. */
  judge(text: KeptText): TextJudgement {
    const prompt = text.messages.length === 0 ? undefined : this.#judgePrompt(text);
    if (text.answer === undefined || prompt?.effect === 'block') return prompt ?? nothingFound;
    const answer = this.#judge('inference', [text.answer]);
    const hits = [...(prompt?.hits ?? []), ...answer.hits];
    const isExcepted = prompt?.isExcepted === true || (answer.excepted ?? []).length > 0;
    return { effect: effectOf(answer.decision, hits), hits, isExcepted };
  }

  #judgePrompt({ messages, isComposed }: KeptText): TextJudgement {
    const { system } = this.#motif;
    const composition = isComposed
      ? composedOf(messages, this.#motif)
      : compose(messages, { system, retrieve: this.#retrieve });
    const verdict = this.#judge(
      'prompt',
      composition.messages.map(({ content }) => content),
    );
    const hits = verdict.hits.map((hit) => placed(hit, composition));
    return { effect: effectOf(verdict.decision, hits), hits, isExcepted: (verdict.excepted ?? []).length > 0 };
  }

  #judge(side: 'prompt' | 'inference', texts: readonly string[]): Verdict {
    return judgeNow(this.#policies, side, texts, new WorkBudget(this.#policyWork));
  }
}

const nothingFound: TextJudgement = { effect: 'pass', hits: [], isExcepted: false };

function effectOf(decision: Verdict['decision'], hits: readonly Hit[]): Effect {
  if (decision === 'block') return 'block';
  return hits.some(({ action }) => action === 'redact') ? 'redact' : 'pass';
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
