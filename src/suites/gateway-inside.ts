import type { Send } from '../wire/http.ts';
import type { GatewayFacts } from './expectations/expectation.ts';

/** A text that a policy finds something in. */
export interface PolicySample {
  readonly text: string;
  /** It is found only where nothing stands around it. */
  readonly isAlone: boolean;
}

/** A policy of the Motif, as far as its proof is concerned. */
export interface GuardedPolicy {
  readonly policy: string;
  /** Its place in the gateway file, looked up when it is asked for. */
  readonly place: () => { readonly file: string; readonly line: number };
  readonly kind: string;
  readonly action: 'block' | 'redact' | 'warn';
  /** False for one that asks somebody outside. */
  readonly isPure: boolean;
  /** False for one that reads answers alone. */
  readonly isOnPrompt: boolean;
  /** Its entities, words and patterns. */
  readonly looksFor: readonly string[];
  /** Those of them that a suite can leave untested: a single one is the policy itself. */
  readonly parts: readonly string[];
  /** True for a text that one of its exceptions frees. */
  readonly isExcepted: (text: string) => boolean;
  /** Made of its options, where they tell one. */
  readonly sample?: PolicySample | undefined;
  /** A text that one of its parts finds, where its options tell one. */
  readonly partSample?: ((part: string) => PolicySample | undefined) | undefined;
}

/** One way to make a Motif worse. */
export interface PolicyChange {
  readonly policy: string;
  readonly change: 'off' | 'weakened' | { readonly part: string };
}

/** One prompt on an embedded gateway that is watched: how it is sent, and what was seen then. */
interface Observed {
  readonly send: Send;
  sight(): GatewayFacts;
}

/** The inside of an embedded gateway, for suites. */
export interface GatewayInside {
  /** False where the real providers are asked, so that nobody can answer in their place. */
  readonly isMocked: boolean;
  readonly policies: readonly GuardedPolicy[];
  /** Watches the next prompt; the provider answers the given text, if there is one. */
  observe(providerAnswer?: string): Observed;
  /** The same gateway with one policy changed. */
  changed(change: PolicyChange): Promise<GatewayInside>;
}
