import type { CompletionCandidate, DraftCompletion } from '../editor/completing.ts';
import type { SlashCommand, SlashWords } from './slash.ts';

/** Completions for the words behind a command; each gets what is typed of the word so far. */
export type WordSources = Readonly<Record<SlashWords, (typed: string) => Promise<SlashCandidates> | SlashCandidates>>;
export type SlashCandidates = readonly CompletionCandidate[];

/** Completions for Tab: the commands, and what belongs behind each; none for a text that is no command. */
export async function completeSlash(
  text: string,
  cursor: number,
  { table, sources }: { readonly table: readonly SlashCommand[]; readonly sources: WordSources },
): Promise<DraftCompletion> {
  const nothing = { start: cursor, candidates: [] };
  const typed = text.slice(0, cursor);
  if (!typed.startsWith('/') || typed.startsWith('//') || typed.includes('\n')) return nothing;
  const [, name = '', gap = '', words = ''] = /^\/(\S*)(\s*)(.*)$/.exec(typed) ?? [];
  if (gap === '') {
    const commands = table.map((command) => ({ text: `/${command.name}`, note: command.summary }));
    return { start: 0, candidates: startingWith(typed, commands) };
  }
  const kinds = table.find((command) => command.name === name)?.completes ?? [];
  const { kind, word } = wordAt(words, kinds);
  if (kind === undefined) return nothing;
  return { start: cursor - word.length, candidates: startingWith(word, await sources[kind](word)) };
}

/** The last kind takes all that is left, for titles and names may have blanks. */
function wordAt(words: string, kinds: readonly SlashWords[]): { kind: SlashWords | undefined; word: string } {
  let rest = words;
  for (const kind of kinds.slice(0, -1)) {
    const [whole] = /^\S*\s+/.exec(rest) ?? [];
    if (whole === undefined) return { kind, word: rest };
    rest = rest.slice(whole.length);
  }
  return { kind: kinds.at(-1), word: rest };
}

function startingWith(typed: string, candidates: SlashCandidates): SlashCandidates {
  const start = typed.toLowerCase();
  return candidates.filter(({ text }) => text.toLowerCase().startsWith(start));
}
