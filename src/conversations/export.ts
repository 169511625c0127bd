import type { Message } from '../wire/request.ts';
import type { Conversation } from './conversation.ts';
import { untitled } from './title.ts';

interface ExportForm {
  /** JSON is escaped on a terminal, other text is defused. */
  readonly isJson: boolean;
  /** The text of a whole conversation. */
  readonly render: (conversation: Conversation) => string;
}

const forms = {
  markdown: { isJson: false, render: toMarkdown },
  json: { isJson: true, render: (conversation) => indented(toDocument(conversation)) },
  messages: { isJson: true, render: ({ messages }) => indented(messages) },
} satisfies Readonly<Record<string, ExportForm>>;

type ExportFormat = keyof typeof forms;

/** Every way to export a conversation, by its name: one row a format. */
export const exportForms: Readonly<Record<ExportFormat, ExportForm>> = forms;

export const exportFormats = Object.keys(forms) as readonly ExportFormat[];

/** The format of this name; `md`, as its files end, is Markdown too. */
export function exportFormatOf(name: string): ExportFormat | undefined {
  return name === 'md' ? 'markdown' : exportFormats.find((each) => each === name);
}

/** The format that the ending of a file's name stands for. */
export function formatOfFile(name: string): ExportFormat {
  return /\.json$/i.test(name) ? 'json' : 'markdown';
}

function indented(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** All that is known; its `messages` are what `--messages` reads, each answer with what came along with it. */
export function toDocument(conversation: Conversation): Record<string, unknown> {
  const { id, title, created, motifId, profile, turns, totalTokens, opening, saidTurns } = conversation;
  const said = saidTurns.flatMap(({ messages, time, outcome }) =>
    messages.map((message, at) => {
      if (at < messages.length - 1) return message;
      const { promptId, finishReason, usage, elapsedMs } = outcome;
      return { ...message, time, prompt_id: promptId, finish_reason: finishReason, usage, elapsed_ms: elapsedMs };
    }),
  );
  const facts = { id, title, created, motif_id: motifId, profile, turns, total_tokens: totalTokens };
  return { ...facts, messages: [...opening, ...said] };
}

function toMarkdown({ id, title, created, motifId, messages }: Conversation): string {
  const about = [`conversation ${id}`, ...(motifId === null ? [] : [`Motif ${motifId}`]), created.slice(0, 10)];
  const parts = messages.map(({ role, content }) => `## ${speaker(role)}\n\n${content.trimEnd()}\n`);
  return [`# ${title ?? untitled}\n`, `${about.join(', ')}\n`, ...parts].join('\n');
}

/** The speaker's name for people. */
export function speaker(role: Message['role']): string {
  const names: Readonly<Record<string, string>> = { system: 'System', user: 'You', assistant: 'Motif' };
  return Object.hasOwn(names, role) ? (names[role] ?? role) : role;
}
