import { MotifError } from '../../errors.ts';
import { defuseLine } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';
import type { Chat } from '../chat.ts';

/** The next step of the loop after a slash command; nothing at all for most. */
export type Next =
  | { readonly kind: 'leave' }
  | { readonly kind: 'send'; readonly text: string; readonly replacesLast: boolean }
  /** The next draft begins with this text. */
  | { readonly kind: 'edit'; readonly text: string };

/** The kind of words behind a command's name, for completion. */
export type SlashWords = 'command' | 'path' | 'profile' | 'conversation' | 'block' | 'format';

export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** As help shows them; empty where there are none. */
  readonly words: string;
  readonly summary: string;
  /** The kinds of its words, in their order. */
  readonly completes?: readonly SlashWords[];
  run(words: string, chat: Chat): Promise<Next | void>;
}

/** True for a word by which a person leaves other chats; with a blank before it, it is a text. */
export function isParting(typed: string): boolean {
  return /^(?:exit|quit)\s*$/.test(typed);
}

/** `/name words`, or text that is to be sent: `//` stands for one slash at its beginning. */
export function parseTyped(
  typed: string,
): { readonly text: string } | { readonly name: string; readonly words: string } {
  if (!typed.startsWith('/')) return { text: typed };
  if (typed.startsWith('//')) return { text: typed.slice(1) };
  const [, name = '', words = ''] = /^\/(\S*)\s*([^]*)$/.exec(typed) ?? [];
  return { name, words: words.trimEnd() };
}

/** The opposite: what is to be typed for this text to be sent. */
export function spellTyped(text: string): string {
  if (isParting(text)) return ` ${text}`;
  return text.startsWith('/') ? `/${text}` : text;
}

/** Words of other chats for a command of this one. */
const otherNames: Readonly<Record<string, string>> = {
  exit: 'quit q bye close',
  clear: 'new reset',
  load: 'history list resume continue open',
  profile: 'model models',
  retry: 'regenerate again',
  title: 'rename',
  usage: 'tokens cost',
};

function meantBy(name: string, table: readonly SlashCommand[]): string | undefined {
  const [other] = Object.entries(otherNames).find(([, words]) => words.split(' ').includes(name)) ?? [];
  return (
    other ??
    closest(
      name,
      table.map((command) => command.name),
    )
  );
}

/** A mistyped command is never sent to a service. */
export function findSlash(name: string, table: readonly SlashCommand[]): SlashCommand {
  const found = table.find((command) => command.name === name);
  if (found !== undefined) return found;
  const near = meantBy(name, table);
  throw new MotifError('usage', `there is no command /${defuseLine(name, 40)}; nothing was sent`, {
    hint: [...(near === undefined ? [] : [`did you mean /${near}?`]), '/help lists them; //text sends /text'],
  });
}

/** One word, or several in quotes, and what follows. */
export function takeWord(words: string): { readonly word: string; readonly rest: string } {
  const [whole, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|(\S+))(?:\s+|$)/.exec(words) ?? [words, words];
  return { word: double ?? single ?? plain ?? '', rest: words.slice(whole.length) };
}

/** The given number of words, the missing ones empty; more is a usage error, so that nothing typed is lost silently. */
export function takeWords(words: string, command: string, most: number): readonly string[] {
  const taken: string[] = [];
  let left = words;
  for (let count = 0; count < most; count += 1) {
    const { word, rest } = takeWord(left);
    taken.push(word);
    left = rest;
  }
  if (left !== '') throw usage(command, `/${command} does not know what to do with ${defuseLine(left, 60)}`);
  return taken;
}

function usage(command: string, message: string): MotifError {
  return new MotifError('usage', message, { hint: `/help ${command}` });
}
