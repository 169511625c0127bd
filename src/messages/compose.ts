import { MotifError } from '../errors.ts';
import { commonRoles, type Message } from '../wire/request.ts';

/** The parts of a prompt as text, before they become the messages array. */
export interface Parts {
  readonly system?: string | undefined;
  /** Of `--messages`. */
  readonly given: readonly Message[];
  /** Each `-m role:text`, as typed. */
  readonly turns: readonly string[];
  readonly template?: string | undefined;
  readonly words: readonly string[];
  readonly files: readonly NamedText[];
  readonly stdin?: string;
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The array in the order of the contract: system, `--messages`, each `-m`, then the composed user message. */
export function composeMessages(parts: Parts, editedText?: string): Message[] {
  const text = editedText === undefined ? composeText(parts) : withoutLastNewline(editedText);
  const system: Message[] = parts.system === undefined ? [] : [{ role: 'system', content: parts.system }];
  const messages = [...system, ...parts.given];
  for (const turn of parts.turns) messages.push(parseTurn(turn));
  if (text.trim() !== '') messages.push({ role: 'user', content: text });
  return messages;
}

/** True where there is nothing to be answered: a system message alone is no prompt. */
export function isPromptEmpty(messages: readonly Message[]): boolean {
  return !messages.some(({ role }) => role !== 'system');
}

/** The user message: template, words, files and stdin, joined with one blank line. */
export function composeText({ template, words, files, stdin }: Parts): string {
  const several = files.length > 1;
  let text = '';
  const add = (section: string): void => {
    if (section !== '') text = text === '' ? section : `${text}\n\n${section}`;
  };
  if (template !== undefined) add(withoutLastNewline(template));
  add(words.length === 1 ? words[0]! : words.join(' '));
  for (const { name, text: content } of files) {
    add((several ? `--- ${name} ---\n` : '') + withoutLastNewline(content));
  }
  if (stdin !== undefined) add(withoutLastNewline(stdin));
  return text;
}

/** Text files end with a newline that is not part of the text: `echo hi |` means the same as the word hi. */
export function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function parseTurn(text: string): Message {
  const match = /^([a-z]+):(.*)$/s.exec(text);
  const [, role = '', content = ''] = match ?? [];
  if ((commonRoles as readonly string[]).includes(role)) return { role, content };
  throw new MotifError('usage', `-m takes role:text with one of the roles ${commonRoles.join(', ')}`, {
    hint: ['for example -m "assistant:How can I help?"', 'other roles go through --messages FILE'],
  });
}
