import { payloads, yamlText } from './attacks.ts';
import type { GuardedPolicy } from './gateway-inside.ts';

/** A case that notices when a policy is missing or weaker, written for the list `cases` of a suite. */
interface GuardCase {
  readonly yaml: string;
  /** False where its text has still to be filled in. */
  readonly isWhole: boolean;
}

/** Texts of entities, those first that nothing else looks like. */
const entitySamples: Readonly<Record<string, string>> = {
  card: payloadOf('pii'),
  email: 'jane.doe@example.com',
  iban: 'DE89 3704 0044 0532 0130 00',
  phone: '+49 30 901820',
  us_ssn: '536-90-4399',
  ip: '203.0.113.7',
};

/** Kinds of policies with a text that each of them finds; undefined where only the person knows one. */
const samplesByKind: Readonly<Record<string, (looksFor: readonly string[]) => string | undefined>> = {
  pii: (looksFor) => Object.entries(entitySamples).find(([entity]) => looksFor.includes(entity))?.[1],
  secrets: () => payloadOf('secrets'),
  injection: () => payloadOf('injection'),
  words: ([word]) => word,
  urls: () => 'https://link.example/collect?id=1042',
  invisible: () => Array.from('hidden', (each) => String.fromCodePoint(0xe0000 + each.codePointAt(0)!)).join(''),
};

/** A text in the sentence of a case, on the side that the policy reads. */
export function sentenceWith(text: string, isOnPrompt: boolean): string {
  return isOnPrompt ? `Please look at this: ${text} thanks` : `It was this: ${text} as you asked`;
}

/** The case for a policy; `isNamed` also asks that no other policy decides, where several find the same. */
export function guardCase(of: GuardedPolicy, { isNamed }: { readonly isNamed: boolean }): GuardCase {
  const { policy, kind, action, isOnPrompt, looksFor } = of;
  const sample = of.sample?.text ?? samplesByKind[kind]?.(looksFor);
  const found = sample ?? `TEXT THAT ${policy} FINDS`;
  const text = yamlText(of.sample?.isAlone === true ? found : sentenceWith(found, isOnPrompt));
  const unseen = `{ not_contains: ${yamlText(found)} }`;
  const fields: readonly (readonly [string, string])[] = [
    ['id', yamlText(`guards-${policy}`)],
    ...(isOnPrompt
      ? ([['prompt', text]] as const)
      : ([
          ['prompt', yamlText('Which one was it?')],
          ['provider_answer', text],
        ] as const)),
    action === 'block' ? ['expect', 'blocked'] : [isOnPrompt ? 'provider_saw' : 'answer', unseen],
    ...(isNamed && action === 'block' ? ([['by', yamlText(policy)]] as const) : []),
  ];
  const lines = fields.map(([name, value], index) => `  ${index === 0 ? '-' : ' '} ${name}: ${value}\n`);
  return { yaml: lines.join(''), isWhole: sample !== undefined };
}

function payloadOf(tag: string): string {
  return payloads.find((each) => each.tag === tag)!.text;
}
