import type { Message } from '../../wire/request.ts';
import { parseKnowledgeMessage } from '../knowledge/message.ts';
import { termsOf } from '../knowledge/terms.ts';

/**
 * Answers with the one sentence of the knowledge that shares most words with what the user said last, and with its
 * source. Without one it says so, and shows what it was asked.
 */
export function quoteAnswer(messages: readonly Message[]): string {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const asked = new Set(termsOf(question));
  let best = { shared: 0, answer: `The knowledge has no answer to: ${question}` };
  for (const { source, text } of messages.filter(({ role }) => role === 'system').flatMap(parseKnowledgeMessage)) {
    const inSource = sharedTerms(source, asked);
    for (const sentence of sentencesOf(text)) {
      const inSentence = sharedTerms(sentence, asked);
      // The title speaks for each of its sentences, but less than the sentence's own words.
      const shared = inSentence + inSource / 2;
      if (shared > best.shared) best = { shared, answer: `${sentence} [${source}]` };
    }
  }
  return best.answer;
}

function sharedTerms(text: string, asked: ReadonlySet<string>): number {
  return new Set(termsOf(text).filter((term) => asked.has(term))).size;
}

function sentencesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/^\s*[-*+]\s/, '').trim());
  return lines.flatMap((line) => line.split(/(?<=[.!?])\s(?=\s*\p{Lu})/u)).filter((sentence) => sentence !== '');
}
