import { payloads, yamlText } from './attacks.ts';
import { entitySamples } from './entity-samples.ts';
import type { GuardedPolicy, PolicySample } from '../gateway-inside.ts';

/** A case that notices when a policy is missing or weaker, written for the list `cases` of a suite. */
interface GuardCase {
  readonly yaml: string;
  /** False where its text has still to be filled in. */
  readonly isWhole: boolean;
}

/** Kinds of policies with texts that each of them finds; none where only the person knows one. */
const samplesByKind: Readonly<Record<string, (looksFor: readonly string[]) => readonly string[]>> = {
  pii: (looksFor) => Object.entries(entitySamples).flatMap(([name, text]) => (looksFor.includes(name) ? [text] : [])),
  secrets: () => [payloadOf('secrets')],
  injection: () => [payloadOf('injection')],
  words: (looksFor) => looksFor,
  urls: () => ['https://link.example/collect?id=1042'],
  invisible: () => [Array.from('hidden', (each) => String.fromCodePoint(0xe0000 + each.codePointAt(0)!)).join('')],
};

/** The part as a word of an ID; undefined where it is none, or where another part has the same. */
function nameOf(part: string, parts: readonly string[]): string | undefined {
  const hyphened = (each: string): string => each.replaceAll(' ', '-');
  const name = hyphened(part);
  const isUnique = part === name || parts.filter((each) => hyphened(each) === name).length === 1;
  return isUnique && /^[\w-]{1,40}$/.test(name) ? name : undefined;
}

/** The text that one part of a policy finds; undefined where only the person knows one. */
function sampleOfPart({ kind, partSample }: GuardedPolicy, part: string): PolicySample | undefined {
  const text = kind === 'pii' ? entitySamples[part] : kind === 'words' ? part : undefined;
  return text === undefined ? partSample?.(part) : { text, isAlone: false };
}

/** The case for one entity, word or pattern of a policy; undefined where no text is known that it finds. */
export function partCase(of: GuardedPolicy, part: string): string | undefined {
  const sample = sampleOfPart(of, part);
  if (sample === undefined || of.isExcepted(sample.text)) return undefined;
  const number = of.parts.indexOf(part) + 1;
  const name = nameOf(part, of.parts) ?? String(number);
  // Several entities may find the same figures, each by a rule of its own name.
  const by = of.kind === 'pii' ? `${of.policy}/${part}` : undefined;
  return caseYaml({ ...of, sample }, { id: `guards-${of.policy}-${name}`, found: sample.text, by });
}

/** A text in the sentence of a case, on the side that the policy reads. */
export function sentenceWith(text: string, isOnPrompt: boolean): string {
  return isOnPrompt ? `Please look at this: ${text} thanks` : `It was this: ${text} as you asked`;
}

/** The case for a policy; `isNamed` also asks that no other policy decides, where several find the same. */
export function guardCase(of: GuardedPolicy, { isNamed }: { readonly isNamed: boolean }): GuardCase {
  const { policy, kind, action, looksFor } = of;
  const known = of.sample === undefined ? (samplesByKind[kind]?.(looksFor) ?? []) : [of.sample.text];
  const sample = known.find((each) => !of.isExcepted(each));
  const found = sample ?? `TEXT THAT ${policy} FINDS`;
  const by = isNamed && action === 'block' ? policy : undefined;
  return { yaml: caseYaml(of, { id: `guards-${policy}`, found, by }), isWhole: sample !== undefined };
}

interface CaseParts {
  readonly id: string;
  readonly found: string;
  readonly by: string | undefined;
}

function caseYaml({ action, isOnPrompt, sample }: GuardedPolicy, { id, found, by }: CaseParts): string {
  const text = yamlText(sample?.isAlone === true ? found : sentenceWith(found, isOnPrompt));
  const unseen = `{ not_contains: ${yamlText(found)} }`;
  const fields: readonly (readonly [string, string])[] = [
    ['id', yamlText(id)],
    ...(isOnPrompt
      ? ([['prompt', text]] as const)
      : ([
          ['prompt', yamlText('Which one was it?')],
          ['provider_answer', text],
        ] as const)),
    action === 'block' ? ['expect', 'blocked'] : [isOnPrompt ? 'provider_saw' : 'answer', unseen],
    ...(by === undefined ? [] : ([['by', yamlText(by)]] as const)),
  ];
  const lines = fields.map(([name, value], index) => `  ${index === 0 ? '-' : ' '} ${name}: ${value}\n`);
  return lines.join('');
}

function payloadOf(tag: string): string {
  return payloads.find((each) => each.tag === tag)!.text;
}
