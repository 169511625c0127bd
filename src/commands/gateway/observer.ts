import type { ReadyMotif } from '../../gateway/contract.ts';
import { estimateTokens } from '../../text/sizes.ts';
import type { Hit, Inference, Provider, Verdict } from '../../gateway/vocabulary.ts';
import type { GatewayFacts } from '../../suites/expectations/expectation.ts';

export interface PromptNote {
  readonly answer: string | undefined;
  hits: readonly Hit[];
  /** Findings that exceptions freed. */
  excepted: readonly Hit[];
  providerSaw: string | undefined;
}

/** Prompts under way by the signal of their request, which goes along wherever a prompt goes. */
export class PromptNotes {
  readonly #notes = new WeakMap<AbortSignal, PromptNote>();

  add(signal: AbortSignal, note: PromptNote): void {
    this.#notes.set(signal, note);
  }

  /** The same Motif, with every judgement noted and the provider's answer replaced where the prompt has one. */
  watch(motif: ReadyMotif): ReadyMotif {
    return {
      ...motif,
      judge: (side, texts, asking) => {
        const verdict = motif.judge(side, texts, asking);
        const note = this.#notes.get(asking.signal);
        if (note === undefined) return verdict;
        const keep = (each: Verdict): Verdict => {
          note.hits = [...note.hits, ...each.hits];
          note.excepted = [...note.excepted, ...(each.excepted ?? [])];
          return each;
        };
        return verdict instanceof Promise ? verdict.then(keep) : keep(verdict);
      },
      provider: this.#watchProvider(motif.provider),
    };
  }

  #watchProvider(provider: Provider): Provider {
    return {
      name: provider.name,
      kind: provider.kind,
      ask: async (request, limits) => {
        const note = limits.signal && this.#notes.get(limits.signal);
        if (note === undefined) return await provider.ask(request, limits);
        note.providerSaw = request.messages.map(({ content }) => content).join('\n');
        return note.answer === undefined
          ? await provider.ask(request, limits)
          : inferenceOf(note.answer, note.providerSaw);
      },
    };
  }
}

function inferenceOf(text: string, asked: string): Inference {
  const usage = { prompt: estimateTokens(asked), completion: estimateTokens(text), isEstimated: false };
  return { text, finishReason: 'stop', usage };
}

export function gatewayFactsOf({ hits, excepted, providerSaw }: PromptNote): GatewayFacts {
  const freed = excepted.map(({ policy }) => policy);
  return { hits: hits.map(({ policy, rule, action }) => ({ policy, rule, action })), freed, providerSaw };
}
