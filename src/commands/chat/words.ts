import type { Chat } from '../../chat/chat.ts';
import type { SlashCandidates, WordSources } from '../../chat/slash/completion.ts';
import { slashTable } from '../../chat/slash/table.ts';
import { exportFormats } from '../../conversations/export.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { World } from '../../world/world.ts';
import { fromHome } from './ports.ts';

/** More than anybody reads below a line. */
const shownMax = 200;

/** Candidates for Tab behind a slash command. A source that fails offers nothing, for somebody is typing. */
export function createWordSources(place: { readonly chat?: Chat }, world: World): WordSources {
  const quietly =
    (source: (typed: string) => Promise<SlashCandidates>) =>
    async (typed: string): Promise<SlashCandidates> =>
      (await source(typed).catch(() => [])).slice(0, shownMax);
  return {
    command: () => slashTable.map(({ name, summary }) => ({ text: name, note: summary })),
    format: () => exportFormats.map((text) => ({ text })),
    path: quietly((typed) => paths(typed, world)),
    profile: quietly(async () => ((await place.chat?.ports.profiles()) ?? []).map((text) => ({ text }))),
    conversation: quietly(async () => {
      const saved = (await place.chat?.ports.saved.list()) ?? [];
      return saved.map(({ id, title }) => ({ text: id, note: defuseLine(title ?? '', 60) }));
    }),
    // A number or a language is quicker typed than chosen.
    block: () => [],
  };
}

async function paths(typed: string, world: World): Promise<SlashCandidates> {
  const head = typed.slice(0, typed.lastIndexOf('/') + 1);
  const names = await world.files.list(fromHome(head === '' ? '.' : head, world));
  const shown = names.filter((name) => name.startsWith(typed.slice(head.length)) && defuseLine(name) === name);
  return Promise.all(
    shown.slice(0, shownMax).map(async (name) => {
      const info = await world.files.info(fromHome(head + name, world));
      return { text: `${head}${name}${info?.type === 'folder' ? '/' : ''}` };
    }),
  );
}
